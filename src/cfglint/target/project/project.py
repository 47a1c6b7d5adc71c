"""From what a project's files state to versions and hardware: which statement counts, and where it stands."""

from __future__ import annotations

import os
import re

from cfglint.target.project.finder import Finder
from cfglint.target.project.statements import Place, Source, Statement
from cfglint.target.target import PACKAGES, Fact, Pin, is_version

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
#: Two folders up is still near.
_FAR = os.path.join("..", "..", "..")


class Project:
    """The files around the configs of one folder, and what follows from them."""

    def __init__(self, sources: list[Source], finder: Finder) -> None:
        #: Every file that states something, the nearest first.
        self.sources = sources
        self._finder = finder
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
        return {name: value for name, value in self.__dict__.items() if name != "_finder"}

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

    def hardware(self, config: str) -> dict[str, Fact]:
        """GPUs as a launch file asks for them; nothing when files disagree.

        A file that names the config wins. One that does not counts when it is about Axolotl, or is accelerate's
        config beside it.
        """
        out: dict[str, Fact] = {}
        launchers = [source for source in self.sources if source.hardware]
        if not launchers:
            return out
        name = os.path.basename(config)
        named = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
        naming = [s for s in launchers if named.search(self.text(s.path))]
        others = [
            s for s in launchers if s.kind == "accelerate" or "axolotl" in self.text(s.path).lower()
        ]
        for group in (naming, others):
            nearest = [s for s in group if s.distance == group[0].distance]
            for fact in ("gpus", "gpu"):
                stated = [h for s in nearest for h in s.hardware if h.fact == fact]
                if fact in out or not stated or any(h.value != stated[0].value for h in stated):
                    continue
                origin = self.name(stated[0].place)
                if fact == "gpus":
                    if 0 < stated[0].value <= 100_000:
                        out[fact] = Fact(stated[0].value, origin)
                else:
                    from cfglint.target.hardware import gpu_facts

                    out.update(gpu_facts(str(stated[0].value), origin))
            if out:
                break
        return out


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
