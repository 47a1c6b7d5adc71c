"""Makes the calls of a folder with the real classes; runs where these are installed, without cfglint.

Usage: python python_calls.py FOLDER. Each row that it prints has the file, the class, and what is
refused: empty when the class takes the call. A trainer needs a model, which there is none of: it
refuses what it refuses before it looks for one, a keyword that it does not have.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import json
import os
import re
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


#: Other values that go together, for parameters that the classes compare with each other.
_OTHERS = {
    **dict.fromkeys(("eval_strategy", "evaluation_strategy", "save_strategy"), "steps"),
    # The one has to be a multiple of the other.
    "eval_steps": 1,
    "save_steps": 6000,
    "logging_steps": 500,
    # All small numbers divide it.
    **dict.fromkeys(("generation_batch_size", "steps_per_generation"), 5040),
    "total_step": 5040,
    "tinit": 0,
    "tfinal": 0,
    "layers_to_transform": [0],
    "loftq_config": {"loftq_bits": 4},
}


def _other(cls: Any, name: str) -> Any:
    """Another stand-in for a computed value: what hangs on it is no property of the call."""
    value = _default(cls, name)
    if name in _OTHERS:
        return _OTHERS[name]
    return value if isinstance(value, bool) or not isinstance(value, int) else 5040


#: Errors for a GPU or a file that is not here.
_OF_MACHINE = ("existing deepspeed config", "--tf32 requires")
#: What is said of the keywords of a call, before anything is done with them.
_OF_KEYWORDS = re.compile(r"__init__\(\) got (an unexpected keyword|multiple values)|^Both `")


def _forget() -> None:
    """Let the next call be the first that makes an `Accelerator`."""
    state: Any = sys.modules.get("accelerate.state")
    if state is not None:
        state.AcceleratorState._reset_state(reset_partial_state=True)


def _third(cls: Any, name: str) -> Any:
    """A third one, for strategies that have to be the same."""
    return "epoch" if name.endswith("_strategy") and name in _OTHERS else _other(cls, name)


def _refusal(error: Exception, name: str) -> str:
    if name.endswith("Trainer") and not _OF_KEYWORDS.search(str(error)):
        return ""
    return f"{type(error).__name__}: {error}"[:300]


def _made(row: dict[str, Any]) -> str:
    package, _, name = row["class"].partition(".")
    try:
        cls = getattr(importlib.import_module(package), name)
    except (ImportError, AttributeError, RuntimeError):
        return "no such class"
    answers = []
    for stand_in in (_default, _other, _third):
        _forget()
        keywords = {
            name: stand_in(cls, name) if literal is None else ast.literal_eval(literal)
            for name, literal in row["keywords"]
        }
        try:
            cls(*["out"] * row["positional"], **keywords)
        except (ImportError, OSError, NotImplementedError):
            return "depends on the machine"
        except Exception as error:
            if any(words in str(error) for words in _OF_MACHINE):
                return "depends on the machine"
            answers.append(_refusal(error, name))
        else:
            answers.append("")
    return answers[0] if len(set(map(bool, answers))) == 1 else "depends on computed values"


def main() -> None:
    folder = sys.argv[1]
    with open(os.path.join(folder, "manifest.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # A GPU that can do everything, as cfglint assumes.
    importlib.import_module("final_values").pretend(1)
    for row in rows:
        error = _made(row)
        out.write(json.dumps({"file": row["file"], "class": row["class"], "error": error}) + "\n")
    out.flush()


main()
