"""Formatted texts as Python 3.12 has them, in a form that older Pythons parse.

What they have in braces may be any expression: one with the quotes of the text around it, with a backslash. Where it is
one that older Pythons refuse, a name of the same length takes its place, so that all else is where it was.
"""

from __future__ import annotations

import re
from functools import cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final

_PREFIX: Final = lazy_pattern(r"(?:^|(?<=[^\w]))([rRbBuUfF]{1,2})$")
#: Texts within texts deeper than this are left alone.
_DEEPEST: Final = 6
#: A letter of each number of bytes.
_LETTERS: Final = {1: "_", 2: "\u00e9", 3: "\u4e00", 4: "\U00020000"}


def for_older_pythons(code: str) -> str | None:
    """A program whose formatted texts older Pythons can parse; None if there is nothing to replace."""
    reader = _TextReader(code)
    try:
        reader.program()
    except _UnclosedTextError:
        return None
    if not reader.found:
        return None
    parts, done = list[str](), 0
    for start, end in sorted(reader.found):
        if start < done:
            continue  # a part of what is replaced
        parts += [code[done:start], *map(_letter, code[start:end])]
        done = end
    return "".join([*parts, code[done:]])


def _letter(character: str) -> str:
    return _LETTERS[len(character.encode("utf-8", "surrogatepass"))]


class _UnclosedTextError(Exception):
    """The program has a text that is not closed."""


class _TextReader:
    """Finds the expressions that an older Python refuses in a program."""

    def __init__(self, code: str) -> None:
        self._code = code
        self.found: list[tuple[int, int]] = []

    def program(self) -> None:
        at = 0
        for _ in range(len(self._code) + 1):
            found = _next(self._code, at, "\"'#")
            if found is None:
                return
            at = self._line_end(found) if self._code[found] == "#" else self._text(found, 0)

    def _line_end(self, at: int) -> int:
        end = self._code.find("\n", at)
        return len(self._code) if end < 0 else end

    def _text(self, at: int, depth: int) -> int:
        """The place behind a text that begins with a quote."""
        if depth > _DEEPEST:
            raise _UnclosedTextError
        code, quote = self._code, self._code[at]
        quote = quote * 3 if code.startswith(quote * 3, at) else quote
        prefix = _PREFIX.search(code[max(0, at - 3) : at])
        is_formatted = prefix is not None and "f" in prefix[1].lower()
        stops = f"\\{quote[0]}{{" if is_formatted else f"\\{quote[0]}"
        stops += "\n" if len(quote) == 1 else ""
        at += len(quote)
        while (stop := _next(code, at, stops)) is not None:
            if code.startswith(quote, stop):
                return stop + len(quote)
            if code[stop] == "\n":
                break
            if code[stop] != "{":
                at = stop + (2 if code[stop] == "\\" else 1)
            elif code.startswith("{{", stop):
                at = stop + 2
            else:
                at = self._field(stop + 1, quote, depth)
        raise _UnclosedTextError

    def _field(self, start: int, quote: str, depth: int) -> int:
        """The place behind the brace that closes a field of a formatted text."""
        code, at, brackets = self._code, start, 0
        while (stop := _next(code, at, "\"'#([{)]}:!\n")) is not None:
            sign = code[stop]
            if sign in "\"'":
                at = self._text(stop, depth + 1)
                continue
            at = stop + 1
            if sign in "([{":
                brackets += 1
            elif sign in ")]}" and brackets:
                brackets -= 1
            elif sign == "#":
                at = self._line_end(stop)
            elif not brackets and (sign in "}:" or (sign == "!" and code[at : at + 1] != "=")):
                self._look_at(start, stop, quote)
                return at if sign == "}" else self._format(at, quote, depth)
            elif sign in ")]":
                raise _UnclosedTextError
        raise _UnclosedTextError

    def _format(self, at: int, quote: str, depth: int) -> int:
        """The place behind the brace that closes a field, which has its format behind a colon."""
        while (stop := _next(self._code, at, "{}\n")) is not None:
            if self._code[stop] == "}":
                return stop + 1
            if self._code[stop] == "\n" or depth > _DEEPEST:
                break
            at = self._field(stop + 1, quote, depth + 1)
        raise _UnclosedTextError

    def _look_at(self, start: int, end: int, quote: str) -> None:
        written = self._code[start:end]
        if "\n" not in written and (quote in written or "\\" in written):
            self.found.append((start, end))


def _next(code: str, at: int, signs: str) -> int | None:
    """The next of some signs."""
    found = _pattern(signs).search(code, at)
    return None if found is None else found.start()


@cache
def _pattern(signs: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(signs)}]")
