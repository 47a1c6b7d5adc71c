"""The code of a notebook: its cells joined, and where in the JSON each character is."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.source.document import Mapping, Node, Scalar, Sequence
from cfglint.source.languages.json_reader import read_tree
from cfglint.source.problems import SourceError

#: An escape in a text of JSON, or what is between two.
_PARTS = lazy_pattern(
    r"(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u.{4}|\\.|[^\\]+"
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
#: Cells of these commands go on in Python; all others are in another language.
_PYTHON_CELLS = frozenset({"%%time", "%%timeit", "%%capture"})
#: Those of a shell.
_SHELL_CELLS = frozenset({"%%bash", "%%sh", "%%shell"})
#: A line that Jupyter runs by itself.
_COMMAND = lazy_pattern(r"^[ \t]*(?:[!%?]|\w+[ \t]*=[ \t]*[!%]).*$", re.MULTILINE)


class CodePiece(NamedTuple):
    """A part of the code that the file has in one place, character by character or as one escape."""

    #: Where it begins in the code, and how long it is there.
    begin: int
    length: int
    #: The same in the file.
    place: int
    width: int


def code_of(text: str) -> tuple[str, tuple[CodePiece, ...], str] | None:
    """The code of a notebook's cells, its pieces, and its commands; None for a text that is no notebook.

    What only Jupyter understands is replaced by blanks, and so is a cell that is no Python. The commands are as
    long as the code, with blanks for all that Jupyter does not hand to a shell.
    """
    try:
        root, _ = read_tree(text)
    except SourceError:
        return None
    cells = root.lookup.get("cells")
    held = cells.value if cells is not None else None
    if not isinstance(held, Sequence):
        return None
    codes: list[str] = []
    commands: list[str] = []
    pieces: list[CodePiece] = []
    length = 0
    for cell in held.items:
        if isinstance(cell, Mapping) and _text(cell, "cell_type") == "code":
            code, own = _cell(cell, text, length)
            if own:
                codes.append(_plain(code))
                commands.append(_commands(code, codes[-1]))
                pieces += own
                length += len(code) + 1
    joined = "\n".join(codes)
    if not _parses(joined):
        joined = "\n".join(code if _parses(code) else _blank(code) for code in codes)
    return (joined, tuple(pieces), "\n".join(commands)) if pieces else None


def cell_at(text: str, offset: int) -> tuple[int, int] | None:
    """The cell, and the line in it, at an offset of a notebook, both from 1; None between cells.

    All cells count, as an editor numbers them.
    """
    for start, end, cell, line in _cell_lines(text):
        if start <= offset < end:
            return cell, line + text.count("\\n", start, offset)
    return None


@lru_cache(maxsize=1)
def _cell_lines(text: str) -> tuple[tuple[int, int, int, int], ...]:
    """The texts that cells consist of: where each begins and ends, its cell, and its first line there."""
    try:
        root, _ = read_tree(text)
    except SourceError:
        return ()
    held = root.lookup.get("cells")
    found = []
    for number, cell in enumerate(
        held.value.items if held and isinstance(held.value, Sequence) else (), 1
    ):
        entry = cell.lookup.get("source") if isinstance(cell, Mapping) else None
        node = entry.value if entry is not None else None
        parts: list[Node] = node.items if isinstance(node, Sequence) else [node] if node else []
        line = 1
        for part in parts:
            found.append((part.start, part.end, number, line))
            line += text.count("\\n", part.start, part.end)
    return tuple(found)


def _text(cell: Mapping, name: str) -> str:
    entry = cell.lookup.get(name)
    node = entry.value if entry is not None else None
    return str(node.value) if isinstance(node, Scalar) else ""


def _cell(cell: Mapping, text: str, length: int) -> tuple[str, list[CodePiece]]:
    """The code of a cell, and its pieces, the first of which begins behind so many characters."""
    entry = cell.lookup.get("source")
    node = entry.value if entry is not None else None
    lines: list[Node] = node.items if isinstance(node, Sequence) else [node] if node else []
    parts: list[str] = []
    pieces: list[CodePiece] = []
    for line in lines:
        if not isinstance(line, Scalar) or not isinstance(line.value, str):
            continue
        for match in _PARTS.finditer(text, line.start + 1, line.end - 1):
            part = _decoded(match[0])
            pieces.append(CodePiece(length, len(part), match.start(), len(match[0])))
            parts.append(part)
            length += len(part)
    return "".join(parts), pieces


def _decoded(part: str) -> str:
    if part[0] != "\\":
        return part
    if part[1] != "u":
        return _ESCAPES.get(part[1], part[1])
    if len(part) == 12:
        high, low = int(part[2:6], 16), int(part[8:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    return chr(int(part[2:], 16))


def _plain(code: str) -> str:
    """The code of a cell with blanks for what only Jupyter understands."""
    first = code.lstrip().partition("\n")[0].split()
    if first and first[0].startswith("%%") and first[0] not in _PYTHON_CELLS:
        return _blank(code)
    lines, joined = [], False
    for line in code.split("\n"):
        if joined:
            joined = line.rstrip().endswith("\\")
            lines.append(_blank(line))
        elif _COMMAND.match(line) is not None:
            joined = line.rstrip().endswith("\\")
            lines.append(_placeholder(line))
        else:
            lines.append(line)
    return "\n".join(lines)


def _commands(code: str, plain: str) -> str:
    """The lines of a cell that are no Python, with blanks for the others, and for a cell in a language of its own."""
    first = code.split(maxsplit=1)[:1]
    if first and first[0].startswith("%%") and first[0] not in _PYTHON_CELLS | _SHELL_CELLS:
        return _blank(code)
    lines = zip(code.split("\n"), plain.split("\n"), strict=True)
    return "\n".join(line if line != other else _blank(line) for line, other in lines)


def _placeholder(line: str) -> str:
    """A statement that does nothing, at the same place and as long as a line."""
    inner = line.lstrip()
    statement = "pass" if len(inner) >= len("pass") else "0"[: len(inner)]
    return line[: len(line) - len(inner)] + statement.ljust(len(inner))


def _blank(code: str) -> str:
    return re.sub(r"[^\n]", " ", code)


def _parses(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
