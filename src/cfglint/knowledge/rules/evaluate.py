"""Conditions, tested on one file: true, false or (if a fact is missing) unknown."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import MISSING, UNKNOWN, AtLeast, Condition, Subject, Truth, Unknown, plain
from cfglint.base.type_names import Any, Protocol
from cfglint.knowledge.rules.predicates import PREDICATES, bound
from cfglint.knowledge.rules.predicates.comparison import number
from cfglint.source.values import Interpolation, Unexpanded

#: The types of values that are not known. Of the second kind it is known that they are there.
OPEN = frozenset({Unknown, Unexpanded, Interpolation})
#: The tests that such a value decides.
_OF_PRESENCE = frozenset({"set", "written"})


class ByPath(Protocol):
    """Values by path."""

    def __getitem__(self, path: tuple[str | int, ...], /) -> Any:
        """The value at a path, `MISSING` when there is none."""


class Scope(Protocol):
    """What a condition may ask."""

    @property
    def at(self) -> ByPath:
        """The values in the rule's view. (Looked up, not called for: conditions do it most.)"""

    @property
    def plugins_key(self) -> str:
        """The key that lists plugins."""

    def values(self, path: tuple[str, ...]) -> list[Any]:
        """The values at a path with `[]` in it."""

    def item_value(self, path: tuple[str, ...]) -> Any:
        """The value below the list item that the rule is being tried on."""

    def undetermined(self) -> None:
        """Take note that a value was asked for which only a run decides."""

    def fact(self, name: str) -> Any:
        """A fact's value, or `UNKNOWN`."""

    def derived(self, name: str) -> Any:
        """A derived key's value, or `UNKNOWN`."""

    def applies(self, versions: tuple[tuple[Any, ...], ...]) -> Truth:
        """Whether the target has versions of packages, as the build compiled them."""


Test = Callable[[Scope], Truth]


def evaluate(condition: Condition, scope: Scope) -> Truth:
    """Test a compiled condition (see `cfglint.knowledge.rules.conditions`) once."""
    return bind(condition)(scope)


def bind(condition: Condition) -> Test:
    """The function that tests a condition: what can be looked up beforehand is.

    A run over many files tries each rule hundreds of times, and a function of functions takes half
    the time of walking the condition anew.
    """
    kind = condition[0]
    if kind == "test":
        return _bind_test(condition[1], condition[2])
    if kind == "all":
        return _bind_all(tuple(bind(part) for part in condition[1]))
    if kind == "any":
        return _bind_any(tuple(bind(part) for part in condition[1]))
    if kind == "not":
        return _bind_not(bind(condition[1]))
    if kind == "plugin":
        return lambda scope: _lists_plugin(scope, condition[1])
    if kind == "target":
        versions = condition[1]
        return lambda scope: scope.applies(versions)
    return lambda scope: _count(condition, scope)


def _bind_all(parts: tuple[Test, ...]) -> Test:
    def test(scope: Scope) -> Truth:
        result: Truth = True
        for part in parts:
            truth = part(scope)
            if truth is False:
                return False
            if truth is None:
                result = None
        return result

    return test


def _bind_any(parts: tuple[Test, ...]) -> Test:
    def test(scope: Scope) -> Truth:
        result: Truth = False
        for part in parts:
            truth = part(scope)
            if truth is True:
                return True
            if truth is None:
                result = None
        return result

    return test


def _bind_not(part: Test) -> Test:
    def test(scope: Scope) -> Truth:
        truth = part(scope)
        return None if truth is None else not truth

    return test


def _lists_plugin(scope: Scope, class_name: str) -> bool:
    listed = scope.at[scope.plugins_key,]
    return isinstance(listed, list) and any(
        isinstance(name, str) and name.replace(":", ".").rpartition(".")[2] == class_name
        for name in listed
    )


def _count(condition: Condition, scope: Scope) -> Truth:
    _, predicate, operand, subjects, tests = condition
    count = 0
    for subject in subjects:
        value = _value(subject, scope)
        if type(value) in OPEN or isinstance(value, AtLeast):
            return None
        count += PREDICATES[predicate](value, operand)
    return all(PREDICATES[name](count, bound) for name, bound in tests)


def _bind_test(subject: Subject, tests: tuple[tuple[str, Any], ...]) -> Test:
    kind = subject[0]
    if kind == "key" and not any(name.startswith("@") for name, _ in tests):
        return _bind_key(subject[1], tests)
    if kind == "some":
        return lambda scope: any(_holds(v, tests, scope) for v in scope.values(subject[1]))
    if kind == "every":

        def every_test(scope: Scope) -> Truth:
            values = scope.values(subject[1])
            return bool(values) and all(_holds(value, tests, scope) for value in values)

        return every_test
    return lambda scope: _test_value(_value(subject, scope), tests, scope)


def _bind_key(path: tuple[str, ...], tests: tuple[tuple[str, Any], ...]) -> Test:
    if len(tests) == 1:
        test = bound(*tests[0])

        def single_test(scope: Scope) -> Truth:
            value = scope.at[path]
            return test(value) if type(value) not in OPEN else _of_open(value, tests, scope)

        return single_test
    parts = tuple(bound(name, operand) for name, operand in tests)

    def key_test(scope: Scope) -> Truth:
        value = scope.at[path]
        if type(value) in OPEN:
            return _of_open(value, tests, scope)
        return all(part(value) for part in parts)

    return key_test


def _of_open(value: Any, tests: tuple[tuple[str, Any], ...], scope: Scope) -> Truth:
    """What tests make of a value that is not known."""
    if value is UNKNOWN:
        scope.undetermined()
        return None
    decided = [operand for name, operand in tests if name in _OF_PRESENCE]
    if not all(decided):
        return False
    return True if len(decided) == len(tests) else None


def _test_value(value: Any, tests: tuple[tuple[str, Any], ...], scope: Scope) -> Truth:
    if type(value) in OPEN:
        return _of_open(value, tests, scope)
    if isinstance(value, AtLeast):
        truths = [value.truth(name, operand) for name, operand in tests]
        return False if False in truths else None if None in truths else True
    return _holds(value, tests, scope)


def _holds(value: Any, tests: tuple[tuple[str, Any], ...], scope: Scope) -> Truth:
    if type(value) in OPEN:
        return _of_open(value, tests, scope)
    for name, operand in tests:
        predicate = PREDICATES.get(name)
        if predicate is None:
            operand = plain(_value(operand, scope))
            if type(operand) in OPEN:
                return None
            predicate = PREDICATES[name[1:]]
        if not predicate(value, operand):
            return False
    return True


def subject_value(subject: Subject, scope: Scope) -> Any:
    """The value of a subject; `MISSING`, or `UNKNOWN`, if it has none or it cannot be determined."""
    return _value(subject, scope)


def _value(subject: Subject, scope: Scope) -> Any:
    kind = subject[0]
    if kind == "key":
        found = scope.at[subject[1]]
        if found is UNKNOWN:
            scope.undetermined()
        return found
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
    """A number; MISSING when a part is not a number; UNKNOWN when a fact in it is."""
    kind = expression[0]
    if kind == "number":
        return expression[1]
    if kind == "subject":
        value = _value(expression[1], scope)
        if type(value) in OPEN or isinstance(value, AtLeast):
            return UNKNOWN
        found = number(plain(value))
        return MISSING if found is None else found
    if kind == "len":
        held = _value(expression[1][1], scope)
        if type(held) in OPEN:
            return UNKNOWN
        return len(held) if isinstance(held, (list, dict, str)) else MISSING
    left, right = _compute(expression[1], scope), _compute(expression[2], scope)
    if kind == "default" and left is MISSING:
        return right
    if left is MISSING or right is MISSING:
        return MISSING
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    from cfglint.knowledge.rules.arithmetic import compute

    if kind == "default":
        return left
    result = compute(kind, left, right)
    return MISSING if result is None else result
