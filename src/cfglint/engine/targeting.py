"""What each file is checked against: options, then settings, then the project around it."""

from __future__ import annotations

import os

from cfglint.engine.settings import Settings
from cfglint.record import Record
from cfglint.target.project.finder import Projects
from cfglint.target.target import (
    Fact,
    Pin,
    ReleaseInfo,
    Target,
    TargetError,
    build_target,
)

#: What `--target` takes besides versions: the packages of the Python environment that is in use.
INSTALLED = "installed"


class Told(Record):
    """Versions and hardware from one place."""

    pins: dict[str, Pin]
    facts: dict[str, Fact]


class Targets:
    """The targets of a run; files of one folder mostly share one."""

    def __init__(
        self,
        releases: ReleaseInfo,
        *,
        pins: tuple[str, ...],
        gpus: int | None,
        gpu: str | None,
        detect: bool,
    ) -> None:
        self._releases = releases
        self._options = (pins, gpus, gpu)
        self._told: Told | None = None
        self._projects = Projects() if detect else None
        self._settled: dict[Settings, Told] = {}
        self._targets: dict[tuple[object, ...], Target] = {}

    def for_file(self, settings: Settings, path: str | None) -> Target:
        """The target of a file with these settings.

        Args:
            path: the file; None for one that lies nowhere.

        Raises:
            TargetError: a version or a GPU cannot be understood.
        """
        project = self._projects.for_file(path) if path is not None and self._projects else None
        found = project.hardware(path) if project is not None and path is not None else {}
        key = (settings, id(project), tuple(found.items()))
        known = self._targets.get(key)
        if known is None:
            told, settled = self._options_told(), self._settings_told(settings)
            pins = {**settled.pins, **told.pins}
            facts = _completed(told.facts, settled.facts)
            if project is not None:
                pins = {**self._fitting(project.pins, pins), **pins}
                facts = _completed(facts, found)
            known = self._targets[key] = Target(self._releases, pins, facts)
            known.project = project
        if path is None or self._projects is None:
            return known
        placed = known.in_folder(os.path.dirname(os.path.abspath(path)))
        launches = project.launches(path) if project is not None else ()
        return placed.started_by(launches) if launches else placed

    def _options_told(self) -> Told:
        if self._told is None:
            pins, gpus, gpu = self._options
            self._told = self._read(pins, gpus, gpu, "--target")
        return self._told

    def _settings_told(self, settings: Settings) -> Told:
        known = self._settled.get(settings)
        if known is None:
            origin = os.path.basename(settings.origin) if settings.origin else "settings"
            try:
                known = self._read(settings.target, settings.gpus, settings.gpu, origin)
            except TargetError as error:
                raise TargetError(f"{settings.origin}: {error}") from None
            self._settled[settings] = known
        return known

    def _read(self, pins: tuple[str, ...], gpus: int | None, gpu: str | None, origin: str) -> Told:
        exact = [pin for pin in pins if pin != INSTALLED]
        built = build_target(self._releases, pins=exact, gpus=gpus, gpu=gpu, origin=origin)
        found = dict(built.pins)
        if len(exact) < len(pins):
            from cfglint.target.project.project import installed_pins

            installed = installed_pins()
            if not installed:
                raise TargetError("no Python environment with a package of interest was found")
            found = {**installed, **found}
        return Told(found, dict(built.facts))

    def _fitting(self, pins: dict[str, Pin], told: dict[str, Pin]) -> dict[str, Pin]:
        """The project's pins, as far as they are of the same world as what was told."""
        framework = self._releases.framework
        own, theirs = told.get(framework), pins.get(framework)
        if own is None or not pins:
            return pins
        if theirs is not None and theirs.version == own.version and own.version is not None:
            return pins
        # Another release was asked for: the versions around it are the release's own.
        return {}


def _completed(first: dict[str, Fact], second: dict[str, Fact]) -> dict[str, Fact]:
    """Facts from two places; what belongs to a GPU comes from where the GPU does."""
    kept = {
        name: fact
        for name, fact in second.items()
        if not (name.partition(".")[0] == "gpu" and "gpu" in first)
    }
    return {**kept, **first}
