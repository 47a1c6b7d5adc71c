"""The values that a key accepts, as JSON Schema: its judge is asked about one value of each kind.

So the schema says what the framework's own reader does with a value, whichever reader that is: that
`"4"` is a whole number to it, or that it takes no text at all.
"""

from __future__ import annotations

import re

from cfglint.base.type_names import Any
from cfglint.knowledge.keys.judges import Judge, alternatives
from cfglint.knowledge.keys.pydantic_types import FALSE, TRUE
from cfglint.knowledge.keys.release_keys import Schema

_WHOLE = r"\s*[-+]?\d(?:_?\d)*\s*"
#: A float without a fractional part.
_ROUND = r"\s*[-+]?\d(?:_?\d)*(?:\.0+)?\s*"
_NUMBER = (
    r"\s*[-+]?(?:(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?"
    r"|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])\s*"
)
#: No key of any framework has such a choice.
_A_TEXT = "a text \N{SECTION SIGN}"
_LIMITS = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
}
#: A count of GPUs, layers or the like; neither a truth value nor one of the choices of any key.
_A_NUMBER = 7919


def value_schema(schema: Schema, draft: str) -> dict[str, Any]:
    """The values that a key takes; empty when these are all values.

    Args:
        draft: `2020-12` or `07`.
    """
    takes = schema.takes
    types: list[str] = []
    limits = _limits(schema)
    patterns: list[str] = []
    choices = [one for one in schema.choices if takes(one)] if schema.offers() else []
    truths = [one for one in (True, False) if takes(one) and schema.broken_bound(one) is None]
    if len(truths) == 2:
        types.append("boolean")
    else:
        choices += [one for one in truths if one not in choices]
    if takes(_A_NUMBER + 0.5):
        types.append("number")
    elif takes(_A_NUMBER):
        types.append("integer")
    elif takes(0) and takes(1):
        # Truth values, which an editor need not offer as numbers.
        types.append("integer")
        limits = {"minimum": 0, "maximum": 1}
    if takes(_A_TEXT):
        types.append("string")
    else:
        patterns += _patterns(schema, choices)
    if takes(None):
        types.append("null")
    collections = _collections(schema, draft)
    if len(types) == 4 and "string" in types and "number" in types and collections == [{}, {}]:
        return {}
    simple: dict[str, Any] = {"type": types}
    if {"number", "integer"} & set(types):
        simple.update(limits)
    return _joined(simple, choices, patterns, collections, schema.bounds.get("min_length"))


def _limits(schema: Schema) -> dict[str, Any]:
    return {name: schema.bounds[bound] for bound, name in _LIMITS.items() if bound in schema.bounds}


def _patterns(schema: Schema, choices: list[Any]) -> list[str]:
    """What texts look like that are taken without being any text."""
    found = [_portable(kind[6:-1]) for kind in schema.kinds if kind.startswith("match<")]
    if schema.takes(str(_A_NUMBER)):
        fraction, nothing = (schema.takes(f"{_A_NUMBER}{end}") for end in (".5", ".0"))
        found.append(f"^{_NUMBER if fraction else _ROUND if nothing else _WHOLE}$")
    words = [word for word in sorted(TRUE | FALSE) if schema.takes(word)]
    if len(words) > 2:
        found.append(f"^(?:{'|'.join(map(_any_case, words))})$")
    if "auto" not in choices and schema.takes("auto"):
        found.append("^auto$")
    found += [
        f"^(?:{_any_case(one)})$"
        for one in choices
        if isinstance(one, str) and one != one.swapcase() and schema.takes(one.swapcase())
    ]
    found += [f"^{one}$" for one in choices if isinstance(one, int) and schema.takes(str(one))]
    return list(dict.fromkeys(found))


def _portable(pattern: str) -> str:
    """A pattern of Python's that is tried from the beginning, as editors' engines read it."""
    pattern = pattern.replace(r"\Z", "$")
    if "(?i)" in pattern:
        # Letters that are not part of an escape.
        letters = re.compile(r"(\\.)|([A-Za-z])")
        pattern = letters.sub(
            lambda match: match[1] or _any_case(match[2]), pattern.replace("(?i)", "")
        )
    return pattern if pattern.startswith("^") else f"^(?:{pattern})"


def _any_case(word: str) -> str:
    return "".join(
        f"[{char.lower()}{char.upper()}]" if char.isalpha() else re.escape(char) for char in word
    )


def _collections(schema: Schema, draft: str) -> list[dict[str, Any] | None]:
    """What lists and mappings are taken: None for none, empty for all."""
    array: dict[str, Any] | None = None
    mapping: dict[str, Any] | None = None
    if schema.takes([]) or any(kind.startswith("tuple<") for kind in schema.kinds):
        array = {}
        inner = [_items(kind, schema, draft) for kind in schema.kinds]
        known = [one for one in inner if one is not None]
        if len(known) == 1:
            array = known[0]
        elif not known and not schema.takes(["a"]):
            array = {"maxItems": 0}  # an empty text is accepted as another type
    if schema.takes({}):
        mapping = {}
        for kind in schema.kinds:
            if kind.startswith("dict<"):
                names, _, values = kind[5:-1].partition(",")
                inside = {
                    "propertyNames": _inner(names, schema, draft),
                    "additionalProperties": _inner(values, schema, draft),
                }
                mapping = {name: one for name, one in inside.items() if one}
    return [array, mapping]


def _items(kind: str, schema: Schema, draft: str) -> dict[str, Any] | None:
    base, _, inner = kind.partition("<")
    if base == "list":
        inside = _inner(inner[:-1], schema, draft)
        return {"items": inside} if inside else {}
    if base == "tuple" and "any" not in inner[:-1].split(","):
        places = [_inner(place, schema, draft) or True for place in inner[:-1].split(",")]
        name = "prefixItems" if draft == "2020-12" else "items"
        return {name: places, "minItems": len(places), "maxItems": len(places)}
    return {} if base in ("set", "tuple", "any") else None


def _inner(type_: str, schema: Schema, draft: str) -> dict[str, Any]:
    return value_schema(Schema(type_, schema.choices, {}, schema.judge), draft) if type_ else {}


def _joined(
    simple: dict[str, Any],
    choices: list[Any],
    patterns: list[str],
    collections: list[dict[str, Any] | None],
    least: int | None,
) -> dict[str, Any]:
    """One schema that accepts what any of the parts accepts; the choices first, as editors offer them.

    Args:
        simple: the plain types, with their limits.
        least: the minimum length of a text or a collection.
    """
    types = list(simple["type"])
    if "string" in types and least is not None:
        simple["minLength"] = least
    if patterns:
        types.append("string")
        joined = "|".join(f"(?:{pattern})" for pattern in patterns)
        simple["pattern"] = patterns[0] if len(patterns) == 1 else joined
    for name, inner in zip(("array", "object"), collections, strict=True):
        if inner is not None:
            types.append(name)
            simple.update(inner)
            if least is not None:
                simple["minItems" if name == "array" else "minProperties"] = least
    parts: list[dict[str, Any]] = [{"enum": choices}] if choices else []
    if types:
        parts.append({**simple, "type": types[0] if len(types) == 1 else types})
    return parts[0] if len(parts) == 1 else {"anyOf": parts} if parts else {"not": {}}


def type_words(schema: Schema) -> str:
    """The values that a key accepts, in words: `a whole number or nothing`."""
    judge: Judge = schema.judge
    words = []
    for kind in schema.kinds:
        base = re.split(r"[<:]", kind)[0]
        if base == "null":
            words.append("nothing")
        elif base in judge.of_choices and schema.choices:
            words.append("one of its choices")
        elif base in judge.names:
            words.append(judge.names[base])
    return alternatives(words)
