"""Validators with a limit on the steps that a schema and a file together may cost.

Both come from the repository that is checked. A schema of a few lines can cost more steps than
there is time for (each of thirty parts referring twice to the next one), and jsonschema does them
all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from cfglint.knowledge.rules.patterns import linear_pattern

#: Steps for one file and one schema, five to fifteen microseconds each. A real config takes some
#: thousand.
MAX_STEPS = 200_000
#: Keywords that look through all of what the schema says there, however deep.
_WHOLE = frozenset({"enum", "const"})
#: So many characters cost a small pattern a step.
_CHARACTERS = 8
#: So many positions of a larger one take as long again.
_POSITIONS = 16

_Keyword = Callable[[Any, Any, Any, Any], "Iterator[ValidationError] | None"]


class TooMuchWork(Exception):
    """A file and a schema together ask for more steps than there are."""


class Budget:
    """The steps that are left for a file."""

    def __init__(self) -> None:
        self._left = MAX_STEPS
        #: List or mapping of a schema -> the number of values in it.
        self._sizes: dict[int, int] = {}

    def renew(self) -> None:
        """Reset the steps, for another file."""
        self._left = MAX_STEPS

    def spend(self, steps: int) -> None:
        """Take steps.

        Raises:
            TooMuchWork: there are none left.
        """
        self._left -= steps
        if self._left < 0:
            raise TooMuchWork

    def size(self, part: Any) -> int:
        """The number of values in a part of the schema, which is counted once and stays."""
        known = self._sizes.get(id(part))
        if known is None:
            known = self._sizes[id(part)] = _size(part)
        return known


def limited(draft: type[Validator], budget: Budget) -> type[Validator]:
    """The validator of a draft whose every keyword takes steps from a budget."""
    keywords: dict[str, _Keyword] = dict(draft.VALIDATORS)
    keywords["uniqueItems"] = _unique_items
    keywords["pattern"] = _pattern
    keywords["patternProperties"] = _pattern_properties
    keywords["additionalProperties"] = _additional_properties
    counted = {name: partial(_counted, budget, name, keywords[name]) for name in keywords}
    made: type[Validator] = extend(draft, validators=counted)  # type: ignore[no-untyped-call]
    return made


def _counted(
    budget: Budget,
    name: str,
    keyword: _Keyword,
    validator: Any,
    value: Any,
    instance: Any,
    schema: Any,
) -> Iterator[ValidationError]:
    budget.spend(1 + _length(instance) + (budget.size(value) if name in _WHOLE else _length(value)))
    if name == "pattern" and isinstance(instance, str):
        budget.spend(_cost(value, instance))
    elif name in ("patternProperties", "additionalProperties", "unevaluatedProperties"):
        if isinstance(instance, dict):
            for pattern in schema.get("patternProperties", ()):
                budget.spend(sum(_cost(pattern, key) for key in instance))
    elif name == "uniqueItems":
        budget.spend(_size(instance))
    try:
        yield from keyword(validator, value, instance, schema) or ()
    except (ArithmeticError, ValueError):
        # `.inf` and `.nan`, which JSON has not, can be multiples of nothing.
        yield ValidationError("cannot be judged")


def _size(value: Any) -> int:
    """The number of values in a value."""
    if not isinstance(value, (dict, list)):
        return 1
    return 1 + sum(map(_size, value.values() if isinstance(value, dict) else value))


def _cost(pattern: str, text: str) -> int:
    """The steps that it takes to try a pattern on a text."""
    return 1 + len(text) // _CHARACTERS * (1 + linear_pattern(pattern).size // _POSITIONS)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, (dict, list)) else 0


def _unique_items(
    validator: Any, wanted: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """As jsonschema has it, in time that grows with the list and not with its square."""
    if wanted and isinstance(instance, list) and len(set(map(_identity, instance))) < len(instance):
        yield ValidationError("has non-unique elements")


def _pattern(validator: Any, wanted: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """As jsonschema has it, in linear time."""
    if isinstance(instance, str) and not linear_pattern(wanted).search(instance):
        yield ValidationError("does not match")


def _pattern_properties(
    validator: Any, wanted: dict[str, Any], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, inner in wanted.items():
        search = linear_pattern(pattern).search
        for key, value in instance.items():
            if search(key):
                yield from validator.descend(value, inner, path=key, schema_path=pattern)


def _additional_properties(
    validator: Any, wanted: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    known = schema.get("properties", {})
    searches = [linear_pattern(one).search for one in schema.get("patternProperties", {})]
    extra = [
        key for key in instance if key not in known and not any(search(key) for search in searches)
    ]
    if isinstance(wanted, dict):
        for key in extra:
            yield from validator.descend(instance[key], wanted, path=key)
    elif not wanted and extra:
        yield ValidationError("has more keys than the schema allows")


def _identity(value: Any) -> Any:
    """Equal for what JSON Schema takes for equal: `1` and `1.0` are, `1` and `true` are not."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return ("list", *map(_identity, value))
    if isinstance(value, dict):
        return frozenset((key, _identity(inner)) for key, inner in value.items())
    return value
