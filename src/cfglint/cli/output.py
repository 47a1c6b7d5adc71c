"""Where a check's report goes: the terminal, other programs, files."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from cfglint.base.type_names import IO, TYPE_CHECKING
from cfglint.cli.options import FORMATS, CheckOptions
from cfglint.engine.session import RunError
from cfglint.report.run import RunReport

if TYPE_CHECKING:
    from cfglint.report.progress import ProgressLine
    from cfglint.report.style import Style


def complain(message: str) -> None:
    """Print a message about the run on standard error."""
    from cfglint.report.escaping import visible_path

    sys.stderr.write(f"cfglint: {visible_path(message)}\n")
    sys.stderr.flush()


def report_files(given: tuple[str, ...]) -> list[tuple[str | None, str]]:
    """The reports to write to files: their format (None for the one of `--format`), and the file.

    Raises:
        RunError: a format is not known, or a file is not named, or named twice.
    """
    found: list[tuple[str | None, str]] = []
    files: set[str] = set()
    for text in given:
        format_, colon, path = text.partition(":")
        if format_ in FORMATS and not path:
            raise RunError(f"--output {text}: the file name is missing; write {format_}:FILE")
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


def rendered(run: RunReport, format_: str) -> str:
    """The report in a format."""
    return str(import_module(f"cfglint.report.formats.{format_}").render(run))


def write_files(paths: list[str], text: str) -> None:
    """Write a report to files.

    Raises:
        RunError: one of them cannot be written.
    """
    from cfglint.fixes.writing import write_new

    for path in paths:
        try:
            write_new(path, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise RunError(f"{path}: cannot be written: {error.strerror}") from None


def print_report(
    run: RunReport,
    options: CheckOptions,
    instead: list[str],
    stream: IO[str],
) -> None:
    """Write the report where it belongs: to files instead, or to a stream.

    Raises:
        RunError: a file cannot be written.
    """
    _list_fixes(run, options)
    if options.diff:
        _print_diff(run, options, instead)
        return
    if options.statistics or options.format_ != "text":
        for note in run.notes:
            complain(note)
    if instead:
        write_files(instead, _text(run, options))
    elif options.format_ != "text" or options.statistics:
        stream.write(_text(run, options))
    elif options.quiet:
        from cfglint.report.summary import brief

        stream.write(brief(run))
    else:
        stream.write(_for_people(run, options, *_look(options, stream)))


def _text(run: RunReport, options: CheckOptions) -> str:
    """The report for a program or a file."""
    if options.statistics:
        from cfglint.report.formats import statistics

        as_json = options.format_ == "json"
        return statistics.render_json(run) if as_json else statistics.render(run)
    if options.format_ == "text":
        return _for_people(run, options)
    return rendered(run, options.format_)


def _for_people(
    run: RunReport, options: CheckOptions, style: Style | None = None, width: int = 100
) -> str:
    """The report in text, with what the options ask for."""
    if not any(file.diagnostics for file in run.files):
        # Nothing of what shows findings is needed.
        from cfglint.report.style import Style
        from cfglint.report.summary import summary

        return summary(run, style or Style(color=False), width, verbose=options.verbose)
    from cfglint.report.formats.text import render

    verbose, other_releases = options.verbose, options.other_releases
    return render(run, style, width, verbose=verbose, other_releases=other_releases)


def _print_diff(run: RunReport, options: CheckOptions, instead: list[str]) -> None:
    """Write the repairs as a patch, and the summary on standard error."""
    from cfglint.report.formats.diff import render

    if instead:
        write_files(instead, render(run.files))
    elif sys.stdout.isatty():
        style, _ = _look(options, sys.stdout)
        sys.stdout.write(render(run.files, for_terminal=True, style=style))
    else:
        # A patch is bytes: the locale's encoding and line ends would spoil it.
        sys.stdout.flush()
        sys.stdout.buffer.write(render(run.files).encode("utf-8"))
    _write_summary(run, options, sys.stderr)


def _list_fixes(run: RunReport, options: CheckOptions) -> None:
    """List the fixes that were made on standard error, if requested.

    The text on the terminal lists them anyway.
    """
    if options.format_ == "text" and not options.output and not options.diff:
        return
    files = [file for file in run.files if options.show_fixes or file.show_fixes]
    if any(file.fixed for file in files):
        from cfglint.report.fixed import render

        sys.stderr.write(render(files, dry=run.dry))


def _write_summary(run: RunReport, options: CheckOptions, stream: IO[str]) -> None:
    from cfglint.report.summary import brief, summary

    style, width = _look(options, stream)
    text = brief(run) if options.quiet else summary(run, style, width, verbose=options.verbose)
    stream.write(text)


def _look(options: CheckOptions, stream: IO[str]) -> tuple[Style, int]:
    """How text is written to a stream: colored or not, with links or without, and how wide."""
    from cfglint.report.style import Style, terminal_width, wants_color, wants_links

    color = wants_color(stream, options.color)
    return Style(color=color, links=color and wants_links(stream)), terminal_width()


class _NoProgress:
    """For output that is not shown on a terminal."""

    def say(self, text: str) -> None:
        pass

    def wipe(self) -> None:
        pass


def progress_line() -> _NoProgress | ProgressLine:
    """The line that shows how far a run has come, where standard error is a terminal."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return _NoProgress()
    from cfglint.report.progress import ProgressLine

    return ProgressLine(sys.stderr)
