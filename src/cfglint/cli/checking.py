"""A check from the command line: files in, a report out."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from cfglint.cli.commands import INTERRUPTED, refuse_misspelt
from cfglint.cli.options import CheckOptions
from cfglint.cli.output import (
    complain,
    print_report,
    progress_line,
    rendered,
    report_files,
    write_files,
)
from cfglint.cli.runners import runner_for
from cfglint.cli.started import started_by
from cfglint.engine.files_together.discovery import (
    EXCLUDED,
    NO_CONFIG,
    FoundFile,
    RealPaths,
    discover,
)
from cfglint.engine.files_together.not_checked import missed_by
from cfglint.engine.programs.unparsed import UNPARSED
from cfglint.engine.session import RunError
from cfglint.engine.settings.nearest import SettingsError
from cfglint.engine.workers import LeftOut, Outcome, check_files
from cfglint.knowledge.recognition import language_of
from cfglint.report.run import RunReport
from cfglint.source.files.base import Files

#: In runs over more files, fixes are not tried on what is only checked.
_TRIED = 20


def check(paths: tuple[str, ...], options: CheckOptions) -> int:
    """Check files, folders or (`-`) standard input, and print the report; the exit code.

    Raises:
        OSError: the reader of the output has closed it.
    """
    try:
        code = CommandLineCheck(paths, options).run()
        # A full disk or a closed pipe shows when the buffer is written, which is here.
        sys.stdout.flush()
        return code
    except (RunError, SettingsError) as error:
        complain(str(error))
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        complain(f"the report cannot be written: {error.strerror}")
    return 2


class CommandLineCheck:
    """One check: the files it is about, what is found in them, and its report.

    Raises:
        RunError: an option cannot be understood.
        SettingsError: the settings file that an option names cannot be used.
    """

    def __init__(self, paths: tuple[str, ...], options: CheckOptions) -> None:
        self._options = options
        self._from_stdin = "-" in paths
        self._named = tuple(path for path in paths if path != "-")
        self._runner = runner_for(options)
        self._runner.check_options()
        self._report_files = report_files(options.output)
        session = self._session = self._runner.session
        self._files = session.files
        folders = filter(self._files.is_folder, self._named)
        self._files.tops = frozenset(map(os.path.abspath, folders))
        refuse_misspelt(self._named, self._files)
        self._real = RealPaths(self._files)
        self._report = RunReport(
            [],
            [],
            options.unsafe_fixes,
            options.diff,
            self._real.__getitem__,
            root=cache(lambda: _root(self._files)),
            fail_on=options.fail_on,
            knowledge=lambda name, path: session.framework(name, session.settings(path)).knowledge,
        )
        self._progress = progress_line()
        #: What a search that finds no config left out although it looks like one.
        self._missed = ""
        self._stream = sys.stderr if self._from_stdin and self._runner.fixes else sys.stdout

    def run(self) -> int:
        """Check everything and print the report; the exit code.

        Raises:
            RunError: a report, a baseline or the state of another commit is not to be had.
        """
        if self._options.show_files:
            return self._list_files()
        if self._from_stdin:
            self._check_stdin()
        finished = self._check_files()
        options = self._options
        if finished and (options.fix or options.fix_only or options.diff):
            from cfglint.engine.launches.fixing_scripts import with_scripts_fixed

            self._report.files = with_scripts_fixed(self._report.files, self._session)
        is_of_some = self._options.staged or self._options.changed_since is not None
        if not self._report.files and not is_of_some:
            left_out = self._report.left_out_as(NO_CONFIG)
            self._missed = missed_by(left_out, self._files)
            self._report.notes += [self._missed] if self._missed else []
        self._progress.wipe()
        self._print_notes()
        self._report.conclude()
        self._apply_baseline(self._named if finished else ())
        if options.fix_only:
            self._report.forget_findings()
        self._write_reports(finished)
        return self._exit_code() if finished else INTERRUPTED

    def _check_stdin(self) -> None:
        from cfglint.source.text import MAX_BYTES

        name = self._options.stdin_filename
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        report = None
        excluded = self._is_excluded(name)
        try:
            report = None if excluded else self._runner.check_bytes(data, name, named=True)
        except RunError as error:
            self._fail(str(error))
        else:
            if report is None:
                self._report.skipped.append(name)
            else:
                self._report.add(report)
        if self._runner.fixes:
            # Fixing standard input prints the text; the report goes to standard error.
            if report is not None and report.fixed_source is not None:
                data = report.fixed_source.to_bytes()
            sys.stdout.buffer.write(data)
            # What is too large to be checked still has to come out whole.
            import shutil

            shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)
            sys.stdout.buffer.flush()

    def _list_files(self) -> int:
        """Print which files the check is about; the exit code. Raises RunError as `run` does."""
        from cfglint.cli.show_files import FileList

        options = self._options
        if self._from_stdin or self._runner.fixes or options.diff or options.write_baseline:
            raise RunError("--show-files lists files and does nothing else")
        listed = FileList(self._runner, self._changed())
        files = []
        for found in self._search(listed.leave_out):
            if found.named and self._is_excluded(found.path):
                listed.leave_out(found.path, EXCLUDED)
            else:
                files.append(found)
        for error in listed.check(files):
            self._fail(error)
        self._stream.write(listed.as_json() if options.format_ == "json" else listed.as_text())
        if listed.is_empty:
            complain("no file is checked")
        return 2 if self._report.failures else 0

    def _search(self, leave_out: Callable[[str, str], object]) -> Iterator[FoundFile]:
        return discover(self._named, self._excludes, self._fail, self._files, leave_out)

    def _check_files(self) -> bool:
        """Check the named files and folders; false if the user stopped it before the end."""
        options, runner = self._options, self._runner
        changed = self._changed()
        if options.staged:
            self._report.nothing = "No training configs are staged."
        elif options.changed_since is not None:
            self._report.nothing = f"No training configs differ from {options.changed_since}."
        # What is not reported must not be repaired either.
        leaves_out = runner.fixes or options.diff
        files: list[FoundFile] = []
        checked = 0
        try:
            for found in self._search(self._report.leave_out):
                if found.named and self._is_excluded(found.path):
                    continue
                if not leaves_out or changed(found.path):
                    files.append(found)
                    self._real[found.path] = found.real
                    self._progress.say(f"{len(files)} files found")
            runner.in_run = frozenset(found.real for found in files)
            runner.excludes = self._excludes
            runner.tries = len(files) <= _TRIED
            self._refuse_to_overwrite(found.path for found in files if found.named)
            # The text of a file in which nothing was found is shown nowhere.
            only_text = options.format_ == "text" and not (options.output or options.diff)
            for found, outcome in check_files(runner, files, trim=only_text):
                if self._add(found, outcome, changed):
                    checked += 1
                    self._progress.say(f"checked {checked} of {len(files)} files")
        except KeyboardInterrupt:
            self._progress.wipe()
            complain(f"interrupted; {checked} of {len(files)} files were checked")
            return False
        return True

    def _add(self, found: FoundFile, outcome: Outcome, changed: Callable[[str], bool]) -> bool:
        """Add the outcome of one file to the report; whether the check is about this file."""
        if isinstance(outcome, str):
            self._fail(outcome)
        elif outcome is None or isinstance(outcome, LeftOut):
            if not found.named:
                if not changed(found.path) or not self._add_started(found):
                    self._report.leave_out(found.path, outcome.reason if outcome else NO_CONFIG)
            elif not self._options.detect:
                self._note_started(found)
                if not self._add_started(found):
                    self._report.skip(found.path, outcome.reason if outcome else "")
        elif not any(map(changed, (found.path, *(one.path for one in outcome.names)))):
            return False
        else:
            self._report.add(outcome)
            if found.named and not self._options.detect:
                self._note_started(found)
            if outcome.framework is None and not self._options.detect:
                # Nothing is known of the script but that.
                self._add_started(found)
        return True

    def _add_started(self, found: FoundFile) -> bool:
        """Add what is wrong with the words by which a script starts others; whether anything is.

        What a script that was not named starts is not looked at with it if this run checks it, or is not to.
        """
        path, is_named = found.path, found.named
        if not (path in self._report.started if is_named else language_of(path) == "shell"):
            return False
        from cfglint.answers.preflight.started import reports_on_script

        def leaves_out(other: str) -> bool:
            is_checked = self._files.real(other) in self._runner.in_run
            return not is_named and (is_checked or self._excludes(other))

        reports = [*reports_on_script(path, self._runner.only_checking(), leaves_out)]
        for report in reports:
            self._report.add(report.replaced(path=path))
        return bool(reports)

    def _note_started(self, found: FoundFile) -> None:
        """Note which configs a script starts, so that the report can name those that are not checked."""
        if configs := started_by(found.path, self._files):
            self._report.started[found.path] = configs

    def _changed(self) -> Callable[[str], bool]:
        """Which files the check is about."""
        options, files = self._options, self._files
        if options.staged:
            from cfglint.cli.changed import Staged

            return cache(Staged(files))
        if options.changed_since is None:
            return lambda _: True
        from cfglint.cli.changed import ChangedSince

        return cache(ChangedSince(options.changed_since, files))

    def _fail(self, error: str) -> None:
        # Settings that apply to many files are wrong once.
        if error not in self._report.failures:
            self._report.failures.append(error)
            self._progress.wipe()
            complain(error)

    def _excludes(self, path: str) -> bool:
        """Whether an option or the settings exclude a file that was found in a folder."""
        if self._options.exclude:
            from cfglint.base.globs import globs
            from cfglint.base.paths import relative_path

            relative = relative_path(path, os.getcwd()).replace(os.sep, "/")
            if globs(self._options.exclude).covers(relative):
                return True
        try:
            return self._session.settings(path).excludes(path)
        except RunError:
            return False  # checking the file says why

    def _is_excluded(self, path: str) -> bool:
        """Whether a file is skipped although it is named."""
        forced = self._options.force_exclude
        try:
            forced = forced or self._session.settings(path).force_exclude
        except RunError:
            return False  # checking the file says why
        return forced and self._excludes(path)

    def _baseline_of(self, path: str) -> str | None:
        """The baseline that the settings name for a file."""
        try:
            return self._session.settings(path).baseline
        except RunError:
            return None  # checking the file reports a broken settings file

    def _print_notes(self) -> None:
        """Print what happened to the files besides what is found in them."""
        for path in self._runner.leftovers:
            complain(
                f"{path}: left by an interrupted write, and the file has changed since;"
                " compare them"
            )
        for line in self._runner.notes:
            complain(line)

    def _apply_baseline(self, searched: tuple[str, ...]) -> None:
        options = self._options
        given = options.baseline is not None or options.write_baseline
        if given or any(self._baseline_of(file.path) for file in self._report.files):
            from cfglint.cli.baseline import use

            use(self._report, options, self._baseline_of, searched, self._files)

    def _refuse_to_overwrite(self, inputs: Iterable[str]) -> None:
        """Raise an error if a report would take the place of a file that was read.

        Raises:
            RunError: it would.
        """
        if not self._report_files:
            return
        read = {self._files.real(path) for path in inputs}
        for _, path in self._report_files:
            if self._files.real(path) in read:
                raise RunError(
                    f"--output {path}: this file is an input; write the report to another one"
                )

    def _inputs_beside(self) -> Iterator[str]:
        """The files that were read besides those that are checked on their own account."""
        for file in self._report.files:
            yield from (file.path, *(named.path for named in file.names))
            try:
                settings = self._session.settings(file.path)
            except RunError:
                continue  # checking the file reports a broken settings file
            yield from (path for path in (settings.origin, *settings.extended) if path is not None)
        named = (*self._options.config, self._options.sweep)
        yield from (path for path in named if path is not None)

    def _write_reports(self, finished: bool) -> None:
        report, options = self._report, self._options
        self._refuse_to_overwrite(self._inputs_beside())
        for format_, path in self._report_files:
            if format_ is not None:
                write_files([path], rendered(report, format_))
        nothing = not (report.files or report.skipped)
        # Programs find what failed in the report itself.
        if options.format_ != "json" and nothing and (report.failures or not finished):
            return
        instead = [path for format_, path in self._report_files if format_ is None]
        print_report(report, options, instead, self._stream)

    def _exit_code(self) -> int:
        report, options = self._report, self._options
        missed = report.failures or self._missed or UNPARSED in report.reasons.values()
        if missed or any(file.not_written for file in report.files):
            return 2
        if options.exit_zero or options.fix_only:
            return 0
        if options.diff and any(file.fixed_source is not None for file in report.files):
            return 1
        return 1 if report.failed() else 0


def _root(files: Files) -> str:
    """The folder that paths in reports for other programs are relative to."""
    from cfglint.source.files.repository import repository_root

    return repository_root(os.getcwd(), files) or os.getcwd()
