"""A check from the command line: files in, a report out."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import cache

from cfglint.base.lazy import import_module
from cfglint.base.type_names import IO, TYPE_CHECKING, Any
from cfglint.cli.commands import INTERRUPTED
from cfglint.cli.options import FORMATS
from cfglint.engine.discovery import FoundFile, RealPaths, discover
from cfglint.engine.file_report import FileReport
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings import SettingsError, SettingsFinder
from cfglint.engine.workers import check_files
from cfglint.files.base import Files
from cfglint.report.run import RunReport

if TYPE_CHECKING:
    from cfglint.report.progress import Progress
    from cfglint.report.style import Style


def check(paths: tuple[str, ...], options: dict[str, Any]) -> int:
    """Check files, folders or (`-`) standard input, and print the report; the exit code.

    Args:
        options: by the names of `cfglint.cli.options`.

    Raises:
        OSError: the reader of the output has closed it.
    """
    try:
        code = _run(paths, options)
        # A full disk or a closed pipe shows when the buffer is written, which is here.
        sys.stdout.flush()
        return code
    except (RunError, SettingsError) as error:
        _complain(str(error))
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        _complain(f"the report cannot be written: {error.strerror}")
    return 2


def _run(paths: tuple[str, ...], options: dict[str, Any]) -> int:
    """Check everything and print the report; the exit code."""
    if options["add_ignores"] and options["fix"]:
        raise RunError("--add-ignores silences what --fix repairs; run one after the other")
    runner = _runner(
        options["sweep"],
        Options(
            target=options["target"],
            gpus=options["gpus"],
            gpu=options["gpu"],
            select=options["select"],
            ignore=options["ignore"],
            fix=options["fix"],
            unsafe_fixes=options["unsafe_fixes"],
            diff=options["diff"],
            detect=options["detect"],
            min_confidence=options["min_confidence"],
            per_file_ignores=options["per_file_ignores"],
            severity=options["severity"],
            add_ignores=options["add_ignores"],
        ),
        SettingsFinder(config=options["config"], isolated=options["isolated"]),
    )
    runner.check_options()
    outputs = _outputs(options["output"])
    session = runner.session
    reading = session.files
    real = RealPaths(reading)
    run = RunReport(
        [],
        [],
        options["unsafe_fixes"],
        options["diff"],
        real.__getitem__,
        root=cache(lambda: _root(reading)),
        fail_on=options["fail_on"],
        knowledge=lambda name, path: session.framework(name, session.settings(path)).knowledge,
    )
    progress = progress_line()

    def fail(error: str) -> None:
        # Settings that apply to many files are wrong once.
        if error not in run.failures:
            run.failures.append(error)
            progress.wipe()
            _complain(error)

    def excludes(path: str) -> bool:
        try:
            return runner.session.settings(path).excludes(path)
        except RunError:
            return False  # checking the file says why

    def baseline(path: str) -> str | None:
        try:
            return session.settings(path).baseline
        except RunError:
            return None  # what a broken settings file says is told where it counts

    from_stdin = "-" in paths
    named = tuple(path for path in paths if path != "-")
    if from_stdin:
        try:
            _check_stdin(runner, run, options["stdin_filename"])
        except RunError as error:
            fail(str(error))
    changed = _changed_since(options["changed_since"], reading)
    if options["changed_since"] is not None:
        run.nothing = f"No training configs differ from {options['changed_since']}."
    # What is not reported must not be repaired either.
    leaves_out = runner.fixes or options["diff"]
    stream = sys.stderr if from_stdin and runner.fixes else sys.stdout
    files: list[FoundFile] = []
    told = set()
    checked = 0
    interrupted = False
    try:
        for found in discover(named, excludes, fail, reading):
            if not leaves_out or changed(found.path):
                files.append(found)
                real[found.path] = found.real
                progress.say(f"{len(files)} files found")
        runner.in_run = frozenset(found.real for found in files)
        for found, outcome in check_files(runner, files, _shower(options, stream, baseline)):
            if isinstance(outcome, str):
                fail(outcome)
            elif outcome is not None:
                if not any(map(changed, (found.path, *(one.path for one in outcome.names)))):
                    continue
                if run.add(outcome) and outcome.shown is not None:
                    told.add(outcome.path)
                    if outcome.shown:
                        progress.wipe()
                        stream.write(outcome.shown)
            elif found.named and not options["detect"]:
                run.skipped.append(found.path)
            checked += 1
            progress.say(f"checked {checked} of {len(files)} files")
    except KeyboardInterrupt:
        interrupted = True
        progress.wipe()
        _complain(f"interrupted; {checked} of {len(files)} files were checked")
    progress.wipe()
    for path in runner.leftovers:
        _complain(
            f"{path}: left by an interrupted write, and the file has changed since; compare them"
        )
    for line in runner.told:
        _complain(line)
    given = options["baseline"] is not None or options["write_baseline"]
    if given or any(baseline(file.path) for file in run.files):
        from cfglint.cli.baseline import use

        use(run, options, baseline, named, reading)
    for format_, path in outputs:
        if format_ is not None:
            _write_files([path], _rendered(run, format_))
    # Programs find what failed in the report itself.
    nothing = not (run.files or run.skipped)
    if not (nothing and (run.failures or interrupted)) or options["format_"] == "json":
        instead = [path for format_, path in outputs if format_ is None]
        _print(run, options, instead, stream, frozenset(told))
    if interrupted:
        return INTERRUPTED
    if run.failures:
        return 2
    if options["exit_zero"]:
        return 0
    if options["diff"] and any(file.fixed_source is not None for file in run.files):
        return 1
    return 1 if run.failed() else 0


def _changed_since(revision: str | None, files: Files) -> Callable[[str], bool]:
    """Which files a run is about."""
    if revision is None:
        return lambda _: True
    from cfglint.cli.changed import ChangedSince

    return cache(ChangedSince(revision, files))


def _root(files: Files) -> str:
    """The folder that paths in reports for other programs are relative to."""
    from cfglint.files.repository import repository_root

    return repository_root(os.getcwd(), files) or os.getcwd()


def _runner(sweep: str | None, options: Options, finder: SettingsFinder) -> Runner:
    if sweep is None:
        return Runner(options, finder)
    from cfglint.engine.sweeps.runner import SweepRunner

    return SweepRunner(options, finder, sweep)


def _complain(message: str) -> None:
    from cfglint.report.escaping import visible_path

    sys.stderr.write(f"cfglint: {visible_path(message)}\n")
    sys.stderr.flush()


def _check_stdin(runner: Runner, run: RunReport, name: str) -> None:
    from cfglint.source.text import MAX_BYTES

    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    report = runner.check_bytes(data, name, named=True)
    if report is None:
        run.skipped.append(name)
    else:
        run.add(report)
    if runner.fixes:
        # Fixing standard input prints the text; the report goes to standard error.
        if report is not None and report.fixed_source is not None:
            data = report.fixed_source.to_bytes()
        sys.stdout.buffer.write(data)
        # What is too large to be checked still has to come out whole.
        import shutil

        shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _print(
    run: RunReport,
    options: dict[str, Any],
    instead: list[str],
    stream: IO[str],
    told: frozenset[str],
) -> None:
    """Write the report where it belongs: to files instead, or to a stream.

    Args:
        told: the files whose findings are printed already.
    """
    _list_fixes(run, options)
    if options["diff"]:
        from cfglint.report.diff import render as render_diff

        if instead:
            _write_files(instead, render_diff(run.files))
        elif sys.stdout.isatty():
            style, _ = _look(options, sys.stdout)
            sys.stdout.write(render_diff(run.files, for_terminal=True, style=style))
        else:
            # A patch is bytes: the locale's encoding and line ends would spoil it.
            sys.stdout.flush()
            sys.stdout.buffer.write(render_diff(run.files).encode("utf-8"))
        _write_summary(run, options, sys.stderr)
        return
    if options["statistics"] or options["format_"] != "text":
        for note in run.notes:
            _complain(note)
    if options["statistics"]:
        from cfglint.report import statistics

        as_json = options["format_"] == "json"
        text = statistics.render_json(run) if as_json else statistics.render(run)
    elif options["format_"] == "text":
        from cfglint.report.text import render as render_text

        if instead:
            text = render_text(run, verbose=options["verbose"])
        elif options["quiet"]:
            _write_summary(run, options, stream)
            return
        else:
            style, width = _look(options, stream)
            text = render_text(run, style, width, verbose=options["verbose"], told=told)
    else:
        text = _rendered(run, options["format_"])
    if instead:
        _write_files(instead, text)
    else:
        stream.write(text)


def _list_fixes(run: RunReport, options: dict[str, Any]) -> None:
    """List the fixes that were made on standard error, if requested.

    The text on the terminal lists them anyway.
    """
    if options["format_"] == "text" and not options["output"] and not options["diff"]:
        return
    files = [file for file in run.files if options["show_fixes"] or file.show_fixes]
    if any(file.fixed for file in files):
        from cfglint.report.fixed import render

        sys.stderr.write(render(files, dry=run.dry))


def _outputs(given: tuple[str, ...]) -> list[tuple[str | None, str]]:
    """The reports to write to files: their format (None for the one of `--format`), and the file.

    Raises:
        RunError: a format is not known, or a file is not named, or named twice.
    """
    found: list[tuple[str | None, str]] = []
    files: set[str] = set()
    for text in given:
        format_, colon, path = text.partition(":")
        if colon and not path:
            raise RunError(f"--output {text}: the file name is missing")
        if format_ in FORMATS and colon:
            found.append((format_, path))
        elif colon and format_.isalpha() and len(format_) > 1:
            known = ", ".join(FORMATS)
            raise RunError(f"--output {text}: unknown format {format_!r}; expected one of {known}")
        else:
            found.append((None, text))
        file = os.path.abspath(found[-1][1])
        # A terminal or a pipe gets one after the other.
        if file in files and not file.startswith("/dev/"):
            raise RunError(f"--output {text}: another report is written to this file")
        files.add(file)
    return found


def _rendered(run: RunReport, format_: str) -> str:
    return str(import_module(f"cfglint.report.{format_}").render(run))


def _write_files(paths: list[str], text: str) -> None:
    from cfglint.fixes.writing import write_new

    for path in paths:
        try:
            write_new(path, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise RunError(f"{path}: cannot be written: {error.strerror}") from None


def _write_summary(run: RunReport, options: dict[str, Any], stream: IO[str]) -> None:
    from cfglint.report.text import summary

    stream.write(summary(run, *_look(options, stream)))


def _look(options: dict[str, Any], stream: IO[str]) -> tuple[Style, int]:
    """How text is written to a stream: colored or not, with links or without, and how wide."""
    from cfglint.report.style import Style, terminal_width, wants_color, wants_links

    color = wants_color(stream, options["color"])
    return Style(color=color, links=color and wants_links(stream)), terminal_width()


class _NoProgress:
    """For output that is not shown on a terminal."""

    def say(self, text: str) -> None:
        pass

    def wipe(self) -> None:
        pass


def progress_line() -> _NoProgress | Progress:
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return _NoProgress()
    from cfglint.report.progress import Progress

    return Progress(sys.stderr)


def _shower(
    options: dict[str, Any], stream: IO[str], baseline: Callable[[str], str | None]
) -> Callable[[FileReport], str | None] | None:
    """The function that renders one file's findings where the file is checked, if there is text output.

    Which findings of a file with a baseline are told is not known before all are there.
    """
    if options["format_"] != "text" or any(
        options[other] for other in ("diff", "statistics", "output", "baseline", "write_baseline")
    ):
        return None
    style, width = _look(options, stream)

    def show(report: FileReport) -> str | None:
        if baseline(report.path) is not None:
            return None
        if not report.diagnostics or options["quiet"]:
            return ""
        from cfglint.report.text import findings

        return findings(report, style, width, verbose=options["verbose"])

    return show
