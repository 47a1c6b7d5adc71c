"""Trying a repair: does PyYAML parse the text, and does what it sees look like a config?"""

from __future__ import annotations

from collections import Counter

import yaml
from yaml.events import (
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.source.pure_loader import PureLoader

#: Events after which a trial is given up; configs have some hundreds.
_MAX_EVENTS = 20_000
_MAX_DEPTH = 100
_C_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: Plain text that looks like a slip of its own: `key:value`, `-item`, `=`, a curly or lone quote.
_ODD_VALUE = lazy_pattern(
    "[A-Za-z_]{3,}:(?!//)[^\\s\\\\/]|-[-\\s]|-[A-Za-z_.]|=|[\u201c\u201d\u2018\u2019\u201e]|.*\\s-\\s"
)
_ODD_KEY = lazy_pattern("\\s|=|^-|[\u201c\u201d\u2018\u2019\u201e\"'\\[\\]{}]")
_NUMBER = lazy_pattern(r"[-+]?\.?\d[\d.eE+-]*$")


class Outcome(NamedTuple):
    """What came of a trial.

    Attributes:
        reached: the offset of the first error; None when the text parses as one mapping.
        oddity: how much of it does not look like a config, for comparison with other trials.
    """

    reached: int | None
    oddity: int


def try_text(text: str) -> Outcome:
    """Parse a text."""
    # libyaml takes tabs where PyYAML's own scanner does not.
    pure = "\t" in text and len(text) < 10_000
    loader = (PureLoader if pure else _C_LOADER)(text)
    watch = _Watch()
    try:
        return Outcome(watch.follow(loader), watch.total())
    except yaml.reader.ReaderError:
        return Outcome(0, 0)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return Outcome(0 if mark is None else mark.index, 0)
    finally:
        loader.dispose()


class _Level:
    """A collection that is being read."""

    __slots__ = ("column", "flow", "is_map", "key", "keys", "kinds", "numbers", "spaced")

    def __init__(self, is_map: bool, column: int, flow: bool) -> None:
        self.is_map = is_map
        self.column = column
        self.flow = flow
        #: The key that waits for its value.
        self.key: tuple[str, int] | None = None
        self.keys: set[str] = set()
        self.kinds: Counter[str] = Counter()
        self.spaced = 0
        self.numbers = 0


class _Watch:
    """Follows the events of one text and counts what looks odd."""

    def __init__(self) -> None:
        self.oddity = 0
        #: (kind of nesting, step to the right) -> how often.
        self.steps: dict[str, Counter[int]] = {}
        self.stack: list[_Level] = []
        self.nulls = 0

    def total(self) -> int:
        """The oddity of the whole, with every step of indentation that is not the usual one."""
        found = self.oddity
        for name, steps in self.steps.items():
            if name in ("map", "item"):
                steps[2] += 1
            usual = max(steps.items(), key=lambda pair: (pair[1], pair[0] % 2 == 0, -pair[0]))[0]
            for step, count in steps.items():
                if step != usual:
                    found += 2 * count
                if step % 2:
                    found += 1
        return found + min(self.nulls, 2)

    def follow(self, loader: Any) -> int | None:
        """Read all events; the offset of a second root or a root that is no mapping."""
        stack = self.stack
        roots = 0
        for _ in range(_MAX_EVENTS):
            if not loader.check_event():
                return None if roots == 1 else 0
            event = loader.get_event()
            kind = type(event)
            if kind is ScalarEvent:
                if not stack:
                    return int(event.start_mark.index)
                self._scalar(event, stack[-1])
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                is_map = kind is MappingStartEvent
                if not stack:
                    roots += 1
                    if roots > 1 or not is_map:
                        return int(event.start_mark.index)
                elif len(stack) >= _MAX_DEPTH:
                    return int(event.start_mark.index)
                self._open(event, is_map)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close(stack.pop())
        return 0

    def _open(self, event: Any, is_map: bool) -> None:
        level = _Level(is_map, event.start_mark.column, bool(event.flow_style))
        if self.stack:
            parent = self.stack[-1]
            if not parent.is_map:
                parent.kinds["map" if is_map else "list"] += 1
                if not is_map and not level.flow:
                    self.oddity += 4
                step = level.column - parent.column
                name = "item"
            else:
                step = level.column - (parent.key[1] if parent.key else parent.column)
                name = "map" if is_map else "list"
                if parent.key is None:
                    self.oddity += 4
                parent.key = None
            if not level.flow and not parent.flow:
                self.steps.setdefault(name, Counter())[step] += 1
        elif level.column:
            self.oddity += 4
        self.stack.append(level)

    def _scalar(self, event: Any, level: _Level) -> None:
        text = event.value
        plain = not event.style
        start = event.start_mark
        if level.is_map and level.key is None:
            level.key = (text, start.column)
            if text in level.keys:
                self.oddity += 4
            level.keys.add(text)
            if _ODD_KEY.search(text) or (plain and ":" in text):
                self.oddity += 4
            return
        if level.is_map:
            level.key = None
            if plain and not text:
                self.nulls += 1
        else:
            level.kinds["scalar"] += 1
            level.numbers += plain and _NUMBER.match(text) is not None
            if plain and (not text or " " in text):
                level.spaced += 1
                if not text:
                    self.oddity += 2
        if plain and text:
            if event.end_mark.line != start.line:
                self.oddity += 5
            if _ODD_VALUE.match(text) or text[-1] in "\"'\u201d\u2019":
                self.oddity += 3
            elif " #" not in text and level.flow and " " in text:
                self.oddity += 1
        elif not plain and event.style in "\"'" and event.end_mark.line != start.line:
            self.oddity += 2

    def _close(self, level: _Level) -> None:
        if not level.is_map:
            if len(level.kinds) > 1:
                self.oddity += 4
            if 0 < level.spaced < level.kinds["scalar"]:
                self.oddity += level.spaced
            if 0 < level.numbers < level.kinds["scalar"]:
                self.oddity += 2
