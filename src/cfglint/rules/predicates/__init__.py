"""The predicates that a rule's condition may use, one module a family.

Each family module exports `PREDICATES`: name -> `(value, operand) -> bool`. The value is never
unknown (the evaluator deals with that); it may be `MISSING`. A predicate never raises: a value
of the wrong type makes it false.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cfglint.rules.predicates import collections, comparison, presence, strings

Predicate = Callable[[Any, Any], bool]

PREDICATES: dict[str, Predicate] = {
    **presence.PREDICATES,
    **comparison.PREDICATES,
    **strings.PREDICATES,
    **collections.PREDICATES,
}

#: Predicates that hold for a missing or null value, at least with some operands.
MAY_HOLD_WHEN_ABSENT = frozenset({"ne", "not_in", "is", "is_not", "truthy", "set", "written"})
