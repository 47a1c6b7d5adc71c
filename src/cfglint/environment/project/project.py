"""From what a project's files state to versions and hardware: which statement counts, and where it is."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.pins import Fact, TargetError, packages
from cfglint.environment.project.finder import Finder
from cfglint.environment.project.pinned import pinned
from cfglint.environment.project.readers.pages import without_outdated
from cfglint.environment.project.readers.workflows import is_workflow, weighed
from cfglint.environment.project.starting_files import starting_files
from cfglint.environment.project.stated_versions import (
    Hardware,
    Place,
    Source,
    Statement,
    is_exact,
    is_sane,
    nearer_list,
    outweighs,
    says_something,
)
from cfglint.environment.pythons import PYTHON, newest_admitted
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import Launcher, marks_of
from cfglint.knowledge.marks import launchers as known_launchers
from cfglint.knowledge.releases.table import releases_of

if TYPE_CHECKING:
    from cfglint.environment.pins import Pin
    from cfglint.runs.starts.start import Start

#: Kinds of files that may contain a command which starts a run.
_STARTING = frozenset({"launch", "images"})
#: Kinds of files beside which a tool writes a list of all that it installed.
_WISHES = frozenset({"pyproject", "pipenv"})
#: What is found of machines -> the fact as rules ask for it.
_FACTS = {"gpus": "gpus", "nodes": "env.nodes"}
_FACTS |= {"processes": "env.processes", "allotted": "env.gpus"}
#: Two folders up is still near.
_FAR = os.path.join("..", "..", "..")


class Project:
    """The files around the configs of one folder, and what follows from them.

    Args:
        sources: every file that states something, the nearest first.
        finder: what read them.
        framework: whose configs these are; its release is what the other versions follow.
        folder: that of the configs, when what programs around it import may be read.
        own: what the only config, a notebook, installs by itself: it outweighs all files.
    """

    def __init__(
        self,
        sources: list[Source],
        finder: Finder,
        framework: str,
        folder: str | None = None,
        own: Source | None = None,
    ) -> None:
        self._marks = marks_of(framework)
        self._package = self._marks.package
        #: Every file that states something, the nearest first.
        self.sources = weighed(without_outdated(sources), finder.is_so)
        self._own = own
        self._finder = finder
        self._lines: dict[str, list[Start]] = {}
        self._starting: dict[str, bool] = {}
        self._launched: list[Start] | None = None
        #: The file whose release of the framework counts; None when no file states one.
        self.chosen = self._choose()
        self.statements = self._statements()
        self.pins = {
            package: pinned(statement, self._package, self.name(statement.place))
            for package, statement in self.statements.items()
            if package in packages() and says_something(statement)
        }
        if folder is not None and framework in compiled.load("dated_packages").PACKAGES:
            from cfglint.environment.project.imports import dated

            imports = finder.imports(folder, own)
            self.pins |= dated(framework, self.pins, imports, folder, self.name)
        #: The newest Python that the project admits, as a fact; nothing if it admits those of today.
        self.python = {} if own or (self.chosen and self.chosen.complete) else self._python(folder)
        if folder is not None and own is None:
            self.pins |= self._weak_pins(framework, folder)

    def _python(self, folder: str | None) -> dict[str, Fact]:
        stated = [one for source in self.sources for one in source.statements]
        pythons = [one for one in stated if one.package == "python" and not one.conditional]
        pythons += self._finder.pythons(folder) if folder is not None and not pythons else []
        exact = [one for one in pythons if one.version is not None]
        for one in [*exact, *pythons][:1]:
            newest = newest_admitted(one.version, one.spec)
            if newest is not None:
                return {PYTHON: Fact(newest, self.name(one.place))}
        return {}

    def _weak_pins(self, framework: str, folder: str) -> dict[str, Pin]:
        """What a run had installed, or a folder beside asks for, where nothing states a release."""
        if self.chosen is not None and self.chosen.complete:
            return {}
        record, beside = self._finder.weak_evidence(folder)
        if record is None and not beside:
            return {}
        from cfglint.environment.project.weak_evidence import is_missing, weak_pins

        dating = compiled.load("dated_packages").PACKAGES.get(framework, ())
        wanted = tuple(dict.fromkeys((self._package, *dating)))
        if not is_missing(wanted, self.pins):
            return {}
        return weak_pins(wanted, self.pins, record, beside, self.name)

    def wants_newest(self, package: str) -> bool:
        """Whether a file asks for a package without an upper bound: the newest is installed."""
        found = self.statements.get(package)
        if found is None or is_exact(found) or found.tested:
            return False
        if package not in (known := self.pins):
            return True
        spec = known[package].spec
        return spec is not None and not any(sign in spec for sign in ("<", "==", "~="))

    def __getstate__(self) -> dict[str, object]:
        """What a report needs when it comes from another process: not the texts of all files."""
        left_out = ("_finder", "_lines", "_launched")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def _choose(self) -> Source | None:
        if self._own is not None and self._own.complete:
            return self._own
        near = nearer_list(self.sources, self._package)
        exact = [s for s in self.sources if is_exact(s.of(self._package))]
        ranged = [
            s for s in self.sources if (found := s.of(self._package)) is not None and found.spec
        ]
        bare = [s for s in self.sources if s.of(self._package) is not None]
        lost = [s for s in bare if (found := s.of(self._package)) and (found.is_lost or found.fork)]
        return near or next(iter([*exact, *ranged, *lost, *bare]), None)

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
                    and not self.is_other_environment(source)
                    and self._agrees(source, chosen)
                ]
        else:
            of_training = compiled.load("frameworks").OF_TRAINING
            training = [
                source
                for source in self.sources
                if any(statement.package in of_training for statement in source.statements)
                and not self.is_other_environment(source)
            ]
            used = [source for source in training if source.distance == training[0].distance]
        out: dict[str, Statement] = {}
        for source in used:
            for package in dict.fromkeys(one.package for one in source.statements):
                found = source.of(package)
                if found is None or not is_sane(found):
                    continue
                if outweighs(found, out.get(package)):
                    out[package] = found
        if self._own is not None:
            from cfglint.environment.project.readers import notebooks

            return notebooks.outweighing(out, self._own)
        return out

    def is_other_environment(self, source: Source) -> bool:
        """Whether a file lists all packages of an environment that the framework is not in.

        A library that is often installed by hand, after all others, counts as in any of them: it depends
        on no other package of training.
        """
        if source.mentions(self._package):
            return False
        if not source.complete:
            # The wishes that such a list was made from are about the same environment.
            return source.kind in _WISHES and any(
                os.path.dirname(other.path) == os.path.dirname(source.path)
                and other.complete
                and self.is_other_environment(other)
                for other in self.sources
            )
        releases = releases_of(self._package)
        depends = releases.pins.get(releases.newest, {})
        return not set(compiled.load("frameworks").OF_TRAINING).isdisjoint(depends)

    def _agrees(self, source: Source, chosen: Source) -> bool:
        """Whether a second file may complete the first: it is not an account of another release."""
        theirs, own = source.of(self._package), chosen.of(self._package)
        if theirs is None or own is None or not is_exact(theirs):
            return True
        return (theirs.version, theirs.commit, theirs.day) == (own.version, own.commit, own.day)

    def name(self, place: Place) -> str:
        """A place as reports call it: the file and the line."""
        return f"{_shown(place.path)} line {place.line}"

    def path(self, path: str) -> str:
        """A path as reports call it."""
        return _shown(path)

    def text(self, path: str) -> str:
        """The text of a file of the project."""
        return self._finder.text(path)

    def may_start(self, script: str) -> bool:
        """Whether a script's commands count: in the judgement on one start, no other's do."""
        return self._finder.script in (None, script)

    def scripts_beside(self, path: str) -> list[str]:
        """The texts of the scripts, the pages and the programs with commands in the repository of a file."""
        folder = os.path.dirname(os.path.abspath(path))
        return list(map(self.text, starting_files(self._finder, folder)))

    def launches(self, config: str) -> list[Start]:
        """The launch lines that start a config, the nearest file first."""
        from cfglint.environment.project.naming import may_be

        config = os.path.abspath(config)
        lines = [line for s in self.sources for line in self._lines_of(s)]
        found = [
            line
            for line in lines
            if may_be(
                line.config.text, config, os.path.dirname(line.path), is_open=line.config.open
            )
        ]
        launcher = self._marks.launcher
        if launcher is not None and launcher.settings:
            found += self._by_launcher(config, launcher)
        return found

    def launcher_lines(self, config: str, *, with_settings: bool = True) -> list[Start]:
        """The commands of launchers, those with settings files of their own or all, that start a program with a file."""
        from cfglint.environment.project.naming import may_be
        from cfglint.runs.starts import launchers

        path = os.path.abspath(config)
        read = launchers.read if with_settings else launchers.read_all
        return [
            line
            for script in starting_files(self._finder, os.path.dirname(path))
            if os.path.basename(path) in (text := self.text(script))
            for one in known_launchers()
            for line in read(script, text, one)
            if any(may_be(word.text, path, os.path.dirname(script)) for word in line.words)
        ]

    def _by_launcher(self, config: str, launcher: Launcher) -> list[Start]:
        """The commands of a launcher that name a file as its settings, in any script of the project."""
        from cfglint.environment.project.naming import may_be, may_expand_to

        if self._launched is None:
            from cfglint.runs.starts import launchers

            scripts = starting_files(self._finder, os.path.dirname(config))
            self._launched = [
                line for path in scripts for line in launchers.read(path, self.text(path), launcher)
            ]
        return [
            line
            for line in self._launched
            if may_be(
                line.config.text, config, os.path.dirname(line.path), is_open=line.config.open
            )
            or (line.config.open and may_expand_to(line.config.text, config))
        ]

    def _lines_of(self, source: Source) -> list[Start]:
        path = source.path
        known = self._lines.get(path)
        if known is None:
            known = []
            text = self.text(path)
            if source.kind in _STARTING and self._marks.in_text(text) and not is_workflow(path):
                from cfglint.runs.starts import commands

                known = commands.read(path, text)
            self._lines[path] = known
        return known

    def _starts_any(self, source: Source) -> bool:
        """Whether a file starts whatever config it is given: it has the command, and names no config."""
        known = self._starting.get(source.path)
        if known is None:
            from cfglint.environment.project.naming import names_configs

            known = not self._finder.is_so(names_configs, source.path) and (
                any(line.config.open for line in self._lines_of(source))
                or self._marks.starts_in(self.text(source.path), plainly=True)
            )
            self._starting[source.path] = known
        return known

    def _mentions(self, source: Source, path: str) -> bool:
        """Whether a file writes another one's path."""
        from cfglint.environment.project.naming import mentions, text_in_force

        folder = os.path.dirname(source.path)
        return mentions(text_in_force(source.path, self.text(source.path)), path, folder)

    def named(self, written: str, folder: str) -> tuple[str, str] | None:
        """(path, text) of a file that a launch line names, looked for from a config's folder on."""
        return self._finder.beside(written, folder)

    def hardware(self, config: str) -> dict[str, Fact]:
        """GPUs and machines as launch files request them; nothing when files disagree.

        A file that names the config wins, or one that calls such a file. Otherwise one that starts
        whatever it is given counts, as weak evidence. The settings file of a launcher counts only if a
        command that starts the config names it: without that, no launcher reads it.
        """
        launchers = [s for s in self.sources if s.kind in _STARTING or s.hardware]
        if not launchers:
            return {}
        config = os.path.abspath(config)
        naming = {s.path for s in launchers if self._mentions(s, config)}
        launches = self.launches(config)
        lines = [line for line in launches if line.trains]
        if not lines and self._finder.script is not None:
            lines = self.launcher_lines(config)
        if naming:
            called = list(naming)
            naming |= {
                s.path
                for s in launchers
                if s.hardware and any(self._mentions(s, path) for path in called)
            }
        others = [
            s
            for s in launchers
            if s.path not in naming and s.kind != "settings" and self._starts_any(s)
        ]
        for group in ([s for s in launchers if s.path in naming], others):
            out = self._settled(group, lines if group is not others else [], config, bool(launches))
            if out:
                weak = {name: fact.replaced(weak=True) for name, fact in out.items()}
                return weak if group is others else out
        return {}

    def _settled(
        self, group: list[Source], lines: list[Start], config: str, ignore_options: bool
    ) -> dict[str, Fact]:
        """What the nearest files of a group say together."""
        stating = [s for s in group if s.hardware]
        nearest = [s for s in stating if s.distance == stating[0].distance]
        if not nearest and not lines:
            return {}
        from cfglint.environment.project import machines
        from cfglint.environment.project.readers import launch
        from cfglint.environment.project.stated_versions import place_at

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
            from cfglint.environment.hardware import gpu_facts

            try:
                out.update(gpu_facts(str(found.value), origin))
            except TargetError:
                continue  # not a GPU that is known
        return out


def _shown(path: str) -> str:
    """A path from the current folder; the whole one when that is far away."""
    try:
        short = os.path.relpath(path)
    except (ValueError, OSError):  # another drive, a current folder that is gone
        return path
    return path if short.startswith(_FAR) else short.replace(os.sep, "/")
