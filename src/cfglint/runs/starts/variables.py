"""The variables of a script, as far as its text tells what commands see: no shell runs it.

A variable counts when the text gives it one plain value, or one list of plain words. Of what it has by default, a config
counts: it is what a run without arguments starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.knowledge.marks import start_pattern

_ASSIGNMENT = lazy_pattern(
    r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)="
    r"(\"[^\"$`\\\n]*\"|'[^'\n]*'|[^\s\"'$`\\;&|()<>]*)[ \t]*(?:;|\#.*)?\r?$"
)
_ASSIGNED = lazy_pattern(r"\b([A-Za-z_]\w*)\+?=|\b(?:for|read)[ \t]+([A-Za-z_]\w*)\b")
#: `CFG=${1:-x.yml}`, `CFG="${CFG:-x.yml}"`, `: "${CFG:=x.yml}"`.
_BY_DEFAULT = lazy_pattern(
    r"(?m)^[ \t]{0,40}(?:(?:export[ \t]{1,9})?([A-Za-z_]\w{0,80})=[\"']?\$\{\w{1,80}:?[-=]|:[ \t]{1,9}[\"']?\$\{([A-Za-z_]\w{0,80}):?=)"
    r"[\"']?([\w./+-]{1,300}\.ya?ml)[\"']?\}[\"']?(?![^\s;#&|])"
)
_LIST = lazy_pattern(
    r"(?m)^[ \t]{0,40}(?:(?:declare|local|readonly|typeset)[ \t]{1,9}-a[ \t]{1,9})?([A-Za-z_]\w{0,80})=\(([^()`]{1,2000})\)"
)
_COMMENT = lazy_pattern(r"(?m)(?:^|[ \t])#.*$")
#: A word of a list, with a variable perhaps; one with blanks in it is none.
_ITEM = lazy_pattern(
    r"[ \t\r\n]*(?:\"([^\"`\\\s]+)\"|'([^'$\s]+)'|([^\s\"'`\\;&|<>()*?{}]+))(?=\s|\Z)"
)
_LOOP = lazy_pattern(
    r"\bfor[ \t]{1,9}([A-Za-z_]\w{0,80})[ \t]{1,9}in[ \t]{1,9}([^;\n#]{1,500})(?:;|\r?\n)"
)
_LOOPED = lazy_pattern(r"[\w./:=@+*-]+")
_WHOLE_LIST = lazy_pattern(r"\"?\$\{(\w{1,80})\[@\]\}\"?")
_MAX_VALUE, _MAX_ASSIGNED, _MAX_READ, _MAX_LOOPED = 300, 2_000, 500, 10


def list_named(name: str) -> str:
    """What the words of a list are known by among the variables of a script."""
    return f"{name}[@]"


def variables_of(text: str) -> dict[str, str]:
    """The variables of a script that have one plain value, or one list of words (see `list_named`), joined by blanks."""
    times: dict[str, int] = {}
    for match in islice(_ASSIGNED.finditer(text), _MAX_ASSIGNED):
        name = match.group(1) or match.group(2)
        times[name] = times.get(name, 0) + 1
    found = {}
    for match in islice(_BY_DEFAULT.finditer(text), _MAX_READ):
        name = match[1] or match[2]
        if times.get(name, 0) <= (1 if match[1] else 0):
            found[name] = match[3]
    for match in islice(_LIST.finditer(text), _MAX_READ):
        items = _items(match[2])
        if times.get(match[1]) == 1 and items:
            found[list_named(match[1])] = " ".join(items)
    return found | {
        match.group(1): match.group(2).strip("\"'")
        for match in islice(_ASSIGNMENT.finditer(text), _MAX_READ)
        if times.get(match.group(1)) == 1 and len(match.group(2)) <= _MAX_VALUE
    }


def _items(inner: str) -> list[str]:
    """The words of a list; none if one of them is not plain."""
    inner = _COMMENT.sub("", inner).rstrip()
    found, place = [], 0
    while place < len(inner):
        match = _ITEM.match(inner, place)
        if match is None:
            return []
        found.append(match[1] or match[2] or match[3])
        place = match.end()
    return found


def starting(variables: Mapping[str, str]) -> Iterator[str]:
    """The variables whose words call what starts a config."""
    pattern = start_pattern()
    for name, value in variables.items():
        if pattern is not None and pattern.search(value):
            yield name.removesuffix("[@]")


def loops_of(text: str, variables: Mapping[str, str]) -> dict[str, list[str]]:
    """Variable -> the words that a loop gives to it one after the other; a pattern of names is one of them."""
    found: dict[str, list[str]] = {}
    for match in islice(_LOOP.finditer(text), _MAX_READ):
        whole = _WHOLE_LIST.fullmatch(match[2].strip())
        words = match[2].split() if whole is None else _of_list(whole[1], variables)
        plain = [word.strip("\"'") for word in words]
        is_plain = all(map(_LOOPED.fullmatch, plain)) and len(plain) <= _MAX_LOOPED
        # Two loops over the same variable have different commands in them.
        found[match[1]] = plain if is_plain and match[1] not in found else []
    return {name: words for name, words in found.items() if words}


def _of_list(name: str, variables: Mapping[str, str]) -> list[str]:
    return variables.get(list_named(name), "$").split()


def is_used(name: str, text: str) -> bool:
    """Whether a text has the value of a variable in it."""
    return re.search(rf"\$(?:\{{{name}\}}|{name}\b)", text) is not None
