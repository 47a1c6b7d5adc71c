"""Values that the framework's schema refuses: their type, their choice, their range.

The schema is pydantic's in its lax mode, which converts what can be converted without loss:
`"4"` is a whole number, `1` is true, but `4` is no text.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Any

from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.checks.spelling import Speller
from cfglint.checks.written_keys import WrittenKey, released, written_keys
from cfglint.fixes.actions import RewriteScalar
from cfglint.frameworks.keytable import Schema
from cfglint.rules.predicates.comparison import number
from cfglint.source.document import Scalar, format_path
from cfglint.source.values import to_python

#: Before, an entry with a wrong type fell through to a class that does not have the key.
_STRICT_DATASETS = "0.7.0"
_BOOLEANS = frozenset(["0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"])
_INTEGER = re.compile(r"\s*[-+]?\d(?:_?\d)*(?:\.0+)?\s*")
_NAMES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "list": "a list",
    "tuple": "a list",
    "dict": "keys with values",
    "model": "keys with values",
}
#: Sections whose entries fall through a union of classes that takes anything.
_LENIENT = ("test_datasets[]", "pretraining_dataset[]")


def wrong_type(ctx: CheckContext) -> Iterator[Hit]:
    """A value of a type that the key does not take."""
    for key, schema, value in _checked(ctx):
        kinds = split_type(schema.type)
        if accepts(kinds, schema.enum, value) or _has_own_rule(key):
            continue
        if isinstance(value, str) and schema.enum:
            continue  # a misspelt choice
        node = key.entry.value.target()
        repairs: tuple[Repair, ...] = ()
        if isinstance(node, Scalar) and not node.style and "str" in kinds and node.text:
            safety = "unsafe" if isinstance(value, bool) else "safe"
            literal = f'"{node.text}"'
            repairs = (Repair("Quote it", safety, (RewriteScalar(key.path, literal),)),)
        params = {
            "key": format_path(key.path),
            "wanted": _wanted(kinds, schema.enum),
            "found": _found(value),
        }
        yield Hit(key.path, key.entry.span, params, repairs=repairs)


def unknown_choice(ctx: CheckContext) -> Iterator[Hit]:
    """A word that is none of the words which the key takes."""
    for key, schema, value in _checked(ctx):
        kinds = split_type(schema.type)
        if not isinstance(value, str) or not schema.enum or accepts(kinds, schema.enum, value):
            continue
        choices = tuple(str(choice) for choice in schema.enum)
        guess = _speller(choices).closest(value)
        repairs: tuple[Repair, ...] = ()
        if guess is not None:
            safety = "safe" if guess.name.lower() == value.lower() or guess.sure else "unsafe"
            action = RewriteScalar(key.path, guess.name)
            repairs = (Repair(f"Write {guess.name}", safety, (action,)),)
        params = {
            "key": format_path(key.path),
            "written": value,
            "choices": _choices(choices),
            "hint": f" Did you mean `{guess.name}`?" if guess is not None else "",
        }
        yield Hit(key.path, key.entry.span, params, repairs=repairs)


def out_of_range(ctx: CheckContext) -> Iterator[Hit]:
    """A number outside the bounds of its key."""
    for key, schema, value in _checked(ctx):
        bounds = schema.constraints
        if not bounds or (amount := number(value)) is None:
            continue
        for name, words, broken in (
            ("gt", "more than", operator.le),
            ("ge", "at least", operator.lt),
            ("lt", "less than", operator.ge),
            ("le", "at most", operator.gt),
        ):
            bound = bounds.get(name)
            if bound is not None and broken(amount, bound):
                params = {
                    "key": format_path(key.path),
                    "written": value,
                    "bound": f"{words} {bound}",
                }
                yield Hit(key.path, key.entry.span, params)
                break


def missing_required_key(ctx: CheckContext) -> Iterator[Hit]:
    """A top-level key without which no release validates a file."""
    root = ctx.document.root
    if not ctx.framework.knows_any(root):
        return
    for name in ctx.framework.keys.required():
        if name not in root.lookup:
            yield Hit((), root.entries[0].key.span, {"key": name})


def _checked(ctx: CheckContext) -> list[tuple[WrittenKey, Schema, Any]]:
    """The written keys with the schema that the target's release has for them."""
    return ctx.once("schemas", lambda: list(_collect(ctx)))


def _collect(ctx: CheckContext) -> Iterator[tuple[WrittenKey, Schema, Any]]:
    table = ctx.framework.keys
    for key in written_keys(ctx):
        info = key.info
        if info is None or key.section.startswith(_LENIENT) or not released(ctx, info.since):
            continue
        if info.removed is not None and released(ctx, info.removed):
            continue
        if info.plugin is not None:
            continue  # checked only when the plugin is there
        if key.section.startswith("datasets[]") and not released(ctx, _STRICT_DATASETS):
            continue
        name = key.name
        if key.section == "fsdp_config":
            name = name if table.info(key.section, name) else name.removeprefix("fsdp_")
        schema = table.schema(
            key.section, name, ctx.target.release, lambda release: released(ctx, release)
        )
        if schema is not None:
            yield key, schema, to_python(key.entry.value)


def accepts(kinds: tuple[str, ...], enum: tuple[Any, ...], value: Any) -> bool:
    """Whether pydantic takes a value for a type, given as its alternatives."""
    return any(_accepts_one(kind, enum, value) for kind in kinds)


def _accepts_one(kind: str, enum: tuple[Any, ...], value: Any) -> bool:
    base, _, inner = kind.partition("<")
    if base == "null":
        return value is None
    if base == "str":
        return isinstance(value, (str, bytes))
    if base == "match":
        return isinstance(value, str) and re.match(inner[:-1], value) is not None
    if base == "int":
        return _is_integer(value)
    if base == "float":
        return isinstance(value, (bool, int, float)) or (
            isinstance(value, str) and number(value.strip()) is not None
        )
    if base == "bool":
        return (isinstance(value, (bool, int, float)) and value in (0, 1)) or (
            isinstance(value, str) and value.lower() in _BOOLEANS
        )
    if base in ("list", "tuple", "set"):
        if not isinstance(value, (list, set)):
            return False
        items = split_type(inner[:-1]) if base == "list" else ("any",)
        return all(accepts(items, enum, item) for item in value)
    if base == "dict" or base.startswith("model:"):
        return isinstance(value, dict)
    if base == "literal" or base.startswith("enum:"):
        return not enum or any(type(one) is type(value) and one == value for one in enum)
    return True


def _is_integer(value: Any) -> bool:
    if isinstance(value, (bool, int)):
        return True
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, str) and _INTEGER.fullmatch(value) is not None


@lru_cache(maxsize=1024)
def split_type(text: str) -> tuple[str, ...]:
    """The alternatives of a type: `list<str|int>|null` -> ("list<str|int>", "null")."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char == "<":
            depth += 1
        elif char == ">":
            depth -= 1
        elif char == "|" and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return (*parts, text[start:])


def _has_own_rule(key: WrittenKey) -> bool:
    """Whether the value is one of YAML's traps, which have rules and words of their own."""
    node = key.entry.value.target()
    if not isinstance(node, Scalar) or node.style:
        return False
    if isinstance(node.value, bool):
        return node.text.lower() in ("yes", "no", "on", "off")
    if isinstance(node.value, date):
        return True
    if isinstance(node.value, str):
        return bool(re.fullmatch(r"[-+]?[\d._]+[eE][-+]?\d+", node.text))
    return ":" in node.text


def _wanted(kinds: tuple[str, ...], enum: tuple[Any, ...]) -> str:
    words = []
    for kind in kinds:
        base = re.split(r"[<:]", kind)[0]
        if base in ("literal", "enum") and enum:
            words.append(_choices(tuple(str(choice) for choice in enum)))
        elif base in _NAMES and base != "null":
            words.append(_NAMES[base])
    return " or ".join(dict.fromkeys(words)) or "another value"


def _choices(choices: tuple[str, ...]) -> str:
    shown = ", ".join(choices[:8])
    return f"{shown}, …" if len(choices) > 8 else shown


def _found(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "keys with values"
    text = str(value)
    return f"the text {text[:40]!r}" if text else "an empty text"


@lru_cache(maxsize=64)
def _speller(choices: tuple[str, ...]) -> Speller:
    return Speller(choices)
