"""The options of a program, as its own lines define them.

Run as a script (`python parsers.py FILE`), it runs the lines of a program that build its parser, up to the one that
parses, and prints what they added. Nothing else of the program is run or imported.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import functools
import json
import sys
import types
from pathlib import Path
from typing import Any


class NoParserError(Exception):
    """A program builds no parser under `if __name__ == "__main__":`."""


def building(source: str) -> list[ast.stmt]:
    """The statements of a program that build its parser.

    Raises:
        NoParserError: there are none.
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
            for number, inner in enumerate(node.body):
                if "parse_args()" in ast.unparse(inner):
                    return node.body[:number]
    raise NoParserError


def options_of(source: str) -> list[dict[str, Any]]:
    """A row for each option: `name`, `type`, `nargs`, `choices`, `default`, `required`, `switch`.

    Raises:
        NoParserError: the program builds no parser.
    """
    statements = building(source)
    # Some releases have a program that fails because it has an option twice.
    made = types.SimpleNamespace(
        ArgumentParser=functools.partial(argparse.ArgumentParser, conflict_handler="resolve")
    )
    # How many GPUs there are is another number in each run.
    cuda = types.SimpleNamespace(device_count=lambda: None)
    names: dict[str, Any] = {
        "argparse": made,
        "datetime": datetime.datetime,
        "torch": types.SimpleNamespace(cuda=cuda),
    }
    exec(compile(ast.Module(statements, []), "parser", "exec"), names)
    parser = names["parser"]
    return [_row(action) for action in parser._actions if action.dest != "help"]


def _row(action: argparse.Action) -> dict[str, Any]:
    (option,) = action.option_strings
    is_switch = action.nargs == 0
    kind = getattr(action.type, "__name__", "str")
    default = action.default
    return {
        "name": option.removeprefix("--"),
        "type": "bool" if is_switch else kind,
        "nargs": None if is_switch else action.nargs,
        "choices": list(action.choices or ()),
        # A name with the time in it is another one in each run, and JSON has no infinity.
        "default": None if _varies(default) else default,
        "nothing": default is None,
        "required": action.required,
    }


def _varies(default: object) -> bool:
    dated = isinstance(default, str) and any(char.isdigit() for char in default) and "T" in default
    return dated or default == float("inf")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(options_of(Path(sys.argv[1]).read_text(encoding="utf-8"))))
