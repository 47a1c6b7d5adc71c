"""The errors that end the reading of a JSON text: those without an evident repair."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.source.document import Mapping, Scalar, Sequence
from cfglint.source.json_problems import JsonProblemKind
from cfglint.source.problems import SourceError
from cfglint.source.text import Span

CLOSERS = {"{": "}", "[": "]"}
_TYPOGRAPHIC_QUOTES = frozenset("\u201c\u201d\u201e\u201f\u2018\u2019\u00ab\u00bb")
_LEADING_ZERO = lazy_pattern(r"[-+]?0[0-9]")


def syntax(
    start: int, end: int, problem: str, related: tuple[tuple[Span, str], ...] = ()
) -> SourceError:
    """The error for a text that has no evident repair."""
    return SourceError(JsonProblemKind.SYNTAX, Span(start, end), problem=problem, related=related)


def not_ended(text: str, parent: Mapping | Sequence, at: int) -> SourceError:
    """Neither a comma nor the closing bracket follows a value."""
    char = text[at]
    closer = CLOSERS[text[parent.start]]
    opener = ((Span(parent.start, parent.start + 1), "in the brackets that open here"),)
    if char == ":":
        where = "a list, which has no keys" if closer == "]" else "this member"
        return syntax(at, at + 1, f"a `:` that does not fit into {where}", opener)
    return syntax(at, at + 1, f"a `,` or the closing `{closer}` is missing here", opener)


def wrong_closer(text: str, parent: Mapping | Sequence, at: int) -> SourceError:
    """A bracket closes another kind of bracket."""
    opener = text[parent.start]
    related = ((Span(parent.start, parent.start + 1), "opened here"),)
    words = f"`{text[at]}` closes a `{opener}`, which needs `{CLOSERS[opener]}`"
    return syntax(at, at + 1, words, related)


def unclosed(text: str, parent: Mapping | Sequence, closed: list[tuple[int, int]]) -> SourceError:
    """The text ends too early. A bracket further in may be the one that lacks its end."""
    start = parent.start
    related: tuple[tuple[Span, str], ...] = ()
    for first, end in closed:
        begin = end - 1
        while begin > 0 and text[begin - 1] in " \t":
            begin -= 1
        if text[begin - 1] in "\r\n" and end - 1 - begin < len(_indent(text, first)):
            note = f"closed by a `{text[end - 1]}` that is indented less: perhaps this one"
            related = ((Span(first, first + 1), note),)
            break
    return syntax(start, start + 1, f"this `{text[start]}` is never closed", related)


def no_colon(key: Scalar) -> SourceError:
    """No colon follows a key."""
    return syntax(key.start, key.end, "this key has no `:` after it")


def no_value(
    parent: Mapping | Sequence | None, key: Scalar | None, at: int, char: str
) -> SourceError:
    """There is no value where one belongs."""
    if key is not None and char in ("", ",", "}", "]"):
        return syntax(key.start, key.end, "this key has no value")
    if char == "," and type(parent) is Sequence:
        return syntax(at, at + 1, "expected an item before this comma")
    return syntax(at, at + 1, f"expected a value here{hint(char)}")


def after_the_end(text: str, at: int) -> SourceError:
    """Something follows the root value."""
    char = text[at]
    if char in ("}", "]"):
        return syntax(at, at + 1, f"this `{char}` closes nothing")
    if char == "{":
        return syntax(at, at + 1, "a second object; a JSON file contains only one")
    return syntax(at, at + 1, "text after the end of the JSON value")


def hint(char: str) -> str:
    """What a character that does not belong there may mean."""
    if char in _TYPOGRAPHIC_QUOTES:
        return f', but `{char}` is not a quote in JSON; write `"`'
    return ""


def no_json(word: str) -> str:
    """Why a word is not a value, and what to do about it."""
    shown = word if len(word) <= 40 else word[:37] + "..."
    if _LEADING_ZERO.match(word):
        return f"`{shown}` begins with a zero, which JSON does not allow for a number"
    quote = next((char for char in word if char in _TYPOGRAPHIC_QUOTES), "")
    if quote:
        return f"expected a value here{hint(quote)}"
    return f"`{shown}` is not a JSON value; put it in double quotes if it is a string"


def bad_escape(text: str, at: int) -> SourceError:
    """A backslash with a character that JSON does not know behind one."""
    # Python points at the backslash or behind it.
    if text[at : at + 1] != "\\":
        at = max(text.rfind("\\", 0, at), 0)
    if text[at + 1 : at + 2] == "u":
        return syntax(at, at + 2, "`\\u` has to be followed by four hexadecimal digits")
    shown = text[at : at + 2]
    words = f"`{shown}` is not a JSON escape; write `\\\\` for a backslash"
    return syntax(at, at + 2, words)


def _indent(text: str, at: int) -> str:
    """The white space that the line of an offset begins with."""
    begin = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    end = begin
    while end < at and text[end] in " \t":
        end += 1
    return text[begin:end]
