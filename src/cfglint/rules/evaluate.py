"""Conditions, tested on one file: true, false or (for want of a fact) not known."""

from __future__ import annotations

from typing import Any, Protocol

from cfglint.rules.logic import MISSING, UNKNOWN, AtLeast, Condition, Subject, Truth, plain
from cfglint.rules.predicates import PREDICATES
from cfglint.rules.predicates.comparison import number


class Scope(Protocol):
    """What a condition may ask."""

    def value(self, path: tuple[str | int, ...]) -> Any:
        """The value at a path in the rule's view, `MISSING` when there is none."""

    def values(self, path: tuple[str, ...]) -> list[Any]:
        """The values at a path with `[]` in it."""

    def item_value(self, path: tuple[str, ...]) -> Any:
        """The value below the list item that the rule is being tried on."""

    def fact(self, name: str) -> Any:
        """A fact's value, or `UNKNOWN`."""

    def derived(self, name: str) -> Any:
        """A derived key's value, or `UNKNOWN`."""

    def applies(self, versions: tuple[tuple[Any, ...], ...]) -> Truth:
        """Whether the target has versions of packages, as the build compiled them."""


def evaluate(condition: Condition, scope: Scope) -> Truth:
    """Test a compiled condition (see `cfglint.rules.conditions`)."""
    kind = condition[0]
    if kind == "test":
        return _test(condition[1], condition[2], scope)
    if kind == "all":
        result: Truth = True
        for part in condition[1]:
            test = part[0] == "test"
            truth = _test(part[1], part[2], scope) if test else evaluate(part, scope)
            if truth is False:
                return False
            if truth is None:
                result = None
        return result
    if kind == "any":
        result = False
        for part in condition[1]:
            truth = evaluate(part, scope)
            if truth is True:
                return True
            if truth is None:
                result = None
        return result
    if kind == "not":
        truth = evaluate(condition[1], scope)
        return None if truth is None else not truth
    if kind == "plugin":
        listed = scope.value(("plugins",))
        return isinstance(listed, list) and any(
            isinstance(name, str) and name.replace(":", ".").rpartition(".")[2] == condition[1]
            for name in listed
        )
    if kind == "target":
        return scope.applies(condition[1])
    _, predicate, operand, subjects, tests = condition
    count = 0
    for subject in subjects:
        value = _value(subject, scope)
        if value is UNKNOWN or isinstance(value, AtLeast):
            return None
        count += PREDICATES[predicate](value, operand)
    return all(PREDICATES[name](count, bound) for name, bound in tests)


def _test(subject: Subject, tests: tuple[tuple[str, Any], ...], scope: Scope) -> Truth:
    kind = subject[0]
    if kind == "key":
        # Nine of ten tests; the rest of the module says the same at greater length.
        value = scope.value(subject[1])
        for name, operand in tests:
            predicate = PREDICATES.get(name)
            if predicate is None:
                return _holds(value, tests, scope)
            if not predicate(value, operand):
                return False
        return True
    if kind == "some":
        return any(_holds(value, tests, scope) for value in scope.values(subject[1]))
    if kind == "every":
        values = scope.values(subject[1])
        return bool(values) and all(_holds(value, tests, scope) for value in values)
    value = _value(subject, scope)
    if value is UNKNOWN:
        return None
    if isinstance(value, AtLeast):
        truths = [value.truth(name, operand) for name, operand in tests]
        return False if False in truths else None if None in truths else True
    return _holds(value, tests, scope)


def _holds(value: Any, tests: tuple[tuple[str, Any], ...], scope: Scope) -> Truth:
    for name, operand in tests:
        predicate = PREDICATES.get(name)
        if predicate is None:
            operand = plain(_value(operand, scope))
            if operand is UNKNOWN:
                return None
            predicate = PREDICATES[name[1:]]
        if not predicate(value, operand):
            return False
    return True


def subject_value(subject: Subject, scope: Scope) -> Any:
    """What a subject stands for: a value, `MISSING`, or `UNKNOWN`."""
    return _value(subject, scope)


def _value(subject: Subject, scope: Scope) -> Any:
    kind = subject[0]
    if kind == "key":
        return scope.value(subject[1])
    if kind == "fact":
        return scope.fact(subject[1])
    if kind == "derived":
        return scope.derived(subject[1])
    if kind == "item":
        return scope.item_value(subject[1])
    if kind == "expr":
        return _compute(subject[1], scope)
    values = scope.values(subject[1])
    return values[0] if values else MISSING


def _compute(expression: tuple[Any, ...], scope: Scope) -> Any:
    """A number; MISSING when a part is no number; UNKNOWN when a fact in it is."""
    kind = expression[0]
    if kind == "number":
        return expression[1]
    if kind == "subject":
        value = _value(expression[1], scope)
        if value is UNKNOWN or isinstance(value, AtLeast):
            return UNKNOWN
        found = number(plain(value))
        return MISSING if found is None else found
    if kind == "len":
        held = _value(expression[1][1], scope)
        return len(held) if isinstance(held, (list, dict, str)) else MISSING
    left, right = _compute(expression[1], scope), _compute(expression[2], scope)
    if kind == "default" and left is MISSING:
        return right
    if left is MISSING or right is MISSING:
        return MISSING
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    from cfglint.rules.arithmetic import compute

    if kind == "default":
        return left
    result = compute(kind, left, right)
    return MISSING if result is None else result
