"""One run over files: reading, checking, fixing and writing, file by file."""

from __future__ import annotations

import os
from functools import partial

from cfglint.base.type_names import Any
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport, report_of
from cfglint.engine.files_together.left_out import remark, why_left_out
from cfglint.engine.files_together.named_reports import with_named
from cfglint.engine.launches.launched_alone import launched_alone
from cfglint.engine.lint import LintResult, lint_document, lint_source
from cfglint.engine.programs.unparsed import UNPARSED, is_unparsed
from cfglint.engine.session import Options, RunError, Session, path_here
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import recognition
from cfglint.source.files.links import refuse_link
from cfglint.source.files.pointers import POINTER, is_pointer
from cfglint.source.files.records import is_record
from cfglint.source.problems import SourceError
from cfglint.source.starting_programs import may_start_others
from cfglint.source.text import MAX_BYTES, SourceText

#: Of more fixes in one file none is tried on what is only checked: each costs a further check.
_MAX_TRIED = 20


class Runner:
    """Checks files one after the other with the same options."""

    def __init__(self, options: Options, finder: SettingsFinder) -> None:
        self.session = Session(options, finder)
        self._options = options
        #: Backups of interrupted writes that a person has to review.
        self.leftovers: list[str] = []
        #: Files that look like configs and are not checked -> why.
        self.reasons: dict[str, str] = {}
        #: What else a person should know of the files, in sentences.
        self.notes: list[str] = []
        self._cleared: set[str] = set()
        #: The files that are checked on their own account, links resolved.
        self.in_run: frozenset[str] = frozenset()
        #: Whether safe fixes are tried on what is only checked, so that those that would be refused do not count.
        self.tries = False
        #: Whether a file that was not named is excluded.
        self.excludes = self._is_excluded

    def check_options(self) -> None:
        """Find out before any file is read whether the options can be understood.

        Raises:
            RunError: a version, a GPU or a rule is not known.
        """
        usual = self._options.framework or recognition.usual()
        if usual is not None:
            self.session.check_options(path_here(), usual)

    def _is_excluded(self, path: str) -> bool:
        """Whether the settings exclude a file that was not named; so do those that cannot be read."""
        try:
            return self.session.settings(path).excludes(path)
        except RunError:
            return True

    @property
    def fixes(self) -> bool:
        """Whether files are changed (fixes or comments are not only computed)."""
        return (self._options.fix or self._options.add_ignores) and not self._options.diff

    def fixing(self, *, unsafe: bool) -> Runner:
        """A runner of the same session that fixes what it checks."""
        return self._with(self._options.replaced(fix=True, unsafe_fixes=unsafe))

    def only_checking(self) -> Runner:
        """A runner of the same session that changes nothing."""
        return self._with(self._options.replaced(fix=False, diff=False, add_ignores=False))

    def reading_as(self, framework: str) -> Runner:
        """A runner of the same session that takes the named files for those of a framework."""
        return self._with(self._options.replaced(named_framework=framework))

    def of_script(self, script: str) -> Runner:
        """A runner in which only the commands of one script start runs."""
        other = self._with(self._options)
        other.session = self.session.of_script(script)
        return other

    def _with(self, options: Options) -> Runner:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._options = options
        return other

    def check_file(self, path: str, *, named: bool) -> FileReport | None:
        """Check (and, when asked, fix) one file; None when it is not a config to check.

        Raises:
            RunError: the file cannot be read, or its settings are broken.
            UnrecognizedError: it is named, and not known to be of a framework.
        """
        files = self.session.files
        try:
            refuse_link(path, files)
            if self.fixes and files.writable:
                self._clear_up(os.path.dirname(files.real(path)))
            state = files.state(path)
            if state is not None and state.size > MAX_BYTES:
                from cfglint.engine.unreadable import too_large

                return self._unreadable(path, named, too_large(state.size))
            data = files.read(path, MAX_BYTES + 1)
        except OSError as error:
            raise RunError(f"{path}: cannot be read: {error.strerror}") from None
        if is_pointer(data):
            self.reasons[path] = POINTER
            return None
        return self.check_bytes(data, path, named=named, write=files.writable)

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
        check = partial(self._check_text, data, path, named=named, write=write)
        is_program = path.endswith(".py") and may_start_others(data)
        if not is_program or self._stated(named) is not None:
            return check()
        from cfglint.engine.programs.started_commands import with_commands

        return with_commands(check, data, path, self.session, named=named)

    def _check_text(self, data: bytes, path: str, *, named: bool, write: bool) -> FileReport | None:
        """Check the contents of a file as what it is itself."""
        stated = self._stated(named)
        always = stated is not None or (named and not self._options.detect)
        language = recognition.language_of(path)
        try:
            source = SourceText.from_bytes(data)
        except SourceError as error:
            return self._unreadable(path, named, error)
        name = stated or recognition.of_file(path, source.text, language)
        if name is None and language == "shell":
            return self._of_slips(source, data, path, write)
        if name is None and always:
            fed = self._fed(source, path, language, write=write)
            if fed is not None:
                return fed
            name = self.session.named_framework(source.text, path, language)
        if name is None or (not always and recognition.is_other_programs(name, language)):
            return None
        case = self.session.case(name, path)
        result = lint_source(source, case)
        if case.framework.row["of_sections"] and is_unparsed(result.document):
            self.reasons[path] = UNPARSED
            return None
        # A script may do anything; what it names is found by `starts`.
        certain = always and not case.framework.in_scripts
        document, is_named = result.document, named and name == self._options.named_framework
        own = case.framework.own_files
        if not (certain or document is None or own.recognizes(document, is_named)):
            return self._alone(path, source, result, data, case, write)
        if not named and self._is_record(path, case.around):
            return None
        report = self._report(path, source, result, case)
        if report.diagnostics and document is not None and stated is None and _may_be_fed(case):
            fed = self._fed(source, path, language, names=document.root.names, write=write)
            if fed is not None:
                return fed
        if named:
            self.notes += remark(path, document, case)
        elif reason := why_left_out(document, case):
            self.reasons[path] = reason
            return None
        if not named and report.diagnostics:
            from cfglint.engine.severity.no_run.search import of_search

            report = of_search(
                report, data, result.document, case, folds_copies=self._options.folds_copies
            )
            if report.copy_of and not report.diagnostics:
                return report
        report = self._repaired(report, data, result, case, write)
        if any(found.file is not None for found in report.diagnostics):
            report = self._with_other_files(report, case, write)
        if result.document is None:
            return report
        return with_named(report, result.document, case, self.session, self.in_run)

    def _of_slips(
        self, source: SourceText, data: bytes, path: str, write: bool
    ) -> FileReport | None:
        """The report on a script that starts nothing, if that is for misspelt commands."""
        from cfglint.runs.starts.called import framework_called, misspelt_commands

        slips, reader = misspelt_commands(source.text), recognition.reader_of_scripts()
        if not slips or reader is None:
            return None
        case = self.session.case(reader, path)
        result = lint_source(source, case)
        report = self._alone(path, source, result, data, case, write)
        if report is None:
            return None
        target = self.session.case(framework_called(slips[0][0].program) or reader, path).target
        return report.of_no_framework().replaced(target=target)

    def _alone(
        self,
        path: str,
        source: SourceText,
        result: LintResult,
        data: bytes,
        case: Case,
        write: bool,
    ) -> FileReport | None:
        """The report on a script without settings of its own, if its commands are wrong."""
        alone = launched_alone(result, source, case, self.session)
        if alone is None:
            return None
        return self._repaired(self._report(path, source, alone, case), data, alone, case, write)

    def _is_record(self, path: str, around: Surroundings) -> bool:
        """Whether a run has written a file that starts nothing; never where there is no folder to look at."""
        is_apart = around.folder is not None and not around.launches
        return is_apart and is_record(path, self.session.files)

    def _fed(
        self,
        source: SourceText,
        path: str,
        language: str,
        *,
        names: frozenset[Any] | None = None,
        write: bool,
    ) -> FileReport | None:
        """The report on a file of which programs give parts to calls; its keys are `names` if it looks like a framework's."""
        usual = recognition.usual()
        if usual is None or language not in ("yaml", "json"):
            return None
        around = self.session.case(usual, path).around
        from cfglint.environment.project_texts import programs_with

        if not programs_with(path, around):
            return None
        from cfglint.engine.programs.fed_file import fed_file

        found = fed_file(path, source, around, self.session, self.in_run, names)
        if found is None:
            return None
        from cfglint.engine.files_together.other_files import as_settings_have_it

        case = found.case
        (report,) = as_settings_have_it((found.report,), self.session, case)
        if self._options.fix or self._options.diff:
            from cfglint.engine.programs.fixing_fed import fix_fed

            unsafe, write = self._options.unsafe_fixes, write and not self._options.diff
            report = fix_fed(report, found.program, case, unsafe=unsafe, write=write)
        own = tuple(one.replaced(file=None) for one in report.diagnostics)
        return report.replaced(diagnostics=own)

    def _with_other_files(self, report: FileReport, case: Case, write: bool) -> FileReport:
        """The report with those of the other files that findings are in, fixed like the file itself."""
        from cfglint.engine.files_together.other_files import as_settings_have_it, split
        from cfglint.engine.files_together.project_files import changeable

        report = split(report, unsilenced=case.selection.unsilenced)
        elsewhere = as_settings_have_it(report.elsewhere, self.session, case, report.path)
        elsewhere = tuple(
            changeable(one, case.around, self.in_run, self.excludes) for one in elsewhere
        )
        if self._options.fix or self._options.diff:
            from cfglint.engine.programs.fixing_fed import fix_fed

            unsafe, write = self._options.unsafe_fixes, write and not self._options.diff
            elsewhere = tuple(
                fix_fed(one, report.source, case, unsafe=unsafe, write=write)
                if recognition.language_of(one.path) in ("json", "yaml")
                else one
                for one in elsewhere
            )
        return report.replaced(elsewhere=elsewhere)

    def _stated(self, named: bool) -> str | None:
        """The framework that the options state for a file."""
        return self._options.framework or (self._options.named_framework if named else None)

    def _report(self, path: str, source: SourceText, result: LintResult, case: Case) -> FileReport:
        """The report on a file, before anything is fixed."""
        return report_of(path, source, result, case, self.session.settings(path))

    def _unreadable(self, path: str, named: bool, error: SourceError) -> FileReport | None:
        """A finding for a file that is not text; silence when it was only found."""
        language = recognition.language_of(path)
        name = self._stated(named)
        if name is None and error.text is not None:
            name = recognition.of_file(path, error.text, language)
        if name is None and named and not self._options.detect:
            # What is no text is reported alike by the rules of any framework.
            name = recognition.fallback(language)
        if name is None:
            return None
        case = self.session.case(name, path)
        if case.framework.row["of_sections"]:
            return None  # it is no config, and what is wrong with it its own tools say
        from cfglint.engine.unreadable import reading_problem

        found = reading_problem(error, case.framework)
        kept = case.selection.filtered(
            [found] if case.selection.has(found.code, found.name) else []
        )
        return self._report(path, SourceText(error.text or ""), LintResult(kept, {}, 0, None), case)

    def _repaired(
        self, report: FileReport, data: bytes, result: LintResult, case: Case, write: bool
    ) -> FileReport:
        """The report, fixed or silenced as the options have it."""
        if self._options.add_ignores:
            return self._ignore(report, data, result, case, write)
        if self._options.fix or self._options.diff or self.tries:
            return self._fix(report, data, result, case, write)
        return report

    def _fix(
        self,
        report: FileReport,
        data: bytes,
        result: LintResult,
        case: Case,
        write: bool,
    ) -> FileReport:
        unsafe = self._options.unsafe_fixes
        is_trial = not (self._options.fix or self._options.diff)
        fixable = sum(found.fix(unsafe=unsafe) is not None for found in result.diagnostics)
        if not fixable or (is_trial and fixable > _MAX_TRIED):
            return report
        from cfglint.engine.fixing import fix_source, with_outcome

        outcome = fix_source(report.source, case, unsafe=unsafe, trial=is_trial)
        if is_trial:
            return report.replaced(diagnostics=tuple(outcome.left(report.diagnostics)))
        report = with_outcome(report, outcome)
        report = self._changed(report, outcome.source, data, case, write)
        return report.replaced(diagnostics=tuple(outcome.left(report.diagnostics)))

    def _ignore(
        self,
        report: FileReport,
        data: bytes,
        result: LintResult,
        case: Case,
        write: bool,
    ) -> FileReport:
        """The report after comments were written that silence the findings."""
        if result.document is None:
            return report
        from cfglint.engine.silencing.ignoring import outcome_notes, with_ignores

        outcome = with_ignores(
            result.document, lambda document: lint_document(document, case).diagnostics
        )
        changed = self._changed(report, outcome.source, data, case, write)
        if changed.not_written is None:
            origin = self.session.settings(report.path).origin
            dry = self._options.diff
            self.notes += outcome_notes(outcome, result.document, report.path, origin, dry=dry)
        return changed

    def _changed(
        self, report: FileReport, source: SourceText, data: bytes, case: Case, write: bool
    ) -> FileReport:
        """The report after the file was given another text, where files are changed at all."""
        if source.text == report.source.text:
            return report
        report = report.replaced(fixed_source=source, original=report.source)
        if self._options.diff:
            return report
        if write:
            from cfglint.fixes.writing import write_file

            written = write_file(report.path, data, source.to_bytes())
            if not written.written:
                return report.replaced(not_written=written.reason, fixed=())
        return report.with_result(source, lint_source(source, case))


def _may_be_fed(case: Case) -> bool:
    """Whether a file that looks like a framework's config may be that of a program of the project instead."""
    row = case.framework.row
    return not (row["of_sections"] or row["named_by_others"] or case.around.launches)
