"""The result of a run for one file."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.record import FrozenDict, Record
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.diagnostic import Diagnostic
from cfglint.engine.settings.nearest import FailOn, Settings
from cfglint.environment.environment import Environment
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.engine.case import Case
    from cfglint.engine.lint import LintResult


class AppliedFix(Record):
    """A fix that was made, the finding that it settled, and the line that this had before."""

    code: str
    title: str
    line: int


class Named(Record):
    """A file of another framework that a file names."""

    path: str
    framework: str
    #: What the framework is called in sentences.
    title: str
    #: Its findings that are known better from the file that names it.
    known_better: frozenset[str]
    #: What its format forbids, as those see it who read it for the file that names it; empty
    #: where the whole report of it is among those that come with this one.
    of_format: tuple[Diagnostic, ...] = ()
    #: The report on it for the release that the one of the file which names it asks for, if nothing states one
    #: and it is checked on its own account.
    judged: FileReport | None = None


class FileReport(Record):
    """The report on one file."""

    path: str
    #: The framework whose config it is; None when it was not checked.
    framework: str | None
    #: The text that the findings refer to (after fixing, when fixes were written).
    source: SourceText
    diagnostics: tuple[Diagnostic, ...]
    #: Fact -> how many rules it would decide.
    undecided: Mapping[str, int]
    #: How many findings comments silence.
    suppressed: int
    #: What it was checked against.
    target: Environment
    fail_on: FailOn
    fixed: tuple[AppliedFix, ...] = ()
    #: Fixes that were tried and not trusted: (code, reason).
    rejected: tuple[tuple[str, str], ...] = ()
    #: The text with all fixes, when it differs from the file (for `--diff` and standard input).
    fixed_source: SourceText | None = None
    #: The text before fixing, to compare with `fixed_source`.
    original: SourceText | None = None
    #: Why fixes were not written although there were some.
    not_written: str | None = None
    #: Other files that findings of this config are in: a lock file, a launch file.
    elsewhere: tuple[FileReport, ...] = ()
    #: What the framework is called in sentences.
    title: str = ""
    #: Of another file than a config: path and framework of the configs whose findings are in it.
    found_with: tuple[tuple[str, str], ...] = ()
    #: The files of other frameworks that it names.
    names: tuple[Named, ...] = ()
    #: Files of other frameworks may name it, and know some of its findings better.
    is_second: bool = False
    #: The project that publishes this very file, when its findings are counted and not shown.
    copy_of: str = ""
    #: How many findings that are.
    folded: int = 0
    #: How many findings are due at an upgrade, and only counted.
    due: int = 0
    #: The keys of which only the assumed release says that they are not read.
    due_if_assumed: tuple[str, ...] = ()
    #: The settings ask for the list of the fixes that were made.
    show_fixes: bool = False
    #: Fact -> the codes of the rules that it would decide.
    open_rules: Mapping[str, tuple[str, ...]] = FrozenDict()

    def with_result(self, source: SourceText, result: LintResult) -> FileReport:
        """The report after the file was given another text, in which this was found."""
        return self.replaced(
            source=source,
            diagnostics=tuple(result.diagnostics),
            undecided=result.undecided,
            open_rules=FrozenDict(result.open_rules),
            suppressed=result.suppressed,
            due=result.due,
            due_if_assumed=result.due_if_assumed,
        )

    def with_fixes_of(self, other: FileReport) -> FileReport:
        """The report with the fixes that another report on the same file has, unless it has some itself."""
        found_with = tuple(dict.fromkeys((*self.found_with, *other.found_with)))
        if self.fixed or self.fixed_source is not None:
            return self.replaced(found_with=found_with)
        return self.replaced(
            found_with=found_with,
            fixed=other.fixed,
            fixed_source=other.fixed_source,
            original=other.original,
            not_written=self.not_written or other.not_written,
        )

    def without_fixes(self) -> FileReport:
        """The report with findings that nothing repairs."""
        kept = tuple(found.replaced(fixes=()) for found in self.diagnostics)
        return self.replaced(diagnostics=kept)

    def of_no_framework(self) -> FileReport:
        """The report on a file that is of no framework, as far as is known."""
        return self.replaced(framework=None, title="", is_second=False)

    def as_copy(self, origin: str, *, is_started: bool) -> FileReport:
        """The report on a framework's own file, which shows what is wrong with other files alone.

        How such a file is started, for example, is the user's.

        Args:
            is_started: whether a command starts it; what else it does not go with concerns no run.
        """
        kept = tuple(found for found in self.diagnostics if is_started and found.file is not None)
        folded = len(self.diagnostics) - len(kept)
        return self.replaced(
            diagnostics=kept, copy_of=origin, folded=folded, due=0, due_if_assumed=()
        )


def report_of(
    path: str, source: SourceText, result: LintResult, case: Case, settings: Settings
) -> FileReport:
    """The report on a file, before anything is fixed."""
    return FileReport(
        path=path,
        framework=case.framework.name,
        source=source,
        diagnostics=(),
        undecided=FrozenDict(),
        suppressed=0,
        target=case.target.at_most(case.framework.parsing.last_release(source.text)),
        fail_on=settings.fail_on or "error",
        show_fixes=settings.show_fixes,
        title=case.framework.title,
        is_second=case.framework.row["named_by_others"],
    ).with_result(source, result)
