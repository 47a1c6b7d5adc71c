r"""The patterns of `.gitignore` files, matched in time that grows with pattern and path alone.

Wherever a `*` or `**` may end, the first place is as good as any later one, so none is tried twice.
The answers are those of `git check-ignore`, except that names are compared by character and not by
byte, and for two oddities of git: for `a**/b` it looks for `a` and `**/b`, against its own
documentation, and `\/` is not the same as `/` to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Literal

#: A token of a pattern: a character, or a wildcard.
_Kind = Literal["char", "any", "set", "star", "slash"]
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": r" \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
#: A path is not split into more names.
_MAX_NAMES = 4_096


class _Token(NamedTuple):
    kind: _Kind
    #: The character, or a regular expression for one.
    text: str


class _Segment(NamedTuple):
    """What one name of a path has to be: pieces of a fixed length with anything in between."""

    #: A text, or a pattern that takes a fixed number of characters.
    pieces: tuple[str | re.Pattern[str], ...]
    lengths: tuple[int, ...]

    def matches(self, name: str) -> bool:
        first, *others = self.pieces
        if isinstance(first, str):
            if not name.startswith(first):
                return False
        elif not first.match(name):
            return False
        at = self.lengths[0]
        if not others:
            return at == len(name)
        last_at = len(name) - self.lengths[-1]
        for piece, length in zip(others[:-1], self.lengths[1:-1], strict=True):
            if isinstance(piece, str):
                found = name.find(piece, at)
            else:
                match = piece.search(name, at)
                found = match.start() if match else -1
            if found < 0:
                return False
            at = found + length
        last = others[-1]
        return at <= last_at and (
            name.endswith(last) if isinstance(last, str) else last.match(name, last_at) is not None
        )


class _Glob(NamedTuple):
    """One line of a file."""

    negated: bool
    folders_only: bool
    #: It names a file wherever it is: `*.json`, not `/a/*.json`.
    anywhere: bool
    #: Runs of segments; between two of them are any number of folders.
    runs: tuple[tuple[_Segment, ...], ...]
    #: It ends in `/**`: the path goes on.
    open: bool

    def matches(self, names: list[str]) -> bool:
        if self.anywhere:
            return self.runs[0][0].matches(names[-1])
        first, *others = self.runs
        size = len(names)
        if not others and not self.open:
            return len(first) == size and _fits(first, names, 0)
        if len(first) > size or not _fits(first, names, 0):
            return False
        at = len(first)
        last = () if self.open else others.pop()
        end = size - (1 if self.open else len(last))
        for run in others:
            while at + len(run) <= end and not _fits(run, names, at):
                at += 1
            at += len(run)
        return at <= end and (self.open or _fits(last, names, end))


class Globs:
    """The patterns of one file; the last one that matches a path decides.

    Args:
        lines: as written, without line ends. Empty lines, comments, and patterns that match
            nothing are skipped.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        read = [_glob(line) for line in lines]
        self._globs = [one for one in reversed(read) if one is not None]
        self._folders: dict[str, bool] = {}

    def verdict(self, path: str, *, is_folder: bool = False) -> bool | None:
        """Whether the patterns name a path themselves; None if none does.

        Args:
            path: relative to the folder of the patterns, with `/`.
        """
        names = path.split("/", _MAX_NAMES)
        for one in self._globs:
            if (is_folder or not one.folders_only) and one.matches(names):
                return not one.negated
        return None

    def covers(self, path: str) -> bool:
        """Whether the patterns name a file or a folder that it is in; as `verdict`."""
        folder = path.rpartition("/")[0]
        return self._covers_folder(folder) or self.verdict(path) is True

    def _covers_folder(self, path: str) -> bool:
        at = path.find("/")
        while at >= 0:
            if self._names_folder(path[:at]):
                return True
            at = path.find("/", at + 1)
        return bool(path) and self._names_folder(path)

    def _names_folder(self, path: str) -> bool:
        known = self._folders.get(path)
        if known is None:
            known = self._folders[path] = self.verdict(path, is_folder=True) is True
        return known


def is_glob(line: str) -> bool:
    """Whether a line is a pattern, a comment or blank, and not a pattern that can never match."""
    return line.startswith("#") or line.strip() in ("", "/") or _glob(line) is not None


@lru_cache(maxsize=1024)
def globs(lines: tuple[str, ...]) -> Globs:
    """The patterns of these lines, read once."""
    return Globs(lines)


def _fits(run: tuple[_Segment, ...], names: list[str], at: int) -> bool:
    return all(segment.matches(names[at + index]) for index, segment in enumerate(run))


def _glob(line: str) -> _Glob | None:
    if line.startswith("#"):
        return None
    text = _without_blanks(line)
    negated = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    tokens = _tokens(text)
    if not tokens:
        return None
    if "/" not in text:
        return _Glob(negated, folders_only, True, ((_segment(tokens),),), False)
    if text.startswith("/"):
        tokens = tokens[1:]
    parts: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind == "slash":
            parts.append([])
        else:
            parts[-1].append(token)
    runs: list[list[_Segment]] = [[]]
    doubles = [len(part) > 1 and all(one.kind == "star" for one in part) for part in parts]
    is_open = doubles[-1]
    for part, double in zip(parts[:-1] if is_open else parts, doubles, strict=False):
        if double:
            runs.append([])
        elif not part:
            return None  # two slashes in a row are in no path
        else:
            runs[-1].append(_segment(part))
    return _Glob(negated, folders_only, False, tuple(map(tuple, runs)), is_open)


def _without_blanks(line: str) -> str:
    """A line without the blanks at its end that have no backslash before them."""
    text = line.rstrip(" ")
    if len(text) < len(line) and (len(text) - len(text.rstrip("\\"))) % 2:
        text += " "
    return text


def _tokens(text: str) -> list[_Token] | None:
    """The tokens of a pattern; None if it can match nothing."""
    found: list[_Token] = []
    at = 0
    while at < len(text):
        character = text[at]
        at += 1
        if character == "\\":
            if at == len(text):
                return None
            character = text[at]
            at += 1
            found.append(_Token("slash" if character == "/" else "char", character))
        elif character == "/":
            found.append(_Token("slash", character))
        elif character == "*":
            found.append(_Token("star", character))
        elif character == "?":
            found.append(_Token("any", "[^/]"))
        elif character == "[":
            end, inner = _set(text, at)
            if inner is None:
                return None
            found.append(_Token("set", inner))
            at = end
        else:
            found.append(_Token("char", character))
    return found


def _set(text: str, at: int) -> tuple[int, str | None]:
    """(where the text goes on, the regular expression) of what is behind a `[`; None if it is wrong."""
    negated = text[at : at + 1] in ("!", "^")
    at += negated
    members: list[str] = []
    first = True
    while True:
        character = text[at : at + 1]
        if not character:
            return at, None
        if character == "]" and not first:
            break
        first = False
        if text.startswith("[:", at):
            end = text.find("]", at + 2)
            if end < 0:
                return at, None
            if text[end - 1] == ":" and end > at + 2:
                name = text[at + 2 : end - 1]
                if name not in _CLASSES:
                    return at, None
                members.append(_CLASSES[name])
                at = end + 1
                continue
        low, at = _member(text, at)
        if low is None:
            return at, None
        members.append(re.escape(low))
        if text[at : at + 1] == "-" and text[at + 1 : at + 2] not in ("", "]"):
            high, at = _member(text, at + 1)
            if high is None:
                return at, None
            if low <= high:
                members.append(f"{re.escape(low)}-{re.escape(high)}")
    inner = "".join(members)
    if negated:
        return at + 1, f"[^/{inner}]"
    return at + 1, f"(?!/)[{inner}]" if inner else "(?!)"


def _member(text: str, at: int) -> tuple[str | None, int]:
    if text[at] == "\\":
        at += 1
    return text[at : at + 1] or None, at + 1


def _segment(tokens: list[_Token]) -> _Segment:
    runs: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind == "star":
            if runs[-1] or len(runs) == 1:
                runs.append([])
        else:
            runs[-1].append(token)
    return _Segment(tuple(map(_piece, runs)), tuple(map(len, runs)))


def _piece(tokens: list[_Token]) -> str | re.Pattern[str]:
    if all(token.kind == "char" for token in tokens):
        return "".join(token.text for token in tokens)
    return re.compile(
        "".join(re.escape(one.text) if one.kind == "char" else one.text for one in tokens),
        re.DOTALL,
    )
