"""What a condition needs of a file, summed up in sets of tokens.

Of each set at least one applies to the file, or the condition cannot hold. (More may be tried than
hold, never fewer.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cfglint.base.logic import Condition
from cfglint.knowledge.compiling.literals import literals
from cfglint.knowledge.rules.index.triggers import Tests, Token, Tokens, cost, has_value, is_true
from cfglint.knowledge.rules.predicates import MAY_HOLD_WHEN_ABSENT

#: Derived value -> the tokens of which one holds whenever it is neither null nor missing.
DerivedFrom = Mapping[str, Tokens]


def necessary(
    condition: Condition, derived: DerivedFrom, each: str | None = None, *, wanted: bool = True
) -> list[Tokens]:
    """Sets of tokens of each of which one holds, if the condition does (or may) hold for a file.

    Args:
        derived: what the derived values of the framework are computed from.
        each: the list that `item.` stands for.
        wanted: False for what is necessary if the condition does not hold, or may not.
    """
    kind = condition[0]
    if kind == "not":
        return necessary(condition[1], derived, each, wanted=not wanted)
    if kind in ("all", "any"):
        parts = [necessary(part, derived, each, wanted=wanted) for part in condition[1]]
        if (kind == "all") is wanted:
            return [tokens for sets in parts for tokens in sets]
        if not all(parts):
            return []
        ranked = [sorted(sets, key=cost) for sets in parts]
        # The best set of each part, the second best, and so on: all of them are necessary.
        return [
            tokens
            for rank in range(max(map(len, ranked)))
            for tokens in usable(frozenset().union(*(s[min(rank, len(s) - 1)] for s in ranked)))
        ]
    if kind == "test":
        return _of_test(condition[1], condition[2], derived, each, wanted)
    if not wanted:
        return []
    if kind == "plugin":
        return [frozenset({is_true("plugins")})]
    return _of_count(condition, derived, each) if kind == "count" else []


def usable(tokens: Tokens) -> list[Tokens]:
    """A set, if a look-up can tell whether one of it holds.

    It sees the keys that a file has. A token that holds without its key is of use only when no
    other key can make up for it.
    """
    absent = any(token.is_made_by_absence for token in tokens)
    places = {token.place for token in tokens}
    if absent and (len(places) > 1 or any("." in place for place in places)):
        return []
    return [tokens]


def _of_expression(expression: tuple[Any, ...]) -> list[Tokens]:
    """An expression has a value when all keys in it have one, except for what `default` replaces."""
    kind = expression[0]
    if kind in ("number", "default"):
        return []
    if kind == "subject":
        subject = expression[1]
        return [frozenset({has_value(subject[1][0])})] if subject[0] == "key" else []
    return [tokens for part in expression[1:] for tokens in _of_expression(part)]


def _of_count(condition: Condition, derived: DerivedFrom, each: str | None) -> list[Tokens]:
    _, predicate, _, subjects, tests = condition
    if not any((test in ("ge", "eq") and n > 0) or (test == "gt" and n >= 0) for test, n in tests):
        return []
    union: Tokens = frozenset()
    for subject in subjects:
        found = _of_test(subject, ((predicate, True),), derived, each, True)
        if not found:
            return []
        union |= found[0]
    return usable(union)


def _of_test(
    subject: tuple[Any, ...],
    tests: Tests,
    derived: DerivedFrom,
    each: str | None,
    wanted: bool,
) -> list[Tokens]:
    kind = subject[0]
    tests, exact = _alone(tests)
    if not tests or (not wanted and not exact):
        return []
    tokens = [Token("", either, wanted) for either in _in_literals(tests)]
    absent = any(token.holds_when_absent for token in tokens)
    if kind in ("expr", "derived"):
        if absent or any(token.holds(None) for token in tokens) or not wanted:
            return []
        if kind == "expr":
            return _of_expression(subject[1])
        return [derived[subject[1]]] if subject[1] in derived else []
    if kind == "item" and each is not None:
        path: tuple[str, ...] = (each, "[]", *subject[1])
    elif kind == "key" or (wanted and kind in ("some", "every")):
        path = subject[1]
    else:
        return []
    top = path[0]
    if len(path) == 1:
        return [_at(top, tokens)]
    if "[]" in path and kind != "key":
        if len(path) < 3 or path[1] != "[]" or (absent and len(path) > 3):
            # Without an item there is nothing that a test could hold for.
            return [frozenset({is_true(top)})]
        inner = f"{top}[].{path[2]}"
        return [_at(inner, tokens) if len(path) == 3 else frozenset({has_value(inner)})]
    if absent:
        return []
    inner = f"{top}.{path[1]}"
    return [_at(inner, tokens) if len(path) == 2 else frozenset({has_value(inner)})]


def _at(place: str, tokens: list[Token]) -> Tokens:
    return frozenset(token.replaced(place=place) for token in tokens)


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


def _alone(tests: Tests) -> tuple[Tests, bool]:
    """The tests that need nothing but the value, and whether these are all."""
    alone: list[tuple[str, Any]] = []
    for name, operand in tests:
        if name[0] != "@" and _is_constant(operand):
            alone.append((name, operand))
        elif name[1:] not in (*MAY_HOLD_WHEN_ABSENT, "eq") and name[0] == "@":
            alone.append(("set", True))
    exact = not any(name == "matches" or name[0] == "@" for name, _ in tests)
    return tuple(alone), exact and len(alone) == len(tests)


def _is_constant(operand: Any) -> bool:
    if isinstance(operand, tuple):
        return all(map(_is_constant, operand))
    return not isinstance(operand, (list, dict))
