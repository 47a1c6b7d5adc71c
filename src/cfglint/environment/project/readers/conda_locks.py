"""What conda, conda-lock and pixi write: `conda-lock.yml`, `pixi.lock`, lists of an environment.

All of these have one package per line or a block; they are read line by line, for the few that are of interest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.forks import fork_at
from cfglint.environment.project.readers.conda import package_of
from cfglint.environment.project.stated_versions import WANTED, Place, Statement, agreed

_MAX_FOUND = 500
#: The same before those of other platforms are left out.
_MAX_KEPT = 10 * _MAX_FOUND
_MAX_LINE = 2_000
#: So many characters are split into lines at once.
_WINDOW = 65_536
_FIELD = lazy_pattern(
    r"^(?:- |  )(conda|pypi|kind|name|version|platform|url|subdir): *(.*?)[ \r]*$"
)
_ENDINGS = (".conda", ".tar.bz2")
_SOURCES = (".tar.gz", ".zip")
_COMMIT = lazy_pattern(r"[#@]([0-9a-f]{40})\b")
#: `name=version=build`, as `conda list --export` has it.
_EXPORT = lazy_pattern(r"^([A-Za-z0-9_][\w.-]*)=([0-9][\w.!+]*)(?:=[\w.]+)?[ \t]*$")
#: A row of `conda list`.
_ROW = lazy_pattern(r"^([A-Za-z0-9_][\w.-]*) {1,60}([0-9][\w.!+]*)(?: {1,60}\S+){1,2} *$")
#: Platforms that these models are not trained on; their builds differ from those of Linux.
_ELSEWHERE = lazy_pattern(r"/(?:osx|win)-(?:64|32|arm64)/|-(?:macosx|win)_?\w*\.whl")


def is_list(text: str) -> bool:
    """Whether a text file is one of conda's lists rather than requirements for pip."""
    head = text[:400]
    return head.startswith(("# This file may be used to create", "# packages in environment")) or (
        "@EXPLICIT" in text[:2_000]
    )


def is_complete(text: str) -> bool:
    """Whether a file has what pip installed, too: a list of addresses has only what conda did."""
    return "@EXPLICIT" not in text[:2_000]


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest; one for each, what platforms disagree on is left open."""
    if path.lower().endswith((".yml", ".yaml", "pixi.lock")):
        return agreed(list(_blocks(path, text)))
    return agreed(list(_lines(path, text)))


def _lines(path: str, text: str) -> Iterator[Statement]:
    found = 0
    for number, line in enumerate(_lines_of(text), 1):
        if not line or line[0] in "#@" or len(line) > _MAX_LINE:
            continue
        if "://" in line:
            named = _named(line)
        else:
            match = _EXPORT.match(line) or _ROW.match(line)
            named = (match.group(1), match.group(2)) if match else None
        if named is None:
            continue
        package = package_of(named[0])
        if package in WANTED and found < _MAX_FOUND:
            found += 1
            start = line.rindex(named[0]) if "://" in line else 0
            place = Place(path, number, start + 1, len(named[0]))
            yield Statement(package, place, named[1])


def _blocks(path: str, text: str) -> Iterator[Statement]:
    """The items of the list `package:` (conda-lock) or `packages:` (pixi)."""
    found: list[tuple[str, Statement]] = []
    linux = False
    for fields, number in _items(text):
        platform = fields.get("platform")
        linux = linux or (platform or "").startswith("linux")
        statement = _block(fields, Place(path, number))
        if statement is not None and len(found) < _MAX_KEPT:
            found.append(("linux" if platform is None else platform, statement))
    of_linux = (one for platform, one in found if not linux or platform.startswith("linux"))
    yield from islice(of_linux, _MAX_FOUND)


def _items(text: str) -> Iterator[tuple[dict[str, str], int]]:
    """(fields, number of its first line) of each item; one at a time, as a file may have 100,000."""
    inside = False
    item: tuple[dict[str, str], int] | None = None
    for number, line in enumerate(_lines_of(text), 1):
        first = line[:1]
        if first not in (" ", "-", "#", ""):
            inside = line.rstrip() in ("package:", "packages:")
            continue
        if not inside or len(line) > _MAX_LINE or line.startswith("   "):
            continue
        if first == "-":
            if item is not None:
                yield item
            item = {}, number
        match = _FIELD.match(line)
        if match is not None and item is not None:
            item[0].setdefault(match.group(1), match.group(2).strip("'\""))
    if item is not None:
        yield item


def _lines_of(text: str) -> Iterator[str]:
    """What `splitlines` gives, without a list of all lines of a large file."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _WINDOW) + 1 or len(text)
        yield from text[start:end].splitlines()
        start = end


def _block(fields: dict[str, str], place: Place) -> Statement | None:
    address = fields.get("conda") or fields.get("pypi") or fields.get("url") or ""
    address = re.sub("%2b", "+", address, flags=re.IGNORECASE)
    if _ELSEWHERE.search(address) or fields.get("subdir", "").startswith(("osx", "win")):
        return None
    from_registry = "pypi" in fields or fields.get("kind") == "pypi"
    name, version = fields.get("name"), fields.get("version")
    git = address.startswith("git+")
    if name is None:
        if git:
            name = _basename(address).removesuffix(".git")
        else:
            named = _distributed(address) if from_registry else _named(address)
            if named is None:
                return None
            name, version = named[0], version or named[1]
    package = package_of(name, conda=not from_registry)
    if package not in WANTED:
        return None
    commit = _COMMIT.search(address) if git else None
    file = _basename(address)
    return Statement(
        package,
        place,
        version or None,
        commit=commit.group(1) if commit else None,
        written=address if git else file if file.endswith(".whl") else "",
        fork=fork_at(address, package) if git else "",
    )


def _basename(address: str) -> str:
    """The last part of an address, without what follows it."""
    whole = re.sub("://[^/@]*@", "://", address)
    return re.split("[@?#]", whole, maxsplit=1)[0].rstrip("/").rpartition("/")[2].strip()


def _named(address: str) -> tuple[str, str] | None:
    """(name, version) of `…/pytorch-2.6.0-cuda126_py311_300.conda#hash`."""
    file = _basename(address)
    parts = file.rsplit("-", 2)
    if len(parts) < 3 or not file.endswith(_ENDINGS) or not parts[1][:1].isdigit():
        return None
    return parts[0], parts[1]


def _distributed(address: str) -> tuple[str, str] | None:
    """(name, version) of a wheel or an archive of sources."""
    file = _basename(address)
    if file.endswith(".whl"):
        name, _, rest = file.partition("-")
        version = rest.partition("-")[0]
    elif file.endswith(_SOURCES):
        name, _, rest = file.rpartition("-")
        version = next(rest.removesuffix(end) for end in _SOURCES if rest.endswith(end))
    else:
        return None
    return (name, version) if name and version[:1].isdigit() else None
