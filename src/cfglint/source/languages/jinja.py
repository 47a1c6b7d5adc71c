"""The outside of a Jinja template: whether its tags are closed, and in the right order.

Expressions are not read: what is reported here is certain without a template engine.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record

MAX_CHARS = 200_000
MAX_DEPTH = 200

_OPEN = lazy_pattern(r"\{[{%#]")
_CLOSE = {
    "{{": lazy_pattern(
        r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|['"]|[-+]?\}\}|[{\[(}\])]""", re.DOTALL
    ),
    "{%": lazy_pattern(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|['"]|[-+]?%\}""", re.DOTALL),
}
_STRING = lazy_pattern(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_TAG = lazy_pattern(r"\s*([A-Za-z_]\w*)")
_END_RAW = lazy_pattern(r"\{%[-+]?\s*endraw\s*[-+]?%\}")
_ASSIGNMENT = lazy_pattern(r"(?<![=!<>])=(?!=)")
#: Tags with an end; `set` is one of them when it assigns nothing.
_BLOCKS = frozenset(
    {"autoescape", "block", "call", "filter", "for", "generation", "if", "macro", "set", "with"}
)
_SINGLE = frozenset({"break", "continue", "extends", "from", "import", "include", "print"})
_BRANCHES = {"elif": ("if",), "else": ("if", "for")}
#: What other languages call it.
_MEANT = {"elseif": "elif", "elsif": "elif", "endfi": "endif", "end": "endif or endfor"}


class Fault(Record):
    """Why a template cannot be used."""

    problem: str
    offset: int


def fault_in(text: str) -> Fault | None:
    """The first thing that is surely wrong with a template; None when nothing is."""
    if len(text) > MAX_CHARS:
        return None
    open_tags: list[tuple[str, int]] = []
    at = 0
    while True:
        start = _OPEN.search(text, at)
        if start is None:
            break
        mark = start.group()
        if mark == "{#":
            at = text.find("#}", start.end()) + 2
            if at < 2:
                return Fault("a comment `{#` is never closed", start.start())
            continue
        end = _end_of(text, start.end(), mark)
        if end is None:
            closing = "}}" if mark == "{{" else "%}"
            return Fault(f"`{mark}` is never closed by `{closing}`", start.start())
        if end < 0:
            return None
        inner = text[start.end() : end]
        at = end + 2
        if mark == "{{":
            continue
        tag = _TAG.match(inner.lstrip("-+"))
        if tag is None:
            return Fault("a tag `{%` without a name", start.start())
        name = tag.group(1)
        if name == "raw":
            raw = _END_RAW.search(text, at)
            if raw is None:
                return Fault("`{% raw %}` is never closed", start.start())
            at = raw.end()
            continue
        problem = _take(name, inner, open_tags, start.start())
        if problem == "":
            return None
        if problem is not None:
            return Fault(problem, start.start())
        if len(open_tags) > MAX_DEPTH:
            return None
    if open_tags:
        name, offset = open_tags[-1]
        return Fault(f"`{{% {name} %}}` has no `{{% end{name} %}}`", offset)
    return None


def _take(name: str, inner: str, open_tags: list[tuple[str, int]], offset: int) -> str | None:
    """Take note of a tag. What is wrong with it, or "" if that is uncertain."""
    innermost = open_tags[-1][0] if open_tags else None
    if name in _BLOCKS:
        if name == "set":
            bare = _STRING.sub("", inner)
            assigns = _ASSIGNMENT.search(bare) is not None
            if assigns and "(" in bare.split("=", 1)[0]:
                return ""
            if assigns:
                return None
        open_tags.append((name, offset))
        return None
    if name in _SINGLE:
        return None
    if name in _BRANCHES:
        if innermost in _BRANCHES[name]:
            return None
        if innermost is None:
            return f"`{{% {name} %}}` is outside of any `if`"
        return f"`{{% {name} %}}` where `{{% {innermost} %}}` is still open"
    if name.startswith("end") and name[3:] in _BLOCKS:
        if innermost == name[3:]:
            open_tags.pop()
            return None
        if innermost is None:
            return f"`{{% {name} %}}` closes nothing"
        return f"`{{% {name} %}}` where `{{% {innermost} %}}` is still open"
    hint = f" (did you mean `{_MEANT[name]}`?)" if name in _MEANT else ""
    return f"unknown tag `{name[:40]}`{hint}"


def _end_of(text: str, at: int, mark: str) -> int | None:
    """The offset of a tag's closing brackets; None without any, -1 if that is uncertain."""
    pattern = _CLOSE[mark]
    depth = 0
    while True:
        match = pattern.search(text, at)
        if match is None:
            return None
        found = match.group()
        at = match.end()
        if found[0] in "'\"":
            if len(found) == 1:
                return None  # A string that is never closed, and so is the tag.
            continue
        if mark == "{%":
            return at - 2
        if found.endswith("}}") and depth == 0:
            return at - 2
        if found.endswith("}}"):
            # Of a dictionary inside of the expression: one bracket at a time.
            at = match.start() + len(found) - 1
            depth -= 1
        elif found in "{[(":
            depth += 1
        else:
            depth -= 1
            if depth < 0:
                return -1
