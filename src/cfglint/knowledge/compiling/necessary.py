"""What a condition needs of a file, summed up in sets of tokens.

Of each set the file has at least one, or the condition cannot be true. (More rules may be
tried than fire, never fewer.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cfglint.base.logic import MISSING, Condition
from cfglint.base.record import Record
from cfglint.knowledge.compiling.literals import literals
from cfglint.knowledge.rules.index.triggers import Tests, Token, Tokens, has_value, is_true
from cfglint.knowledge.rules.predicates import MAY_HOLD_WHEN_ABSENT


class KeysBehind(Record):
    """What of a framework's conditions comes from keys that they do not name."""

    #: Derived value -> the tokens of which a file has one whenever it is neither null nor missing.
    derived: Mapping[str, Tokens] = {}
    #: The key that lists plugins.
    plugins_key: str = ""


def necessary(
    condition: Condition, behind: KeysBehind, each: str | None = None, *, wanted: bool = True
) -> list[Tokens]:
    """Sets of tokens of each of which a file has one, if the condition is (or may be) true for it.

    Args:
        behind: the keys of the framework that conditions depend on without a name of theirs.
        each: the list whose items `item.` is.
        wanted: False for what is necessary if the condition is false, or may be.
    """
    kind = condition[0]
    if kind == "not":
        return necessary(condition[1], behind, each, wanted=not wanted)
    if kind in ("all", "any"):
        parts = [necessary(part, behind, each, wanted=wanted) for part in condition[1]]
        if (kind == "all") is wanted:
            return [tokens for sets in parts for tokens in sets]
        if not all(parts):
            return []
        ranked = [sorted(sets, key=len) for sets in parts]
        # The best set of each part, the second best, and so on: all of them are necessary.
        return [
            frozenset().union(*(sets[min(rank, len(sets) - 1)] for sets in ranked))
            for rank in range(max(map(len, ranked)))
        ]
    if kind == "test":
        return _of_test(condition[1], condition[2], behind, each, wanted)
    if not wanted:
        return []
    if kind == "plugin":
        return [frozenset({is_true(behind.plugins_key)})]
    return _of_count(condition, behind, each) if kind == "count" else []


def _of_expression(expression: tuple[Any, ...]) -> list[Tokens]:
    """An expression has a value when all keys in it have one, except for what `default` replaces."""
    kind = expression[0]
    if kind in ("number", "default"):
        return []
    if kind == "subject":
        subject = expression[1]
        return [frozenset({has_value(subject[1][0])})] if subject[0] == "key" else []
    return [tokens for part in expression[1:] for tokens in _of_expression(part)]


def _of_count(condition: Condition, behind: KeysBehind, each: str | None) -> list[Tokens]:
    _, predicate, _, subjects, tests = condition
    if not any((test in ("ge", "eq") and n > 0) or (test == "gt" and n >= 0) for test, n in tests):
        return []
    found = [_of_test(subject, ((predicate, True),), behind, each, True) for subject in subjects]
    return [frozenset().union(*(sets[0] for sets in found))] if all(found) else []


def _of_test(
    subject: tuple[Any, ...], tests: Tests, behind: KeysBehind, each: str | None, wanted: bool
) -> list[Tokens]:
    kind = subject[0]
    needed = _of_value(tests, wanted)
    if kind in ("expr", "derived"):
        if not needed or any(Token("", part).is_passed_by(None) for part in needed):
            return []
        if kind == "expr":
            return _of_expression(subject[1])
        return [behind.derived[subject[1]]] if subject[1] in behind.derived else []
    if kind == "item" and each is not None:
        path: tuple[str, ...] = (each, "[]", *subject[1])
    elif kind == "key" or (wanted and kind in ("some", "every")):
        path = subject[1]
    else:
        return []
    if "[]" in path and kind != "key" and (not needed or len(path) < 3 or path[1] != "[]"):
        # Without an item there is nothing that could pass a test.
        return [frozenset({is_true(path[0])})]
    if not needed:
        return []
    parts = 3 if path[1:2] == ("[]",) else 2
    place = ".".join(path[:parts]).replace(".[]", "[]")
    if len(path) > parts:
        return [frozenset({has_value(place)})]
    return [frozenset(Token(place, part) for part in needed)]


def _of_value(tests: Tests, wanted: bool) -> list[Tests]:
    """Lists of tests: a value that passes these (or, when not wanted, fails one) passes one of them.

    Returns:
        Nothing when a missing key passes them, too.
    """
    alone: list[tuple[str, Any]] = []
    for name, operand in tests:
        if name[0] != "@" and _is_constant(operand):
            alone.append((name, operand))
        elif not wanted:
            return []
        elif name[0] == "@" and name[1:] not in (*MAY_HOLD_WHEN_ABSENT, "eq"):
            alone.append(("set", True))
    if Token("", tuple(alone)).is_passed_by(MISSING) is wanted:
        return []
    return _in_literals(tuple(alone)) if wanted else [(("written", True),)]


def _in_literals(tests: Tests) -> list[Tests]:
    """The tests without regular expressions: to compile one takes longer than to try ten rules.

    Returns:
        Alternatives: a text that a pattern matches has one of its literals.
    """
    pattern = next((operand for name, operand in tests if name == "matches"), None)
    if pattern is None:
        return [tests]
    others = tuple(test for test in tests if test[0] not in ("matches", "type"))
    either: list[Tests] = [(("contains", text),) for text in literals(pattern)]
    return [(*literal, *others) for literal in either or [(("type", "str"),)]]


def _is_constant(operand: Any) -> bool:
    if isinstance(operand, tuple):
        return all(map(_is_constant, operand))
    return not isinstance(operand, (list, dict))
