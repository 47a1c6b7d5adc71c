"""What a file must have for a rule to be worth trying on it.

A condition is summed up in sets of tokens: of each set at least one holds for the file, or the
condition cannot hold. (More may be tried than hold, never fewer.) A token is a test, or several,
of the value at one of these places:

    key             at the top level
    key.inner       in the mapping under it
    key[].inner     in an item of the list under it, even one without the key: one is enough
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cfglint.rules.logic import MISSING, Condition
from cfglint.rules.predicates import MAY_HOLD_WHEN_ABSENT, PREDICATES, bound

#: Predicates that see the kind of a value, and whether it is empty.
ON_KIND = frozenset({"truthy", "set", "written", "is", "is_not", "type"})


class Token(NamedTuple):
    """Tests of the value at a place, all of which hold (or, when not wanted, not all do)."""

    place: str
    tests: tuple[tuple[str, Any], ...]
    wanted: bool = True

    def test(self) -> Callable[[Any], bool]:
        """What tells whether it holds for a value."""
        if len(self.tests) == 1 and self.wanted:
            return bound(*self.tests[0])
        return self.holds

    def holds(self, value: Any) -> bool:
        """Whether it holds for a value."""
        for name, operand in self.tests:
            if not PREDICATES[name](value, operand):
                return not self.wanted
        return self.wanted

    @property
    def asks_for_kind(self) -> bool:
        """Whether the kind of a value and whether it is empty is all that it asks for."""
        return all(name in ON_KIND for name, _ in self.tests)

    @property
    def holds_when_absent(self) -> bool:
        return self.holds(MISSING)

    @property
    def is_made_by_absence(self) -> bool:
        """Whether it holds in a file without its place. (Of items, those that are there count.)"""
        return "[]" not in self.place and self.holds_when_absent


Tokens = frozenset[Token]


def written(place: str) -> Token:
    """It is written, be it null."""
    return Token(place, (("written", True),))


def has_value(place: str) -> Token:
    """It has a value that is not null."""
    return Token(place, (("set", True),))


def is_true(place: str) -> Token:
    """Its value is true to Python's `if`."""
    return Token(place, (("truthy", True),))


#: What derived keys are computed from: without one of these they are null or missing.
DERIVED_FROM: dict[str, Tokens] = {
    "attention_backend": frozenset(
        map(
            is_true,
            (
                "attn_implementation",
                "eager_attention",
                "flash_attention",
                "flex_attention",
                "s2_attention",
                "sage_attention",
                "sdp_attention",
                "xformers_attention",
            ),
        )
    ),
    "fsdp_version": frozenset({is_true("fsdp"), is_true("fsdp_config")}),
    "zero_stage": frozenset({is_true("deepspeed")}),
    "group_batch_size": frozenset({has_value("micro_batch_size")}),
}
#: The checks of files that a config names, by the beginning of their names: what names the file.
NAMED_BY: dict[str, Tokens] = {
    "chat-template-": frozenset(
        {
            is_true("chat_template_jinja"),
            has_value("datasets[].chat_template_jinja"),
            has_value("test_datasets[].chat_template_jinja"),
        }
    ),
    "dataset-file-": frozenset({has_value("datasets[].path"), has_value("test_datasets[].path")}),
    "deepspeed-file-": frozenset({is_true("deepspeed")}),
}


def needed_by_check(check: str) -> list[Tokens]:
    """What a check in code needs: nothing unless it looks at a file that the config names."""
    return [tokens for start, tokens in NAMED_BY.items() if check.startswith(start)]


def necessary(
    condition: Condition, each: str | None = None, *, wanted: bool = True
) -> list[Tokens]:
    """Sets of tokens of each of which one holds, if the condition does (or may) hold for a file.

    Args:
        each: the list that `item.` stands for.
        wanted: False for what is necessary if the condition does not hold, or may not.
    """
    kind = condition[0]
    if kind == "not":
        return necessary(condition[1], each, wanted=not wanted)
    if kind in ("all", "any"):
        parts = [necessary(part, each, wanted=wanted) for part in condition[1]]
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
        return _of_test(condition[1], condition[2], each, wanted)
    if not wanted:
        return []
    if kind == "plugin":
        return [frozenset({is_true("plugins")})]
    return _of_count(condition, each) if kind == "count" else []


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
    """An expression has a value when all keys in it have one, but for what `default` replaces."""
    kind = expression[0]
    if kind in ("number", "default"):
        return []
    if kind == "subject":
        subject = expression[1]
        return [frozenset({has_value(subject[1][0])})] if subject[0] == "key" else []
    return [tokens for part in expression[1:] for tokens in _of_expression(part)]


def _of_count(condition: Condition, each: str | None) -> list[Tokens]:
    _, predicate, _, subjects, tests = condition
    if not any((test in ("ge", "eq") and n > 0) or (test == "gt" and n >= 0) for test, n in tests):
        return []
    union: Tokens = frozenset()
    for subject in subjects:
        found = _of_test(subject, ((predicate, True),), each, True)
        if not found:
            return []
        union |= found[0]
    return usable(union)


def _of_test(
    subject: tuple[Any, ...], tests: tuple[tuple[str, Any], ...], each: str | None, wanted: bool
) -> list[Tokens]:
    kind = subject[0]
    tests, exact = _alone(tests)
    if not tests or (not wanted and not exact):
        return []
    token = Token("", tests, wanted)
    absent = token.holds_when_absent
    if kind in ("expr", "derived"):
        if absent or token.holds(None) or not wanted:
            return []
        if kind == "expr":
            return _of_expression(subject[1])
        return [DERIVED_FROM[subject[1]]] if subject[1] in DERIVED_FROM else []
    if kind == "item" and each is not None:
        path: tuple[str, ...] = (each, "[]", *subject[1])
    elif kind == "key" or (wanted and kind in ("some", "every")):
        path = subject[1]
    else:
        return []
    top = path[0]
    if len(path) == 1:
        return [frozenset({token._replace(place=top)})]
    if "[]" in path and kind != "key":
        if len(path) < 3 or path[1] != "[]" or (absent and len(path) > 3):
            # Without an item there is nothing that a test could hold for.
            return [frozenset({is_true(top)})]
        inner = f"{top}[].{path[2]}"
        return [frozenset({token._replace(place=inner) if len(path) == 3 else has_value(inner)})]
    if absent:
        return []
    inner = f"{top}.{path[1]}"
    return [frozenset({token._replace(place=inner) if len(path) == 2 else has_value(inner)})]


def _alone(tests: tuple[tuple[str, Any], ...]) -> tuple[tuple[tuple[str, Any], ...], bool]:
    """The tests that need nothing but the value, and whether these are all."""
    alone: list[tuple[str, Any]] = []
    for name, operand in tests:
        if name == "matches":
            # To compile a pattern takes longer than to try ten rules.
            alone.append(("type", "str"))
        elif name[0] != "@" and _is_constant(operand):
            alone.append((name, operand))
        elif name[1:] not in (*MAY_HOLD_WHEN_ABSENT, "eq") and name[0] == "@":
            alone.append(("set", True))
    exact = not any(name == "matches" or name[0] == "@" for name, _ in tests)
    return tuple(alone), exact and len(alone) == len(tests)


def _is_constant(operand: Any) -> bool:
    if isinstance(operand, tuple):
        return all(map(_is_constant, operand))
    return not isinstance(operand, (list, dict))


def cost(tokens: Iterable[Token]) -> float:
    """How many files, roughly, one of the tokens holds for."""
    return round(sum(_share(token) for token in tokens), 3)


def _share(token: Token) -> float:
    if token.is_made_by_absence:
        return 20.0
    if token.wanted and any(name in ("eq", "in", "starts_with") for name, _ in token.tests):
        return 0.3
    return 1.0
