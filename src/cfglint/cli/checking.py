"""A check from the command line: files in, a report out."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from cfglint.cli.options import FORMATS
from cfglint.engine.discovery import discover
from cfglint.engine.runner import FileReport, Options, RunError, Runner
from cfglint.engine.settings import SettingsError, SettingsFinder
from cfglint.engine.workers import check_files
from cfglint.files.base import Files
from cfglint.report.run import RunReport


def check(paths: tuple[str, ...], options: dict[str, Any]) -> int:
    """Check files, folders or (`-`) standard input, and print the report; the exit code.

    Args:
        options: by the names of `cfglint.cli.options`.

    Raises:
        OSError: whoever reads the output has gone.
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
    runner = _runner(
        options["sweep"],
        Options(
            target=options["target"],
            gpus=options["gpus"],
            gpu=options["gpu"],
            select=options["select"],
            ignore=options["ignore"],
            fix=options["fix"] or (options["unsafe_fixes"] and not options["diff"]),
            unsafe_fixes=options["unsafe_fixes"],
            diff=options["diff"],
            detect=options["detect"],
            min_confidence=options["min_confidence"],
        ),
        SettingsFinder(config=options["config"], isolated=options["isolated"]),
    )
    runner.check_options()
    outputs = _outputs(options["output"])
    session = runner.session
    reading = session.files
    run = RunReport(
        [],
        [],
        options["unsafe_fixes"],
        options["diff"],
        cache(reading.real),
        root=cache(lambda: _root(reading)),
        fail_on=options["fail_on"],
        knowledge=lambda name, path: session.framework(name, session.settings(path)).knowledge,
    )

    def fail(error: str) -> None:
        # Settings that hold for many files are wrong once.
        if error not in run.failures:
            run.failures.append(error)
            _complain(error)

    def excludes(path: str) -> bool:
        try:
            return runner.session.settings(path).excludes(path)
        except RunError:
            return False  # checking the file says why

    from_stdin = "-" in paths
    named = tuple(path for path in paths if path != "-")
    if from_stdin:
        _check_stdin(runner, run, options["stdin_filename"])
    changed = _changed_since(options["changed_since"], reading)
    files = list(discover(named, excludes, fail, reading))
    if runner.fixes or options["diff"]:
        # What is not told must not be repaired either.
        files = [found for found in files if changed(found.path)]
    runner.in_run = frozenset(reading.real(found.path) for found in files)
    outcomes = check_files(runner, files, _shower(options, from_stdin and runner.fixes))
    for found, outcome in zip(files, outcomes, strict=True):
        if isinstance(outcome, str):
            fail(outcome)
        elif outcome is not None:
            if changed(found.path) or any(changed(other.path) for other in outcome.names):
                run.add(outcome)
        elif found.named and not options["detect"]:
            run.skipped.append(found.path)
    for path in runner.leftovers:
        _complain(
            f"{path}: left by an interrupted write, and the file has changed since; compare them"
        )
    if options["baseline"] is not None or options["write_baseline"]:
        _use_baseline(run, options, named, reading)
    for format_, path in outputs:
        if format_ is not None:
            _write_files([path], _rendered(run, format_))
    if run.files or run.skipped or not run.failures:
        instead = [path for format_, path in outputs if format_ is None]
        _print(run, options, instead, from_stdin and runner.fixes)
    if run.failures:
        return 2
    if options["diff"] and any(file.fixed_source is not None for file in run.files):
        return 1
    return 1 if run.failed() else 0


def _changed_since(revision: str | None, files: Files) -> Callable[[str], bool]:
    """Which files a run is about."""
    if revision is None:
        return lambda _: True
    from cfglint.cli.changed import ChangedSince

    return cache(ChangedSince(revision, files))


def _use_baseline(
    run: RunReport, options: dict[str, Any], named: tuple[str, ...], files: Files
) -> None:
    """Make the findings known, or take out those that are.

    Raises:
        RunError: the baseline cannot be read or written.
    """
    from cfglint.cli.baseline import use

    folders = [] if options["changed_since"] else [path for path in named if files.is_folder(path)]
    some_rules = options["select"] or options["ignore"] or options["min_confidence"]
    use(
        run,
        options["baseline"],
        files,
        folders,
        write=options["write_baseline"],
        all_rules=not some_rules,
    )


def _root(files: Files) -> str:
    """What paths in reports for other programs count from."""
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


def _print(run: RunReport, options: dict[str, Any], instead: list[str], to_stderr: bool) -> None:
    """Write the report where it belongs: files instead, standard output or standard error."""
    if options["diff"]:
        from cfglint.report.diff import render as render_diff

        if instead:
            _write_files(instead, render_diff(run.files))
        elif sys.stdout.isatty():
            sys.stdout.write(render_diff(run.files, for_terminal=True))
        else:
            # A patch is bytes: the locale's encoding and line ends would spoil it.
            sys.stdout.flush()
            sys.stdout.buffer.write(render_diff(run.files).encode("utf-8"))
        _write_text(run, options, sys.stderr, _summary)
        return
    stream = sys.stderr if to_stderr else sys.stdout
    if options["statistics"] or options["format_"] != "text":
        for note in run.notes:
            _complain(note)
    if options["statistics"]:
        from cfglint.report import statistics

        as_json = options["format_"] == "json"
        text = statistics.render_json(run) if as_json else statistics.render(run)
    elif options["format_"] == "text" and not instead:
        _write_text(run, options, stream, None)
        return
    else:
        text = _rendered(run, options["format_"])
    if instead:
        _write_files(instead, text)
    else:
        stream.write(text)


def _outputs(given: tuple[str, ...]) -> list[tuple[str | None, str]]:
    """The reports to write to files: their format (None for the one of `--format`), and the file.

    Raises:
        RunError: a format is not known, or a file is not named.
    """
    found: list[tuple[str | None, str]] = []
    for text in given:
        format_, colon, path = text.partition(":")
        if colon and not path:
            raise RunError(f"--output {text} names no file")
        if format_ in FORMATS and colon:
            found.append((format_, path))
        elif colon and format_.isalpha() and len(format_) > 1:
            known = ", ".join(FORMATS)
            raise RunError(f"--output {text}: {format_!r} is no format; there are {known}")
        else:
            found.append((None, text))
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


def _summary(run: RunReport, style: Any, width: int) -> str:
    from cfglint.report.text import summary

    return summary(run, style, width)


def _write_text(
    run: RunReport,
    options: dict[str, Any],
    stream: Any,
    renderer: Callable[[RunReport, Any, int], str] | None,
) -> None:
    from cfglint.report.text import render

    style, width = _look(options, stream)
    stream.write((renderer or render)(run, style, width))


def _look(options: dict[str, Any], stream: Any) -> tuple[Any, int]:
    """How text is written to a stream: coloured or not, and how wide."""
    from cfglint.report.style import Style, wants_color

    width = min(max(_columns(), 40), 120)
    return Style(color=wants_color(stream, options["color"])), width


def _columns() -> int:
    """What `shutil.get_terminal_size` says, without importing it and all its archive formats."""
    told = os.environ.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and int(told[:6]) > 0:
        return int(told[:6])
    try:
        # Not `sys.stdout`, which may be replaced.
        assert sys.__stdout__ is not None
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 100
    except (AssertionError, OSError, ValueError):
        return 100


def _shower(options: dict[str, Any], to_stderr: bool) -> Callable[[FileReport], str] | None:
    """What makes the text of one file's findings where it is checked, if there will be text."""
    if options["format_"] != "text" or any(
        options[other] for other in ("diff", "statistics", "output", "baseline", "write_baseline")
    ):
        return None
    style, width = _look(options, sys.stderr if to_stderr else sys.stdout)

    def show(report: FileReport) -> str:
        if not report.diagnostics:
            return ""
        from cfglint.report.text import findings

        return findings(report, style, width)

    return show
