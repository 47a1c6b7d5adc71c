"""Whether a release of OpenRLHF takes command lines: its own programs run, with stand-ins for what they import.

    python tools/framework_parity/worker/openrlhf_programs.py RELEASE_FOLDER < ROWS.jsonl > VERDICTS.jsonl

A row has `file`, `program` and `argv`. A line is refused when the program's parser ends the run, when an assertion of the
program fails, or when what it does with its own options raises. What would train is a stand-in.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import types
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

#: Modules of the release that are its own pure code.
_REAL = "openrlhf.utils.config"


class _StandIns:
    """Finds a stand-in for each module that the standard library does not have."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(self, name: str, *_more: Any) -> ModuleSpec | None:
        if name == _REAL:
            path = self._folder / (name.replace(".", "/") + ".py")
            if path.exists():
                return ModuleSpec(name, SourceFileLoader(name, str(path)), origin=str(path))
        if name.partition(".")[0] in sys.stdlib_module_names:
            return None
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__path__ = []


class _StandIn(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = MagicMock(name=name)
        setattr(self, name, made)
        return made


def main() -> None:
    """Judge the rows of the standard input."""
    folder = Path(sys.argv[1])
    finder = _StandIns(folder)
    sys.meta_path.insert(0, finder)
    programs: dict[Path, types.CodeType] = {}
    if sys.argv[2:] == ["--options"]:
        _print_options(folder)
        return
    for line in sys.stdin:
        row = json.loads(line)
        path = folder / "openrlhf" / "cli" / f"{row['program']}.py"
        if not path.exists():
            error = f"No module named openrlhf.cli.{row['program']}"
            sys.stdout.write(json.dumps({**row, "ok": False, "error": error}) + "\n")
            continue
        if path not in programs:
            programs[path] = compile(path.read_text(encoding="utf-8"), str(path), "exec")
        error = _error(programs[path], row["argv"])
        sys.stdout.write(json.dumps({**row, "ok": not error, "error": error}) + "\n")


def _error(program: types.CodeType, argv: list[str]) -> str:
    """Why a program ends at once; empty when it starts."""
    sys.argv = ["program", *argv]
    kept = sys.stdout, sys.stderr
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()) as log,
        ):
            exec(program, {"__name__": "__main__", "__file__": "program.py"})
    except SystemExit as ended:
        return "" if not ended.code else log.getvalue().strip().splitlines()[-1][-300:]
    except Exception as raised:
        own = _is_of_main(raised)
        is_assertion = isinstance(raised, AssertionError)
        return f"{type(raised).__name__}: {raised}"[:300] if own or is_assertion else ""
    finally:
        sys.stdout, sys.stderr = kept
    return ""


def _is_of_main(raised: BaseException) -> bool:
    """Whether it was raised by the lines of the program itself, not by what a stand-in was used for."""
    trace, names = raised.__traceback__, []
    while trace is not None:
        names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    return names[-1] == "<module>"


def _print_options(folder: Path) -> None:
    """The options of each program, from the parser that it makes."""
    found: dict[str, Any] = {}
    taken: list[argparse.ArgumentParser] = []
    parse = argparse.ArgumentParser.parse_args

    def stop(parser: argparse.ArgumentParser, *_more: Any, **_named: Any) -> Any:
        taken.append(parser)
        raise SystemExit(0)

    argparse.ArgumentParser.parse_args = stop  # type: ignore[method-assign, assignment]
    for path in sorted((folder / "openrlhf" / "cli").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "parse_args" not in text:
            continue
        taken.clear()
        _error(compile(text, str(path), "exec"), [])
        for parser in taken[:1]:
            found[path.stem] = [
                {
                    "option": action.option_strings[0],
                    "type": getattr(action.type, "__name__", "str"),
                    "nargs": action.nargs,
                    "choices": list(action.choices or ()),
                }
                for action in parser._actions
                if action.dest != "help"
            ]
    argparse.ArgumentParser.parse_args = parse  # type: ignore[method-assign]
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
