"""`cfglint diagnose LOG [CONFIG…]`: why a run ended."""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING

import click

from cfglint.cli.one_file import environment_options, fail, format_option, pins, settings_options
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings import SettingsError, SettingsFinder

if TYPE_CHECKING:
    from cfglint.engine.file_report import FileReport
    from cfglint.engine.runner import Runner
    from cfglint.logs.stated import LogFacts


@click.command("diagnose", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("log", type=click.Path())
@click.argument("configs", type=click.Path(), metavar="[CONFIG]…", nargs=-1)
@environment_options
@format_option("text", "json", text="Text for people, or JSON.")
@settings_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    log: str,
    configs: tuple[str, ...],
    target: tuple[str, ...],
    gpus: int | None,
    gpu: str | None,
    format_: str,
    config: str | None,
    isolated: bool,
) -> None:
    """Read the log of a run that failed and name the probable causes, the most probable first.

    `-` is standard input. Versions, the number of GPUs and the config are taken from the log where
    it states them, unless they are given. Exit code 0: a cause is named; 1: nothing is known.
    """
    from cfglint.logs.diagnosis import diagnose
    from cfglint.report import diagnosis as report

    options = Options(target=pins(target), gpus=gpus, gpu=gpu)
    finder = SettingsFinder(config=config, isolated=isolated)

    def check(stated: LogFacts) -> list[FileReport]:
        return _reports(configs or _config_of(stated), options, finder, stated)

    try:
        with _opened(log) as stream:
            found = diagnose(stream, check)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    if format_ == "json":
        text = report.render_json(found, log)
    else:
        from cfglint.report.style import Style, terminal_width, wants_color

        text = report.render_text(
            found, log, Style(color=wants_color(sys.stdout)), terminal_width()
        )
    sys.stdout.write(text)
    ctx.exit(0 if found.causes or found.other_errors else 1)


def _opened(log: str) -> IO[bytes]:
    """The log as a stream.

    Raises:
        RunError: it cannot be read.
    """
    from cfglint.files.disk import open_stream

    if log == "-":
        return sys.stdin.buffer
    try:
        return open_stream(log)
    except OSError as error:
        raise RunError(f"{log}: cannot be read: {error.strerror}") from None


def _config_of(stated: LogFacts) -> tuple[str, ...]:
    """The config that the log names, if it is a file below the current folder."""
    if stated.config is None:
        return ()
    from cfglint.files.disk import Disk
    from cfglint.files.folders import is_inside

    path, files = stated.config[0], Disk()
    return (
        (path,)
        if is_inside(os.path.abspath(path), os.getcwd(), files) and files.is_file(path)
        else ()
    )


def _reports(
    configs: tuple[str, ...], options: Options, finder: SettingsFinder, stated: LogFacts
) -> list[FileReport]:
    """The reports on the configs, for what the options or else the log state.

    Raises:
        RunError: a config cannot be read.
    """
    from cfglint.engine.runner import Runner

    if not configs:
        return []
    versions = tuple(f"{name}=={version}" for name, (version, _) in stated.versions.items())
    with_log = options.replaced(
        target=options.target or versions,
        gpus=options.gpus or (stated.gpus[0] if stated.gpus is not None else None),
    )
    try:
        return _checked(Runner(with_log, finder), configs)
    except RunError:
        # The log may state a version that is newer than all that are known.
        if options.target or not versions:
            raise
    return _checked(Runner(with_log.replaced(target=()), finder), configs)


def _checked(runner: Runner, configs: tuple[str, ...]) -> list[FileReport]:
    reports = []
    for path in configs:
        report = runner.check_file(path, named=True)
        if report is not None:
            reports += [report, *report.elsewhere]
    return reports
