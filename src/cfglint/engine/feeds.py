"""Calls in programs that are given a part of a file: `SFTConfig(**yaml.safe_load(file)["training"])`.

The part is a layer on top of the keywords that the call has itself, and a finding about it is reported in the file. A file
that is not found for certain, or whose values the program may change, leaves the call open.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic, OtherFile, Related
from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.surroundings import Surroundings
from cfglint.settings.layers import Assignment, Layer, Writer
from cfglint.settings.merged import MergedSettings, merged, source_map
from cfglint.settings.source_map import moved
from cfglint.source.calls import Call, Feed
from cfglint.source.document import Document, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.languages.named import language

#: A larger file is not read as a config.
_MAX_BYTES = 1_000_000
#: Any key (`Feed.changed`).
_ANY = "*"


class _Given(Record):
    """A file, and the part of it that a call is given."""

    feed: Feed
    file: OtherFile
    part: Mapping
    #: The keys of the part that are as they are written.
    names: tuple[str, ...]
    #: Those that the program may have changed.
    open: frozenset[str]


class FedCall:
    """A call together with what it is given from files."""

    def __init__(self, document: MergedSettings, given: tuple[_Given, ...], own: OtherFile) -> None:
        #: The call as a document, whose positions may be in several files.
        self.document = document
        self._given = given
        self._own = own

    def placed(self, found: Diagnostic, at: Path, title: str) -> Diagnostic:
        """A finding in the file that it is in.

        Args:
            at: the call in its program.
            title: the class that is called.
        """
        place = self.document.place(found.span)
        related = tuple(self._related(one, place.file) for one in found.related)
        if place.file is None:
            return found.replaced(path=(*at, *found.path), related=related)
        feed = next(
            one.feed
            for one in self._given
            if one.file == place.file and (not found.path or found.path[0] in one.names)
        )
        why = Related(feed.place, f"passes this section to {title}", self._own)
        return found.replaced(
            path=(*feed.at, *found.path),
            span=place.span,
            related=(why, *related),
            file=place.file,
            # A fix is planned on the text of one file.
            fixes=(),
        )

    def _related(self, one: Related, file: OtherFile | None) -> Related:
        """Another place, in its own file."""
        place = self.document.place(one.span)
        other = None if place.file is file else place.file or self._own
        return one.replaced(span=place.span, file=other)


def fed_call(section: Document, call: Call, around: Surroundings) -> FedCall | None:
    """A call with all that it is given; None if any of it is not known.

    Args:
        section: the call as a document of its own.
    """
    given = [_given(feed, around) for feed in call.feeds]
    known = tuple(one for one in given if one is not None)
    written = [*section.root.names, *(name for one in known for name in one.names)]
    if not known or len(known) < len(given) or len(set(written)) < len(written):
        return None
    both: Document = section
    for one in known:
        both = _with(both, one)
    assert isinstance(both, MergedSettings)
    left_open = frozenset(name for one in known for name in one.open)
    both.root.about = call.replaced(open=_ANY in left_open)
    both.root.settled = frozenset() if _ANY in left_open else call.unset - left_open
    return FedCall(both, known, OtherFile(around.path, section.source))


def _with(document: Document, given: _Given) -> MergedSettings:
    """The settings of a call with those of a file, which are shown at their keys."""
    sources, begin = source_map(document).with_file(given.file)
    part = moved(given.part, begin)
    assignments = tuple(
        Assignment((name,), _as_loaded(entry.value, given.feed.language), entry.key)
        for name in given.names
        for entry in (part.lookup[name],)
    )
    writer = Writer("named file", given.file.path)
    return merged(document, Layer(writer, assignments, at_keys=True), sources)


def _given(feed: Feed, around: Surroundings) -> _Given | None:
    """What a call is given from a file; None if that is not certain."""
    path = _path(feed, around)
    if path is None:
        return None
    document = named_document(path, language(feed.language), around, _MAX_BYTES)
    if document is None or document.problems:
        return None
    if any(_is_at_or_above(one, feed.at) for one in (*feed.changed, *feed.handed)):
        return None
    part = document.node(feed.at)
    if part is None and feed.optional:
        part = Mapping(0, 0, None, None, flow=True)
    if not isinstance(part, Mapping) or part.has_merge:
        return None
    left_open = frozenset(_left_open(feed, part))
    names = [entry.name for entry in part.entries if entry.name is not None]
    if len(names) < len(part.entries):
        return None  # a keyword is a text
    return _Given(
        feed,
        OtherFile(path, document.source),
        part,
        tuple(name for name in dict.fromkeys(names) if name not in left_open),
        left_open,
    )


def _path(feed: Feed, around: Surroundings) -> str | None:
    written = feed.path
    if feed.beside:
        if around.folder is None:
            return None
        written = os.path.normpath(os.path.join(around.folder, written))
    return named_file(written, around, _MAX_BYTES)


def _is_at_or_above(part: Path, of: Path) -> bool:
    """Whether a part of a file is another one, or contains it."""
    return len(part) <= len(of) and all(
        key in (_ANY, other) for key, other in zip(part, of, strict=False)
    )


def _left_open(feed: Feed, part: Mapping) -> Iterator[str]:
    """The keys of a part that the program may have changed; `*` if any may have been added."""
    for change in feed.changed:
        if _is_at_or_above(feed.at, change):
            yield str(change[len(feed.at)])
    for handed in feed.handed:
        if len(handed) > len(feed.at) and _is_at_or_above(feed.at, handed):
            name = handed[len(feed.at)]
            for entry in part.entries:
                inner = entry.value.target()
                if name in (_ANY, entry.name) and isinstance(inner, (Mapping, Sequence)):
                    yield entry.label


def _as_loaded(node: Node, language_name: str) -> Node:
    """A value as the program gets it: what OmegaConf puts in for `${...}` is not known."""
    if language_name != "omegaconf":
        return node
    if isinstance(node, Scalar):
        is_open = isinstance(node.value, str) and ("${" in node.value or node.value == "???")
        if not is_open:
            return node
        return Scalar(node.start, node.end, None, None, node.text, "", "!unknown", UNKNOWN)
    inner = node.target()
    parts: list[Node] = []
    if isinstance(inner, Mapping):
        parts = [entry.value for entry in inner.entries]
    elif isinstance(inner, Sequence):
        parts = inner.items
    if inner is node and all(_as_loaded(one, language_name) is one for one in parts):
        return node
    return Scalar(node.start, node.end, None, None, "", "", "!unknown", UNKNOWN)
