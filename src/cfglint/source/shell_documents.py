"""Words that a script reads from a here-document into a variable: `read -r -d '' words <<EOF`.

The shell expands the variables in the text and joins its lines; quotes are letters like any other.
What uses the variable without quotes gets the words between the blanks, each of which has a place in the text.
"""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.source.shell_words import Piece, RawWord

_NAME = lazy_pattern(r"[A-Za-z_]\w*")
#: Blanks between words, among them joined lines.
_BLANKS = lazy_pattern(r"(?:[ \t\r\n]|\\\r?\n)+")
#: A line that ends in the middle of a word.
_INSIDE = lazy_pattern(r"(?:\\\r?\n)+(?=[^ \t\r\n\\])")
_PLAIN = lazy_pattern(r"[^ \t\r\n\\$`]+")
_VARIABLE = lazy_pattern(r"\$(?:\{(\w+)\}|([A-Za-z_]\w*))")
#: What is known only when the script runs.
_OPEN = lazy_pattern(r"\$[({][^\n]*|`[^`\n]*`?|\$")
_ESCAPED = frozenset("\\$`")
#: The options that make `read` take all of a text as it is.
_WHOLE = (("-r", "-d", ""), ("-d", "", "-r"), ("-rd", ""))
#: More words are not read.
_MAX_WORDS = 1_000


def variable_read(words: tuple[str, ...]) -> str:
    """The variable that a command sets to its here-document; empty for every other command.

    Args:
        words: those of the command, without quotes.
    """
    if words[:1] != ("read",):
        return ""
    *options, name = words[1:] or ("",)
    return name if tuple(options) in _WHOLE and _NAME.fullmatch(name) else ""


def words_in(text: str, start: int, end: int) -> tuple[RawWord, ...] | None:
    """The words of a here-document; None when there are too many of them."""
    found: list[RawWord] = []
    at = start
    while at < end:
        blanks = _BLANKS.match(text, at, end)
        if blanks is not None:
            at = blanks.end()
            continue
        if len(found) == _MAX_WORDS:
            return None
        word = _word(text, at, end)
        found.append(word)
        at = word.end
    return tuple(found)


def _word(text: str, start: int, end: int) -> RawWord:
    pieces: list[Piece] = []
    at = start
    while at < end:
        inside = _INSIDE.match(text, at, end)
        if inside is not None:
            at = inside.end()
            continue
        if _BLANKS.match(text, at, end) is not None:
            break
        plain = _PLAIN.match(text, at, end)
        if plain is not None:
            pieces.append(Piece("text", plain.group(), False))
            at = plain.end()
            continue
        variable = _VARIABLE.match(text, at, end)
        if variable is not None:
            name = variable.group(1) or variable.group(2)
            kind = "variable" if _NAME.fullmatch(name) else "open"
            pieces.append(
                Piece(kind, name if kind == "variable" else variable.group(), quoted=False)
            )
            at = variable.end()
            continue
        if text[at] == "\\":
            escaped = text[at + 1 : min(at + 2, end)]
            pieces.append(Piece("text", escaped if escaped in _ESCAPED else "\\", False))
            at += 2 if escaped in _ESCAPED and escaped else 1
            continue
        unknown = _OPEN.match(text, at, end)
        assert unknown is not None
        pieces.append(Piece("open", unknown.group(), False))
        at = unknown.end()
    return RawWord(start, at, tuple(pieces))
