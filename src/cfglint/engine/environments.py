"""The target of each file: options, then settings, then the project around it."""

from __future__ import annotations

import os

from cfglint.base.record import Record
from cfglint.engine.settings.nearest import Settings
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Fact, Pin, TargetError
from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.unlisted import Unlisted
from cfglint.roles.framework import Framework
from cfglint.source.files.base import Files
from cfglint.source.files.inside import of_project

#: What `--target` takes besides versions: the packages of the Python environment that is in use.
INSTALLED = "installed"

#: Where a range is known from that no file states.
_BY_THE_LOG = "the log"

#: What follows from the same statements as the number of GPUs.
_COUNTED = ("env.processes", "env.gpus")


class Stated(Record):
    """The versions and the hardware that one place states."""

    pins: dict[str, Pin]
    facts: dict[str, Fact]


class Environments:
    """The environments of a run for one framework; files of one folder mostly share one."""

    def __init__(
        self,
        framework: Framework,
        *,
        pins: tuple[str, ...],
        gpus: int | None,
        gpu: str | None,
        projects: Projects | None,
        memory: Memory,
        files: Files,
        as_of: str | None = None,
        left: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self._framework = framework
        self._releases = framework.releases
        self._options = (pins, gpus, gpu)
        self._as_of = as_of
        self._left = left
        self._given: Stated | None = None
        self._projects = projects
        self._memory = memory
        self._files = files
        self._settled: dict[Settings, Stated] = {}
        self._known: dict[tuple[object, ...], Environment] = {}

    def for_file(self, settings: Settings, path: str | None) -> tuple[Environment, Surroundings]:
        """What a file with these settings is checked against, and what lies around it.

        Args:
            path: the file; None for a text without one.

        Raises:
            TargetError: a version or a GPU cannot be understood.
        """
        project = None
        if path is not None and self._projects is not None:
            project = self._projects.for_file(path, self._framework.name)
        found = {}
        if project is not None and path is not None:
            found = {**project.python, **project.hardware(path)}
        key = (settings, id(project), tuple(found.items()))
        known = self._known.get(key)
        if known is None:
            given, settled = self._of_options(), self._of_settings(settings)
            pins = {**settled.pins, **given.pins}
            facts = _completed(given.facts, settled.facts)
            if project is not None:
                pins = {**self._fitting(project.pins, pins), **pins}
                facts = _completed(facts, found)
            pins |= self._narrowed(pins, {*given.pins, *settled.pins})
            known = self._known[key] = Environment(
                self._releases, pins, facts, as_of=self._as_of or settings.as_of
            )
        if path is None or self._projects is None:
            return known, Surroundings(self._memory, self._files, path or "", project=project)
        folder = os.path.dirname(os.path.abspath(path))
        launches = tuple(project.launches(path)) if project is not None else ()
        files = self._memory.once(("files of", folder), lambda: of_project(folder, self._files))
        return known, Surroundings(self._memory, files, path, folder, project, launches)

    def _narrowed(self, pins: dict[str, Pin], stated: set[str]) -> dict[str, Pin]:
        """The packages of which something rules out releases that a project admits, with those that are left."""
        found = {}
        for package, spec in self._left:
            pin = pins.get(package)
            if package in stated or (pin is not None and not _is_outside(pin, spec)):
                continue
            found[package] = Pin(None, None, _BY_THE_LOG, spec=spec)
        return found

    def _of_options(self) -> Stated:
        if self._given is None:
            pins, gpus, gpu = self._options
            self._given = self._read(pins, gpus, gpu, "--target")
        return self._given

    def _of_settings(self, settings: Settings) -> Stated:
        known = self._settled.get(settings)
        if known is None:
            known = Stated({}, {})
            for name in ("target", "gpus", "gpu"):
                one = self._of_setting(settings, name)
                known = Stated({**known.pins, **one.pins}, {**known.facts, **one.facts})
            self._settled[settings] = known
        return known

    def _of_setting(self, settings: Settings, name: str) -> Stated:
        """The target of one setting; each may come from a different file."""
        source = settings.source(name)
        origin = os.path.basename(source) if source else "settings"
        pins = settings.target if name == "target" else ()
        gpus = settings.gpus if name == "gpus" else None
        gpu = settings.gpu if name == "gpu" else None
        try:
            return self._read(pins, gpus, gpu, origin)
        except TargetError as error:
            raise TargetError(f"{source}: {error}") from None

    def _is_pinned(self, doubt: Unlisted) -> bool:
        """Whether a release of the framework pins the version, which the index may have withdrawn since."""
        pinned = f"=={doubt.version}"
        return any(pinned == row.get(doubt.package) for row in self._releases.pins.values())

    def _read(
        self, pins: tuple[str, ...], gpus: int | None, gpu: str | None, origin: str
    ) -> Stated:
        exact = [pin for pin in pins if pin != INSTALLED]
        built = build_environment(self._releases, pins=exact, gpus=gpus, gpu=gpu, origin=origin)
        for doubt in built.unlisted().values():
            # An older release may well be meant, and a build of one's own: the summary says so.
            if not (doubt.is_older or doubt.is_build or self._is_pinned(doubt)):
                raise TargetError(doubt.question)
        found = dict(built.pins)
        if len(exact) < len(pins):
            from cfglint.environment.project.readers.installed_pins import installed_pins

            installed = installed_pins(self._framework.name, self._files)
            if not installed:
                raise TargetError("no Python environment with a package of interest was found")
            found = {**installed, **found}
        return Stated(found, dict(built.facts))

    def _fitting(self, pins: dict[str, Pin], stated: dict[str, Pin]) -> dict[str, Pin]:
        """The project's pins, as far as they belong to the stated versions."""
        package = self._releases.package
        own, theirs = stated.get(package), pins.get(package)
        if own is None or not pins:
            return pins
        if theirs is not None and theirs.version == own.version and own.version is not None:
            return pins
        # Another release was asked for: the versions around it are the release's own.
        return {}


def _is_outside(pin: Pin, spec: str) -> bool:
    """Whether a pin is of another release than those of a range, or admits others, or is a guess."""
    if pin.weak or pin.implied or pin.inferred:
        return True
    return pin.version is None or not within(pin.version, spec)


def _completed(first: dict[str, Fact], second: dict[str, Fact]) -> dict[str, Fact]:
    """Facts from two places; what belongs to a GPU, or to their number, comes from where that does."""
    kept = {
        name: fact
        for name, fact in second.items()
        if not (name.partition(".")[0] == "gpu" and "gpu" in first)
        and not (name in _COUNTED and "gpus" in first)
    }
    return {**kept, **first}
