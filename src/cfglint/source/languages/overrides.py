"""Words that change a composed configuration: Hydra's `a.b=v`, `+a.b=v`, `++a.b=v` and `~a.b`.

A word sets a key below the sections that its dots name. Words that choose from a group of configs
(`optimizer=adam`, `db@store=sqlite`) are kept apart: they set no key, and change which ones there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.source.document import Entry, Mapping, Node, Scalar
from cfglint.source.document import Sequence as SequenceNode
from cfglint.source.languages.arguments import Problem
from cfglint.source.languages.override_values import NotAValue, Several, value_of
from cfglint.source.languages.words import ReadWords
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.text import Span
from cfglint.source.values import Unexpanded

_WORD = lazy_pattern(r"(?P<sign>\+\+?|~)?(?P<key>[^=]*)(?P<equal>=)?")
_SPECIAL = r"[A-Za-z_$][\w$-]*"
_KEY = lazy_pattern(rf"(?:{_SPECIAL}|[0-9]+)(?:\.(?:{_SPECIAL}|[0-9]+))*")
_GROUP = lazy_pattern(
    rf"[A-Za-z_][\w-]*(?:/[A-Za-z_][\w-]*)*(?:@(?:{_SPECIAL})?(?:\.{_SPECIAL})*)?"
)
_STR, _NULL = "tag:yaml.org,2002:str", "tag:yaml.org,2002:null"
_BOOL, _INT, _FLOAT = "tag:yaml.org,2002:bool", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"
_TAGS: dict[type, str] = {bool: _BOOL, int: _INT, float: _FLOAT, type(None): _NULL}
#: Options of Hydra's own, with the words that they take.
OPTIONS = {
    **dict.fromkeys(("--config-path", "-cp", "--config-name", "-cn", "--config-dir", "-cd"), 1),
    **dict.fromkeys(("--package", "-p", "--cfg", "-c", "--experimental-rerun"), 1),
    **dict.fromkeys(("--multirun", "-m", "--run", "-r", "--resolve", "--help", "-h"), 0),
    **dict.fromkeys(("--hydra-help", "--version", "--shell-completion", "-sc"), 0),
}
_MULTIRUN = frozenset({"--multirun", "-m"})


class ConfigWord(Record):
    """One word of a command that changes the configuration."""

    #: `` (the key has to exist), `+` (it must not), `++` (it may), `~` (it goes away).
    sign: str
    #: The key with its sections and dots, or what the word chooses from; empty when the word is not known.
    key: str
    #: What it is set to; `Unexpanded` when that is not known.
    value: Any
    #: Whether it chooses from a group of configs.
    is_group: bool
    start: int
    end: int
    #: Where the key begins and ends, with the sign in front; empty if that is not in one place.
    key_span: tuple[int, int]


class Overrides:
    """The options of a program that Hydra configures.

    Args:
        groups: the groups of configs that words choose from.
    """

    def __init__(self, groups: frozenset[str] = frozenset()) -> None:
        self.groups = groups

    def read(self, words: Sequence[ExpandedWord], text: str) -> ReadWords:
        """What the words of a command set.

        Args:
            text: the script that they are in.
        """
        found: list[ConfigWord] = []
        problems: list[Problem] = []
        entries: list[Entry] = []
        hides = False
        several = any(word.text in _MULTIRUN for word in words)
        left = list(words)
        while left:
            word = left.pop(0)
            name, equals, _ = word.text.partition("=")
            if name in OPTIONS and not (equals and not name.startswith("--")):
                value = word.text[len(name) + 1 :] if equals else ""
                if OPTIONS[name] and not equals and left:
                    taken = left.pop(0)
                    value, word = taken.text, taken._replace(open=word.open or taken.open)
                entries.append(_option(name, value, word))
                continue
            is_open = word.open and (
                not equals or (word.many and any(c.isspace() for c in word.text))
            )
            if "$" in name or "`" in name or is_open:
                hides = True  # it may be any word, or several
                here = (word.start, word.end)
                found.append(ConfigWord("", "", Unexpanded(word.text), True, *here, here))
                continue
            one = self._override(word, text, problems, several=several)
            if one is not None:
                found.append(one)
        root = _Section(0)
        for one in found:
            if not one.is_group and one.sign != "~":
                root.add(one)
        entries += root.entries(text)
        return ReadWords(entries, tuple(problems), hides, tuple(found))

    def _override(
        self, word: ExpandedWord, text: str, problems: list[Problem], *, several: bool
    ) -> ConfigWord | None:
        """What a word is; None, with a problem, when Hydra cannot read it."""
        match = _WORD.match(word.text)
        assert match is not None
        sign, key = match["sign"] or "", match["key"]
        span = Span(word.start, word.end)
        is_key = _KEY.fullmatch(key) is not None
        is_group = key in self.groups or (not is_key and _GROUP.fullmatch(key) is not None)
        if (not is_key and not is_group) or (match["equal"] is None and sign != "~"):
            kind = "stray" if match["equal"] is None else "key"
            problems.append(Problem(kind, span, word.text[:200]))
            return None
        value: Any = Unexpanded(word.text[match.end() :])
        if not word.open and not (word.many and "{" in word.text):
            try:
                value = value_of(word.text[match.end() :])
            except NotAValue as why:
                problems.append(Problem("value", span, key, (str(why), word.text[match.end() :])))
            except Several:
                if not several and not is_group:
                    problems.append(Problem("several", span, key))
        written = sign + key
        at = next((n for n in (word.start, word.start + 1) if text.startswith(written, n)), -1)
        key_span = (at, at + len(written)) if at >= 0 else (word.start, word.end)
        return ConfigWord(sign, key, value, is_group, word.start, word.end, key_span)


class _Section:
    """Keys below one another, in the order in which they are first written."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.parts: list[tuple[str, ConfigWord | _Section]] = []
        self.first: ConfigWord | None = None

    def add(self, one: ConfigWord) -> None:
        """Put a word below the sections that it names."""
        *sections, name = one.key.split(".")
        here = self
        here._note(one)
        for section in sections:
            inner = next(
                (p for n, p in here.parts if n == section and isinstance(p, _Section)), None
            )
            if inner is None:
                inner = _Section(here.depth + 1)
                here.parts.append((section, inner))
            here = inner
            here._note(one)
        here.parts.append((name, one))

    def _note(self, one: ConfigWord) -> None:
        """Keep the word that a section is known by: the first that needs it to be there."""
        if self.first is None or (self.first.sign and not one.sign):
            self.first = one

    def entries(self, text: str) -> list[Entry]:
        """The entries of the section's mapping."""
        found = []
        for name, part in self.parts:
            one = part if isinstance(part, ConfigWord) else part.first
            assert one is not None
            written = one.sign + one.key
            if isinstance(part, ConfigWord):
                key = Scalar(*one.key_span, None, None, written, "", _STR, name)
                found.append(Entry(key, _node(one.value, one.sign, *_value_span(one, text))))
                continue
            span = _name_span(one, self.depth, name, text)
            key = Scalar(*span, None, None, written, "", _STR, name)
            inner = Mapping(one.start, one.end, None, None, flow=True)
            inner.entries = part.entries(text)
            found.append(Entry(key, inner))
        return found


def _name_span(one: ConfigWord, depth: int, name: str, text: str) -> tuple[int, int]:
    """Where a word names a section that is so many sections deep."""
    start = one.key_span[0] + len(one.sign) + sum(len(n) + 1 for n in one.key.split(".")[:depth])
    return (start, start + len(name)) if text.startswith(name, start) else one.key_span


def _value_span(one: ConfigWord, text: str) -> tuple[int, int]:
    """Where the value of a word is, without a quote that the whole word is in."""
    at = one.key_span[1]
    if at >= one.end:
        return one.start, one.end
    closes = one.key_span[0] > one.start and text[one.end - 1 : one.end] == text[one.start]
    return at + 1, one.end - 1 if closes else one.end


def _node(value: Any, sign: str, start: int, end: int) -> Node:
    """A value; what adds a mapping adds the keys in it."""
    if isinstance(value, dict):
        mapping = Mapping(start, end, None, None, flow=True)
        for name, inner in value.items():
            key = Scalar(start, end, None, None, f"{sign}{name}", "", _STR, str(name))
            mapping.entries.append(Entry(key, _node(inner, sign, start, end)))
        return mapping
    if isinstance(value, list):
        items = SequenceNode(start, end, None, None, flow=True)
        items.items = [_node(one, sign, start, end) for one in value]
        return items
    tag = _TAGS.get(type(value), _STR)
    return Scalar(start, end, None, None, str(value), "", tag, value)


def _option(name: str, value: str, word: ExpandedWord) -> Entry:
    """An option of Hydra's own, under its name with the dashes."""
    held: Any = Unexpanded(value) if word.open else value
    key = Scalar(word.start, word.end, None, None, name, "", _STR, name)
    return Entry(key, Scalar(word.start, word.end, None, None, value, "", _STR, held))
