"""Packages that are installed by hand along with Axolotl, and have to go with its release or with each other.

These findings are in the file that states the package. Imported only when a project states something.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.elsewhere import hit_at
from cfglint.environment.project.stated_versions import Statement
from cfglint.frameworks.axolotl.checks.environment import FRAMEWORK
from cfglint.source.values import to_python

CCE = "cut-cross-entropy"
_FORK = "axolotl-ai-cloud/ml-cross-entropy"
_UPSTREAM = "apple/ml-cross-entropy"
#: From this release on the plugin is switched on by being listed.
_ON_SINCE = "0.9.0"
#: What the script of a release installs, from `scripts/cutcrossentropy_install.py` or the plugin's own words.
_WANTED = {
    "0.11.0": "865b899", "0.11.0.post1": "865b899", "0.12.0": "0ee9ee8", "0.12.1": "0ee9ee8",
    "0.12.2": "0ee9ee8", "0.13.0": "8a1a0ec", "0.13.1": "318b7e2", "0.13.2": "318b7e2",
    "0.14.0": "f4b5712", "0.15.0": "e8ad129", "0.16.0": "63b15e6", "0.16.1": "63b15e6",
    "0.17.0": "fec1a88", "0.18.0": "5f0c7a7", "0.19.0": "4dfa522", "0.20.0": "v0.1.0-rc0",
    "0.21.0": "v0.1.1",
}  # fmt: skip
_REFERENCE = lazy_pattern(r"(?:[@?&](?:rev=|tag=|branch=)?)([\w.-]+)(?=$|[#&?])")
#: numba -> the newest numpy (its first two numbers) that it agrees to be imported with.
_NUMPY_OF = (
    ("0.67", (2, 5)), ("0.64", (2, 4)), ("0.62", (2, 3)), ("0.61.1", (2, 2)), ("0.61", (2, 1)),
    ("0.60", (2, 0)), ("0.58.1", (1, 26)), ("0.58", (1, 25)), ("0.57", (1, 24)),
)  # fmt: skip
#: What is newer than the table is not judged.
_KNOWN_BELOW = (0, 68)


def source_of_cce(ctx: CheckContext) -> Iterator[Hit]:
    """Cut Cross Entropy from another place than Axolotl's fork of it."""
    if not _uses_cce(ctx):
        return
    project = ctx.project
    for source in project.sources:
        statement = source.of(CCE)
        if statement is None or _FORK in statement.written:
            continue
        if _UPSTREAM in statement.written:
            origin = "its authors' repository"
        elif not statement.written and statement.commit is None:
            origin = "the package index"
        else:
            continue  # a fork, or a wheel
        own = source.of(FRAMEWORK)
        release = own.version if own is not None and own.version in _WANTED else ctx.target.release
        if release in _WANTED:
            params = {"origin": origin, "release": release, "wanted": _WANTED[release]}
            yield hit_at(project, statement.place, params)


def commit_of_cce(ctx: CheckContext) -> Iterator[Hit]:
    """The fork as another release of Axolotl has it installed."""
    if not _uses_cce(ctx):
        return
    project = ctx.project
    release = ctx.target.release
    if release not in _WANTED or ctx.target.assumed or ctx.target.placed:
        return
    for source in project.sources:
        statement = source.of(CCE)
        if statement is None or _FORK not in statement.written:
            continue
        found = _reference(statement)
        others = [other for other, wanted in _WANTED.items() if _same(found, wanted)]
        if others and release not in others:
            params = {"other": others[-1], "release": release, "wanted": _WANTED[release]}
            yield hit_at(project, statement.place, params)


def cce_not_locked(ctx: CheckContext) -> Iterator[Hit]:
    """A complete list of packages without Cut Cross Entropy."""
    project = ctx.project
    source = project.chosen
    if source is None or not source.complete or source.mentions(CCE) or not _uses_cce(ctx):
        return
    own = source.of(FRAMEWORK)
    if own is not None:
        yield hit_at(project, own.place, {"file": source.name})


def numba_and_numpy(ctx: CheckContext) -> Iterator[Hit]:
    """A numpy that is too new for the installed numba."""
    project = ctx.project
    for source in project.sources:
        numba, numpy = source.of("numba"), source.of("numpy")
        if numba is None or numpy is None or numba.version is None or numpy.version is None:
            continue
        newest = _newest_numpy(numba.version)
        own = _numbers(numpy.version)[:2]
        if newest is not None and len(own) == 2 and own > newest:
            params = {
                "numpy": numpy.version,
                "numba": numba.version,
                "newest": ".".join(map(str, newest)),
                "where": project.name(numba.place),
            }
            yield hit_at(project, numpy.place, params)


def _newest_numpy(numba: str) -> tuple[int, int] | None:
    own = _numbers(numba)
    if not own or own[:2] >= _KNOWN_BELOW:
        return None
    return next((newest for first, newest in _NUMPY_OF if own >= _numbers(first)), None)


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version; none when there is more to it than numbers."""
    parts = version.partition("+")[0].split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()


def _uses_cce(ctx: CheckContext) -> bool:
    """Whether the plugin is listed, and not switched off again."""
    if "CutCrossEntropyPlugin" not in ctx.plugins:
        return False
    node = ctx.document.node(("cut_cross_entropy",))
    value: Any = None if node is None else to_python(node)
    return value is True or (node is None and ctx.since(_ON_SINCE))


def _reference(statement: Statement) -> str:
    """The tag or commit that is asked for."""
    if statement.commit:
        asked = _REFERENCE.search(statement.written)
        # A lock file has the commit of a tag; what was asked for says more.
        return asked.group(1) if asked and asked.group(1).startswith("v") else statement.commit
    asked = _REFERENCE.search(statement.written)
    return asked.group(1) if asked else f"v{statement.version}" if statement.version else ""


def _same(found: str, wanted: str) -> bool:
    if wanted.startswith("v"):
        return found == wanted
    return len(found) >= len(wanted) and found.startswith(wanted)


CHECKS = {
    "companion-cce-commit": commit_of_cce,
    "companion-cce-missing": cce_not_locked,
    "companion-cce-source": source_of_cce,
    "companion-numba-numpy": numba_and_numpy,
}
