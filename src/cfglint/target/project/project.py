"""From what a project's files state to versions and hardware: which statement counts, and where it stands."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING

from cfglint.target.project.finder import Finder
from cfglint.target.project.statements import Hardware, Place, Source, Statement
from cfglint.target.target import PACKAGES, Fact, Pin, TargetError, is_version

if TYPE_CHECKING:
    from cfglint.target.project.lines import LaunchLine

#: A file that names none of these is about something else than training.
_OF_TRAINING = frozenset(
    {
        "axolotl",
        "trl",
        "peft",
        "accelerate",
        "deepspeed",
        "bitsandbytes",
        "flash-attn",
        "liger-kernel",
    }
)
FRAMEWORK = "axolotl"
#: Kinds of files that may hold a command which starts a run.
_STARTING = frozenset({"launch", "images"})
#: What is found of machines -> the fact as rules ask for it.
_FACTS = {"gpus": "gpus", "nodes": "env.nodes"}
#: Two folders up is still near.
_FAR = os.path.join("..", "..", "..")


class Project:
    """The files around the configs of one folder, and what follows from them."""

    def __init__(self, sources: list[Source], finder: Finder) -> None:
        #: Every file that states something, the nearest first.
        self.sources = sources
        self._finder = finder
        self._lines: dict[str, list[LaunchLine]] = {}
        #: The file whose release of the framework counts; None when no file states one.
        self.chosen = self._choose()
        self.statements = self._statements()
        self.pins = {
            package: self._pin(statement)
            for package, statement in self.statements.items()
            if package in PACKAGES and _says_something(statement)
        }

    def __getstate__(self) -> dict[str, object]:
        """What a report needs when it comes from another process: not the texts of all files."""
        return {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("_finder", "_lines")
        }

    def _choose(self) -> Source | None:
        exact = [s for s in self.sources if _exact(s.of(FRAMEWORK))]
        ranged = [s for s in self.sources if (found := s.of(FRAMEWORK)) is not None and found.spec]
        bare = [s for s in self.sources if s.of(FRAMEWORK) is not None]
        return next(iter([*exact, *ranged, *bare]), None)

    def _statements(self) -> dict[str, Statement]:
        """Package -> the statement that counts."""
        chosen = self.chosen
        if chosen is not None:
            used = [chosen]
            if not chosen.complete:
                used += [
                    source
                    for source in self.sources
                    if source is not chosen
                    and source.distance == chosen.distance
                    and _agrees(source, chosen)
                ]
        else:
            training = [
                source
                for source in self.sources
                if any(statement.package in _OF_TRAINING for statement in source.statements)
            ]
            used = [source for source in training if source.distance == training[0].distance]
        out: dict[str, Statement] = {}
        for source in used:
            for statement in source.statements:
                found = source.of(statement.package)
                if found is None or not _is_sane(found):
                    continue
                known = out.get(statement.package)
                if known is None or (_exact(found) and not _exact(known)):
                    out[statement.package] = found
        return out

    def _pin(self, statement: Statement) -> Pin:
        origin = self.name(statement.place)
        if statement.package == FRAMEWORK and (statement.commit or statement.day):
            from cfglint.target.project.history import place_commit, place_day

            place = (
                place_commit(statement.commit)
                if statement.commit
                else place_day(statement.day or "")
            )
            if place is not None:
                between = (place.after, place.before)
                if statement.day:
                    origin += f", the build of {statement.day}"
                return Pin(None, statement.commit, origin, None, between, place.commits)
        if statement.package == FRAMEWORK and statement.version and ".dev" in statement.version:
            from cfglint.target.project.history import place_development

            place = place_development(statement.version)
            if place is not None:
                between = (place.after, place.before)
                return Pin(None, statement.commit, origin, None, between)
        if statement.commit and not statement.version:
            return Pin(None, statement.commit, origin)
        return Pin(statement.version, None, origin, statement.spec, implied=statement.implied)

    def name(self, place: Place) -> str:
        """A place as reports call it: the file and the line."""
        return f"{_shown(place.path)} line {place.line}"

    def text(self, path: str) -> str:
        """The text of a file of the project."""
        return self._finder.text(path)

    def launches(self, config: str) -> list[LaunchLine]:
        """The launch lines that start a config, the nearest file first."""
        from cfglint.target.project.lines import names

        config = os.path.abspath(config)
        return [line for s in self.sources for line in self._lines_of(s) if names(line, config)]

    def _lines_of(self, source: Source) -> list[LaunchLine]:
        path = source.path
        known = self._lines.get(path)
        if known is None:
            known = []
            text = self.text(path)
            if source.kind in _STARTING and FRAMEWORK in text and not _is_ci(path):
                from cfglint.target.project import lines

                known = lines.read(path, text)
            self._lines[path] = known
        return known

    def _is_of_others(self, source: Source) -> bool:
        """Whether all that a file starts are configs that it names."""
        lines = self._lines_of(source)
        return bool(lines) and not any(line.config.open for line in lines)

    def named(self, written: str, folder: str) -> tuple[str, str] | None:
        """(path, text) of a file that a launch line names, looked for from a config's folder on."""
        return self._finder.beside(written, folder)

    def hardware(self, config: str) -> dict[str, Fact]:
        """GPUs and machines as launch files ask for them; nothing when files disagree.

        A file that names the config wins, or one that calls such a file. One that names no config
        counts when it is about Axolotl, or is accelerate's config beside it.
        """
        launchers = [s for s in self.sources if s.kind in _STARTING or s.hardware]
        if not launchers:
            return {}
        config = os.path.abspath(config)
        named = _naming(os.path.basename(config))
        naming = {s.path for s in launchers if named.search(self.text(s.path))}
        launches = self.launches(config)
        lines = [line for line in launches if line.command == "train"]
        if naming:
            called = [_naming(os.path.basename(path)) for path in naming]
            naming |= {
                s.path
                for s in launchers
                if s.hardware and any(name.search(self.text(s.path)) for name in called)
            }
        others = [
            s
            for s in launchers
            if s.path not in naming
            and (s.kind == "accelerate" or FRAMEWORK in self.text(s.path).lower())
            and not (launches and s.kind == "accelerate")
            and not self._is_of_others(s)
        ]
        for group in ([s for s in launchers if s.path in naming], others):
            out = self._settled(group, lines if group is not others else [], config, bool(launches))
            if out:
                return out
        return {}

    def _settled(
        self, group: list[Source], lines: list[LaunchLine], config: str, ignore_options: bool
    ) -> dict[str, Fact]:
        """What the nearest files of a group say together."""
        stating = [s for s in group if s.hardware]
        nearest = [s for s in stating if s.distance == stating[0].distance]
        if not nearest and not lines:
            return {}
        from cfglint.target.project import launch, machines
        from cfglint.target.project.statements import place_at

        def read_named(written: str) -> list[Hardware]:
            found = self.named(written, os.path.dirname(config))
            return launch.read(*found) if found is not None else []

        worlds = []
        for line in lines:
            world = machines.world(line, read_named)
            worlds.append((world, place_at(line.path, self.text(line.path), world.offset)))
        stated = [h for s in nearest for h in s.hardware]
        settled = machines.settle(stated, worlds, ignore_options=ignore_options)
        out: dict[str, Fact] = {}
        for fact, found in settled.items():
            origin = self.name(found.place)
            if fact != "gpu":
                out[_FACTS[fact]] = Fact(found.value, origin)
                continue
            from cfglint.target.hardware import gpu_facts

            with contextlib.suppress(TargetError):
                out.update(gpu_facts(str(found.value), origin))
        return out


def _is_ci(path: str) -> bool:
    """Whether a file is about tests of a change, which run a config in a way of their own."""
    name = os.path.basename(path).lower()
    return name.endswith((".yml", ".yaml")) and (
        name.startswith(".") or os.sep + ".github" + os.sep in path
    )


def _naming(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")


def installed_pins() -> dict[str, Pin]:
    """The packages of the environment that is in use (`--target installed`)."""
    from cfglint.target.project.installed import installed

    source = installed()
    if source is None:
        return {}
    project = Project([source], Finder())
    return {
        package: pin.replaced(origin=f"installed in {source.path}")
        for package, pin in project.pins.items()
    }


def _shown(path: str) -> str:
    """A path from the current folder; the whole one when that is far away."""
    try:
        short = os.path.relpath(path)
    except (ValueError, OSError):  # another drive, a current folder that is gone
        return path
    return path if short.startswith(_FAR) else short.replace(os.sep, "/")


def _exact(statement: Statement | None) -> bool:
    return statement is not None and bool(statement.version or statement.commit or statement.day)


def _is_sane(statement: Statement) -> bool:
    """Whether a version looks like one: it is compared, and printed."""
    return statement.version is None or is_version(statement.version)


def _says_something(statement: Statement) -> bool:
    return bool(statement.version or statement.commit or statement.day or statement.spec)


def _agrees(source: Source, chosen: Source) -> bool:
    """Whether a second file may complete the first: it is no account of another release."""
    theirs, own = source.of(FRAMEWORK), chosen.of(FRAMEWORK)
    if theirs is None or own is None or not _exact(theirs):
        return True
    return (theirs.version, theirs.commit, theirs.day) == (own.version, own.commit, own.day)
