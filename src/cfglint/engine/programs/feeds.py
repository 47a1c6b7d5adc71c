"""Calls in programs that are given a part of a file: `SFTConfig(**config["training"], seed=config["seed"])`.

What a file gives is a layer on top of what the call has itself, and a finding about it is reported in the file. Where a file is
not found for certain, or the program may change its values, the call stays as open as it is written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.diagnostic import Diagnostic, OtherFile, Related, as_note
from cfglint.engine.programs.loading import with_file
from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.python_sources import is_read_by_project, sources_naming
from cfglint.environment.surroundings import Surroundings
from cfglint.fixes.actions import Action, DeleteEntry
from cfglint.runs.settings.layers import Assignment, Layer, Writer
from cfglint.runs.settings.merged import MergedSettings, merged, source_map
from cfglint.runs.settings.source_map import moved
from cfglint.source.calls import (
    ANY_KEY,
    ASKED,
    CONVERTING,
    HYDRA,
    OPEN_TAG,
    TAGS,
    Call,
    Feed,
    call_of,
)
from cfglint.source.document import Document, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.languages.named import language

#: A larger file is not read as a config.
_MAX_BYTES = 200_000
#: No class has as many parameters.
_MAX_KEYS = 500
_WRITER = Writer("named file")


class _Given(Record):
    """What a call is given from a file."""

    feed: Feed
    file: OtherFile
    #: The file as it is, with positions of its own.
    document: Document
    #: The keywords that have their values from it.
    names: frozenset[Any]
    assignments: tuple[Assignment, ...]
    #: The keywords that the program may have changed.
    left_open: frozenset[str] = frozenset()


class FedCall:
    """A call together with what it is given from files.

    Args:
        document: the call as a document, whose positions may be in several files.
        home: the program, and where the call is in it.
    """

    def __init__(
        self,
        document: MergedSettings,
        given: list[_Given],
        around: Surroundings,
        home: tuple[Document, Path],
    ) -> None:
        self.document = document
        self._given = given
        self._around = around
        self._home = home
        self._own = OtherFile(around.path, document.source)

    def home_of(self, actions: Iterable[Action], place: Path) -> tuple[Document, Path]:
        """What actions on the call are planned on: the program, or the file that gives all the keywords they are about.

        No key is changed that the project reads by its name, too.
        """
        names = {
            action.mapping_path[0] if isinstance(action, DeleteEntry) else action.path[0]
            for action in actions
        }
        mappings = (one for one in self._given if place and not one.feed.keyword)
        one = next((one for one in mappings if names <= one.names), None)
        if one is None or any(self._is_read(str(name), one.feed) for name in names):
            return self._home
        return one.document, one.feed.at

    def _is_read(self, name: str, feed: Feed) -> bool:
        """Whether a program of the project reads a key by its name."""
        path = (*feed.at, name)
        if any(len(one) == len(path) and _is_at_or_above(one, path) for one in feed.read):
            return True
        return is_read_by_project(name, self._around)

    def placed(self, found: Diagnostic, title: str) -> Diagnostic:
        """A finding in the file that it is in.

        Args:
            title: the class that is called.
        """
        place = self.document.place(found.span)
        related = tuple(self._related(one, place.file) for one in found.related)
        if place.file is None:
            return found.replaced(span=place.span, related=related)
        feed = self._feed(found.path, place.file)
        what = "value" if feed.keyword else "section"
        why = Related(feed.place, f"passes this {what} to {title}", self._own)
        # What is planned on the program has no place in the file, and no edits.
        fixes = tuple(fix for fix in found.fixes if fix.edits and not feed.keyword)
        if found.code.startswith("TYP") and self._is_converted(place.file.path, found.path):
            found = as_note(found, "Another program of the project converts it.")
        return found.replaced(
            path=(*feed.at, *found.path[1 if feed.keyword else 0 :]),
            span=place.span,
            related=(why, *related),
            file=place.file,
            fixes=fixes,
        )

    def _is_converted(self, file: str, path: Path) -> bool:
        """Whether another program that names a file converts one of its values: `float(config["learning_rate"])`."""
        name = path[0] if path else None
        if not isinstance(name, str) or not name.isidentifier():
            return False
        own = os.path.abspath(self._around.path)
        converted = re.compile(rf"""\b(?:float|int|str)\([\w.\[\]"']{{1,80}}["']{name}["']""")
        return any(
            os.path.abspath(program) != own and converted.search(text)
            for program, text in sources_naming(file, self._around)
        )

    def _feed(self, path: Path, file: OtherFile) -> Feed:
        """What gives the call the keyword that a path begins with."""
        given = [one for one in self._given if one.file is file]
        return next((one for one in given if path and path[0] in one.names), given[0]).feed

    def _related(self, one: Related, file: OtherFile | None) -> Related:
        """Another place, in its own file."""
        place = self.document.place(one.span)
        other = None if place.file is file else place.file or self._own
        return one.replaced(span=place.span, file=other)


def fed_call(
    section: Document, call: Call, around: Surroundings, home: tuple[Document, Path]
) -> FedCall | None:
    """A call with what it is given from files; None if nothing of that is known.

    Args:
        section: the call as a document of its own.
        home: the program, and where the call is in it.
    """
    files = _Files(section, around)
    mappings = [_mapping(with_file(feed, around), files) for feed in call.feeds]
    values = [_value(with_file(feed, around), files) for feed in call.values]
    given = [one for one in mappings if one is not None]
    written = [*section.root.names, *(name for one in given for name in one.names)]
    is_whole = len(given) == len(mappings) > 0 and len(set(written)) == len(written)
    given = [*(given if is_whole else ()), *(one for one in values if one is not None)]
    if not given:
        return None
    both = merged(section, _layer(given, of_mappings=True), files.sources)
    both = merged(both, _layer(given, of_mappings=False), files.sources)
    both.root.about, both.root.settled = call, section.root.settled
    if is_whole:
        left_open = frozenset(name for one in given for name in one.left_open)
        both.root.about = call.replaced(open=ANY_KEY in left_open)
        both.root.settled = frozenset() if ANY_KEY in left_open else call.unset - left_open
    return FedCall(both, given, around, home)


def _layer(given: list[_Given], *, of_mappings: bool) -> Layer:
    """What files give: the keywords of mappings, shown at their keys, or the values of keywords."""
    own = (one for one in given if bool(one.feed.keyword) is not of_mappings)
    assignments = (each for one in own for each in one.assignments)
    return Layer(_WRITER, tuple(assignments), at_keys=of_mappings)


class _ReadFile(Record):
    """A file that was read."""

    file: OtherFile
    document: Document
    #: The same on the scale of positions of all files.
    moved: Document


class _Files:
    """The files that a call is given something from, on one scale of positions with its program."""

    def __init__(self, section: Document, around: Surroundings) -> None:
        self.sources = source_map(section)
        self._around = around
        self._known: dict[tuple[str, str], _ReadFile | None] = {}

    def read(self, feed: Feed) -> _ReadFile | None:
        """The file of a feed; None if it is not found for certain, or the program may change the part."""
        if any(_is_at_or_above(one, feed.at) for one in feed.changed):
            return None
        path = _path(feed, self._around)
        if path is None:
            return None
        if (path, feed.language) not in self._known:
            self._known[path, feed.language] = self._read(path, feed.language)
        found = self._known[path, feed.language]
        return None if found is None or _has_merge(found.document, feed.at) else found

    def _read(self, path: str, name: str) -> _ReadFile | None:
        written = "omegaconf" if name == HYDRA else name
        document = named_document(path, language(written), self._around, _MAX_BYTES)
        if document is None or document.problems:
            return None
        if name == HYDRA and _composes(document):
            return None
        file = OtherFile(path, document.source)
        self.sources, begin = self.sources.with_file(file)
        # Calls of one program mostly share one file, which has the same place for all.
        there = self._around.memory.once(
            ("moved", path, name, begin), lambda: document.section(moved(document.root, begin))
        )
        return _ReadFile(file, document, there)


def _path(feed: Feed, around: Surroundings) -> str | None:
    """The file that a feed is from; of several that commands give to the program, the one that is looked at, or the first."""
    paths = _paths(feed, around)
    return around.fed_with if around.fed_with in paths else next(iter(paths), None)


def _paths(feed: Feed, around: Surroundings) -> tuple[str, ...]:
    """The files that a feed may be from."""
    written = feed.path
    if feed.beside:
        if around.folder is None:
            return ()
        written = os.path.normpath(os.path.join(around.folder, written))
    if ASKED in written:
        from cfglint.engine.programs.commands_files import with_files

        return with_files(written, around, _MAX_BYTES)
    found = named_file(written, around, _MAX_BYTES)
    return () if found is None else (found,)


def files_given(document: Document, around: Surroundings) -> Iterator[tuple[str, Feed]]:
    """The files that the calls of a program are given something from, whatever becomes of that."""
    for entry in document.root.entries:
        call = call_of(entry.value)
        for feed in () if call is None else (*call.feeds, *call.values):
            known = with_file(feed, around)
            if known is not None:
                yield from ((path, known) for path in _paths(known, around))


def _composes(document: Document) -> bool:
    """Whether Hydra adds further files to one, or puts it somewhere else."""
    node = document.node(("defaults",))
    items = node.items if isinstance(node, Sequence) else []
    is_alone = all(isinstance(one, Scalar) and one.value == "_self_" for one in items)
    return not is_alone or (node is not None and not items) or "@package" in document.text


def _has_merge(document: Document, at: Path) -> bool:
    """Whether a part of a file, or what it is in, takes keys of another one."""
    nodes = (document.node(at[:length]) for length in range(len(at) + 1))
    return any(isinstance(node, Mapping) and node.has_merge for node in nodes)


def _mapping(feed: Feed | None, files: _Files) -> _Given | None:
    """The keywords that a mapping of a file gives; None if that is not certain."""
    read = None if feed is None else files.read(feed)
    if feed is None or read is None or any(_is_at_or_above(one, feed.at) for one in feed.handed):
        return None
    part = read.moved.node(feed.at) or feed.otherwise
    names = [one.name for one in part.entries] if isinstance(part, Mapping) else [None]
    if not isinstance(part, Mapping) or None in names or len(names) > _MAX_KEYS:
        return None  # a keyword is a text
    left_open = frozenset(_left_open(feed, part))
    assignments = tuple(
        Assignment((name,), _as_loaded(entry.value, feed), entry.key)
        for name, entry in part.lookup.items()
        if name not in left_open
    )
    known = frozenset(one.path[0] for one in assignments)
    return _Given(feed, read.file, read.document, known, assignments, left_open)


def _value(feed: Feed | None, files: _Files) -> _Given | None:
    """The value of a keyword; None if it is not certain."""
    read = None if feed is None else files.read(feed)
    if feed is None or read is None or any(_is_at_or_above(feed.at, one) for one in feed.changed):
        return None
    node = read.moved.node(feed.at)
    for handed in feed.handed:
        meets = _is_at_or_above(handed, feed.at) or _is_at_or_above(feed.at, handed)
        # What is a text or a number is not changed by what it is handed to.
        if meets and (len(handed) < len(feed.at) or not isinstance(node, Scalar)):
            return None
    if node is None:
        node = feed.otherwise if feed.at else None
    value = None if node is None else _converted(_as_loaded(node, feed), feed.through)
    if value is None:
        return None
    assignment = Assignment((feed.keyword,), value)
    return _Given(feed, read.file, read.document, frozenset({feed.keyword}), (assignment,))


def _is_at_or_above(part: Path, of: Path) -> bool:
    """Whether a part of a file is another one, or contains it."""
    return len(part) <= len(of) and all(
        key in (ANY_KEY, other) for key, other in zip(part, of, strict=False)
    )


def _left_open(feed: Feed, part: Mapping) -> Iterator[str]:
    """The keys of a part that the program may have changed; `*` if any may have been added."""
    for change in feed.changed:
        if _is_at_or_above(feed.at, change):
            yield str(change[len(feed.at)])
    for handed in feed.handed:
        if _is_at_or_above(feed.at, handed):
            name = handed[len(feed.at)]
            for entry in part.entries:
                inner = entry.value.target()
                if name in (ANY_KEY, entry.name) and isinstance(inner, (Mapping, Sequence)):
                    yield entry.label


def _as_loaded(node: Node, feed: Feed) -> Node:
    """A value as the program gets it: what OmegaConf puts in for `${...}` is not known."""
    return node if feed.language not in ("omegaconf", HYDRA) or _is_plain(node) else _open(node)


def _is_plain(node: Node) -> bool:
    """Whether OmegaConf takes a value, and all that is in it, as it is written."""
    parts: Iterable[Node] = ()
    if isinstance(node, Scalar):
        return not (isinstance(node.value, str) and ("${" in node.value or node.value == "???"))
    if isinstance(node, Mapping):
        parts = (entry.value for entry in node.entries)
    elif isinstance(node, Sequence):
        parts = node.items
    else:
        return False
    return all(_is_plain(one) for one in parts)


def _converted(node: Node, through: str) -> Node | None:
    """A value after one of Python's conversions; None if that fails."""
    if not through:
        return node
    target = node.target()
    if not isinstance(target, Scalar) or target.value is UNKNOWN:
        return None
    try:
        value = CONVERTING[through](target.value)
    except (TypeError, ValueError, OverflowError):
        return None
    return Scalar(node.start, node.end, None, None, target.text, "", TAGS[type(value)], value)


def _open(node: Node) -> Scalar:
    return Scalar(node.start, node.end, None, None, "", "", OPEN_TAG, UNKNOWN)
