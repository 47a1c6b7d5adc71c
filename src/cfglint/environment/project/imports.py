"""What the programs of a project import by name: it tells between when and when a package's release is.

Only plain imports at the margin count: one in a `try`, or under a condition, may fail.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.environment.pins import Pin
from cfglint.environment.project.stated_versions import Place, place_at
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.names import names_of
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import releases_of
from cfglint.source.files.base import Files
from cfglint.source.files.retired import is_of_others, is_retired

_MAX_FILES = 400
_MAX_FOLDERS = 200
_MAX_DEPTH = 5
_MAX_BYTES = 300_000
_IMPORT = lazy_pattern(
    r"(?m)^from[ \t]+([A-Za-z_]\w*)((?:\.\w+){0,8})[ \t]+import[ \t]+"
    r"(?:\(([^()]{1,5000})\)|([^\n(\\]{1,2000}))"
)
_NAME = lazy_pattern(r"\b([A-Za-z_]\w*)(?:[ \t]+as[ \t]+\w+)?[ \t]*(?:,|\s|$)")
_COMMENT = lazy_pattern(r"#[^\n]*")
#: A line of a cell, as a notebook has it.
_OF_CELL = lazy_pattern(r'(?m)^[ \t]*"((?:[^"\\\n]|\\[^n\n]){0,2000})(?:\\n)?",?[ \t]*$')
#: Folders of what is installed or made, not written.
_OF_OTHERS = frozenset({"build", "dist", "env", "node_modules", "site-packages", "venv"})


class Imported(Record):
    """A name that a program imports from a package."""

    package: str
    name: str
    place: Place


class Bounds(Record):
    """The releases that the imports of a project leave open, as a range (PEP 440)."""

    spec: str
    #: The import that sets the upper bound, else the lower one.
    by: Imported


@lru_cache(maxsize=1)
def dated_packages() -> frozenset[str]:
    """The packages whose names tell a release."""
    rows = compiled.load("dated_packages").PACKAGES.values()
    return frozenset(package for row in rows for package in row)


def imports_below(root: str, files: Files, *, deep: bool) -> list[Imported]:
    """The telling imports of the programs in a folder.

    Args:
        deep: look through the folders in it, too.
    """
    found: list[Imported] = []
    vendored: set[str] = set()
    for path in _programs(root, files, vendored, deep=deep):
        try:
            state = files.state(path)
            if state is None or state.kind != "file" or state.size > _MAX_BYTES:
                continue
            text = files.read(path, _MAX_BYTES).decode("utf-8", "replace")
        except OSError:
            continue
        if path.endswith(".ipynb"):
            text = _OF_CELL.sub(r"\1", text)
        found += read(path, text)
    # The release of a copy in the project is not that of a package that is installed.
    return [one for one in found if one.package not in vendored]


def read(path: str, text: str) -> Iterator[Imported]:
    """The telling names that a program imports."""
    packages = [package for package in dated_packages() if f"from {package}" in text]
    if not packages:
        return
    for match in _IMPORT.finditer(text):
        if match[1] not in packages:
            continue
        known, module = names_of(match[1]), match[2][1:]
        group = 3 if match[3] is not None else 4
        listed = _COMMENT.sub(lambda one: " " * len(one[0]), match[group])
        for name in _NAME.finditer(listed):
            telling = _telling(f"{module}.{name[1]}" if module else name[1], known)
            if telling is not None:
                start = match.start(group) + name.start(1)
                place = place_at(path, text, start, start + len(name[1]))
                yield Imported(match[1], telling, place)


def _telling(name: str, known: Mapping[str, tuple[str | None, str | None]]) -> str | None:
    """A name if not all releases have it, else that of the module that it is in."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name or None


def dated(
    framework: str,
    pins: Mapping[str, Pin],
    found: list[Imported],
    folder: str,
    name: Callable[[Place], str],
) -> dict[str, Pin]:
    """The packages whose releases imports bound, where no file states them exactly.

    Args:
        pins: what the files of the project state.
        folder: that of the configs.
        name: a place as reports call it.
    """
    out: dict[str, Pin] = {}
    for package in compiled.load("dated_packages").PACKAGES.get(framework, ()):
        known = pins.get(package)
        if known is not None and (known.version or known.commit or known.between or known.fork):
            continue
        versions = releases_of(package).versions
        spec = None if known is None else known.spec
        among = tuple(v for v in versions if spec is None or within(v, spec))
        bound = bounds(package, found, among, folder)
        if bound is None:
            continue
        if spec and all(within(version, bound.spec) for version in among):
            continue  # what a file states says as much, and says it better
        both = _narrowed(spec, bound.spec) if spec else bound.spec
        origin = f"{name(bound.by.place)}, which imports {bound.by.name}"
        pin = Pin(None, None, origin, both, inferred=not spec, in_project=True)
        out[package] = pin.replaced(dated="<" in bound.spec, path=bound.by.place.path)
    return out


def _narrowed(spec: str, bound: str) -> str:
    """A range with the bounds of another one, and without those that these make needless."""
    added = bound.split(",")
    kept = [one for one in spec.split(",") if not any(_needless(one, beside) for beside in added)]
    return ",".join([*kept, *added])


def _needless(part: str, beside: str) -> bool:
    """Whether `>=1.0` says nothing beside `>=1.1`, or `<2` beside `<1.9`."""
    sign = ">=" if beside.startswith(">=") else "<"
    if not part.startswith(sign) or part.startswith("<="):
        return False
    inner, outer = beside.removeprefix(sign), part.removeprefix(sign).strip()
    if not re.fullmatch(r"\d+(?:\.\d+)*", outer):
        return False
    return within(inner, f"{'>=' if sign == '>=' else '<='}{outer}")


def bounds(
    package: str, found: list[Imported], among: tuple[str, ...], folder: str
) -> Bounds | None:
    """Between when and when a release is that has all names; None when nothing bounds it.

    If no release has all of them, the programs are of several times: those of the folder itself count, and
    None if they are, too.

    Args:
        among: the releases in question, the oldest first.
    """
    own = [one for one in found if one.package == package]
    beside = [one for one in own if os.path.dirname(one.place.path) == folder]
    return _bounds(package, own, among) or _bounds(package, beside, among)


def _bounds(package: str, found: list[Imported], among: tuple[str, ...]) -> Bounds | None:
    if not found:
        return None  # the table of names is the largest that a check may load
    names, versions = names_of(package), releases_of(package).versions
    first = [(versions.index(a), one) for one in found if (a := names[one.name][0]) in versions]
    gone = [(versions.index(z), one) for one in found if (z := names[one.name][1]) in versions]
    if not first and not gone:
        return None
    low = max(first, key=lambda row: row[0], default=None)
    high = min(gone, key=lambda row: row[0], default=None)
    parts = [f">={versions[low[0]]}"] if low is not None else []
    parts += [f"<{versions[high[0]]}"] if high is not None else []
    spec = ",".join(parts)
    if not any(within(version, spec) for version in among):
        return None
    by = high or low
    assert by is not None
    return Bounds(spec, by[1])


def _programs(root: str, files: Files, vendored: set[str], *, deep: bool) -> Iterator[str]:
    folders, seen, number = [(root, 0, False)], 0, 0
    while folders and seen < _MAX_FOLDERS:
        folder, depth, is_others = folders.pop(0)
        seen += 1
        try:
            names = sorted(files.names(folder))
        except OSError:
            continue
        if "__init__.py" in names and os.path.basename(folder) in dated_packages():
            vendored.add(os.path.basename(folder))
            continue
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith((".py", ".ipynb")):
                if is_others or _is_source_of_model(name, names):
                    continue
                number += 1
                if number > _MAX_FILES:
                    return
                yield path
            elif deep and depth < _MAX_DEPTH and _is_searched(name):
                state = files.state(path)
                if state is not None and state.kind == "folder":
                    folders.append((path, depth + 1, is_others or is_of_others(name)))


def _is_source_of_model(name: str, beside: list[str]) -> bool:
    """Whether a file is what transformers writes a model from, which is beside it: no run imports it."""
    start, _, model = name.partition("_")
    return start == "modular" and f"modeling_{model}" in beside


def _is_searched(folder: str) -> bool:
    """Whether a folder of this name may have programs that the project runs."""
    return "." not in folder and folder not in _OF_OTHERS and not is_retired(folder)
