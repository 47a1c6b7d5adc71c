"""The verdict of ms-swift's own parser on command lines, in an environment that has a release of it.

    python tools/framework_parity/worker/swift_arguments.py WORDS.jsonl > ROWS.jsonl

Rows `{file, command, argv}` become `{file, ok, error}`. `parse_args` of the release runs on the class of the command,
and stops where it would fill the class: what `__post_init__` needs a model for is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

#: Command -> the names that its class has had.
CLASSES = {
    "sft": ("SftArguments", "TrainArguments"),
    "pt": ("PretrainArguments", "PtArguments", "TrainArguments"),
    "rlhf": ("RLHFArguments",),
    "infer": ("InferArguments",),
    "export": ("ExportArguments",),
    "deploy": ("DeployArguments",),
    "eval": ("EvalArguments",),
    "app": ("AppArguments", "AppUIArguments"),
    "rollout": ("RolloutArguments",),
    "sample": ("SamplingArguments",),
    "megatron_sft": ("MegatronSftArguments", "MegatronTrainArguments"),
    "megatron_pt": ("MegatronPretrainArguments", "MegatronTrainArguments"),
    "megatron_rlhf": ("MegatronRLHFArguments",),
    "megatron_export": ("MegatronExportArguments",),
}
#: Where the releases have them.
_MODULES = ("swift.arguments", "swift.llm.argument", "swift.llm.utils.argument", "swift.llm")
_SECOND = ("swift.megatron.arguments", "swift.megatron.argument")


@lru_cache(maxsize=32)
def class_of(command: str) -> Any:
    """The class of a command.

    Raises:
        LookupError: the release has no such command.
    """
    for path in _SECOND if command.startswith("megatron") else _MODULES:
        try:
            module = import_module(path)
        except (ImportError, AttributeError):
            continue
        for name in CLASSES[command]:
            if getattr(module, name, None) is not None:
                return getattr(module, name)
    raise LookupError(command)


def verdict(command: str, argv: Sequence[str]) -> str:
    """Why a release refuses the words of a command; empty when it does not."""
    parse_args = import_module("swift.utils").parse_args

    printed = io.StringIO()
    try:
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(io.StringIO()):
            args, remaining = parse_args(class_of(command), list(argv))
    except SystemExit:
        lines = printed.getvalue().strip().splitlines()
        return lines[-1] if lines else "argparse"
    except (ValueError, TypeError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    if remaining and not getattr(args, "ignore_args_error", False):
        return f"ValueError: remaining_argv: {remaining}"
    return ""


def _stop_before_class() -> None:
    """Let the parser hand back what it read in place of filling the class."""
    from transformers import HfArgumentParser

    def known(self: Any, args: Any = None, **_: Any) -> tuple[Any, list[str]]:
        read: tuple[Any, list[str]] = self.parse_known_args(args=args)
        return read

    HfArgumentParser.parse_args_into_dataclasses = known


class _Anything(MagicMock):
    """A module in which every name is a dataclass: others are derived from it, or its fields are looked at."""

    def __getattr__(self, name: str) -> Any:
        if not name[:1].isupper():
            return super().__getattr__(name)
        found: Any = dataclass(type(name, (), {}))
        return found


class _Absent(MetaPathFinder, Loader):
    """Stands in for packages of a training machine that no argument depends on."""

    names = (
        *("apex", "mcore_bridge", "megatron", "megatron_core", "transformer_engine"),
        *("attrdict", "evalscope", "gradio", "jieba", "matplotlib", "nltk", "oss2", "rouge"),
        *("absl", "fastapi", "tensorboard", "uvicorn"),
    )

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """A module for everything below such a package."""
        is_absent = fullname.partition(".")[0] in self.names
        return ModuleSpec(fullname, self, is_package=True) if is_absent else None

    def create_module(self, spec: ModuleSpec) -> Any:
        """A module that has every name."""
        module: Any = _Anything(name=spec.name)
        module.__path__, module.__spec__, module.__version__ = [], spec, "0.17.0"
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to do."""


def without_megatron() -> None:
    """Let the classes of `megatron` be imported where it is not installed."""
    sys.meta_path.append(_Absent())
    spec = find_spec("swift")
    for home in (spec.submodule_search_locations or ()) if spec is not None else ():
        folder = Path(home) / "megatron"
        if folder.is_dir():
            # Its own `__init__` patches, and in 3.x clones, Megatron.
            package = ModuleType("swift.megatron")
            package.__path__ = [str(folder)]
            sys.modules["swift.megatron"] = package


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """A row for each file: it is refused when one of its commands is."""
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        try:
            error = verdict(row["command"], row["argv"])
        except LookupError:
            continue
        found[row["file"]] = found.get(row["file"]) or error
    for file, error in found.items():
        yield {"file": file, "ok": not error, "stage": "parse", "error": error}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", type=Path)
    options = parser.parse_args(arguments)
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        _stop_before_class()
        without_megatron()
        for row in rows(options.words):
            out.write(json.dumps(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
