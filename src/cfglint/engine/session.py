"""What the files of one run share: options, settings, frameworks, environments, what was read."""

from __future__ import annotations

import os

from cfglint.diagnostic import ConfidenceName
from cfglint.engine.environments import Environments
from cfglint.engine.selection import Selection
from cfglint.engine.settings import Settings, SettingsError, SettingsFinder
from cfglint.environment.environment import Environment
from cfglint.environment.pins import TargetError
from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.framework import Framework, framework_class, frameworks, load_framework
from cfglint.record import Record
from cfglint.rules.knowledge import Knowledge


class Options(Record):
    """What the command line (or a caller) asks for; unset options are left to the settings."""

    target: tuple[str, ...] = ()
    gpus: int | None = None
    gpu: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fix: bool = False
    unsafe_fixes: bool = False
    #: Work out the fixes but leave the file alone.
    diff: bool = False
    #: Check even named files only when their content is a training config.
    detect: bool = False
    min_confidence: ConfidenceName | None = None
    #: Whose files they are; None finds out for each.
    framework: str | None = None


class RunError(Exception):
    """The run cannot go on: unusable settings, target or file."""


class Session:
    """Finds for each file what it is checked with; nothing is worked out twice."""

    def __init__(self, options: Options, finder: SettingsFinder) -> None:
        self.options = options
        self.memory = Memory()
        self._finder = finder
        #: Where everything is read.
        self.files = finder.files
        self._projects = None if finder.isolated else Projects(self.files)
        self._environments: dict[str, Environments] = {}
        self._selections: dict[tuple[Settings, str], Selection] = {}
        self._frameworks: dict[tuple[str, tuple[str, ...]], Framework] = {}

    def check_options(self, path: str, framework: str) -> None:
        """Find out before any file is read whether the options can be understood.

        Args:
            path: a file in the current folder, be it there or not: settings may name rules.
            framework: one whose files may be met.

        Raises:
            RunError: a version, a GPU or a rule is not known.
        """
        self.environment(self.framework(framework), Settings())
        try:
            # A project's own rules may be selected, too.
            here = self._finder.for_file(path)
        except SettingsError:
            here = Settings()
        known = Settings(rules=here.rules)
        self.selection(known, self.framework(framework, known))

    def settings(self, path: str) -> Settings:
        """The settings that hold for a path.

        Raises:
            RunError: the nearest settings file is broken.
        """
        try:
            return self._finder.for_file(path)
        except SettingsError as error:
            raise RunError(str(error)) from None

    def framework(self, name: str, settings: Settings | None = None) -> Framework:
        """A framework, with the rules of the project that the settings are of.

        Raises:
            RunError: one of the project's rule files cannot be used.
        """
        folders = settings.rules if settings is not None else ()
        known = self._frameworks.get((name, folders))
        if known is None:
            known = load_framework(name) if not folders else self._with_rules(name, folders)
            self._frameworks[name, folders] = known
        return known

    def _with_rules(self, name: str, folders: tuple[str, ...]) -> Framework:
        from cfglint.compiling.files import RuleFileError
        from cfglint.compiling.project_rules import load_project_rules

        try:
            rules = load_project_rules(folders, load_framework(name), self.files)
        except RuleFileError as error:
            raise RunError(str(error)) from None
        return framework_class(name)(rules)

    def environment(
        self, framework: Framework, settings: Settings, path: str | None = None
    ) -> tuple[Environment, Surroundings]:
        """What a file is checked against, and what lies around it; options win over settings.

        Args:
            path: the file, whose project counts where neither says anything.

        Raises:
            RunError: a version or a GPU cannot be understood.
        """
        environments = self._environments.get(framework.name)
        if environments is None:
            options = self.options
            environments = self._environments[framework.name] = Environments(
                framework,
                pins=options.target,
                gpus=options.gpus,
                gpu=options.gpu,
                projects=self._projects,
                memory=self.memory,
                files=self.files,
            )
        try:
            return environments.for_file(settings, path)
        except TargetError as error:
            raise RunError(str(error)) from None

    def selection(self, settings: Settings, framework: Framework) -> Selection:
        """The rules that are switched on.

        Raises:
            RunError: a code or a name belongs to no rule of any framework.
        """
        key = (settings, framework.name)
        known = self._selections.get(key)
        if known is None:
            options = self.options
            select = options.select or settings.select
            ignore = options.ignore + settings.ignore
            self._check_selectors(options.select + options.ignore, "", framework.knowledge)
            where = f"{settings.origin}: "
            self._check_selectors(settings.select + settings.ignore, where, framework.knowledge)
            confidence = options.min_confidence or settings.min_confidence
            renamed = framework.knowledge.renamed
            select = tuple(renamed.get(one, one) for one in select)
            ignore = tuple(renamed.get(one, one) for one in ignore)
            known = self._selections[key] = Selection(select, ignore, confidence)
        return known

    def _check_selectors(
        self, selectors: tuple[str, ...], where: str, knowledge: Knowledge
    ) -> None:
        for selector in selectors:
            if selector == "ALL" or _names_rule(selector, knowledge):
                continue
            # Files of other frameworks may be met in the same run.
            others = (load_framework(name).knowledge for name in frameworks())
            if not any(_names_rule(selector, other) for other in others):
                raise RunError(
                    f"{where}{selector!r} is no rule: `cfglint rules` lists codes and names"
                )


def _names_rule(selector: str, knowledge: Knowledge) -> bool:
    return any(
        rule.code.startswith(selector) or rule.name == selector or selector in rule.formerly
        for rule in knowledge.all_rules()
    )


def path_here() -> str:
    """A file in the current folder, whose settings are those of the folder."""
    return os.path.join(os.getcwd(), "config.yml")
