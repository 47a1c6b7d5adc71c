"""Whether the next character always tells how a regular expression goes on.

Then there is one way to match each text, and nothing is tried twice: what was repeated need only be
given back, one by one. The test is Glushkov's: each place of the pattern that takes a character is
a position, and those that may come after one another must take different characters.
"""

from __future__ import annotations

import re
from functools import lru_cache

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.knowledge.rules.regex_trees import REPEATS, constants

#: Characters as bits: each of ASCII has its own, the others are told apart by their kind alone.
_ASCII = 128
_DIGIT, _SPACE, _WORD, _OTHER = (1 << (_ASCII + number) for number in range(4))
_ALL = (1 << (_ASCII + 4)) - 1
#: A pattern with more positions is nobody's intention.
_MAX_POSITIONS = 400


class _Unclear(Exception):
    """The next character does not tell, or the pattern has parts that are not looked into."""


class _Part(NamedTuple):
    """A part of a pattern: whether it may be empty, and the positions that it begins and ends with."""

    nullable: bool
    first: list[int]
    last: list[int]


def is_deterministic(tree: Any) -> bool:
    """Whether the next character always tells how a pattern goes on.

    Args:
        tree: the pattern, as the parser of `re` has it.
    """
    if tree.state.flags & ~re.UNICODE:
        return False
    automaton = _Automaton()
    try:
        whole = automaton.read(tree)
        automaton.check(whole.first)
        for following in automaton.follow:
            automaton.check(following)
    except _Unclear:
        return False
    return True


class _Automaton:
    """The positions of a pattern, and which of them follow one another."""

    def __init__(self) -> None:
        #: Position -> the characters that it takes.
        self.takes: list[int] = []
        self.follow: list[list[int]] = []

    def check(self, positions: list[int]) -> None:
        """Refuse positions of which two take the same character."""
        taken = 0
        for position in positions:
            if taken & self.takes[position]:
                raise _Unclear
            taken |= self.takes[position]

    def read(self, tree: Any) -> _Part:
        """A sequence of items."""
        whole = _Part(True, [], [])
        for code, argument in tree:
            whole = self._after(whole, self._item(code, argument))
        return whole

    def _item(self, code: Any, argument: Any) -> _Part:
        if code is constants.AT:
            return _Part(True, [], [])
        if code is constants.SUBPATTERN:
            _, added, removed, inner = argument
            if added or removed:
                raise _Unclear
            return self.read(inner)
        if code is constants.BRANCH:
            parts = [self.read(inner) for inner in argument[1]]
            if sum(part.nullable for part in parts) > 1:
                raise _Unclear
            return _Part(
                any(part.nullable for part in parts),
                [position for part in parts for position in part.first],
                [position for part in parts for position in part.last],
            )
        if code in REPEATS:
            return self._repeat(*argument)
        self.takes.append(_taken(code, argument))
        self.follow.append([])
        if len(self.takes) > _MAX_POSITIONS:
            raise _Unclear
        position = len(self.takes) - 1
        return _Part(False, [position], [position])

    def _repeat(self, low: int, high: Any, tree: Any) -> _Part:
        if low == high:
            whole = _Part(True, [], [])
            for _ in range(low):
                whole = self._after(whole, self.read(tree))
            return whole
        part = self.read(tree)
        if part.nullable:
            raise _Unclear  # nothing at all would match it in two ways
        if high != 1:
            self._connect(part.last, part.first)
        return part._replace(nullable=low == 0)

    def _after(self, left: _Part, right: _Part) -> _Part:
        self._connect(left.last, right.first)
        return _Part(
            left.nullable and right.nullable,
            left.first + right.first if left.nullable else left.first,
            left.last + right.last if right.nullable else right.last,
        )

    def _connect(self, last: list[int], first: list[int]) -> None:
        for position in last:
            # A position that is there twice is reached in two ways, and takes what it takes itself.
            self.follow[position] += first
            if len(self.follow[position]) > _MAX_POSITIONS:
                raise _Unclear


def _taken(code: Any, argument: Any) -> int:
    """The characters that an item takes."""
    if code is constants.LITERAL:
        return _bit(argument)
    if code is constants.NOT_LITERAL:
        return _ALL & ~_bit(argument) if argument < _ASCII else _ALL
    if code is constants.ANY:
        return _ALL & ~_bit(ord("\n"))
    if code is not constants.IN:
        raise _Unclear
    negated = argument[0][0] is constants.NEGATE
    taken = surely = 0
    for inner, value in argument[1:] if negated else argument:
        if inner is constants.LITERAL:
            taken |= _bit(value)
            surely |= _bit(value) if value < _ASCII else 0
        elif inner is constants.RANGE:
            low, high = value
            bits = sum(1 << number for number in range(low, min(high, _ASCII - 1) + 1))
            surely |= bits
            taken |= bits if high < _ASCII else bits | _DIGIT | _SPACE | _WORD | _OTHER
        else:
            bits = _category(value)
            taken |= bits
            surely |= bits
    return _ALL & ~surely if negated else taken


def _bit(number: int) -> int:
    if number < _ASCII:
        return 1 << number
    character = chr(number)
    if re.match(r"\d", character):
        return _DIGIT
    if re.match(r"\s", character):
        return _SPACE
    return _WORD if re.match(r"\w", character) else _OTHER


@lru_cache(maxsize=16)
def _category(code: Any) -> int:
    """The characters of a class such as digits, spaces or letters, and of their opposites."""
    for name, bits in (("DIGIT", _DIGIT), ("SPACE", _SPACE), ("WORD", _DIGIT | _WORD)):
        pattern = re.compile(f"\\{name[0].lower()}")
        taken = bits | sum(1 << n for n in range(_ASCII) if pattern.match(chr(n)))
        if code is getattr(constants, f"CATEGORY_{name}"):
            return taken
        if code is getattr(constants, f"CATEGORY_NOT_{name}"):
            return _ALL & ~taken
    raise _Unclear
