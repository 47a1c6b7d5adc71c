"""Which file a launch file means by a path that it writes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.environment.project.file_kinds import kind_of
from cfglint.knowledge.marks import options_of_other_files, without_comments

#: What surrounds a path in a command, a list of strings, or a mount (`-v ./a.yml:/b.yml`).
_AROUND = frozenset(" \t\r\n\"'`=,;:()[]<>&|")
_LONGEST = 300
#: How long an expression in a name may be.
_EXPRESSION = 100
#: Files whose `#` begins no comment.
_WITHOUT_COMMENTS = (".md", ".rst", ".json", ".ipynb")
_VARIABLE = lazy_pattern(r"\$(?:\{\w{1,60}\}|\w{1,60})")
#: In a name that is not known before the script runs.
_OPEN = frozenset("$*?{}%")
#: What takes the place of a part of a name: `${KIND}`, `$1`, `{stage}`, `%s`, `*`; of `{names["one"]}` only the end.
_PART = lazy_pattern(r"\$\{[^{}]{0,60}\}|\$\w{1,60}|\{[^{}]{0,60}\}|%\w|[$*?{}%]")
#: A name with such a part, or one whose beginning is added: `stage + ".json"`.
_COMPOSED = lazy_pattern(
    r"""(?<![^\s"'`=,;:()\[\]<>&|])[^\s"'`=,;:()\[\]<>&|]{1,200}\.(?:json|ya?ml)\b|\+[ \t]{0,9}["']\.(?:json|ya?ml)\b"""
)


def may_be(written: str, path: str, folder: str, *, is_open: bool = False) -> bool:
    """Whether a path, as a file in a folder writes it, is that of another file.

    The folders that are written have to be the file's, as far as both can be compared: a path from the
    root may be one inside of a container.

    Args:
        written: what the file in the folder says.
        path: the absolute path of the other one.
        is_open: a part of what is written is not known; in its last part, `*` is anything.
    """
    written = written.replace("\\", "/")
    parts = [part for part in written.split("/") if part not in ("", ".", "..")]
    own = [part for part in path.replace(os.sep, "/").split("/") if part]
    if not parts or "$" in parts[-1]:
        return False
    if is_open and "*" in parts[-1]:
        if not _has_in_order(own[-1], parts[-1].split("*")):
            return False
    elif parts[-1] != own[-1]:
        return False
    if is_open or written.startswith(("/", "~")):
        return folder == os.path.dirname(path) or (len(parts) > 1 and parts[-2] == own[-2])
    return parts == own[-len(parts) :]


def may_expand_to(written: str, path: str) -> bool:
    """Whether a path with a variable in its last part may be that of a file: `configs/$KIND.yaml`.

    The folder before that part has to be the file's.
    """
    parts = [part for part in written.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    own = [part for part in path.replace(os.sep, "/").split("/") if part]
    if len(parts) < 2 or len(own) < 2 or "$" not in parts[-1] or parts[-2] != own[-2]:
        return False
    literal = _VARIABLE.split(parts[-1])
    return any(literal) and _has_in_order(own[-1], literal)


def _has_in_order(name: str, literal: list[str]) -> bool:
    """Whether a name is what these parts are with anything between them. No pattern: one with many gaps takes for ever."""
    first, *others = literal
    if not others:
        return name == first
    *middle, last = others
    at = len(first)
    if not name.startswith(first):
        return False
    for part in middle:
        place = name.find(part, at)
        if place < 0:
            return False
        at = place + len(part)
    return len(name) - len(last) >= at and name.endswith(last)


def text_in_force(path: str, text: str) -> str:
    """A text without what its comments say, as far as its kind of file has any.

    Args:
        path: the file with the text.
    """
    return text if path.endswith(_WITHOUT_COMMENTS) else without_comments(text)


class ComposedName(NamedTuple):
    """A name that a text puts together."""

    #: The folder before it; empty for none.
    folder: str
    last: str
    #: What is before the ending is added to it.
    is_added: bool


def composed_names(text: str) -> tuple[ComposedName, ...]:
    """The names of configs that a text puts together."""
    found = []
    for match in _COMPOSED.finditer(text):
        *before, last = _with_beginning(match[0], text, match.start()).split("/")
        is_added = match[0][0] == "+"
        if is_added or not _OPEN.isdisjoint(last):
            found.append(ComposedName(before[-1] if before else "", last, is_added))
    return tuple(dict.fromkeys(found))


def may_compose(names: Iterable[ComposedName], path: str) -> bool:
    """Whether one of the names that a text puts together may be that of a file.

    The folder that is written before such a name has to be the file's.
    """
    *folders, name = path.replace(os.sep, "/").split("/")
    ending = name[name.rfind(".") :]
    for folder, last, is_added in names:
        if not last.endswith(ending):
            continue
        if folder not in ("", ".", "..", folders[-1]) and _OPEN.isdisjoint(folder):
            continue
        if is_added or _has_in_order(name, _PART.split(last.lstrip("+ \t\"'"))):
            return True
    return False


def _with_beginning(name: str, text: str, start: int) -> str:
    """A name with what is before an expression of which only the end was taken for a part of it: `rank_{of(x)}.json`."""
    closing = name.find("}")
    if closing < 0 or "{" in name[:closing]:
        return name
    opening = text.rfind("{", max(0, start - _EXPRESSION), start)
    if opening < 0 or "\n" in text[opening:start]:
        return name
    first = opening
    while first > max(0, opening - _LONGEST) and text[first - 1] not in _AROUND:
        first -= 1
    return f"{text[first:opening]}{{}}{name[closing + 1 :]}"


def mentions(text: str, path: str, folder: str) -> bool:
    """Whether a text in a folder has the path of a file, or its name without folders."""
    return any(
        may_be(written, path, folder, is_open=not _OPEN.isdisjoint(written))
        for written in _written(text, os.path.basename(path))
    )


def _written(text: str, name: str) -> Iterator[str]:
    """The paths in a text that end in a name which is not a part of a longer one."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        first = start
        while first > max(0, start - _LONGEST) and text[first - 1] not in _AROUND:
            first -= 1
        if text[first - 1 : first + 1] == ":-":
            first += 1  # the default of a variable: `${1:-x.yml}`
        before = text[max(first, start - 1) : start]
        if not (_is_of_names(before) or before == ".") and not _is_of_names(text[end : end + 1]):
            yield text[first:end]
        start = text.find(name, end)


def _is_of_names(character: str) -> bool:
    return character.isalnum() or character in ("_", "-")


@lru_cache(maxsize=1)
def _yaml_file() -> re.Pattern[str]:
    """A YAML file, the first group of which is an option for files of another kind."""
    options = "|".join(map(re.escape, sorted(options_of_other_files())))
    apart = r"\s\"'`=,;:()\[\]<>&|"
    # A name is looked for where one begins, not at each of its characters.
    return lazy_pattern(
        rf"((?:{options})(?:=|[ \t]+)[\"']?)?(?<![^{apart}])([^{apart}]{{1,300}}\.ya?ml)\b"
    )


def names_configs(text: str) -> bool:
    """Whether a launch file writes out the name of a config: it starts that one, not any that it is given."""
    for match in _yaml_file().finditer(without_comments(text)):
        name = match[2].rpartition("/")[2]
        if not match[1] and _OPEN.isdisjoint(name) and kind_of(name) is None:
            return True
    return False
