"""`environment.yml` of conda, and what `conda env export` writes."""

from __future__ import annotations

import re

from cfglint.lazy import lazy_pattern
from cfglint.target.project.requirements import statement_of
from cfglint.target.project.statements import WANTED, Statement, normalized, place_at

_MAX_FOUND = 300
_ITEM = lazy_pattern(r"^([ \t]*)-[ \t]+(.*?)[ \t]*\r?$")
_KEY = lazy_pattern(r"^([ \t]*)([A-Za-z_-]+):")
#: What conda calls a package that Python's registry calls otherwise.
_NAMES = {
    "pytorch": "torch",
    "pytorch-cpu": "torch",
    "pytorch-gpu": "torch",
    "huggingface-hub": "huggingface-hub",
}
_SPEC = lazy_pattern(
    r"(?:[\w.-]+::)?([A-Za-z0-9._-]+?)[ \t]*(==|=|>=|<=|!=|>|<)?[ \t]*([0-9][^ \t=]*)?"
    r"(?:=[\w.*+-]+)?"
)


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest, from conda and from the pip section, line by line."""
    found: list[Statement] = []
    inside = False
    pip_indent: int | None = None
    offset = 0
    for raw in text.splitlines(keepends=True):
        start, offset = offset, offset + len(raw)
        line = re.sub(r"(^|[ \t])#.*", "", raw.rstrip("\r\n"))
        if not line.strip():
            continue
        key = _KEY.match(line)
        if key and not key.group(1):
            inside = key.group(2) == "dependencies"
            pip_indent = None
            continue
        item = _ITEM.match(line)
        if not inside or item is None:
            continue
        indent, content = len(item.group(1)), item.group(2).strip("\"'")
        if pip_indent is not None and indent <= pip_indent:
            pip_indent = None
        if content.rstrip(":") == "pip" and content.endswith(":"):
            pip_indent = indent
            continue
        begin = start + line.index(content)
        end = begin + len(content)
        if pip_indent is not None:
            statement = statement_of(content, path, text, begin, end)
        else:
            statement = _conda(content, path, text, begin, end)
        if statement is not None:
            found.append(statement)
            if len(found) == _MAX_FOUND:
                break
    return found


def _conda(content: str, path: str, text: str, start: int, end: int) -> Statement | None:
    """`pytorch=2.4.1`, `pytorch==2.4.1=py3.11_cuda12.1`, `python >=3.11`."""
    match = _SPEC.fullmatch(content)
    if match is None:
        return None
    name, operator, version = match.groups()
    package = _NAMES.get(name.lower(), normalized(name))
    if package not in WANTED:
        return None
    place = place_at(path, text, start, end)
    if not version:
        return Statement(package, place)
    bare = version.rstrip("*").rstrip(".")
    if "*" in version or "," in version or "|" in version:
        wildcard = re.fullmatch(r"\d+(\.\d+)*\.\*", version)
        return Statement(package, place, spec=f"=={version}" if wildcard else None)
    if operator in ("==", None):
        return Statement(package, place, bare)
    if operator == "=":
        # One equals sign is fuzzy; with three numbers it is as good as exact.
        if version.count(".") >= 2 or (package == "python" and version.count(".") == 1):
            return Statement(package, place, bare)
        return Statement(package, place, spec=f"=={bare}.*")
    return Statement(package, place, spec=f"{operator}{bare}")
