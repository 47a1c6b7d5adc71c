"""One run over files: settings, target, reading, checking, fixing and writing, file by file."""

from __future__ import annotations

import os
from functools import lru_cache

from cfglint.diagnostic import ConfidenceName, Diagnostic, SeverityName
from cfglint.engine.lint import LintResult, lint_source, reading_problem
from cfglint.engine.selection import Selection
from cfglint.engine.settings import Settings, SettingsError, SettingsFinder
from cfglint.engine.targeting import Targets
from cfglint.frameworks.axolotl import Axolotl
from cfglint.record import Record
from cfglint.rules.knowledge import Knowledge
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import MAX_BYTES, SourceText, Span
from cfglint.target.target import Target, TargetError


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


class AppliedFix(Record):
    """A fix that was made, and the finding that it settled."""

    code: str
    title: str


class FileReport(Record):
    """What is to be said about one file."""

    path: str
    #: The framework whose config it is; None when it was not checked.
    framework: str | None
    #: The text that the findings refer to (after fixing, when fixes were written).
    source: SourceText
    diagnostics: list[Diagnostic]
    undecided: dict[str, int]
    suppressed: int
    target: Target
    fail_on: SeverityName
    fixed: tuple[AppliedFix, ...] = ()
    #: Fixes that were tried and not trusted: (code, reason).
    rejected: tuple[tuple[str, str], ...] = ()
    #: The text with all fixes, when it differs from the file (for `--diff` and standard input).
    fixed_source: SourceText | None = None
    #: The text before fixing, to compare with `fixed_source`.
    original: SourceText | None = None
    #: Why fixes were not written although there were some.
    not_written: str | None = None
    #: The text of the findings for people, when it was made where the file was checked.
    shown: str | None = None
    #: Other files that findings of this config stand in: a lock file, a launch file.
    elsewhere: tuple[FileReport, ...] = ()


class RunError(Exception):
    """The run cannot go on: unusable settings, target or file."""


@lru_cache(maxsize=1)
def _axolotl() -> Axolotl:
    """The framework, with all that earlier runs of this process worked out."""
    return Axolotl()


class Runner:
    """Checks files one after the other with the same options."""

    def __init__(self, options: Options, finder: SettingsFinder) -> None:
        self.framework = _axolotl()
        self._options = options
        self._finder = finder
        #: Backups of interrupted writes that a person has to look at.
        self.leftovers: list[str] = []
        self._cleared: set[str] = set()
        self._targets = Targets(
            self.framework.release_info(),
            pins=options.target,
            gpus=options.gpus,
            gpu=options.gpu,
            detect=not finder.isolated,
        )
        self._selections: dict[Settings, Selection] = {}
        self._frameworks: dict[tuple[str, ...], Axolotl] = {(): self.framework}

    def check_options(self) -> None:
        """Find out before any file is read whether the options can be understood.

        Raises:
            RunError: a version, a GPU or a rule is not known.
        """
        self.target(Settings())
        try:
            # A project's own rules may be selected, too.
            here = self._finder.for_file(os.path.join(os.getcwd(), "config.yml"))
        except SettingsError:
            here = Settings()
        self.selection(Settings(rules=here.rules))

    @property
    def fixes(self) -> bool:
        """Whether fixes are made (not only worked out)."""
        return self._options.fix and not self._options.diff

    def settings(self, path: str) -> Settings:
        """The settings that hold for a path.

        Raises:
            RunError: the nearest settings file is broken.
        """
        try:
            return self._finder.for_file(path)
        except SettingsError as error:
            raise RunError(str(error)) from None

    def target(self, settings: Settings, path: str | None = None) -> Target:
        """What a file with these settings is checked against; options win over settings.

        Args:
            path: the file, whose project counts where neither says anything.

        Raises:
            RunError: a version or a GPU cannot be understood.
        """
        try:
            return self._targets.for_file(settings, path)
        except TargetError as error:
            raise RunError(str(error)) from None

    def framework_for(self, settings: Settings) -> Axolotl:
        """The framework, with the rules of the project that the settings are of.

        Raises:
            RunError: one of the project's rule files cannot be used.
        """
        known = self._frameworks.get(settings.rules)
        if known is None:
            from cfglint.rules.loading import RuleFileError
            from cfglint.rules.team import load_team_rules

            try:
                team = load_team_rules(settings.rules, self.framework.knowledge)
            except RuleFileError as error:
                raise RunError(str(error)) from None
            known = self._frameworks[settings.rules] = Axolotl(team)
        return known

    def selection(self, settings: Settings) -> Selection:
        """The rules that are switched on.

        Raises:
            RunError: a code or a name belongs to no rule.
        """
        known = self._selections.get(settings)
        if known is None:
            select = self._options.select or settings.select
            ignore = self._options.ignore + settings.ignore
            rules = self.framework_for(settings).knowledge
            self._check_selectors(self._options.select + self._options.ignore, "", rules)
            where = f"{settings.origin}: "
            self._check_selectors(settings.select + settings.ignore, where, rules)
            confidence = self._options.min_confidence or settings.min_confidence
            known = self._selections[settings] = Selection(select, ignore, confidence)
        return known

    def _check_selectors(
        self, selectors: tuple[str, ...], where: str, knowledge: Knowledge
    ) -> None:
        if not selectors:
            return
        rules = knowledge.all_rules()
        for selector in selectors:
            if selector == "ALL" or any(
                rule.code.startswith(selector) or rule.name == selector for rule in rules
            ):
                continue
            raise RunError(f"{where}{selector!r} is no rule: `cfglint rules` lists codes and names")

    def check_file(self, path: str, *, named: bool) -> FileReport | None:
        """Check (and, when asked, fix) one file; None when it is no config to check.

        Raises:
            RunError: the file cannot be read, or its settings are broken.
        """
        if self.fixes:
            self._clear_up(os.path.dirname(os.path.realpath(path)))
        try:
            status = os.stat(path)
            if status.st_size > MAX_BYTES:
                return self._unreadable(path, named, None)
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise RunError(f"{path}: cannot be read: {error.strerror}") from None
        return self.check_bytes(data, path, named=named, write=True)

    def _clear_up(self, folder: str) -> None:
        """Undo what an interrupted run left half done in a folder."""
        if folder not in self._cleared:
            from cfglint.fixes.writing import remove_stale_temporaries

            self._cleared.add(folder)
            kept = remove_stale_temporaries(folder).kept
            self.leftovers.extend(str(path) for path in kept)

    def check_bytes(
        self, data: bytes, path: str, *, named: bool, write: bool = False
    ) -> FileReport | None:
        """Check the contents of a file (see `check_file`); `path` names it and finds settings."""
        always = named and not self._options.detect
        try:
            source = SourceText.from_bytes(data)
        except SourceError as error:
            return self._unreadable(path, named, error)
        if not always and not self.framework.recognises_text(source.text):
            return None
        settings = self.settings(path)
        target, selection = self.target(settings, path), self.selection(settings)
        framework = self.framework_for(settings)
        result = lint_source(source, framework, target, selection)
        if (
            not always
            and result.document is not None
            and not self.framework.recognises(result.document.root)
        ):
            return None
        report = FileReport(
            path=path,
            framework=self.framework.name,
            source=source,
            diagnostics=result.diagnostics,
            undecided=result.undecided,
            suppressed=result.suppressed,
            target=target,
            fail_on=settings.fail_on or "error",
        )
        if self._options.fix or self._options.diff:
            report = self._fix(report, data, result, framework, selection, write)
        if any(found.file is not None for found in report.diagnostics):
            from cfglint.engine.elsewhere import split

            report = split(report)
        return report

    def _unreadable(self, path: str, named: bool, error: SourceError | None) -> FileReport | None:
        """A finding for a file that is no text; silence when it was only come across."""
        if not named or self._options.detect:
            text = error.text if error is not None else None
            if text is None or not self.framework.recognises_text(text):
                return None
        settings = self.settings(path)
        if error is None:
            size = os.stat(path).st_size
            error = SourceError(
                ProblemKind.TOO_LARGE, Span(0, 0), size=size, limit=MAX_BYTES, unit="bytes"
            )
        found = reading_problem(error, self.framework.knowledge)
        selection = self.selection(settings)
        return FileReport(
            path=path,
            framework=self.framework.name,
            source=SourceText(error.text or ""),
            diagnostics=[found] if selection.has(found.code, found.name) else [],
            undecided={},
            suppressed=0,
            target=self.target(settings, path),
            fail_on=settings.fail_on or "error",
        )

    def _fix(
        self,
        report: FileReport,
        data: bytes,
        result: LintResult,
        framework: Axolotl,
        selection: Selection,
        write: bool,
    ) -> FileReport:
        unsafe = self._options.unsafe_fixes
        if not any(found.fix(unsafe=unsafe) for found in result.diagnostics):
            return report
        from cfglint.engine.fixing import fix_source

        outcome = fix_source(report.source, framework, report.target, selection, unsafe=unsafe)
        report = report.replaced(
            fixed=tuple(AppliedFix(fix.code, fix.title) for fix in outcome.applied),
            rejected=tuple((fix.code, fix.reason) for fix in outcome.rejected),
        )
        if outcome.source.text == report.source.text:
            return report
        report = report.replaced(fixed_source=outcome.source, original=report.source)
        if self._options.diff:
            return report
        if write:
            from cfglint.fixes.writing import write_file

            written = write_file(report.path, data, outcome.source.to_bytes())
            if not written.written:
                return report.replaced(not_written=written.reason, fixed=())
        after = lint_source(outcome.source, framework, report.target, selection)
        return report.replaced(
            source=outcome.source,
            diagnostics=after.diagnostics,
            undecided=after.undecided,
            suppressed=after.suppressed,
        )
