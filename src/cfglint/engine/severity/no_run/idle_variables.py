"""Variables in which scripts keep the name of a file, and of which nothing makes use.

`export SETTINGS=settings.yaml` before `python train.py`, which does not ask for it.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.knowledge.marks import all_marks
from cfglint.source.files.scripts import PAGES, SCRIPTS

#: A variable that a script sets, and one that it sets to the name of a file.
_ASSIGNED = lazy_pattern(r"(?m)(?:^|[ \t;])(?:export[ \t]+)?([A-Za-z_]\w{0,60})=")
_FILE_KEPT = lazy_pattern(
    r"""(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,60})=["']?[^\s"'=;&|]{1,300}\.(?:ya?ml|json)["']?[ \t]*\r?$"""
)
#: Of more variables none is looked for.
_MAX_VARIABLES = 50


def without_idle_variables(
    texts: list[tuple[str, str]],
) -> tuple[tuple[tuple[str, str], ...], str]:
    """The texts, without the names of files that scripts keep in variables of which nothing makes use; and these lines."""
    set_in = {path: set(_ASSIGNED.findall(text)) for path, text in texts if path.endswith(SCRIPTS)}
    keeping = [
        (path, name)
        for path, text in texts
        if path in set_in
        for name in dict.fromkeys(_FILE_KEPT.findall(text))
        if not _has_two_frameworks(name)
    ]
    idle = {one for one in keeping[:_MAX_VARIABLES] if not _is_used(*one, texts, set_in)}
    dropped: list[str] = []

    def rest_of(path: str, text: str) -> str:
        if path not in set_in or not idle:
            return text
        lines = [one for one in _FILE_KEPT.finditer(text) if (path, one[1]) in idle]
        dropped.extend(one[0] for one in lines)
        for one in reversed(lines):
            text = text[: one.start()] + text[one.end() :]
        return text

    return tuple((path, rest_of(path, text)) for path, text in texts), "\n".join(dropped)


def _has_two_frameworks(name: str) -> bool:
    """Whether a variable has the names of two frameworks: by such a one the launcher of the one reads settings of the other."""
    words = set(name.lower().split("_"))
    return len(words & {marks.package for marks in all_marks()}) > 1


def _is_used(
    keeping: str, name: str, texts: list[tuple[str, str]], set_in: dict[str, set[str]]
) -> bool:
    """Whether a variable of a script counts for something: others may get it from their environment."""
    expanded = re.compile(rf"\$[{{(]?[!#]?{name}\b|%{name}%|\b(?:printenv|envsubst|eval)\b")
    by_default = re.compile(rf"\$\{{{name}:?[-=]|\b{name}=[^\n]{{0,200}}\$\{{?{name}\b")
    for path, text in texts:
        if name not in text or path.endswith(PAGES):
            continue
        is_set_here = name in set_in.get(path, ()) and path != keeping
        if path not in set_in or (by_default if is_set_here else expanded).search(text):
            return True
    return False
