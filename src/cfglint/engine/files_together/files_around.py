"""The files around a config with the same settings, which are changed along with it by a migration.

An option of a launch line and a key of a sweep file are written like keys of the config, so each
is migrated like a config that has this one key; only other names are taken over. The versions in
`requirements.txt` follow on demand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain

from cfglint.base.logic import UNKNOWN
from cfglint.base.paths import relative_path
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.diagnostic import Edit
from cfglint.engine.case import Case
from cfglint.engine.migration.one_text import migrate
from cfglint.engine.sweeps.formats import format_of, sweep_option
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.fixes.actions import Action, RenameKey, SetValue
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.knowledge.releases.beside import newest_beside
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import known_releases
from cfglint.runs.settings.sweeps import Choice, Swept
from cfglint.source.document import Document, Path
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText
from cfglint.source.values import to_python

#: The rules whose steps give a key its name in another release, and nothing else.
_NAMES = frozenset({"KEY005", "MIG002", "MIG003"})
_MAX_CHOICES = 100


class Around(Record):
    """What a migration changes in another file."""

    path: str
    original: SourceText
    edits: tuple[Edit, ...]
    #: What becomes of it, a clause for each change.
    changes: tuple[str, ...]
    #: Why it was not written, although that was asked for.
    not_written: str | None = None

    @property
    def fixed_source(self) -> SourceText | None:
        """The text with the changes."""
        return self.original.replaced(apply_edits(self.original.text, sorted(self.edits)))


def files_around(
    document: Document, case: Case, source: Environment, *, pin: bool
) -> Iterator[Around]:
    """The changes to other files that go with a config's way to a release.

    Args:
        document: the config as it was.
        case: what it is after, with the release that it goes to.
        source: the release that it was written for.
        pin: whether the version that the project requires moves along, too.
    """
    yield from _launch_files(document, case, source)
    yield from _sweep_files(case)
    if pin:
        yield from _requirements(case)


def together(changes: list[Around]) -> list[Around]:
    """One change for each file, when several configs share it."""
    merged: dict[str, Around] = {}
    for one in changes:
        known = merged.get(one.path)
        if known is not None:
            edits = tuple(dict.fromkeys((*known.edits, *one.edits)))
            both = tuple(dict.fromkeys((*known.changes, *one.changes)))
            one = known.replaced(edits=edits, changes=both)
        merged[one.path] = one
    return list(merged.values())


def _launch_files(document: Document, case: Case, source: Environment) -> Iterator[Around]:
    framework, around = case.framework, case.around
    project = around.project
    if project is None:
        return
    for line in around.launches:
        text = project.text(line.path)
        for option in framework.launching.overrides(line, document, source.release):
            if len(option.path) != 1 or option.value is UNKNOWN:
                continue
            new = _renamed(str(option.path[0]), option.value, case)
            if new is None:
                continue
            words = framework.launching.option(line, *new, case.target.release)
            if words is None:
                continue
            edit = Edit(option.start, option.end, words)
            change = f"`{text[option.start : option.end]}` becomes `{words}`"
            yield from _around(line.path, text, (edit,), change, around)


def _sweep_files(case: Case) -> Iterator[Around]:
    framework, around = case.framework, case.around
    project, sweeps = around.project, format_of(framework)
    if project is None or sweeps is None:
        return
    for line in around.launches:
        named = line.option(sweep_option(framework))
        read = None
        if named is not None and not named.open and around.folder is not None:
            read = project.named(named.text, around.folder)
        if read is None:
            continue
        path, text = read
        try:
            sweep = framework.language.read(SourceText(text))
        except SourceError:
            continue
        for actions, change in _of_sweep(sweeps.dimensions(sweep.root), case):
            planned = plan(sweep, actions)
            if not planned.refused:
                yield from _around(path, text, tuple(planned.edits), change, around)


def _of_sweep(
    dimensions: list[list[Choice]], case: Case
) -> Iterator[tuple[tuple[Action, ...], str]]:
    keys: dict[Path, list[Swept]] = {}
    for swept in chain.from_iterable(chain.from_iterable(dimensions)):
        is_item = isinstance(swept.path[-1], int)
        keys.setdefault(swept.path[:-1] if is_item else swept.path, []).append(swept)
    for key, values in keys.items():
        choices = [to_python(one.value) for one in values]
        yield from _of_key(key, choices, [one.path for one in values], case)


def _of_key(
    key: Path, choices: list[Any], places: list[Path], case: Case
) -> Iterator[tuple[tuple[Action, ...], str]]:
    """The change of one key of a sweep: all its choices have to go under the same name."""
    old = str(key[-1])
    found = [_renamed(old, choice, case) for choice in choices[:_MAX_CHOICES]]
    known = [new for new in found if new is not None]
    if not known or len(known) < len(choices) or len({name for name, _ in known}) > 1:
        return
    new = known[0][0]
    # The name comes last: until then the places are those of the older one.
    values = [
        SetValue(place, value)
        for place, choice, (_, value) in zip(places, choices, known, strict=True)
        if value != choice
    ]
    if values and places == [key]:
        return
    yield (*values, RenameKey(key, new)), f"`{old}` becomes `{new}`"


def _renamed(key: str, value: Any, case: Case) -> tuple[str, Any] | None:
    """A setting as the target has it; None when it stays, or is more than another name there."""
    try:
        text = SourceText(f"{json.dumps(key)}: {json.dumps(value)}\n")
    except TypeError:
        return None
    migration = migrate(text, case.framework, case.target, unsafe=False)
    if not migration.steps or any(step.code not in _NAMES for step in migration.steps):
        return None
    after = to_python(case.framework.language.read(migration.result).root)
    if not isinstance(after, dict) or len(after) != 1:
        return None
    ((name, new),) = after.items()
    return (str(name), new) if not isinstance(new, dict) else None


def _requirements(case: Case) -> Iterator[Around]:
    """The exact versions in the requirements files that count for the config.

    Those of the packages that it goes to change, and those that a release of these does not admit.
    """
    package, target = case.framework.releases.package, case.target
    given = {name: pin.version for name, pin in target.pins.items() if not pin.in_project}
    releases = {name: version for name, version in given.items() if version is not None}
    if not case.framework.row["of_sections"]:
        releases[package] = target.release
    waiting, why = list(releases), dict.fromkeys(releases, "")
    while waiting:
        name = waiting.pop(0)
        more, against = [], []
        for other, spec, version in _not_admitted(case, name, releases):
            because = f"because {name} {releases[name]} asks for {other}{spec}"
            release = _admitted(other, spec, releases, target.as_of)
            if release is None:
                against.append(f"; `{other}=={version}` has to change as well, {because}")
                continue
            more.append(other)
            releases[other], why[other] = release, f", {because}"
        waiting += more
        for source, version in _required(case, name):
            change = f"`{name}=={version}` becomes `{name}=={releases[name]}`{why[name]}"
            yield from _pinned(case, source, name, releases[name], change + "".join(against))


def _pinned(case: Case, path: str, package: str, release: str, change: str) -> Iterator[Around]:
    project = case.around.project
    text = project.text(path) if project is not None else ""
    edits = tuple(
        Edit(match.start(1), match.end(1), release)
        for match in _pin(package).finditer(text)
        if match.group(1) != release
    )
    if edits:
        yield from _around(path, text, edits, change, case.around)


def _required(case: Case, package: str) -> Iterator[tuple[str, str]]:
    """Path and version where a requirements file that counts for the config asks for one version of a package."""
    project = case.around.project
    used = project.statements.get(package) if project is not None else None
    if project is None or used is None:
        return
    nearest = [one.distance for one in project.sources if used in one.statements]
    for source in project.sources:
        stated = source.of(package) if source.kind == "requirements" else None
        if stated is None or not stated.version or source.distance not in nearest[:1]:
            continue
        if stated.version == used.version:
            yield stated.place.path, stated.version


def _not_admitted(
    case: Case, package: str, releases: dict[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Package, what a release asks for and what the project has, where it does not go with that release."""
    known, project = known_releases(package), case.around.project
    if known is None or project is None:
        return
    for name, spec in known.pins.get(releases[package], {}).items():
        stated = project.statements.get(name)
        version = stated.version if stated is not None else None
        if name not in releases and version and not within(version, spec):
            yield name, spec, version


def _admitted(package: str, spec: str, releases: dict[str, str], as_of: str | None) -> str | None:
    """The newest release of a package that goes with others; None if its releases are not known."""
    found = newest_beside((package,), releases, as_of).get(package)
    return found if found is not None and within(found, spec) else None


def _around(
    path: str, text: str, edits: tuple[Edit, ...], change: str, around: Surroundings
) -> Iterator[Around]:
    """The change of another file; nothing if the file has changed since the project was read.

    Args:
        change: what it does, for the report.
    """
    try:
        original = SourceText.from_bytes(around.files.read(path, MAX_BYTES + 1))
    except (OSError, SourceError):
        return
    if original.text != text:
        return
    relative = relative_path(path)
    yield Around(path if relative.startswith("..") else relative, original, edits, (change,))


def _pin(package: str) -> re.Pattern[str]:
    """A line with one exact version; hashes belong to a version and cannot move along."""
    return re.compile(
        rf"(?mi)^[ \t]*{re.escape(package)}(?:\[[\w\-, \t]*\])?[ \t]*==[ \t]*([\w.+!-]+)[ \t]*(?:;.*|\#.*)?\r?$"
    )
