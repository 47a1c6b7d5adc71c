r"""Regular expressions that are matched without backtracking.

The patterns of a project's rules and schemas are untrusted, and `re` can take exponential time for a
pattern of a few characters. Here all ways to match are followed at once, one character after the
other, so the time is at most the length of the text times the size of the pattern.

There are no references, look-arounds or atomic groups. For everything else the answer is that of
`re.search`, which also decides what a single character class takes and where `^`, `$` or `\\b` matches.
"""

from __future__ import annotations

import re
import warnings

from cfglint.base.regex_trees import ParseError, constants, parse
from cfglint.base.type_names import Any

#: Characters of a pattern.
MAX_LENGTH = 500
#: Single characters that a pattern has once counted repeats are written out; 255 is a usual limit.
MAX_POSITIONS = 300
#: The same, with everything between them.
_MAX_NODES = 1_500
#: Characters in all ranges of a pattern: `re` needs 4 ms to prepare `[\\0-\\uffff]`.
_MAX_RANGES = 300_000
_LAST_PREPARED = 0xFFFF
#: The flags that decide what a character class takes, and where an assertion matches.
_OF_CHARACTERS = re.IGNORECASE | re.DOTALL | re.ASCII
_OF_ASSERTIONS = re.MULTILINE | re.ASCII
_ASSERTIONS = {
    constants.AT_BEGINNING: "^",
    constants.AT_BEGINNING_STRING: r"\A",
    constants.AT_BOUNDARY: r"\b",
    constants.AT_NON_BOUNDARY: r"\B",
    constants.AT_END: "$",
    constants.AT_END_STRING: r"\Z",
}
_CATEGORIES = {
    constants.CATEGORY_DIGIT: r"\d",
    constants.CATEGORY_NOT_DIGIT: r"\D",
    constants.CATEGORY_SPACE: r"\s",
    constants.CATEGORY_NOT_SPACE: r"\S",
    constants.CATEGORY_WORD: r"\w",
    constants.CATEGORY_NOT_WORD: r"\W",
}
_GREEDY_OR_LAZY = (constants.MAX_REPEAT, constants.MIN_REPEAT)
#: Set in a mask of positions when the whole pattern has matched.
_ACCEPTED = 1


class UnsuitablePattern(ValueError):
    """A pattern cannot be matched in linear time, or is not a pattern; the message says why."""


class LinearPattern:
    """A regular expression that takes time proportional to the text.

    Args:
        pattern: in the syntax of `re`.
        flags: those of `re`.

    Raises:
        UnsuitablePattern: it is not a regular expression, is too large, or needs backtracking.

    Attributes:
        size: the number of single characters and classes in it, repeats written out. It is a
            measure of the time that each character of a text takes.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        program = _Program(pattern, flags)
        self.size = len(program.takes)
        self._takes = program.takes
        self._nodes = program.nodes
        self._start = program.start
        self._asserted = program.asserted
        #: Character -> the positions that take it.
        self._takers: dict[str, int] = {}
        #: What is true at a place -> the position before -> the positions that may come next. `-1`
        #: is the beginning of a match.
        self._following: dict[int, dict[int, int]] = {}

    def search(self, text: str) -> bool:
        """Whether the pattern matches anywhere in a text."""
        active = 0
        for index in range(len(text) + 1):
            holding = sum(
                1 << number
                for number, assertion in enumerate(self._asserted)
                if assertion.match(text, index)
            )
            following = self._following.setdefault(holding, {})
            reached = self._after(-1, holding, following)
            while active:
                lowest = active & -active
                active ^= lowest
                reached |= self._after(lowest.bit_length() - 2, holding, following)
            if reached & _ACCEPTED:
                return True
            if index < len(text):
                active = reached & self._taking(text[index])
        return False

    def _after(self, position: int, holding: int, following: dict[int, int]) -> int:
        """The positions that may come after one, as a mask."""
        mask = following.get(position)
        if mask is None:
            start = self._start if position < 0 else self._takes[position][1]
            mask = following[position] = self._reached(start, holding)
        return mask

    def _reached(self, start: int, holding: int) -> int:
        mask = 0
        seen = {start}
        waiting = [start]
        while waiting:
            kind, number, targets = self._nodes[waiting.pop()]
            if kind == "take":
                mask |= 2 << number
            elif kind == "accept":
                mask |= _ACCEPTED
            elif kind == "either" or holding >> number & 1:
                new = [target for target in targets if target not in seen]
                seen.update(new)
                waiting += new
        return mask

    def _taking(self, character: str) -> int:
        mask = self._takers.get(character)
        if mask is None:
            mask = sum(
                2 << number
                for number, (takes, _) in enumerate(self._takes)
                if takes.match(character)
            )
            self._takers[character] = mask
        return mask


class _Program:
    """A pattern as nodes, each of which leads to others; built from the end to the beginning."""

    def __init__(self, pattern: str, flags: int) -> None:
        if len(pattern) > MAX_LENGTH:
            raise UnsuitablePattern(f"is longer than {MAX_LENGTH} characters")
        try:
            tree = parse(pattern, flags)
        except ParseError as error:
            raise UnsuitablePattern(f"is not a Python regular expression: {error}") from None
        #: (`take`, `accept`, `either` or `assert`; its number; the nodes that it leads to).
        self.nodes: list[tuple[str, int, list[int]]] = []
        #: Position -> what it takes, and the node after it.
        self.takes: list[tuple[re.Pattern[str], int]] = []
        self.asserted: list[re.Pattern[str]] = []
        self._assertions: dict[tuple[str, int], int] = {}
        self._characters: dict[tuple[str, int], re.Pattern[str]] = {}
        self._in_ranges = 0
        try:
            self.start = self._sequence(tree, tree.state.flags, self._node("accept", 0, []))
        except RecursionError:
            raise UnsuitablePattern("is nested too deep") from None

    def _node(self, kind: str, number: int, targets: list[int]) -> int:
        if len(self.nodes) == _MAX_NODES:
            raise UnsuitablePattern("is too large once its repeats are written out")
        self.nodes.append((kind, number, targets))
        return len(self.nodes) - 1

    def _sequence(self, tree: Any, flags: int, after: int) -> int:
        """The node that a sequence begins with, when `after` is the one that follows it."""
        for index in range(len(tree) - 1, -1, -1):
            code, argument = tree[index]
            after = self._item(code, argument, flags, after)
        return after

    def _item(self, code: Any, argument: Any, flags: int, after: int) -> int:
        if code is constants.SUBPATTERN:
            _, added, removed, inner = argument
            return self._sequence(inner, (flags | added) & ~removed, after)
        if code is constants.BRANCH:
            branches = [self._sequence(inner, flags, after) for inner in argument[1]]
            return self._node("either", 0, branches)
        if code in _GREEDY_OR_LAZY:
            low, high, inner = argument
            return self._repeat(low, high, inner, flags, after)
        if code is constants.AT:
            return self._node("assert", self._assertion(argument, flags), [after])
        if code in (constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN):
            return self._take(code, argument, flags, after)
        raise UnsuitablePattern("has references, look-arounds, or groups that give nothing back")

    def _repeat(self, low: int, high: Any, inner: Any, flags: int, after: int) -> int:
        if high is constants.MAXREPEAT:
            entry = self._node("either", 0, [after])
            self.nodes[entry][2].append(self._sequence(inner, flags, entry))
        else:
            entry = after
            for _ in range(high - low):
                whole = self._sequence(inner, flags, entry)
                if whole == entry:
                    break  # nothing is repeated
                entry = self._node("either", 0, [whole, after])
        for _ in range(low):
            whole = self._sequence(inner, flags, entry)
            if whole == entry:
                break
            entry = whole
        return entry

    def _assertion(self, code: Any, flags: int) -> int:
        key = (_ASSERTIONS[code], flags & _OF_ASSERTIONS)
        if key not in self._assertions:
            self._assertions[key] = len(self.asserted)
            self.asserted.append(re.compile(*key))
        return self._assertions[key]

    def _take(self, code: Any, argument: Any, flags: int, after: int) -> int:
        if len(self.takes) == MAX_POSITIONS:
            raise UnsuitablePattern("is too large once its repeats are written out")
        key = (self._written(code, argument), flags & _OF_CHARACTERS)
        if key not in self._characters:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._characters[key] = re.compile(*key)
        self.takes.append((self._characters[key], after))
        return self._node("take", len(self.takes) - 1, [])

    def _written(self, code: Any, argument: Any) -> str:
        """A pattern of one character or class."""
        if code is constants.ANY:
            return "."
        if code is constants.LITERAL:
            return re.escape(chr(argument))
        if code is constants.NOT_LITERAL:
            return f"[^{re.escape(chr(argument))}]"
        return f"[{''.join(self._member(*member) for member in argument)}]"

    def _member(self, code: Any, argument: Any) -> str:
        if code is constants.NEGATE:
            return "^"
        if code is constants.LITERAL:
            return re.escape(chr(argument))
        if code is constants.CATEGORY:
            return _CATEGORIES[argument]
        low, high = argument
        self._in_ranges += max(0, min(high, _LAST_PREPARED) - low)
        if self._in_ranges > _MAX_RANGES:
            raise UnsuitablePattern("has ranges with too many characters")
        return f"{re.escape(chr(low))}-{re.escape(chr(high))}"
