"""What the arguments of LLaMA-Factory or TRL hold once a release has read a file.

    PYTHONPATH=RELEASE python tools/framework_parity/worker/final_values.py llamafactory --folder CHECKOUT FILE...
    PYTHONPATH=RELEASE python tools/framework_parity/worker/final_values.py llamafactory-v1 FILE...
    PYTHONPATH=RELEASE python tools/framework_parity/worker/final_values.py trl --command sft FILE...

prints JSON lines with `file`, `ok`, and `values` or `error`. It is run on its own by a Python that has a release
and what this needs, torch included; a GPU is pretended, and one process, or `--processes` of them. Each
file is read in a process of its own. For LLaMA-Factory, `--folder` is where its `data/dataset_info.json` is.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import dataclasses
import enum
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

#: Keys that `train` of LLaMA-Factory reads, and none of its other commands.
_OF_TRAINING = ("output_dir", "do_train", "do_eval", "do_predict", "per_device_train_batch_size")
_RANK = {"RANK": "0", "LOCAL_RANK": "0", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29517"}


def import_first() -> None:
    """Import what would look for the kernels of a GPU that is only pretended."""
    with contextlib.suppress(ImportError):
        importlib.import_module("bitsandbytes")
    importlib.import_module("transformers.training_args")


def pretend(processes: int) -> None:
    """Let torch believe in a GPU that can do everything, and in a group of processes."""
    import torch

    import_first()

    cuda: Any = torch.cuda
    torch.version.cuda = torch.version.cuda or "12.8"
    for name, value in {
        "is_available": True,
        "device_count": processes,
        "current_device": 0,
        "set_device": None,
        "is_bf16_supported": True,
        "get_device_capability": (9, 0),
        "get_device_name": "H100",
        "manual_seed_all": None,
        "manual_seed": None,
        "empty_cache": None,
        "_lazy_init": None,
        "get_device_properties": argparse.Namespace(
            major=9, minor=0, name="H100", total_memory=80 << 30, multi_processor_count=132
        ),
    }.items():
        setattr(cuda, name, lambda *_given, _value=value, **_named: _value)
    for module in ("transformers.utils.import_utils", "accelerate.utils.imports"):
        for remembered in vars(importlib.import_module(module)).values():
            if hasattr(remembered, "cache_clear"):
                remembered.cache_clear()
    if processes > 1:
        group: Any = torch.distributed
        importlib.import_module("torch.cuda.nccl").__dict__["version"] = lambda: (2, 27, 3)
        from torch.testing._internal.distributed.fake_pg import FakeStore

        os.environ.update(_RANK, WORLD_SIZE=str(processes), LOCAL_WORLD_SIZE=str(processes))
        start: Any = group.init_process_group

        def started(*_given: Any, **_named: Any) -> None:
            if not group.is_initialized():
                start(backend="fake", store=FakeStore(), rank=0, world_size=processes)

        started()
        group.init_process_group = started
        group.get_backend = lambda *_given, **_named: "nccl"
        with contextlib.suppress(ImportError):
            deepspeed: Any = importlib.import_module("deepspeed")
            for part in (deepspeed, deepspeed.comm, deepspeed.comm.comm):
                part.init_distributed = lambda *_given, **_named: None


def llamafactory(folder: Path) -> Callable[[Path], Iterable[Any]]:
    """Reads a file as the command does that it is for."""
    parser: Any = importlib.import_module("llamafactory.hparams.parser")
    # Packages of the training machine, which no file decides.
    for name in ("check_version", "require_version", "check_dependencies"):
        if hasattr(parser, name):
            setattr(parser, name, lambda *_given, **_named: None)
    parser.transformers.set_seed = lambda *_given, **_named: None

    def read(file: Path) -> Iterable[Any]:
        import yaml

        os.chdir(folder)
        sys.argv = ["llamafactory-cli", str(file)]
        written = yaml.safe_load(file.read_text(encoding="utf-8"))
        if any(key in written for key in _OF_TRAINING):
            command = "train"
        else:
            command = "eval" if "task" in written and "save_dir" in written else "infer"
        found: Iterable[Any] = getattr(parser, f"get_{command}_args")()
        return found

    return read


def llamafactory_v1() -> Callable[[Path], Iterable[Any]]:
    """Reads a file of the v1 layout, and counts the batches of one that trains."""
    parser: Any = importlib.import_module("llamafactory.v1.config.arg_parser")

    def read(file: Path) -> Iterable[Any]:
        os.chdir(file.parent)
        sys.argv = ["llamafactory-cli", str(file)]
        found: Iterable[Any] = parser.get_args()
        (training,) = (one for one in found if hasattr(one, "micro_batch_size"))
        if any(getattr(one, "train_dataset", None) is not None for one in found):
            training.global_batch_size = _global_batch_size(training)
        return found

    return read


def _global_batch_size(training: Any) -> Any:
    """What the trainer of the v1 layout counts, without its loader of data."""
    for name in ("", ".stateful_dataloader", ".stateful_dataloader.sampler"):
        sys.modules[f"torchdata{name}"] = MagicMock()
    batching: Any = importlib.import_module("llamafactory.v1.core.utils.batching")
    interface: Any = importlib.import_module("llamafactory.v1.accelerator.interface")
    interface.init_process_group = lambda **_named: None  # the pretended one is there
    interface.DistributedInterface(training.dist_config)
    generator = batching.BatchGenerator
    generator._init_data_provider = lambda _self: None
    generator._data_provider = ()
    made = generator(
        dataset=(),
        renderer=None,
        micro_batch_size=training.micro_batch_size,
        global_batch_size=training.global_batch_size,
    )
    return made.global_batch_size


def trl(command: str) -> Callable[[Path], Iterable[Any]]:
    """Reads a file as a command of TRL does."""
    parser = _trl_parser(command)

    def refused(message: str) -> None:
        raise ValueError(message)

    parser.error = refused

    def read(file: Path) -> Iterable[Any]:
        os.chdir(file.parent)
        sys.argv = [f"{command}.py", "--config", str(file)]
        found: Iterable[Any] = parser.parse_args_and_config()
        return found

    return read


def _trl_parser(command: str) -> Any:
    """The parser that a command's script makes; up to 0.12 the script is no module."""
    with contextlib.suppress(ModuleNotFoundError):
        return importlib.import_module(f"trl.scripts.{command}").make_parser()
    home = Path(str(importlib.import_module("trl").__file__)).parent
    name = "reward_modeling" if command == "reward" else command
    path = home / "commands" / "scripts" / f"{name}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "script", "__file__": str(path)}
    body = [node for node in tree.body if not isinstance(node, ast.If)]
    exec(compile(ast.Module(body, []), str(path), "exec"), names)
    (call,) = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "TrlParser"
    ]
    classes = eval(compile(ast.Expression(call.args[0]), str(path), "eval"), names)
    return importlib.import_module("trl.commands.cli_utils").TrlParser(classes)


def values_of(found: Iterable[Any]) -> dict[str, Any]:
    """Field -> value, of all fields that a file can set."""
    values: dict[str, Any] = {}
    for arguments in found:
        if dataclasses.is_dataclass(arguments):
            for field in dataclasses.fields(arguments):
                if field.init and (field.name not in values or values[field.name] is None):
                    values[field.name] = plain(getattr(arguments, field.name))
    return values


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def answer(read: Callable[[Path], Iterable[Any]], file: Path, processes: int) -> dict[str, Any]:
    """The row of a file, which is read in a child: nothing that it does reaches the next."""
    ours, theirs = os.pipe()
    child = os.fork()
    row: dict[str, Any]
    if child == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        try:
            pretend(processes)
            row = {"file": str(file), "ok": True, "values": values_of(read(file))}
        except BaseException as error:  # whatever ends it
            row = {"file": str(file), "ok": False, "error": f"{type(error).__name__}: {error}"}
        with os.fdopen(theirs, "w") as out:
            out.write(json.dumps(row))
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as source:
        row = json.loads(source.read() or json.dumps({"file": str(file), "ok": False}))
    os.waitpid(child, 0)
    return row


def main() -> None:
    """Print a line for each file."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("framework", choices=("llamafactory", "llamafactory-v1", "trl"))
    options.add_argument("--command", default="sft")
    options.add_argument("--folder", type=Path, default=Path())
    options.add_argument("--processes", type=int, default=1)
    options.add_argument("files", nargs="+", type=Path)
    given = options.parse_args()
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what releases print
    with contextlib.suppress(ImportError):
        importlib.import_module("deepspeed")
    importlib.import_module("torch.testing._internal.distributed.fake_pg")
    if given.framework == "llamafactory":
        read = llamafactory(given.folder)
    else:
        read = llamafactory_v1() if given.framework == "llamafactory-v1" else trl(given.command)
    for file in given.files:
        out.write(json.dumps(answer(read, file.resolve(), given.processes)) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
