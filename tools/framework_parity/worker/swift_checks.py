"""What ms-swift's own checks say of command lines, in an environment that has a release of it.

    PYTHONPATH=RELEASE:CHECKOUT python -m tools.framework_parity.worker.swift_checks WORDS.jsonl > ROWS.jsonl

Rows `{file, command, argv, release}` become `{file, ok, error, changed}`: the class of the command is filled, so that its
`__post_init__` decides. `changed` has the values that were given and became others. A model is a
folder with a config of a small one, whatever its name; a GPU is pretended; nothing is downloaded, trained or served.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

from tools.framework_parity.worker.swift_arguments import class_of, without_megatron

_SMALL = {
    "architectures": ["Qwen3ForCausalLM"],
    "model_type": "qwen3",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": 1000,
    "torch_dtype": "bfloat16",
    "max_position_embeddings": 40960,
    "rope_theta": 1000000,
    "tie_word_embeddings": True,
}
#: Functions of ms-swift that reach for a hub, a device or other processes, with what they give instead.
_REPLACED = (
    *("safe_snapshot_download", "to_abspath", "init_process_group", "initialize_megatron"),
    "require_version",
)
#: Modules with the client of a server for rollouts, by release.
_CLIENTS = ("swift.rlhf_trainers.vllm_client", "swift.trainers.rlhf_trainer.vllm_client")


class _AttnBackend(Enum):
    """The names that Megatron has for its kernels."""

    flash = 1
    fused = 2
    unfused = 3
    local = 4
    auto = 5


def _devices() -> int:
    """How many GPUs a command sees: those that are named, or one for each process."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    return named.count(",") + 1 if named else int(os.environ.get("LOCAL_WORLD_SIZE", "1"))


def _set(environment: dict[str, str]) -> None:
    """Set variables, and those that the launcher gives to the first of several processes."""
    os.environ.update(environment)
    count = environment.get("NPROC_PER_NODE")
    if count is not None:
        os.environ.update({"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": count})
        os.environ.update({"LOCAL_WORLD_SIZE": count, "MASTER_ADDR": "127.0.0.1"})
        os.environ["MASTER_PORT"] = "29517"


def _pretend_gpu() -> None:
    import torch

    bindings: Any = torch._C
    bindings._cuda_getCurrentRawStream = lambda *_, **__: 0
    cuda: Any = torch.cuda
    cuda.is_available = lambda: True
    cuda.device_count = _devices
    cuda.current_device = lambda: 0
    cuda.set_device = cuda.manual_seed_all = cuda.empty_cache = lambda *_, **__: None
    cuda.is_bf16_supported = lambda *_, **__: True
    cuda.get_device_capability = lambda *_, **__: (9, 0)
    cuda.get_device_name = lambda *_, **__: "NVIDIA H100 80GB HBM3"


def _stand_ins(model: str) -> dict[str, Any]:
    def folder(path: str, *_: Any, **__: Any) -> str:
        return path if Path(path).is_dir() else model

    def absolute(path: Any, *_: Any, **__: Any) -> Any:
        return path if path is None or isinstance(path, list) else os.path.abspath(path)

    def processes(args: Any, *_: Any, **__: Any) -> None:
        args.world_size = int(os.environ.get("WORLD_SIZE", "1"))

    def begin(*_: Any, **__: Any) -> None:
        import torch.distributed as dist

        dist.init_process_group()

    functions = (folder, absolute, begin, processes, lambda *_, **__: None)
    return dict(zip(_REPLACED, functions, strict=True))


def _replace(model: str) -> None:
    """Put the stand-ins where ms-swift's modules have imported the functions."""
    stand_ins = _stand_ins(model)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "swift":
            continue
        for function, stand_in in stand_ins.items():
            if function in vars(module):
                setattr(module, function, stand_in)


def _with_modules() -> None:
    """Modules in which the classes look up more than stand-ins have."""
    enums: Any = ModuleType("megatron.core.transformer.enums")
    enums.AttnBackend = _AttnBackend
    sys.modules["megatron.core.transformer.enums"] = enums
    patches: Any = ModuleType("swift.megatron.init")
    patches._patch_mcore_bridge = MagicMock()
    sys.modules["swift.megatron.init"] = patches
    for name in _CLIENTS:
        module: Any = ModuleType(name)
        module.VLLMClient = MagicMock()
        sys.modules[name] = module


def _pretend_processes() -> None:
    """A group of processes of which only this one exists."""
    import torch.distributed as dist
    from torch.testing._internal.distributed import fake_pg

    group: Any = dist
    begin = group.init_process_group

    def started(*_: Any, **__: Any) -> None:
        if not group.is_initialized():
            size = int(os.environ.get("WORLD_SIZE", "1"))
            begin(backend="fake", store=fake_pg.FakeStore(), rank=0, world_size=size)

    group.init_process_group = started
    group.get_backend = lambda *_, **__: "nccl"


def _differing(args: Any, given: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in given.items():
        final = getattr(args, name, value)
        if final != value and not (
            isinstance(final, (dict, list)) and isinstance(value, (str, list))
        ):
            found[name] = [str(value), str(final)]
    return found


def _given(parser: Any, argv: Sequence[str]) -> dict[str, Any]:
    """The options of a line with what the parser makes of their words."""
    read, _ = parser.parse_known_args(args=list(argv))
    names = {word[2:].partition("=")[0].replace("-", "_") for word in argv if word[:2] == "--"}
    return {name: getattr(read, name) for name in names if hasattr(read, name)}


def _check_later(args: Any) -> None:
    """The checks of `megatron` that releases before 4.0 made once the model was known."""
    if hasattr(args, "init_model_args"):
        for one in type(args).__mro__:
            if one.__name__ == "MegatronArguments":
                one.__post_init__(args)  # type: ignore[attr-defined]


def verdict(command: str, argv: Sequence[str], model: str) -> tuple[str, dict[str, Any]]:
    """Why a release refuses a command (empty when it does not), and the values that it changes."""
    from transformers import HfArgumentParser

    parse_args = import_module("swift.utils").parse_args
    words = list(argv)
    _replace(model)
    parsers: list[Any] = []
    original = HfArgumentParser.__init__

    def remembered(self: Any, *args: Any, **more: Any) -> None:
        parsers.append(self)
        original(self, *args, **more)

    HfArgumentParser.__init__ = remembered
    printed = io.StringIO()
    try:
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(io.StringIO()):
            args, remaining = parse_args(class_of(command), words)
            _check_later(args)
    except SystemExit:
        lines = printed.getvalue().strip().splitlines()
        return f"parser: {lines[-1] if lines else 'argparse'}", {}
    except Exception as error:  # whatever a release raises is its verdict
        return f"{type(error).__name__}: {error}", {}
    finally:
        HfArgumentParser.__init__ = original
    if remaining and not getattr(args, "ignore_args_error", False):
        return f"ValueError: remaining_argv: {remaining}", {}
    return "", _differing(args, _given(parsers[0], argv))


def _in_child(row: dict[str, Any], model: str) -> dict[str, Any]:
    """The verdict of a row, in a process of its own: classes change what later ones see."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        with tempfile.TemporaryDirectory() as home:
            os.chdir(home)
            _set(row.get("environment", {}))
            try:
                error, changed = verdict(row["command"], row["argv"], model)
            except LookupError:
                error, changed = "no such command", {}
            except BaseException as problem:  # the child must answer
                error, changed = f"the judge failed: {problem!r}", {}
            with os.fdopen(write, "w", encoding="utf-8") as out:
                json.dump({"ok": not error, "error": error[:400], "changed": changed}, out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"ok": False, "error": "the judge died", "changed": {}}


def rows(path: Path, model: str) -> Iterator[dict[str, Any]]:
    """A row for each command."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        with contextlib.suppress(LookupError):
            class_of(row["command"])  # imported once, before the processes are divided
        yield {**row, **_in_child(row, model)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", type=Path)
    options = parser.parse_args(arguments)
    out = sys.stdout
    os.environ.update({"HF_HUB_OFFLINE": "1", "DS_ACCELERATOR": "cpu", "WANDB_MODE": "disabled"})
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        Path(folder, "config.json").write_text(json.dumps(_SMALL), encoding="utf-8")
        Path(folder, "adapter_config.json").write_text("{}", encoding="utf-8")
        _pretend_gpu()
        without_megatron()
        _with_modules()
        _pretend_processes()
        for row in rows(options.words, folder):
            out.write(json.dumps(row) + "\n")
            out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
