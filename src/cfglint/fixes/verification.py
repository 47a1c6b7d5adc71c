"""Proof after the fact: what a fix changed is what it declared, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence as SequenceOf

from cfglint.base.lazy import lazy_pattern
from cfglint.diagnostic import Edit, Fix
from cfglint.fixes.applying import apply_edits
from cfglint.source.document import (
    Document,
    Entry,
    Mapping,
    Node,
    Path,
    Scalar,
    Sequence,
    format_path,
)
from cfglint.source.problems import SourceError
from cfglint.source.text import BOM, Comment

#: A comment that is addressed to cfglint, which a safe fix may remove.
_OURS = lazy_pattern(r"#[#\s]*cfglint:")
_DIFFERENT_KEYS = "the keys of {} are not the same or not in the same order"


def verify(
    before: Document,
    after_text: str,
    paths: SequenceOf[Path],
    *,
    edits: SequenceOf[Edit] | None = None,
    dropping: SequenceOf[Fix] = (),
) -> str | None:
    """Why a changed text is not trusted; None when everything is as declared.

    Args:
        before: the document before the change.
        after_text: the whole text after it.
        paths: the only places whose value may change.
        edits: what was done; without them, everything between the first and the last difference
            counts as one edit.
        dropping: the fixes that may remove comments inside their edits: an unsafe one any, a safe
            one those that are addressed to cfglint.
    """
    if edits is None:
        edits = _hull(before.text, after_text)
    reason, _ = examine(before, after_text, paths, edits, dropping)
    return reason


def examine(
    before: Document,
    after_text: str,
    paths: SequenceOf[Path],
    edits: SequenceOf[Edit],
    dropping: SequenceOf[Fix],
    *,
    pure: bool = True,
) -> tuple[str | None, Document | None]:
    """As `verify`, for several fixes at once.

    Args:
        pure: whether the reader that has the last word reads both texts. With a faster one,
            `readers_disagree` has to follow before anything is written.

    Returns the reason, and the document after the change when there is none.
    """
    text = before.text
    try:
        if apply_edits(text, edits) != after_text:
            return "lines outside the edits are not the same", None
    except ValueError as error:
        return f"the edits do not fit the text: {error}", None
    reason = _format_problem(text, after_text)
    if reason is not None:
        return reason, None
    try:
        if pure and not before.pure:
            before = before.language.read(before.source, pure=True)
        after = before.language.read(before.source.replaced(after_text), pure=pure)
    except SourceError as error:
        return f"the result could not be read ({error.kind.value})", None
    reason = _Comparison(before, after).mapping(before.root, after.root, (), tuple(paths))
    if reason is None:
        reason = _comment_problem(before, after, edits, dropping)
    return (reason, None) if reason is not None else (None, after)


def readers_disagree(document: Document) -> bool:
    """Whether the reader that has the last word reads a text differently from a faster one."""
    if document.pure:
        return False
    try:
        last = document.language.read(document.source, pure=True)
    except SourceError:
        return True
    comments = document.language.comments
    return _Comparison(document, last).mapping(
        document.root, last.root, (), ()
    ) is not None or comments(document) != comments(last)


def _hull(text: str, after: str) -> tuple[Edit, ...]:
    """One edit from the first to the last difference."""
    limit = min(len(text), len(after))
    start = next((index for index in range(limit) if text[index] != after[index]), limit)
    end, after_end = len(text), len(after)
    while end > start and after_end > start and text[end - 1] == after[after_end - 1]:
        end -= 1
        after_end -= 1
    return (Edit(start, end, after[start:after_end]),)


def _format_problem(text: str, after: str) -> str | None:
    """What became different about the file as a whole."""
    if after.startswith(BOM):
        return "a byte-order mark appeared"
    if text.endswith(("\n", "\r")) != after.endswith(("\n", "\r")):
        return "the end of the file is not the same"
    kinds = _newlines(text)
    if kinds and not _newlines(after) <= kinds:
        return "the line endings are not the same"
    return None


def _newlines(text: str) -> set[str]:
    """The kinds of line breaks in a text."""
    if "\r" not in text:
        return {"\n"} if "\n" in text else set()
    kinds = {"\r\n"} if "\r\n" in text else set()
    rest = text.replace("\r\n", "")
    return kinds | {sign for sign in "\r\n" if sign in rest}


class _Comparison:
    """Walks two documents side by side and stops at the first undeclared difference."""

    def __init__(self, before: Document, after: Document) -> None:
        self.before, self.after = _Spelled(before), _Spelled(after)

    def node(self, one: Node, two: Node, path: Path, declared: tuple[Path, ...]) -> str | None:
        """The difference between two values; `declared` are the changing paths below `path`."""
        one, two = one.target(), two.target()
        if one.tag == two.tag:
            if isinstance(one, Mapping) and isinstance(two, Mapping):
                return self.mapping(one, two, path, declared)
            if isinstance(one, Sequence) and isinstance(two, Sequence):
                return self.sequence(one, two, path, declared)
            if isinstance(one, Scalar) and isinstance(two, Scalar):
                return self.scalar(one, two, path)
        return f"{_named(path)} would get a different value"

    def mapping(
        self, one: Mapping, two: Mapping, path: Path, declared: tuple[Path, ...]
    ) -> str | None:
        """The difference between two mappings, as they are read."""
        free = {below[0] for below in declared if len(below) == 1}
        old = [entry for entry in one.lookup.values() if entry.label not in free]
        new = [entry for entry in two.lookup.values() if entry.label not in free]
        if len(old) != len(new):
            return _DIFFERENT_KEYS.format(_named(path))
        for left, right in zip(old, new, strict=True):
            if not self._same_key(left, right):
                return _DIFFERENT_KEYS.format(_named(path))
            label = left.label
            below = tuple(each[1:] for each in declared if each[0] == label)
            reason = self.node(left.value, right.value, (*path, label), below)
            if reason is not None:
                return reason
        return None

    def sequence(
        self, one: Sequence, two: Sequence, path: Path, declared: tuple[Path, ...]
    ) -> str | None:
        """The difference between two lists."""
        free = {below[0] for below in declared if len(below) == 1}
        for index in range(max(len(one.items), len(two.items))):
            if index in free:
                continue
            if index >= len(one.items) or index >= len(two.items):
                return f"{_named(path)} would get a different length"
            below = tuple(each[1:] for each in declared if each[0] == index)
            reason = self.node(one.items[index], two.items[index], (*path, index), below)
            if reason is not None:
                return reason
        return None

    def scalar(self, one: Scalar, two: Scalar, path: Path) -> str | None:
        """The difference between two scalars, in value or in spelling."""
        if one.resolved != two.resolved or not _equal(one.value, two.value):
            return f"{_named(path)} would get a different value"
        # The header of a block text may change to keep its value at the end of the file.
        if one.style not in ("|", ">") and self._spelling(one, two):
            return f"{_named(path)} would be spelled differently"
        return None

    def _spelling(self, one: Node, two: Node) -> bool:
        return self.before.of(one) != self.after.of(two)

    def _same_key(self, left: Entry, right: Entry) -> bool:
        one, two = left.key.target(), right.key.target()
        return (
            isinstance(one, Scalar)
            and isinstance(two, Scalar)
            and _equal(one.value, two.value)
            and not self._spelling(one, two)
        )


class _Spelled:
    """How values are spelled in a document.

    A call in the value of another one is a section of its own, and is compared there.
    """

    def __init__(self, document: Document) -> None:
        self._text = document.text
        calls = document.root.entries if document.language.structure == "calls" else ()
        self._calls = sorted((one.value.start, -one.value.end) for one in calls)

    def of(self, node: Node) -> list[str]:
        """What is written for a value, in parts, without the calls in it."""
        parts, start = [], node.start
        for begin, back in self._calls:
            if start <= begin and -back <= node.end:
                parts.append(self._text[start:begin])
                start = -back
        return [*parts, self._text[start : node.end]]


def _equal(one: object, two: object) -> bool:
    """Equality of scalars that tells 1, 1.0 and True apart, and takes two NaN for equal."""
    if type(one) is not type(two):
        return False
    return repr(one) == repr(two) if isinstance(one, float) else one == two


def _named(path: Path) -> str:
    return f"`{format_path(path)}`" if path else "the file"


def _comment_problem(
    before: Document, after: Document, edits: SequenceOf[Edit], dropping: SequenceOf[Fix]
) -> str | None:
    """Which comment was removed or added although no fix has that purpose."""
    old = before.language.comments(before)
    new = after.language.comments(after)
    if not old and not new:
        return None
    counts, new_counts = _counted(old), _counted(new)
    # An edit inside a comment leaves another one in its place.
    places = _places_after(edits, [edit for fix in dropping for edit in fix.edits])
    rewritten = _counted(
        [
            comment
            for comment in new
            if any(comment.span.start < place <= comment.span.end for place in places)
        ]
    )
    added = new_counts - counts - rewritten
    if added:
        return f"a comment would appear: {next(iter(added))[:60]}"
    droppable = _counted([comment for comment in old if _may_go(comment, dropping)])
    lost = counts - new_counts - droppable
    return f"a comment would be lost: {next(iter(lost))[:60]}" if lost else None


def _may_go(comment: Comment, dropping: SequenceOf[Fix]) -> bool:
    """Whether it is the purpose of one of the fixes to remove a comment."""
    ours = _OURS.match(comment.text) is not None
    return any(
        edit.start < comment.span.end and comment.span.start < edit.end
        for fix in dropping
        if ours or fix.safety == "unsafe"
        for edit in fix.edits
    )


def _places_after(edits: SequenceOf[Edit], chosen: SequenceOf[Edit]) -> list[int]:
    """Where some of the edits begin in the text after all of them."""
    wanted = set(chosen)
    shift = 0
    places = []
    for edit in edits:
        if edit in wanted:
            places.append(edit.start + shift)
        shift += len(edit.text) - (edit.end - edit.start)
    return places


def _counted(comments: SequenceOf[Comment]) -> Counter[str]:
    return Counter(comment.text.rstrip() for comment in comments)
