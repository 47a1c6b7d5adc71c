"""Comments that silence findings, written above their lines."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from cfglint.base.paths import relative_path
from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from cfglint.source.values import to_python

#: The placeholder in each comment that a person replaces by the reason.
REASON = "<reason>"
#: The rules about suppressions themselves, which no comment silences.
_OF_SUPPRESSIONS = frozenset({"unused-suppression", "malformed-suppression"})


#: What is found in a document.
Check = Callable[[Document], Iterable[Diagnostic]]


class Ignored(Record):
    """A text with its comments."""

    source: SourceText
    #: How many comments were written.
    comments: int
    #: The codes of findings that no comment in this file silences.
    left: tuple[str, ...]


def with_ignores(document: Document, check: Check) -> Ignored:
    """The text of a document with a comment above each line with findings.

    Where a comment would change the meaning of the file, as between the lines of a text, and for
    findings about the file and not about a line, one at the top covers the whole file.
    """
    found = [one for one in check(document) if one.name not in _OF_SUPPRESSIONS]
    source = document.source
    left = dict.fromkeys(one.code for one in found if one.file is not None)
    lines: dict[int, list[str]] = {}
    for one in sorted(found, key=lambda one: one.span):
        codes = lines.setdefault(_line_of(document, one), [])
        if one.file is None and one.code not in codes:
            codes.append(one.code)
    lines = {line: codes for line, codes in lines.items() if codes}
    if document.language.name == "json":
        return Ignored(source, 0, tuple(dict.fromkeys(one.code for one in found)))
    after = _with(document, lines)
    if after is None:
        lines = {line: lines[line] for line in lines if _with(document, {line: lines[line]})}
        after = _with(document, lines)
    # Findings about the whole file remain, and so do those that no comment could be above.
    again = check(after) if after is not None else found
    of_file = dict.fromkeys(
        one.code for one in again if one.file is None and one.name not in _OF_SUPPRESSIONS
    )
    if of_file:
        kept = {line: [code for code in lines[line] if code not in of_file] for line in lines}
        lines = {line: codes for line, codes in kept.items() if codes}
        after = _with(document, lines, tuple(of_file))
    if after is None:
        return Ignored(source, 0, tuple(dict.fromkeys(one.code for one in found)))
    return Ignored(after.source, len(lines) + bool(of_file), tuple(left))


def _line_of(document: Document, found: Diagnostic) -> int:
    """The line that a comment about a finding is above."""
    line = document.source.position(found.span.start).line
    return document.source.joined_to(line) if document.language.structure == "words" else line


def outcome_notes(
    outcome: Ignored, document: Document, path: str, origin: str | None, *, dry: bool
) -> Iterator[str]:
    """The notes for the user about the comments of a file.

    Args:
        origin: the settings file that applies to the file, if there is one.
        dry: the file is left alone.
    """
    if outcome.left:
        is_json = document.language.name == "json"
        why = "JSON has no comments" if is_json else "some findings are in other files"
        yield f"{path}: {why}; in the settings write {settings_way(path, outcome.left, origin)}"
    if outcome.comments:
        verb = "would write" if dry else "wrote"
        number = "1 comment" if outcome.comments == 1 else f"{outcome.comments} comments"
        yield f"{path}: {verb} {number}; say why in place of {REASON}"


def settings_way(path: str, codes: Iterable[str], origin: str | None) -> str:
    """The setting that silences rules in one file.

    Args:
        origin: the settings file that applies to the file, if there is one.
    """
    base = os.path.dirname(os.path.abspath(origin)) if origin is not None else os.getcwd()
    relative = relative_path(path, base).replace(os.sep, "/")
    pattern = json.dumps(re.sub(r"([\\\[\]*?!#])", r"\\\1", relative), ensure_ascii=False)
    rules = ", ".join(json.dumps(code) for code in codes)
    return f"per-file-ignores = {{{pattern} = [{rules}]}}"


def _with(
    document: Document, lines: Mapping[int, Iterable[str]], of_file: tuple[str, ...] = ()
) -> Document | None:
    """The document with comments above its lines; None if that would change its meaning."""
    source = document.source
    parts, end = [], 0
    if of_file:
        if source.text.startswith("#!"):
            # It has to stay the first line.
            end = source.line_starts[1] if source.line_count() > 1 else len(source.text)
            parts.append(source.text[:end])
        parts.append(f"# cfglint: ignore-file[{', '.join(of_file)}] {REASON}{source.newline}")
    for line, codes in lines.items():
        text, start = source.line(line), source.line_span(line).start
        indent = text[: len(text) - len(text.lstrip(" "))]
        comment = f"{indent}# cfglint: ignore[{', '.join(codes)}] {REASON}{source.newline}"
        parts += [source.text[end:start], comment]
        end = start
    try:
        after = document.language.read(source.replaced("".join(parts) + source.text[end:]))
    except SourceError:
        return None
    added = len(document.language.comments(after)) - len(document.language.comments(document))
    # As text, in which two values that are not a number are alike.
    same = repr(to_python(after.root)) == repr(to_python(document.root))
    return after if same and added == len(lines) + bool(of_file) else None
