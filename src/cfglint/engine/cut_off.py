r"""What is wrong with the words behind a line that does not end with its `\`: the shell cuts them off.

They are read as if the lines were joined. Nothing of it can be repaired before they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.diagnostic import Diagnostic
from cfglint.source.document import Document
from cfglint.source.languages.shell import command_of, options_of
from cfglint.source.text import SourceText

#: The rule that says that words are cut off.
CUT_OFF = "lines-not-joined"
#: A `\` that is a word of a blank, as it does not end its line: blanks or a comment are behind it.
_STRAY_BLANK = lazy_pattern(r"\\[ \t]+(?=\r?\n|#)")
_BETWEEN = lazy_pattern(r"(?:[ \t\r\n\\]|#[^\n]{0,2000}\n)*")
#: Cuts of one script that are mended; with more, the next check goes on.
_MOST = 20


def beyond_cuts(
    document: Document, found: list[Diagnostic], lint: Callable[[Document], list[Diagnostic]]
) -> list[Diagnostic]:
    """The findings of a script, with those about the words that a shell cuts off.

    Args:
        found: those of the script as it is, one of which says that words are cut off.
        lint: checks a document.
    """
    mended = document
    whole = {(one.code, one.span): one for one in found}
    beyond: list[Diagnostic] = []
    for _ in range(_MOST):
        text = _joined(mended)
        if text is None:
            break
        mended = document.language.read(SourceText(text))
        beyond = lint(mended)
        # Each cut is a finding of its own, until it is mended.
        cuts = [one for one in beyond if one.name == CUT_OFF]
        whole = {(one.code, one.span): one.replaced(fixes=()) for one in cuts} | whole
    return [*({(one.code, one.span): _once_joined(one) for one in beyond} | whole).values()]


def _once_joined(found: Diagnostic) -> Diagnostic:
    """A finding about words that nothing reads yet."""
    severity = "warning" if found.severity == "error" else found.severity
    message = f"Once the lines are joined: {found.message}"
    return found.replaced(fixes=(), severity=severity, message=message)


def _joined(document: Document) -> str | None:
    """The text with blanks where a command is cut off, so that all else keeps its place; None where none is."""
    text = document.text
    for start, end in _cuts(document):
        return text[:start] + " " * (end - start) + text[end:]
    return None


def _cuts(document: Document) -> Iterator[tuple[int, int]]:
    """From where to where a command is cut off: from its last word to the first that is left out."""
    text = document.text
    for node in (document.root, *(entry.value for entry in document.root.entries)):
        command = command_of(node)
        following = options_of(command.after[0]) if command is not None and command.after else ()
        if command is None or not following:
            continue
        end = following[0].start
        stray = _STRAY_BLANK.search(text, max(0, command.end - 80), end)
        start = stray.start() if stray is not None else command.end
        if start < end and _BETWEEN.fullmatch(text, start, end):
            yield start, end
