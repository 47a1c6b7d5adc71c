"""The options of LLaMA2-Accessory's programs, and what a command makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.frameworks.accessory.judge import converted
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.table import KeyTable
from cfglint.roles.class_options import plain_arity
from cfglint.source.document import Mapping, Scalar
from cfglint.source.document import Sequence as SequenceNode
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.shell import Program, command_of
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.values import Unexpanded, to_python

#: Program -> the kind of scripts that start it.
KINDS = {"main_finetune.py": "finetune", "main_pretrain.py": "pretrain"}


@lru_cache(maxsize=len(KINDS))
def table_of(kind: str) -> KeyTable:
    """The options of a program."""
    return KeyTable(compiled.load(f"accessory_{kind}_keys"))


@lru_cache(maxsize=64)
def arguments_of(program: str) -> Arguments | None:
    """How many words each option of a program takes; None for a program of others."""
    kind = KINDS.get(program)
    if kind is None:
        return None
    table = table_of(kind)
    arities = {}
    for name, row in table.names("").items():
        schema = table.schema("", name, lambda _release: True)
        arities[name] = plain_arity(row[2], schema[2] if schema is not None else {})
    return Arguments(arities)


def program_at(words: Sequence[ExpandedWord], at: int) -> Program | None:
    """One of the programs, whatever folder a word names."""
    # Of `$folder/main.py` the folder need not be known.
    name = words[at].text.replace("\\", "/").rpartition("/")[2]
    options = arguments_of(name)
    return None if options is None else Program(name, options)


def kind_of(root: Mapping) -> str:
    """The kind of a script; empty when it starts none of the programs."""
    entry = root.lookup.get("program")
    node = entry.value.target() if entry is not None else None
    return KINDS.get(node.text, "") if isinstance(node, Scalar) else ""


def value_of(root: Mapping, name: str) -> Any:
    """What the program gets for an option: converted, or its default.

    `UNKNOWN` when the script does not tell, or when the value is refused; None when the program has
    no such option, or no default for it.
    """
    kind = kind_of(root)
    table = table_of(kind) if kind else None
    info = table.info("", name) if table is not None else None
    if table is None or info is None:
        return None
    entry = root.lookup.get(name)
    if entry is None:
        command = command_of(root)
        hides = command is not None and command.hides_keys
        return UNKNOWN if hides else table.defaults.get(name)
    node = entry.value.target()
    if isinstance(node, SequenceNode):
        values = to_python(node)
        return UNKNOWN if any(isinstance(one, Unexpanded) for one in values) else values
    value = to_python(node)
    if isinstance(value, Unexpanded) or value is None:
        return UNKNOWN
    if not isinstance(value, str):
        return value
    (type_,) = split_type(info.type)
    found = converted(type_, value)
    return UNKNOWN if found is None else found


def whole(value: Any) -> int | None:
    """A whole number; None for all else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def launcher_value(root: Mapping, *names: str) -> Any:
    """An option of the launcher: its text, `UNKNOWN`, or None when it is not there."""
    entry = root.lookup.get("launcher")
    node = entry.value.target() if entry is not None else None
    if not isinstance(node, Mapping):
        return None
    for name in names:
        found = node.lookup.get(name)
        if found is not None:
            value = to_python(found.value)
            return UNKNOWN if isinstance(value, Unexpanded) else value
    return UNKNOWN if "?" in node.lookup else None
