"""Errors of imports between packages of different times: which releases lack the name, and which import it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cfglint.answers.logs.callers import INSTALLED
from cfglint.answers.logs.failures import Failure
from cfglint.base.record import Record
from cfglint.knowledge.releases.names import has_names, successor
from cfglint.knowledge.releases.names import names_of as imported_names
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.together import (
    Importer,
    Name,
    names_of,
    package_of,
    releases_read,
)

#: As many packages that import a name are listed.
_MOST = 4
_NAME = re.compile(r"cannot import name '(?P<name>\w{1,100})' from '(?P<module>[\w.]{1,200})'")
_MODULE = re.compile(r"No module named '(?P<module>[A-Za-z_]\w{0,60}\.[\w.]{1,200})'")


class LackedName(Record):
    """A name that an installed release does not have though another package imports it."""

    name: Name
    #: The package that imports it; empty where the frames do not tell.
    by: str


def lacked_name(failure: Failure) -> LackedName | None:
    """The name that the import of a failure did not find, if its releases are known."""
    found = _NAME.search(failure.text)
    if found is not None:
        root, _, inner = found["module"].partition(".")
        wanted = f"{inner}.{found['name']}" if inner else found["name"]
        name = names_of(package_of(root)).get(wanted) or _of_programs(package_of(root), wanted)
    else:
        missing = _MODULE.search(failure.text)
        if missing is None:
            return None
        root, _, inner = missing["module"].partition(".")
        package = package_of(root)
        name = _below(names_of(package), inner) or _of_programs(package, inner)
    return None if name is None else LackedName(name, _importing(failure, root))


def _of_programs(package: str, wanted: str) -> Name | None:
    """A name that no package is known to import from another one, but programs do."""
    spans = imported_names(package) if has_names(package) else {}
    # A module may have had a name from elsewhere before it lists it itself.
    came, gone = spans.get(wanted, (None, None))
    came = None if "." in wanted else came
    return Name(package, wanted, came, gone, ()) if came or gone else None


def _below(names: Mapping[str, Name], module: str) -> Name | None:
    """A name of a module that is not there: it came and went with it."""
    for name in names.values():
        if name.name == module or name.name.startswith(f"{module}."):
            return name
    return None


def _importing(failure: Failure, root: str) -> str:
    """The package whose file has the import, by the innermost frame of another package."""
    for file, _, _ in reversed(failure.frames):
        installed = INSTALLED.search(file)
        if installed is not None and installed["package"] != root:
            return package_of(installed["package"])
    return ""


def account(lacked: LackedName, versions: Mapping[str, str]) -> str:
    """Which releases lack the name, which import it, and what to install.

    Args:
        versions: those that the log states.
    """
    name = lacked.name
    ends = []
    if name.came is not None:
        ends.append(f"came with {name.came}")
    if name.gone is not None:
        ends.append(f"is no longer there from {name.gone} on")
    parts = [f"`{name.module}.{name.last_part}` of {name.package} {' and '.join(ends)}."]
    importers = [one for one in name.importers if not lacked.by or one.package == lacked.by]
    if importers:
        parts.append(f"It is imported by {_listed(importers)}.")
    remark = "" if lacked.by else successor(name.package, name.name)
    parts.append(remark)
    remedy = _remedy(name, importers, versions)
    parts.append(
        f"Or install {remedy}." if remark and remedy else f"Install {remedy}." if remedy else ""
    )
    return " ".join(filter(None, parts))


def _listed(importers: Sequence[Importer]) -> str:
    spans: dict[str, list[str]] = {}
    for one in importers:
        span = one.first if one.first == one.last else f"{one.first} to {one.last}"
        known = spans.setdefault(one.package, [])
        if span not in known:
            known.append(span)
    shown = [f"{package} {', '.join(own[:2])}" for package, own in list(spans.items())[:_MOST]]
    more = len(spans) - _MOST
    return ", ".join(shown) + (f" and {more} more packages" if more > 0 else "")


def _remedy(name: Name, importers: Sequence[Importer], versions: Mapping[str, str]) -> str:
    """What to install: another release of the one package or of the other."""
    own = versions.get(name.package)
    ways = []
    is_gone = name.gone is not None and (own is None or within(own, f">={name.gone}"))
    packages = list(dict.fromkeys(one.package for one in importers))
    if is_gone and len(packages) == 1:
        after = _after(packages[0], importers)
        ways += [f"{packages[0]} {after} or newer"] if after else []
    if is_gone:
        ways.append(f"{name.package} below {name.gone}")
    if not is_gone and name.came is not None and (own is None or within(own, f"<{name.came}")):
        ways.append(f"{name.package} {name.came} or newer")
    return ", or ".join(ways)


def _after(package: str, importers: Sequence[Importer]) -> str | None:
    """The first release of a package after all that import the name."""
    known = releases_read(package)
    last = max(known.index(one.last) for one in importers)
    return known[last + 1] if last + 1 < len(known) else None
