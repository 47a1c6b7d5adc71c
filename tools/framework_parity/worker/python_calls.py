"""Makes the calls of a folder with the real classes; runs where these are installed, without cfglint.

Usage: python python_calls.py FOLDER. Each row that it prints has the file, the class, and what is
refused: empty when the class takes the call.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import json
import os
import sys
from typing import Any

_COMPUTED = {"output_dir": "out", "bf16": False, "fp16": False, "tf32": None, "push_to_hub": False}


def _default(cls: Any, name: str) -> Any:
    """What stands for a computed value: the parameter's default, if it has one."""
    if name in _COMPUTED:
        return _COMPUTED[name]
    if dataclasses.is_dataclass(cls):
        for field in dataclasses.fields(cls):
            if field.name == name:
                if field.default is not dataclasses.MISSING:
                    return field.default
                if field.default_factory is not dataclasses.MISSING:
                    return field.default_factory()
                return "x"
    found = inspect.signature(cls).parameters.get(name)
    return None if found is None or found.default is inspect.Parameter.empty else found.default


def _same(value: Any) -> Any:
    return value


def _other(value: Any) -> Any:
    """Another stand-in for a computed value: what hangs on it is no property of the call."""
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    return 5040  # which all small numbers divide


def _made(row: dict[str, Any]) -> str:
    package, _, name = row["class"].partition(".")
    try:
        cls = getattr(importlib.import_module(package), name)
    except (ImportError, AttributeError, RuntimeError):
        return "no such class"
    answers = []
    for stand_in in (_same, _other):
        keywords = {
            name: stand_in(_default(cls, name)) if literal is None else ast.literal_eval(literal)
            for name, literal in row["keywords"]
        }
        try:
            cls(*["out"] * row["positional"], **keywords)
        except Exception as error:
            answers.append(f"{type(error).__name__}: {error}"[:300])
        else:
            answers.append("")
    return answers[0] if bool(answers[0]) == bool(answers[1]) else "depends on computed values"


def main() -> None:
    folder = sys.argv[1]
    with open(os.path.join(folder, "manifest.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for row in rows:
        error = _made(row)
        out.write(json.dumps({"file": row["file"], "class": row["class"], "error": error}) + "\n")
    out.flush()


main()
