"""`environment.yml` of conda, and what `conda env export` writes."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.readers.requirements import statement_of
from cfglint.environment.project.stated_versions import WANTED, Statement, normalized, place_at

_MAX_FOUND = 300
#: No package is written in more than this.
_MAX_LINE = 1_000
_ITEM = lazy_pattern(r"^([ \t]*)-[ \t]+(.*?)[ \t]*\r?$")
_PLAIN_ITEM = lazy_pattern(r"^[ ]{0,8}- (\S.{0,200})$", re.MULTILINE)
_WITH_BUILD = lazy_pattern(r"[\w.:/-]+=[\w.!+]+=[\w.]+")
#: Python alone brings more packages of conda than that.
_FEW = 5
_KEY = lazy_pattern(r"^([ \t]*)([A-Za-z_-]+):")
#: What conda calls a package that Python's registry calls otherwise.
_NAMES = {"pytorch": "torch", "pytorch-cpu": "torch", "pytorch-gpu": "torch"}
_SPEC = lazy_pattern(
    r"(?:[\w./-]+::)?([A-Za-z0-9._-]+?)[ \t]*(==|~=|=|>=|<=|!=|>|<)?[ \t]*([0-9][^ \t=]*)?"
    r"(?:[ \t]*=[ \t]*[\w.*+-]+|[ \t]+[\w.*+-]+)?"
)
_RANGE = lazy_pattern(
    r"(?:[\w./-]+::)?([A-Za-z0-9._-]+?)[ \t]*"
    r"((?:>=|<=|!=|~=|>|<|==)[ \t]*[0-9][\w.]*(?:[ \t]*,[ \t]*(?:>=|<=|!=|>|<)[ \t]*[0-9][\w.]*){1,8})"
)
#: `peft[version='>=0.17']`, as `conda env export --from-history` has it.
_BRACKETS = lazy_pattern(r"([^\[\]]+)\[[^\[\]]*?version=[\"']?([^\"'\[\]]+)[\"']?[^\[\]]*\]")


def package_of(name: str, *, conda: bool = True) -> str:
    """A package as Python's registry calls it."""
    plain = normalized(name)
    return _NAMES.get(plain, plain) if conda else plain


def is_export(text: str) -> bool:
    """Whether an environment is as `conda env export` writes it: every package with its build.

    Such a file lists all that is installed, also by pip.
    """
    items = _PLAIN_ITEM.findall(text.partition("dependencies:")[2])
    builds = [item for item in items if _WITH_BUILD.fullmatch(item)]
    by_conda = [item for item in items if "==" not in item and item != "pip:" and " @ " not in item]
    return len(builds) >= _FEW and len(builds) == len(by_conda)


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest, from conda and from the pip section, line by line."""
    found: list[Statement] = []
    by_pip: list[Statement] = []
    inside = False
    pip_indent: int | None = None
    offset = 0
    for raw in text.splitlines(keepends=True):
        start, offset = offset, offset + len(raw)
        line = re.sub(r"(^|[ \t])#.*", "", raw.rstrip("\r\n")) if len(raw) < _MAX_LINE else ""
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
            (found if pip_indent is None else by_pip).append(statement)
            if len(found) + len(by_pip) == _MAX_FOUND:
                break
    # pip works last: what it installs takes the place of what conda did.
    replaced = {one.package for one in by_pip if one.version}
    return [*(one for one in found if one.package not in replaced), *by_pip]


def _conda(content: str, path: str, text: str, start: int, end: int) -> Statement | None:
    """`pytorch=2.4.1`, `pytorch==2.4.1=py3.11_cuda12.1`, `python >=3.11`."""
    content = _BRACKETS.sub(r"\1 \2", content)
    several = _RANGE.fullmatch(content)
    if several is not None:
        package = package_of(several.group(1))
        spec = re.sub(r"[ \t]+", "", several.group(2))
        return (
            Statement(package, place_at(path, text, start, end), spec=spec)
            if package in WANTED
            else None
        )
    match = _SPEC.fullmatch(content)
    if match is None:
        return None
    name, operator, version = match.groups()
    package = package_of(name)
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
