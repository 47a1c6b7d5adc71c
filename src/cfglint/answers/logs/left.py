"""The releases that a log leaves: by the files of its frames, and by the arguments that the run refused."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from cfglint.answers.logs.lines import LogLine
from cfglint.answers.logs.refused import RefusedKey
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.classes import known_classes
from cfglint.knowledge.marks import marks_of
from cfglint.knowledge.releases.names import has_names, names_of, packages_beside
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import known_releases
from cfglint.roles.framework import Framework, frameworks, load_framework

#: So many files of packages that lines name are looked at.
_MAX_FILES = 2_000
_INSTALLED = re.compile(
    r"(?:site|dist)-packages[/\\](?P<package>\w{1,60})[/\\](?P<path>[\w/\\.-]{1,300})"
)


def releases_left(
    lines: Iterable[LogLine],
    refused: Iterable[tuple[RefusedKey, Collection[str]]],
    known: Collection[str],
) -> dict[str, tuple[str, ...]]:
    """Package -> the releases that may have run, of those where a log rules out others.

    Args:
        refused: arguments that the run refused, each with the frameworks that may have done so.
        known: packages whose version is stated.
    """
    left: dict[str, set[str]] = {}
    for package, fitting in (*_by_files(lines), *_by_refusals(refused)):
        if package in known or not fitting:
            continue
        remaining = left.get(package, fitting) & fitting
        # What contradicts the rest is of a fork, or of a copy with changes.
        left[package] = remaining or left[package]
    out = {}
    for package, remaining in left.items():
        versions = _versions(package)
        if len(remaining) < len(versions):
            out[package] = tuple(one for one in versions if one in remaining)
    return out


def spec_of(package: str, left: tuple[str, ...]) -> str:
    """Some releases of a package as a range, which has those before the first known one, and those after the last, too."""
    versions = _versions(package)
    parts = [f">={left[0]}"] if left[0] != versions[0] else []
    if left[-1] != versions[-1]:
        parts.append(f"<{versions[versions.index(left[-1]) + 1]}")
    return ",".join(parts)


def _versions(package: str) -> tuple[str, ...]:
    releases = known_releases(package)
    return () if releases is None else releases.versions


def _by_files(lines: Iterable[LogLine]) -> Iterator[tuple[str, set[str]]]:
    """The releases that have the modules of the files which lines name, of the packages that frameworks are."""
    modules = _modules()
    found = {
        (match["package"], match["path"].replace("\\", "/"))
        for line in lines
        if "-packages" in line.text
        for match in _INSTALLED.finditer(line.text)
        if match["package"] in modules
    }
    for module, path in sorted(found)[:_MAX_FILES]:
        package = modules[module]
        if not has_names(package):
            continue
        spans = names_of(package)
        name = ""
        for part in path.removesuffix(".py").split("/"):
            name = f"{name}.{part}" if name else part
            came, gone = spans.get(name, (None, None))
            if gone is not None:
                yield package, _between(package, came, gone)


def _modules() -> dict[str, str]:
    """Module -> package, of the packages that frameworks are."""
    packages = {load_framework(one).packages[0] for one in frameworks()}
    found = {name: package for name, package in packages_beside().items() if package in packages}
    return {one: one for one in packages} | found


def _between(package: str, came: str | None, gone: str | None) -> set[str]:
    parts = [f">={came}"] if came else []
    parts += [f"<{gone}"] if gone else []
    spec = ",".join(parts)
    return {one for one in _versions(package) if not spec or within(one, spec)}


def _by_refusals(
    refused: Iterable[tuple[RefusedKey, Collection[str]]],
) -> Iterator[tuple[str, set[str]]]:
    """The releases that do not take the arguments which a run refused."""
    for key, names in refused:
        for tables in _tables(key, names):
            taken = [_taking(one, key) for one in tables]
            if not taken or None in taken:
                continue
            package = taken[0][0] if taken[0] else ""
            if any(one is None or one[0] != package for one in taken):
                continue
            by_all = set.intersection(*(one[1] for one in taken if one is not None))
            yield package, set(_versions(package)) - by_all


def _tables(key: RefusedKey, names: Collection[str]) -> Iterator[list[Framework]]:
    """The tables one of which refused an argument: of a class, or of each command that trains."""
    if key.by:
        for name in sorted(frameworks()):
            for full in known_classes(name):
                if full.rpartition(".")[2] == key.by:
                    yield [variant(load_framework(name), kind=full)]
        return
    for name in names:
        framework = load_framework(name)
        starter = marks_of(name).starter
        kinds = framework.row["kinds"]
        trains = [one for one in kinds if starter is not None and one in starter.trains]
        # Which command it was is not known: what one of them lacks says nothing of the others.
        if trains or not kinds or starter is not None:
            yield [variant(framework, kind=one) for one in trains] or [framework]


def _taking(framework: Framework, key: RefusedKey) -> tuple[str, set[str]] | None:
    """The package that decides on an argument, and its releases that take it; None where nothing is known of it."""
    info = framework.keys.info(key.section, key.name)
    if info is None or framework.key_policy.removed_below(key.name) is not None:
        return None
    package, since = _split(info.since, framework)
    remover, removed = _split(info.removed or "", framework)
    if removed and remover != package:
        return None
    return package, {
        one
        for one in _between(package, since, removed or None)
        if not framework.keys.is_absent(key.section, key.name, one)
    }


def _split(release: str, framework: Framework) -> tuple[str, str]:
    package, _, version = release.rpartition(" ")
    return package or framework.packages[0], version
