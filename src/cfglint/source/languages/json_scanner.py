"""The collections that are open in a JSON text, what lies between its tokens, and what is odd about it."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.source.document import Mapping, Node, Path, Scalar, Sequence
from cfglint.source.json_problems import JsonProblemKind, SourceProblem
from cfglint.source.languages.json_errors import CLOSERS, syntax, wrong_closer
from cfglint.source.languages.json_repairs import without_comment
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import Span

#: Objects and lists inside each other; real files stay below 10.
MAX_DEPTH = 100
#: Keys, values and collections; real files stay below 1,000.
MAX_NODES = 100_000
#: A file with more slips than this is something else than JSON with slips.
MAX_PROBLEMS = 1000
BREAK = lazy_pattern(r"\r\n|\r|\n")

_SPACE = re.compile(r"[ \t\n\r]*").match
#: Spaces that JSON does not count as whitespace, and invisible characters.
_ODD_SPACES = frozenset(
    "\x0b\x0c\x85\xa0\u1680\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
) | frozenset(map(chr, range(0x2000, 0x200E)))
#: What may stand between tokens though JSON does not know it.
_BETWEEN = _ODD_SPACES | {"/", "#"}


class Scanner:
    """A text, what is open at the place that is being read, and the slips so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        self.problems: list[SourceProblem] = []
        #: What is open around the innermost collection, each with the key that waits for a value.
        self.above: list[tuple[Mapping | Sequence | None, Scalar | None]] = []
        #: Where closed collections begin and end, for the words about one that is never closed.
        self.closed: list[tuple[int, int]] = []
        #: How many keys, values and collections have been read.
        self.nodes = 0

    def opened(self, at: int, char: str) -> Mapping | Sequence:
        """A collection that begins.

        Raises:
            SourceError: it is too deep inside others.
        """
        if len(self.above) >= MAX_DEPTH:
            raise SourceError(ProblemKind.TOO_DEEP, Span(at, at + 1), limit=MAX_DEPTH)
        if char == "{":
            return Mapping(at, -1, None, None, flow=True)
        return Sequence(at, -1, None, None, flow=True)

    def close(self, collection: Mapping | Sequence, at: int, comma: int) -> int:
        """End a collection; where its closing bracket ends.

        Args:
            comma: the place of the comma before the bracket, negative without one.
        """
        if self.text[at] != CLOSERS[self.text[collection.start]]:
            raise wrong_closer(self.text, collection, at)
        if comma >= 0:
            self.extra_comma(collection, comma)
        collection.end = at + 1
        self.closed.append((collection.start, collection.end))
        return collection.end

    def count(self, node: Node) -> None:
        """Count a value that has been read; keys are counted as well.

        Raises:
            SourceError: there are too many.
        """
        self.nodes += 1
        if self.nodes > MAX_NODES:
            span = Span(node.start, node.end)
            raise SourceError(
                ProblemKind.TOO_LARGE, span, size=self.nodes, limit=MAX_NODES, unit="values"
            )

    def extra_comma(self, parent: Mapping | Sequence, at: int) -> None:
        """Record a comma that nothing follows."""
        path = self.path_of(parent, None)[: len(self.above) - 1]
        where = "}" if type(parent) is Mapping else "]"
        edits = ((at, at + 1, ""),)
        self.note(JsonProblemKind.EXTRA_COMMA, at, at + 1, path, edits, where=where)

    def skip(self, at: int) -> int:
        """Where the next token begins; comments on the way are recorded."""
        text, size = self.text, self.size
        at = _SPACE(text, at).end()  # type: ignore[union-attr]
        while at < size:
            char = text[at]
            if char not in _BETWEEN:
                return at
            if char in _ODD_SPACES:
                name = f"U+{ord(char):04X}"
                edits = ((at, at + 1, " "),)
                self.note(JsonProblemKind.ODD_SPACE, at, at + 1, (), edits, character=name)
                at += 1
            else:
                end = self._comment_end(at)
                if end < 0:
                    return at
                edits = (without_comment(text, at, end),)
                mark = "#" if char == "#" else text[at : at + 2]
                self.note(JsonProblemKind.COMMENT, at, end, (), edits, mark=mark)
                at = end
            at = _SPACE(text, at).end()  # type: ignore[union-attr]
        return at

    def _comment_end(self, at: int) -> int:
        """Where the comment that may begin here ends; -1 when none does."""
        text = self.text
        if text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise syntax(at, at + 2, "this comment is never closed")
            return end + 2
        if text[at] == "/" and not text.startswith("//", at):
            return -1
        match = BREAK.search(text, at)
        return match.start() if match else self.size

    def note(
        self,
        kind: JsonProblemKind,
        start: int,
        end: int,
        path: Path,
        edits: tuple[tuple[int, int, str], ...],
        **details: object,
    ) -> None:
        """Record a slip with the edits that mend it.

        Raises:
            SourceError: there are too many.
        """
        if len(self.problems) >= MAX_PROBLEMS:
            raise syntax(start, end, f"more than {MAX_PROBLEMS} mistakes; this is not JSON")
        self.problems.append(SourceProblem(kind, Span(start, end), path, edits, **details))

    def path_of(self, parent: Mapping | Sequence | None, key: Scalar | None) -> Path:
        """The path of the key or item that is being read."""
        path: list[str | int] = []
        for holder, name in (*self.above[1:], (parent, key)):
            if type(holder) is Sequence:
                path.append(len(holder.items))
            elif name is not None:
                path.append(name.value)
        return tuple(path)
