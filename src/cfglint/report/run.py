"""What a report is made from: all files of a run, and the counts of its summary."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable

from cfglint.base.record import FrozenDict
from cfglint.diagnostic import SEVERITIES, Diagnostic, at_least
from cfglint.engine.file_report import AppliedFix, FileReport
from cfglint.engine.files_together.discovery import EXPECTED
from cfglint.engine.settings.nearest import FailOn
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.roles.framework import load_framework
from cfglint.source.text import Span

#: The checks whose findings may show together that a pin is out of date, or that a build is the authors' own.
LATER, UNKNOWN = "key-of-later-release", "unknown-key"


class RunReport:
    """One run, as the formats see it.

    Args:
        skipped: named files that are not configs: not checked.
        dry: fixes were computed, and no file was changed.
        real: returns the path of a file with its links followed, to recognize two names of one
            file.
        root: the folder that paths in reports for other programs count from: the top of the
            repository; the current folder when None.
        fail_on: the threshold of the whole run; that of each file when None.
        knowledge: the rules for a framework's files at a path; cfglint's own when None.
    """

    def __init__(
        self,
        files: Iterable[FileReport],
        skipped: list[str],
        unsafe_fixes: bool = False,
        dry: bool = False,
        real: Callable[[str], str] = str,
        root: Callable[[], str] | None = None,
        fail_on: FailOn | None = None,
        knowledge: Callable[[str, str], Knowledge] | None = None,
    ) -> None:
        self.files: list[FileReport] = []
        self.root = root or os.getcwd
        self.knowledge = knowledge or (lambda framework, _: load_framework(framework).knowledge)
        self.fail_on = fail_on
        #: Why files could not be checked.
        self.failures: list[str] = []
        #: Further remarks on the run, one sentence each.
        self.notes: list[str] = []
        #: The remark when there was no file to check.
        self.nothing = "No training configs found."
        self.skipped = skipped
        #: Named script -> the configs that it starts, as it names them.
        self.started: dict[str, tuple[str, ...]] = {}
        #: Named file that is not checked -> why.
        self.reasons: dict[str, str] = {}
        #: What the search left out -> why; what is expected is not among it.
        self._left: dict[str, str] = {}
        #: Other words for parts of the summary, such as the name of a file that is none.
        self.instead: dict[str, str] = {}
        #: How many findings a baseline hides.
        self.known = 0
        #: Whether the report is about what was repaired alone.
        self.only_fixes = False
        self.unsafe_fixes = unsafe_fixes
        self.dry = dry
        self._real = real
        #: The real paths of files that were checked on their own account. Of others the report holds
        #: only what the configs that name them show.
        self._whole: set[str] = set()
        #: The other files that findings of checked ones are in, which are repaired with them.
        self._reached: set[str] = set()
        #: Where each file is in `files`, by its real path.
        self._places: dict[str, int] = {}
        #: Real path -> the rules whose findings the files that name it replace by their own.
        self._known_better: dict[str, frozenset[str]] = {}
        #: Real path -> the findings in it that come from configs which name the file, by place.
        self._of_format: dict[str, dict[tuple[str, Span], Diagnostic]] = {}
        #: Real path -> the reports on a file for the releases that the files which name it ask for.
        self._judged: dict[str, list[FileReport]] = {}
        #: Real path -> the report of a file on its own account, if nothing states its release.
        self._assumed: dict[str, FileReport] = {}
        for report in files:
            self.add(report)

    def add(self, report: FileReport) -> bool:
        """Add a file, and the other files that its findings are in; returns whether it is new.

        A file that several configs name is reported once, and equal findings of theirs at one place
        are merged.
        """
        if report.target.is_unstated:
            self._assumed[self._real(report.path)] = report
        for named in report.names:
            if named.judged is not None:
                self._judged.setdefault(self._real(named.path), []).append(named.judged)
            if named.known_better or named.of_format:
                path = self._real(named.path)
                known = self._known_better.get(path, frozenset())
                self._known_better[path] = known | named.known_better
                places = self._of_format.setdefault(path, {})
                places.update({(found.code, found.span): found for found in named.of_format})
                if path in self._places:
                    at = self._places[path]
                    self.files[at] = self._as_named(path, self.files[at])
        self._whole.add(self._real(report.path))
        is_new = self._merge(report.replaced(elsewhere=()))
        named_files = {self._real(named.path) for named in report.names}
        for other in report.elsewhere:
            self._reached |= {self._real(other.path)} - named_files
            self._merge(other)
        return is_new

    def is_whole(self, file: FileReport) -> bool:
        """Whether a file was checked on its own account, and not only with the configs that name it."""
        return self._real(file.path) in self._whole

    def conclude(self) -> None:
        """Join what only all files together show, when the last one was added."""
        for path, judged in self._judged.items():
            if path in self._places and path in self._assumed:
                at = self._places[path]
                report = _for_release(self.files[at], self._assumed[path], judged)
                self.files[at] = self._as_named(path, report)
        names = {found.name for file in self.files for found in file.diagnostics}
        if LATER in names:
            from cfglint.engine.severity.releases.stale_pins import outweighed

            self.files = outweighed(self.files)
        if UNKNOWN in names:
            from cfglint.engine.severity.releases.own_keys import doubted

            self.files = doubted(self.files)
        self.notes += _copies(self.files)

    def skip(self, path: str, reason: str) -> None:
        """Note that a named file is not checked."""
        self.skipped.append(path)
        self.reasons[path] = reason

    def leave_out(self, path: str, reason: str) -> None:
        """Note what a search leaves out, unless nothing else is expected of it."""
        if reason not in EXPECTED:
            self._left[path] = reason

    @property
    def left_out(self) -> dict[str, int]:
        """Why the search left files and folders out -> how many. A file that another one names is checked with that."""
        return dict(Counter(why for path, why in self._left.items() if not self._is_there(path)))

    def left_out_as(self, reason: str) -> list[str]:
        """What the search left out for a reason, in the order in which it was met."""
        return [path for path, why in self._left.items() if why == reason]

    def _is_there(self, path: str) -> bool:
        try:
            return self._real(path) in self._places
        except KeyError:  # nothing of it was opened
            return False

    def _as_named(self, path: str, report: FileReport) -> FileReport:
        """The report of a file, updated by the files that name it."""
        report = _without(report, self._known_better.get(path, frozenset()))
        places = self._of_format.get(path)
        if not places:
            return report
        found = (places.get((one.code, one.span), one) for one in report.diagnostics)
        return report.replaced(diagnostics=tuple(found))

    def _merge(self, report: FileReport) -> bool:
        path = self._real(report.path)
        report = self._as_named(path, report)
        at = self._places.setdefault(path, len(self.files))
        if at == len(self.files):
            self.files.append(report)
            return True
        known = self.files[at]
        # The other reports' findings are added to the report of the file's own framework.
        first, second = (report, known) if known.framework is None else (known, report)
        first = first.with_fixes_of(second)
        merged = {_identity(found): found for found in first.diagnostics}
        for found in second.diagnostics:
            same = merged.setdefault(_identity(found), found)
            if SEVERITIES.index(found.severity) < SEVERITIES.index(same.severity):
                # Of a file that names this one, which knows what becomes of it.
                merged[_identity(found)] = same.replaced(severity=found.severity)
        if list(merged.values()) != list(first.diagnostics):
            ordered = tuple(sorted(merged.values(), key=lambda d: d.span))
            # Of a file without findings of its own the text may have been left out.
            source = first.source if first.source.text else second.source
            self.files[at] = first.replaced(diagnostics=ordered, source=source)
        else:
            self.files[at] = first
        return False

    def in_words(self, text: str) -> str:
        """A text of the summary with other words for some of its parts."""
        for part, other in self.instead.items():
            text = re.sub(rf"(?<![^\s(,;])[^\s(,;]{{0,300}}{re.escape(part)}", other, text)
        return text

    def counts(self, *, other_releases: bool = True) -> dict[str, int]:
        """How many findings of each severity, the most severe first.

        Args:
            other_releases: count also those that apply only to other releases.
        """
        found = Counter(
            one.severity
            for file in self.files
            for one in file.diagnostics
            if other_releases or not one.other_releases
        )
        return {severity: found[severity] for severity in SEVERITIES}

    def fixable(self) -> int:
        """How many findings `--fix` would repair."""
        return sum(self._fixable_in(file) for file in self.files if self._is_repaired(file))

    def unsafely_fixable(self) -> int:
        """How many more `--unsafe-fixes` would repair."""
        whole = (file for file in self.files if self._is_repaired(file))
        return sum(_repairs(file, unsafe=True) for file in whole) - self.fixable()

    def _is_repaired(self, file: FileReport) -> bool:
        """Whether `--fix` changes a file: one that was checked on its own account, or a script or a list that such a one leads to."""
        return self.is_whole(file) or self._real(file.path) in self._reached

    def fixable_if_named(self) -> dict[str, int]:
        """File that others name -> how many findings in it `--fix` would repair if it were checked itself."""
        counts = {f.path: self._fixable_in(f) for f in self.files if not self._is_repaired(f)}
        return {path: count for path, count in counts.items() if count}

    def _fixable_in(self, file: FileReport) -> int:
        return _repairs(file, unsafe=self.unsafe_fixes)

    def due(self) -> int:
        """How many findings are not listed because they cost nothing before an upgrade."""
        return sum(file.due for file in self.files)

    def keys_of_unstated_releases(self) -> int:
        """How many keys the assumed release would not take, and are not reported because it is only assumed."""
        return len({(file.path, key) for file in self.files for key in file.due_if_assumed})

    def applied(self) -> list[tuple[FileReport, AppliedFix]]:
        """The fixes that were made (or would be), in the order of files and lines."""
        return [
            (file, fix)
            for file in self.files
            if file.fixed_source is not None
            for fix in sorted(file.fixed, key=lambda fix: fix.line)
        ]

    def forget_findings(self) -> None:
        """Leave out what is not repaired."""
        self.only_fixes = True
        self.files = [
            one.replaced(
                diagnostics=(), undecided=FrozenDict(), suppressed=0, due=0, due_if_assumed=()
            )
            for one in self.files
        ]

    def undecided(self) -> dict[str, int]:
        """Fact -> how many rules it would decide in the file where it matters most."""
        out: dict[str, int] = {}
        for file in self.files:
            for fact, count in file.undecided.items():
                out[fact] = max(out.get(fact, 0), count)
        return out

    def open_rules(self) -> dict[str, list[tuple[str, str]]]:
        """Fact -> code and name of the rules that it would decide in any file."""
        out: dict[str, dict[str, str]] = {}
        for file in self.files:
            if not file.open_rules or file.framework is None:
                continue
            labels = dict(self.knowledge(file.framework, file.path).labels())
            for fact, codes in file.open_rules.items():
                names = {code: labels[code] for code in codes if code in labels}
                out.setdefault(fact, {}).update(names)
        return {fact: sorted(rules.items()) for fact, rules in out.items()}

    def fails(self, file: FileReport, found: Diagnostic) -> bool:
        """Whether a finding is as severe as the threshold (the file's own when none is given).

        That of a rule in preview never is.
        """
        least = self.fail_on or file.fail_on
        return least != "never" and not found.preview and at_least(found.severity, least)

    def failed(self) -> bool:
        """Whether any finding is as severe as the threshold."""
        return any(self.fails(file, found) for file in self.files for found in file.diagnostics)

    def path_from_root(self, path: str) -> str | None:
        """A file's path from the root, with slashes; None for one that lies elsewhere."""
        root = self.root()
        absolute = os.path.abspath(path)
        for base, file in ((root, absolute), (self._real(root), self._real(absolute))):
            try:
                relative = os.path.relpath(file, base)
            except ValueError:  # another drive
                continue
            if relative != os.pardir and not relative.startswith(os.pardir + os.sep):
                return relative.replace(os.sep, "/")
        return None

    def by_importance(self) -> list[tuple[FileReport, Diagnostic]]:
        """All findings, the most important first, then in the order of files and lines.

        Those that apply only to other releases come last.
        """
        pairs = [(file, found) for file in self.files for found in file.diagnostics]
        return sorted(pairs, key=lambda pair: pair[1].importance)


def _for_release(report: FileReport, own: FileReport, judged: list[FileReport]) -> FileReport:
    """The report on a file for the release that all that name it ask for; as it is if they differ.

    Args:
        own: the one on its own account, which assumed a release.
        judged: those with the releases that the others ask for.
    """
    if report.fixed_source is not None or len({one.target.release for one in judged}) != 1:
        return report
    before = set(map(_identity, own.diagnostics))
    found = {
        _identity(one): one
        for one in (*judged[0].diagnostics, *report.diagnostics)
        if _identity(one) not in before or one in judged[0].diagnostics
    }
    ordered = tuple(sorted(found.values(), key=lambda one: one.span))
    first = judged[0]
    return report.replaced(
        diagnostics=ordered,
        target=first.target,
        undecided=first.undecided,
        open_rules=first.open_rules,
        due=first.due,
        due_if_assumed=first.due_if_assumed,
    )


def _without(report: FileReport, codes: frozenset[str]) -> FileReport:
    """A report without the findings of some rules."""
    if not codes:
        return report
    kept = (found for found in report.diagnostics if found.code not in codes)
    return report.replaced(diagnostics=tuple(kept))


def _copies(files: Iterable[FileReport]) -> list[str]:
    """For each project, a remark on its own files whose findings are not shown; the same for tests."""
    found: dict[str, list[int]] = {}
    for file in files:
        if file.copy_of and file.folded:
            found.setdefault(file.copy_of, []).append(file.folded)
    return [
        f"{plural(sum(folded), 'finding')} in {plural(len(folded), 'file')} of {title}"
        f" {'is' if sum(folded) == 1 else 'are'} not shown; see --all."
        for title, folded in found.items()
    ]


def count_phrase(counts: dict[str, int]) -> str:
    """`1 error, 2 warnings`; an empty string when there is nothing."""
    return ", ".join(plural(count, severity) for severity, count in counts.items() if count)


def plural(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _identity(found: Diagnostic) -> tuple[object, ...]:
    """What makes findings in one file the same, whichever file was checked."""
    return (found.code, found.span, found.message)


def _repairs(file: FileReport, *, unsafe: bool) -> int:
    """How many fixes are made in a file: one that repairs several findings is made once."""
    fixes = ((one.file, one.fix(unsafe=unsafe)) for one in file.diagnostics)
    return len({(other, fix.edits) for other, fix in fixes if fix is not None})
