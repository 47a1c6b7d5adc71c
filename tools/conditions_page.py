"""Writes the documentation page about the conditions of rules.

python -m tools.conditions_page > docs/conditions.md
"""

from __future__ import annotations

import inspect
import re
import sys
from types import ModuleType

import yaml

from cfglint.base.logic import MISSING
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.knowledge.rules.predicates import (
    PREDICATES,
    collections,
    comparison,
    presence,
    strings,
)

_HEAD = """\
# Conditions of rules

<!-- Written by `python -m tools.conditions_page > docs/conditions.md`; do not edit. -->

The `when` of a rule is a condition, or a list of conditions that all have to hold. A condition is a mapping with one key:
what is tested, with its tests (all of them have to hold), or one of the words below. The result is true, false or
unknown; an unknown fact makes a rule silent, unless it has `if_undecided`.
The columns "null" and "missing" below say what the example in the row makes of a key that is null, and of one that is not written.

## What is tested

| written | is |
|---|---|
| `fsdp_config.offload_params` | the value of a key |
| `datasets[].type` | the values of a key in all items of a list; the test holds if it holds for one of them |
| `every datasets[].type` | the same, and the test has to hold for all of them, of which there is at least one |
| `item.type` | a key of the item that the rule is tried on; needs `each: datasets` |
| `fact gpus` | a fact about the run that is not in the file; it may be unknown |
| `derived fsdp_version` | a value that follows from several keys; it may be unknown |
| `(save_steps % eval_steps)` | a computed number: `+`, `-`, `*`, `/`, `%`, `default`, `max`, `min` and `len` |

Instead of a value, a test may name another key: `eval_batch_size: {gt: {key: micro_batch_size}}`.

## Words

| written | holds if |
|---|---|
| `all: […]`, `any: […]`, `not: …` | all, some or not the conditions in it do |
| `count: {truthy: [bf16, fp16], ge: 2}` | so many of the keys are `truthy`, `set` or `written` |
| `plugin: CutCrossEntropyPlugin` | `plugins` lists a class of this name |
| `target: {torch: ">=2.6"}` | the run has these versions of packages; unknown if they are not known |
"""
_FAMILIES: tuple[tuple[str, ModuleType], ...] = (
    ("Whether there is a value", presence),
    ("Comparisons", comparison),
    ("Texts", strings),
    ("Lists and mappings", collections),
)
_EXAMPLE = re.compile(r"Example: `(?P<written>[^`]+)`\Z")


class Undocumented(Exception):
    """A predicate whose docstring has no example that uses it."""


def page() -> str:
    """The whole page."""
    return _HEAD + "".join(_family(title, module) for title, module in _FAMILIES)


def _family(title: str, module: ModuleType) -> str:
    rows = "".join(_row(name) for name in module.PREDICATES)
    return f"\n## {title}\n\n| test | holds for | null | missing | example |\n|---|---|---|---|---|\n{rows}"


def _row(name: str) -> str:
    text = inspect.getdoc(PREDICATES[name]) or ""
    match = _EXAMPLE.search(text)
    about = " ".join(text[: match.start()].split()) if match else ""
    if match is None or not about:
        raise Undocumented(name)
    written = match["written"]
    kind, _, tests = parse_condition(yaml.safe_load(f"{{{written}}}"))
    operands = [operand for test, operand in tests if test == name]
    if kind != "test" or not operands:
        raise Undocumented(name)
    null, missing = (PREDICATES[name](value, operands[0]) for value in (None, MISSING))
    shown = written.replace("|", "\\|")
    return f"| `{name}` | {about} | {_holds(null)} | {_holds(missing)} | `{shown}` |\n"


def _holds(truth: bool) -> str:
    return "holds" if truth else "does not"


if __name__ == "__main__":
    sys.stdout.write(page())
