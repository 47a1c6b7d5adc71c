"""What the files of one run share: options, settings, frameworks, environments, what was read."""

from __future__ import annotations

import os
from collections.abc import Callable

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.diagnostic import ConfidenceName, SeverityName
from cfglint.engine.case import Case
from cfglint.engine.environments import Environments
from cfglint.engine.settings.nearest import Settings, SettingsError, SettingsFinder
from cfglint.engine.settings.selection import Selection
from cfglint.environment.environment import Environment
from cfglint.environment.pins import TargetError
from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.frameworks.for_files import for_path
from cfglint.knowledge.marks import marks_of, starter_of
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.roles.framework import Framework, framework_class, frameworks, load_framework
from cfglint.source.files.base import Files

if TYPE_CHECKING:
    from cfglint.engine.settings.file import SchemaSetting
    from cfglint.knowledge.resemblance import Resemblance
    from cfglint.knowledge.schemas.schema import UserSchema


class Options(Record):
    """The options of the command line (or a caller); unset ones are left to the settings."""

    target: tuple[str, ...] = ()
    #: (package, range) where something else than a statement rules out other releases: a log.
    left: tuple[tuple[str, str], ...] = ()
    gpus: int | None = None
    gpu: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    #: Rules in addition to those that are selected.
    extend_select: tuple[str, ...] = ()
    #: Also rules that are not part of a release yet.
    preview: bool = False
    #: The day whose newest release is assumed where none is stated, YYYY-MM-DD or YYYY-MM.
    as_of: str | None = None
    fix: bool = False
    #: Whether comments silence nothing.
    ignore_suppressions: bool = False
    unsafe_fixes: bool = False
    #: Work out the fixes but leave the file alone.
    diff: bool = False
    #: Check even named files only when their content is a training config.
    detect: bool = False
    min_confidence: ConfidenceName | None = None
    min_severity: SeverityName | None = None
    #: Whose files they are; None finds out for each.
    framework: str | None = None
    #: Whose files those are that are named, not found in a folder; None finds out for each.
    named_framework: str | None = None
    #: Do not show what is found in files of a folder that a framework's project publishes as they are.
    folds_copies: bool = False
    #: Patterns of files with rules that are left out of them: `archive/:KEY`.
    per_file_ignores: tuple[str, ...] = ()
    #: Rules with the severities of their findings: `KEY001=warning`.
    severity: tuple[str, ...] = ()
    #: The rules whose findings are repaired; all of them if none is named.
    fixable: tuple[str, ...] = ()
    unfixable: tuple[str, ...] = ()
    #: Write a comment into the file that silences each finding.
    add_ignores: bool = False
    #: The absolute path of the only script whose commands start runs; None for those of the project.
    script: str | None = None


class RunError(Exception):
    """The run cannot go on: unusable settings, target or file."""


class UnrecognizedError(RunError):
    """A named file is not of a framework, as far as its keys and the project tell.

    Args:
        message: why it is not checked, and the option that has it checked.
        reason: why it is not checked, for callers without options.
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class Session:
    """Finds for each file what it is checked with; nothing is computed twice."""

    def __init__(self, options: Options, finder: SettingsFinder) -> None:
        self.options = options
        self.memory = Memory()
        self._finder = finder
        #: Where everything is read.
        self.files = finder.files
        self._projects = None if finder.isolated else Projects(self.files, options.script)
        self._environments: dict[str, Environments] = {}
        self._selections: dict[tuple[Settings, str, tuple[str, ...]], Selection] = {}
        self._frameworks: dict[tuple[str, tuple[str, ...]], Framework] = {}
        #: A schema, or why it cannot be used.
        self._schemas: dict[SchemaSetting, UserSchema | str] = {}

    def over(self, files: Files) -> Session:
        """A session with the same options and settings to which the project is what other files say."""
        other = Session(self.options, self._finder)
        other.files = files
        if other._projects is not None:
            other._projects = Projects(files, self.options.script)
        return other

    def of_script(self, script: str) -> Session:
        """A session in which only the commands of one script start runs."""
        other = Session(self.options.replaced(script=script), self._finder)
        return other.over(self.files)

    def check_options(self, path: str, framework: str) -> None:
        """Find out before any file is read whether the options can be understood.

        Args:
            path: a file in the current folder, whether or not it exists: settings may name rules.
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
        """The settings that apply to a path.

        Raises:
            RunError: the nearest settings file is broken.
        """
        try:
            return self._finder.for_file(path)
        except SettingsError as error:
            raise RunError(str(error)) from None

    def case(self, framework: str, path: str, *, language: str = "") -> Case:
        """What a file is checked with as one of a framework.

        Args:
            language: that of what is checked, if the name of the file does not tell it.

        Raises:
            RunError: its settings are broken, or its target cannot be understood.
        """
        from cfglint.engine.files_together.edges import Edges

        settings = self.settings(path)
        own = for_path(self.framework(framework, settings), path, language)
        target, around = self.environment(own, settings, path)
        selection = self.selection(settings, own, path)
        edges = Edges(lambda other: self.framework(other, settings))
        return Case(own, target, around, selection, edges)

    def framework_of(self, seen: Resemblance, path: str | None) -> str | None:
        """The framework of a named file by what it resembles, or else by how the project starts it.

        Args:
            path: None for a text that is not a file.

        Raises:
            RunError: the settings of the file are broken.
        """
        if seen.is_certain:
            return seen.framework
        return self.started_as(path) if seen.program is None and path is not None else None

    def named_framework(self, text: str, path: str, language: str) -> str:
        """The framework of a named file that its keys alone do not tell.

        Raises:
            UnrecognizedError: it cannot be determined.
        """
        from cfglint.knowledge.resemblance import question, reason, resemblance

        seen = resemblance(text, language)
        found = self.framework_of(seen, path)
        if found is None:
            raise UnrecognizedError(question(path, seen), reason(path, seen))
        return found

    def started_as(self, path: str) -> str | None:
        """The framework whose commands in the project start a file; None if there is not exactly one.

        Raises:
            RunError: the settings of the file are broken.
        """
        settings = self.settings(path)
        found = []
        for name in frameworks():
            starter = marks_of(name).starter
            if starter is not None:
                _, around = self.environment(self.framework(name, settings), settings, path)
                lines = (line for line in around.launches if line.own)
                found += [name] if any(starter_of(one.program) is starter for one in lines) else []
        return found[0] if len(found) == 1 else None

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
        try:
            from cfglint.knowledge.compiling.files import RuleFileError
            from cfglint.knowledge.compiling.project_rules import load_project_rules
        except ModuleNotFoundError as error:
            from cfglint.engine.settings.user_schemas import lacking

            # What an editor's extension brings has no compiled modules.
            raise RunError(lacking("rules of a project", error)) from None
        try:
            rules = load_project_rules(folders, load_framework(name), self.files)
        except RuleFileError as error:
            raise RunError(error.brief) from None
        return framework_class(name)(rules)

    def environment(
        self, framework: Framework, settings: Settings, path: str | None = None
    ) -> tuple[Environment, Surroundings]:
        """What a file is checked against, and what lies around it; options win over settings.

        Args:
            path: the file, whose project counts where neither says anything.

        Raises:
            RunError: a version or a GPU cannot be understood, or a schema cannot be used.
        """
        environments = self._environments.get(framework.name)
        if environments is None:
            options = self.options
            environments = self._environments[framework.name] = Environments(
                framework,
                pins=options.target,
                left=options.left,
                gpus=options.gpus,
                gpu=options.gpu,
                projects=self._projects,
                memory=self.memory,
                files=self.files,
                as_of=options.as_of,
            )
        try:
            target, around = environments.for_file(settings, path)
        except TargetError as error:
            raise RunError(str(error)) from None
        if path is None or not settings.schemas:
            return target, around
        return target, around.replaced(schemas=self._schemas_for(settings, framework.name, path))

    def _schemas_for(self, settings: Settings, framework: str, path: str) -> tuple[UserSchema, ...]:
        """The project's own schemas for a file.

        Raises:
            RunError: one of them cannot be used.
        """
        from cfglint.engine.settings.user_schemas import is_for, load

        found = []
        for setting in settings.schemas:
            if not is_for(setting, framework, path):
                continue
            schema = self._schemas.get(setting)
            if schema is None:
                schema = self._schemas[setting] = load(setting, self.files)
            if isinstance(schema, str):
                raise RunError(schema)
            found.append(schema)
        return tuple(found)

    def selection(
        self, settings: Settings, framework: Framework, path: str | None = None
    ) -> Selection:
        """The rules that are switched on for a file, or for any when no path is given.

        Raises:
            RunError: a code or a name belongs to no rule of any framework.
        """
        silenced = self.silenced(settings, framework, path)
        key = (settings, framework.name, silenced)
        known = self._selections.get(key)
        if known is None:
            options, read = self.options, self._selectors(framework)
            select, ignore = read(options.select), read(options.ignore)
            of_settings = read(settings.select, settings.source("select"))
            ignore += read(settings.ignore, settings.source("ignore"))
            extend = read(options.extend_select)
            extend += read(settings.extend_select, settings.source("extend-select"))
            known = self._selections[key] = Selection(
                select or of_settings,
                ignore,
                options.min_confidence or settings.min_confidence,
                silenced,
                self._severities(settings, framework),
                extend=extend,
                preview=options.preview or settings.preview,
                least=options.min_severity or settings.min_severity,
                fixable=read(options.fixable),
                unfixable=read(options.unfixable),
                unsilenced=options.ignore_suppressions,
            )
        return known

    def silenced(
        self, settings: Settings, framework: Framework, path: str | None
    ) -> tuple[str, ...]:
        """The rules that the per-file ignores switch off for a file.

        Raises:
            RunError: a code or a name belongs to no rule of any framework.
        """
        if not self.options.per_file_ignores and not settings.per_file_ignores:
            return ()
        from cfglint.engine.settings.selectors import covers, per_file_option

        read = self._selectors(framework)
        try:
            given = [per_file_option(text) for text in self.options.per_file_ignores]
        except ValueError as error:
            raise RunError(f"--per-file-ignores: {error}") from None
        found: list[str] = []
        for ignores in (*given, *settings.per_file_ignores):
            rules = read(ignores.rules, ignores.origin)
            if path is not None and covers(ignores, path):
                found += rules
        return tuple(found)

    def _severities(
        self, settings: Settings, framework: Framework
    ) -> tuple[tuple[str, SeverityName], ...]:
        """Selector -> severity; an option wins over the settings."""
        if not self.options.severity and not settings.severity:
            return ()
        from cfglint.engine.settings.selectors import severity_option

        read = self._selectors(framework)
        try:
            given = [one for text in self.options.severity for one in severity_option(text)]
        except ValueError as error:
            raise RunError(f"--severity: {error}") from None
        found: dict[str, SeverityName] = {}
        # The nearest settings file comes first among them, and wins.
        for one in (*reversed(settings.severity), *given):
            found[read((one.rule,), one.origin)[0]] = one.severity
        return tuple(found.items())

    def _selectors(self, framework: Framework) -> Callable[..., tuple[str, ...]]:
        """What reads selectors; takes the file that they are in, if any."""

        def read(texts: tuple[str, ...], origin: str | None = None) -> tuple[str, ...]:
            return tuple(self._selector(text, origin, framework.knowledge) for text in texts)

        return read

    def _selector(self, text: str, origin: str | None, knowledge: Knowledge) -> str:
        from cfglint.engine.settings.selectors import meant, selector

        if text.upper() == "ALL":
            return "ALL"
        found = selector(text, knowledge)
        if found is not None:
            return found
        # Files of other frameworks may be met in the same run.
        for name in frameworks():
            found = selector(text, load_framework(name).knowledge)
            if found is not None:
                return found
        where = f"{origin}: " if origin is not None else ""
        hint = meant(text, knowledge) or "; `cfglint rules` lists codes and names"
        raise RunError(f"{where}unknown rule {text!r}{hint}")


def path_here() -> str:
    """A file in the current folder, whose settings are those of the folder."""
    return os.path.join(os.getcwd(), "config.yml")
