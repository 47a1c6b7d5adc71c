"""The errors of jsonschema as sentences, one for each thing to change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from cfglint.base.record import Record
from cfglint.knowledge.rules.patterns import linear_pattern
from cfglint.source.document import Path, format_path

#: A `ValidationError` of jsonschema, whose types leave open what it has.
Error = Any
#: The number of choices and keys that a sentence lists.
_SHOWN = 8
_SHOWN_LENGTH = 60
_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "keys with values",
    "string": "text",
}
#: Keywords whose values say what is expected, in an order that reads well.
_EXPECTATIONS = ("const", "enum", "type")


class SchemaProblem(Record):
    """One thing that a schema does not accept."""

    kind: Literal["value", "missing", "unexpected"]
    #: Of the value, or of the mapping that lacks keys; of a key that is not allowed.
    path: Path
    #: What is wrong there, after the name of the place.
    words: str
    #: The part of the schema that says so, and the keyword there; None for `false`.
    schema: Any
    keyword: str | None

    @property
    def sentence(self) -> str:
        """The words, preceded by the place."""
        place = f"`{format_path(self.path)}`" if self.path else "the file"
        return f"{place} {self.words}"


def problems(error: Error) -> Iterator[SchemaProblem]:
    """The problems that an error of jsonschema reports."""
    error, expected = _closest(error)
    path: Path = tuple(error.absolute_path)
    words = f"{expected} but got {found(error.instance)}" if expected else _words(error)

    def problem(kind: Any, path: Path, words: str) -> SchemaProblem:
        return SchemaProblem(kind, path, words, error.schema, error.validator)

    if "propertyNames" in error.absolute_schema_path and isinstance(error.instance, str):
        yield problem(
            "unexpected", (*path, error.instance), f"is not a valid key in the schema: {words}"
        )
    elif error.validator in ("additionalProperties", "unevaluatedProperties"):
        for key in _extra_keys(error):
            yield problem("unexpected", (*path, key), "is not a key that the schema allows here")
    elif error.validator is None or (error.validator == "not" and not error.validator_value):
        yield problem("unexpected", path, "is not allowed")
    elif error.validator in ("required", "dependentRequired", "dependencies"):
        yield problem("missing", path, words)
    else:
        yield problem("value", path, words)


def sentence_of(error: Error) -> str:
    """The error of an invalid schema, as a sentence."""
    return next((one.sentence for one in problems(error)), error.message)


def found(value: Any) -> str:
    """A value, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "keys with values"
    return f"the text {_quoted(value)}" if value else "an empty text"


def _quoted(text: str) -> str:
    return repr(str(text) if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…")


def _shown(value: Any) -> str:
    """A value that a schema names."""
    if isinstance(value, str):
        return str(value) if len(value) <= _SHOWN_LENGTH else f"{value[:_SHOWN_LENGTH]}…"
    return str(value) if type(value) in (int, float) else found(value)


# ---------------------------------------------------------------------- one of several forms


def _closest(error: Error) -> tuple[Error, str]:
    """The error that is the reason for one, and what all forms together expect, if that is it.

    Of several forms of which none fits, the one is meant that the value is of the right type for
    and that the fewest things are wrong with.
    """
    while error.validator in ("anyOf", "oneOf") and error.context:
        forms: dict[Any, list[Error]] = {}
        for inner in error.context:
            forms.setdefault(inner.schema_path[0], []).append(inner)
        fitting = [form for form in forms.values() if not any(map(_is_about_type, form))]
        if not fitting:
            every = [inner for form in forms.values() for inner in form if _is_about_type(inner)]
            every.sort(key=lambda inner: _EXPECTATIONS.index(str(inner.validator)))
            return error, "expects " + " or ".join(dict.fromkeys(map(_expected, every)))
        error = min(fitting, key=len)[0]
    return error, ""


def _is_about_type(error: Error) -> bool:
    return not error.relative_path and error.validator in _EXPECTATIONS


def _expected(error: Error) -> str:
    """What `type`, `enum` or `const` asks for."""
    value = error.validator_value
    if error.validator == "const":
        return _shown(value)
    if error.validator == "type":
        kinds = value if isinstance(value, list) else [value]
        return " or ".join(_TYPES.get(kind, str(kind)) for kind in kinds)
    choices = [_shown(choice) for choice in value[:_SHOWN]]
    if len(value) > _SHOWN:
        return f"one of {', '.join(choices)} and {len(value) - _SHOWN} others"
    return f"one of {', '.join(choices)}" if len(choices) > 1 else choices[0]


# ---------------------------------------------------------------------- keyword by keyword


def _words(error: Error) -> str:
    keyword, value, instance = error.validator, error.validator_value, error.instance
    if keyword in _EXPECTATIONS:
        return f"expects {_expected(error)} but got {found(instance)}"
    if keyword in _BOUNDS:
        less = isinstance(error.schema, dict) and error.schema.get(f"exclusive{keyword.title()}")
        bound = _BOUNDS[f"exclusive{keyword.title()}" if less is True else keyword]
        return f"expects {bound} {_shown(value)} but got {_shown(instance)}"
    if keyword in _COUNTS:
        bound, things = _COUNTS[keyword]
        thing = things.removesuffix("s") if value == 1 else things
        return f"expects {bound} {value} {thing} but has {len(instance)}"
    words = _SENTENCES.get(str(keyword))
    return words(value, instance) if words is not None else f"does not satisfy its `{keyword}`"


_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
}
_COUNTS = {
    "minLength": ("at least", "characters"),
    "maxLength": ("at most", "characters"),
    "minItems": ("at least", "items"),
    "maxItems": ("at most", "items"),
    "minProperties": ("at least", "keys"),
    "maxProperties": ("at most", "keys"),
}


def _required(value: Any, instance: Any) -> str:
    return f"lacks the {_keys([key for key in value if key not in instance])}"


def _dependent(value: Any, instance: Any) -> str:
    for key, wanted in value.items():
        if key in instance and isinstance(wanted, list):
            missing = [name for name in wanted if name not in instance]
            if missing:
                return f"lacks the {_keys(missing)}, which belongs to `{key}`"
    return "lacks a key that belongs to another one"


def _keys(names: list[str]) -> str:
    """`key a`, `keys a, b and c`."""
    shown = [f"`{_shown(name)}`" for name in names[:_SHOWN]]
    if len(names) > _SHOWN:
        shown.append(f"{len(names) - _SHOWN} more")
    if len(shown) == 1:
        return f"key {shown[0]}"
    return f"keys {', '.join(shown[:-1])} and {shown[-1]}"


def _no_more_items(value: Any, instance: Any) -> str:
    return "has more items than the schema allows"


_SENTENCES: dict[str, Callable[[Any, Any], str]] = {
    "required": _required,
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "pattern": lambda value, instance: (
        f"expects text that matches {_quoted(value)} but got {found(instance)}"
    ),
    "uniqueItems": lambda value, instance: "contains an item twice",
    "contains": lambda value, instance: "lacks an item that the schema requires",
    "minContains": lambda value, instance: "has too few of the items that the schema requires",
    "maxContains": lambda value, instance: "has too many of the items that the schema limits",
    "not": lambda value, instance: "is forbidden by the schema",
    "oneOf": lambda value, instance: "matches several alternatives, but the schema allows only one",
    "items": _no_more_items,
    "additionalItems": _no_more_items,
    "unevaluatedItems": _no_more_items,
}


def _extra_keys(error: Error) -> list[str]:
    """The keys of a mapping that a schema does not allow."""
    keys: Iterable[str] = error.instance
    if error.validator == "unevaluatedProperties":
        # What other parts of the schema describe, only the message tells.
        return [key for key in keys if repr(key) in error.message]
    known = error.schema.get("properties", {})
    patterns = list(error.schema.get("patternProperties", {}))
    return [
        key
        for key in keys
        if key not in known and not any(linear_pattern(pattern).search(key) for pattern in patterns)
    ]
