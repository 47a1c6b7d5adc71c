"""What the parsers of a release of LLaMA-Factory or TRL say of the words of commands.

    PYTHONPATH=RELEASE:CHECKOUT python -m tools.framework_parity.worker.option_words llamafactory --folder FOLDER WORDS.jsonl
    PYTHONPATH=RELEASE:CHECKOUT python -m tools.framework_parity.worker.option_words trl WORDS.jsonl

Rows `{file, command, argv}` become `{file, ok, stage, error}`. CHECKOUT is this project. It runs in a Python that has a release and what this needs,
torch included; a GPU is pretended. Each command is read in a process of its own, and its classes are filled. For
LLaMA-Factory, `--folder` has the release's `examples` and `data`, and the template is looked up; a file that is not there says
nothing of the words.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from tools.framework_parity.worker import final_values

_GETTERS = {"train": "train", "eval": "eval", "export": "infer", "api": "infer", "chat": "infer"}
#: Errors that a file of the machine decides.
_MISSING = ("existing deepspeed config", "No such file")


def _llamafactory(folder: Path) -> Callable[[str, list[str]], Any]:
    parser: Any = importlib.import_module("llamafactory.hparams.parser")
    for name in ("check_version", "require_version", "check_dependencies"):
        if hasattr(parser, name):
            setattr(parser, name, lambda *_given, **_named: None)
    parser.transformers.set_seed = lambda *_given, **_named: None
    for name in ("torchaudio", "torchaudio.functional"):  # of the plugin for sound alone
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__spec__ = ModuleSpec(name, None)
    templates: Any = importlib.import_module("llamafactory.data.template").TEMPLATES

    def read(command: str, argv: list[str]) -> None:
        os.chdir(folder)
        sys.argv = ["llamafactory-cli", *argv]
        found = getattr(parser, f"get_{_GETTERS.get(command, 'infer')}_args")()
        # The next that it does is to look the template up.
        names = [one.template for one in found if hasattr(one, "template")]
        unknown = [name for name in names if name is not None and name not in templates]
        if unknown:
            raise ValueError(f"Template {unknown[0]} does not exist.")

    return read


def _trl(command: str, argv: list[str]) -> None:
    parser = final_values._trl_parser(command)
    sys.argv = [f"{command}.py", *argv]
    parser.parse_args_and_config()


def _answer(read: Callable[[str, list[str]], Any], row: dict[str, Any], processes: int) -> Any:
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        said = io.StringIO()
        answer: dict[str, Any] = {"file": row["file"], "ok": True}
        try:
            final_values.pretend(processes)
            with contextlib.redirect_stderr(said):
                read(row["command"], row["argv"])
        except SystemExit as ended:
            lines = said.getvalue().strip().splitlines()
            error = lines[-1] if lines else str(ended)
            answer = {**answer, "ok": not ended.code, "stage": "argparse", "error": error}
        except BaseException as error:  # whatever ends it
            answer = {**answer, "ok": False, "stage": type(error).__name__, "error": str(error)}
            if any(words in str(error) for words in _MISSING):
                answer["kind"] = "missing file"
        with os.fdopen(theirs, "w") as out:
            out.write(json.dumps(answer))
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as source:
        text = source.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"file": row["file"], "ok": False, "error": "no answer"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("framework", choices=("llamafactory", "trl"))
    options.add_argument("--folder", type=Path, default=Path())
    options.add_argument("--processes", type=int, default=1)
    options.add_argument("words", type=Path)
    given = options.parse_args(arguments)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what releases print
    with contextlib.suppress(ImportError):
        importlib.import_module("deepspeed")
    importlib.import_module("torch.testing._internal.distributed.fake_pg")
    final_values.import_first()  # once for all commands
    read = _trl if given.framework == "trl" else _llamafactory(given.folder.resolve())
    for line in given.words.read_text(encoding="utf-8").splitlines():
        out.write(json.dumps(_answer(read, json.loads(line), given.processes)) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
