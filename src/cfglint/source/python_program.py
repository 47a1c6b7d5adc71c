"""The program in a text: a `.py` file as it is, or the code of a notebook's cells.

The code is what Python parses; each of its characters has a place in the file.
"""

from __future__ import annotations

import ast
import json
import sys
import warnings
from bisect import bisect_right
from functools import cached_property, lru_cache

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.source.python_names import Names, names_of
from cfglint.source.text import SourceText, Span

if TYPE_CHECKING:
    from cfglint.source.notebook import CodePiece


class PythonProgram:
    """A program that can be parsed, and where its characters are.

    Args:
        code: what Python parses.
        pieces: the parts of the code in order, and where they are; none when the code is the file.
        commands: what a notebook hands to a shell, each character at its place in the code.
    """

    def __init__(self, code: str, pieces: tuple[CodePiece, ...] = (), commands: str = "") -> None:
        self.code = code
        self.pieces = pieces
        self.commands = commands
        self._begins = [piece.begin for piece in pieces]
        self._places = [piece.place for piece in pieces]
        self._source = SourceText(code)
        self.tree = self.parsed()

    def parsed(self) -> ast.Module | None:
        """The syntax tree, made anew; None for what is no Python.

        Texts of a newer Python than the running one have other names in the place of what they format.
        """
        tree = _parsed(self.code)
        if tree is not None or sys.version_info >= (3, 12):
            return tree
        from cfglint.source.newer_texts import for_older_pythons

        code = for_older_pythons(self.code)
        return None if code is None else _parsed(code)

    @cached_property
    def names(self) -> Names:
        """The names and calls of the program; none of what is no Python."""
        return Names() if self.tree is None else names_of(self.tree)

    def offset(self, line: int, column: int) -> int:
        """The place in the code of a line (from 1) and a column in bytes (from 0)."""
        start = self._source.line_starts[line - 1]
        # In a line of ASCII, which has as many bytes as characters, nothing is to be converted.
        before = self.code[start : start + column]
        if before.isascii():
            return start + column
        return start + len(before.encode()[:column].decode(errors="ignore"))

    def place(self, offset: int) -> int:
        """The place in the file of a character of the code."""
        if not self.pieces:
            return offset
        piece = self._piece(offset)
        inside = min(max(0, offset - piece.begin), piece.length)
        return piece.place + (inside if piece.length == piece.width else inside * piece.width)

    def place_of_end(self, offset: int) -> int:
        """The place in the file behind the last character before a place in the code."""
        if not self.pieces or not offset:
            return offset
        piece = self._piece(offset - 1)
        if piece.length != piece.width or offset > piece.begin + piece.length:
            return piece.place + piece.width
        return piece.place + offset - piece.begin

    def _piece(self, offset: int) -> CodePiece:
        return self.pieces[max(0, bisect_right(self._begins, offset) - 1)]

    def places(self, line: int, column: int) -> int:
        """The place in the file of a line (from 1) and a column in characters (from 0)."""
        starts = self._source.line_starts
        return self.place(min(starts[min(line, len(starts)) - 1] + column, len(self.code)))

    def name_of(self, node: ast.keyword | ast.alias) -> Span:
        """The place of the name of a keyword, or of something that is imported."""
        name = node.name if isinstance(node, ast.alias) else node.arg or ""
        start = self.place(self.offset(node.lineno, node.col_offset))
        return Span(start, start + len(name))

    def span_of(self, node: ast.expr | ast.keyword) -> Span:
        """The place of a part of the tree."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno, node.end_col_offset)
        return Span(self.place(start), self.place_of_end(end))

    def written(self, start: int, end: int) -> str:
        """What is between two places of the file, as code."""
        if not self.pieces:
            return self.code[start:end]
        return self.code[self.code_at(start) : self.code_at(end - 1) + 1]

    def spelled(self, text: str) -> str:
        """How the file spells a text of the code: in a notebook, as a part of a text of JSON."""
        return json.dumps(text, ensure_ascii=False)[1:-1] if self.pieces else text

    def spans(self, start: int, end: int) -> list[Span]:
        """Where the file has a part of the code: in a notebook, each line is a text of its own."""
        if not self.pieces:
            return [Span(start, end)]
        found: list[Span] = []
        for piece in self.pieces[max(0, bisect_right(self._begins, start) - 1) :]:
            if piece.begin >= end:
                break
            first, last = max(start, piece.begin), min(end, piece.begin + piece.length)
            if first < last:
                span = Span(self.place(first), self.place_of_end(last))
                if found and found[-1].end == span.start:
                    span = Span(found.pop().start, span.end)
                found.append(span)
        return found

    def code_at(self, place: int) -> int:
        """The place in the code of a character of the file that is part of it."""
        if not self.pieces:
            return place
        piece = self.pieces[max(0, bisect_right(self._places, place) - 1)]
        inside = min(max(0, place - piece.place), piece.width - 1)
        return piece.begin + (inside if piece.length == piece.width else 0)


def _parsed(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=8)
def program_of(text: str) -> PythonProgram:
    """The program in a text; the same text is parsed once."""
    if text[:100].lstrip()[:1] == "{":
        from cfglint.source.notebook import code_of

        found = code_of(text)
        if found is not None:
            return PythonProgram(*found)
    return PythonProgram(text)
