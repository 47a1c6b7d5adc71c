"""`cfglint diagnose LOG [CONFIG…]`: why a run ended."""

from __future__ import annotations

import shlex
import sys
from typing import IO, TYPE_CHECKING

import click

from cfglint.cli.one_file import environment_options, fail, format_option, pins, settings_options
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder

if TYPE_CHECKING:
    from cfglint.answers.logs.diagnosis import RunDiagnosis
    from cfglint.answers.logs.found import RunConfigs
    from cfglint.answers.logs.stated import LogFacts
    from cfglint.report.diagnosis_words import Subject


@click.command("diagnose", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("log", type=click.Path())
@click.argument("configs", type=click.Path(), metavar="[CONFIG]…", nargs=-1)
@environment_options
@format_option("text", "agent", "json", text="Text for people, a line for each failure, or JSON.")
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
    """Read the log of a failed run and name its probable causes, the most probable first.

    `-` is standard input. Versions, the number of GPUs and the config are taken from the log where
    it states them, unless they are given. Exit code 0: a cause is named; 1: none is.
    """
    options = Options(target=pins(target), gpus=gpus, gpu=gpu)
    try:
        finder = SettingsFinder(config=config, isolated=isolated)
        with _opened(log) as stream:
            found = _diagnosed(stream, configs, options, finder)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    subject = _subject(found, configs, options, finder)
    if format_ == "json":
        from cfglint.report.diagnosis_json import render_json

        text = render_json(found, log, subject)
    elif format_ == "agent":
        from cfglint.report.diagnosis import render_agent

        text = render_agent(found, log, subject)
    else:
        from cfglint.report.diagnosis import render_text
        from cfglint.report.style import Style, terminal_width, wants_color

        style = Style(color=wants_color(sys.stdout))
        text = render_text(found, log, style, terminal_width(), subject)
    sys.stdout.write(text)
    # Other errors of the config are no cause of what the log has.
    ctx.exit(0 if found.causes or found.named else 1)


def agent_text(
    log: str, configs: tuple[str, ...], options: Options, text: str | None = None
) -> str:
    """A line for each failure of a log, with its cause and what to do.

    Args:
        log: its path, or what to call it.
        text: the log itself, where it is no file.

    Raises:
        RunError: the log, a config or an option cannot be used.
        SettingsError: the settings file cannot be used.
    """
    import io

    from cfglint.report.diagnosis import render_agent

    finder = SettingsFinder()
    with _opened(log) if text is None else io.BytesIO(text.encode("utf-8", "replace")) as stream:
        found = _diagnosed(stream, configs, options, finder)
    return render_agent(found, log, _subject(found, configs, options, finder))


def _diagnosed(
    stream: IO[bytes], configs: tuple[str, ...], options: Options, finder: SettingsFinder
) -> RunDiagnosis:
    """The causes of a failure, with the configs that are named or else the one that the log names."""
    from cfglint.answers.logs.diagnosis import diagnose
    from cfglint.api.diagnosing import config_of_log, reports_on, versions_given

    def check(stated: LogFacts) -> RunConfigs:
        return reports_on(configs or config_of_log(stated), options, finder, stated)

    return diagnose(stream, check, versions_given(options.target))


def _subject(
    found: RunDiagnosis, configs: tuple[str, ...], options: Options, finder: SettingsFinder
) -> Subject:
    """The configs for the commands that are advised: what cannot be counted is not advised to be."""
    from cfglint.api.diagnosing import config_of_log
    from cfglint.report.diagnosis_words import Subject, advises_counting

    read = configs or config_of_log(found.stated)
    named = shlex.quote(read[0]) if len(read) == 1 else ""
    counted: str | None = ""
    if advises_counting(found):
        from cfglint.cli.fit import is_counted

        fitting = [one for one in read if is_counted(options, finder, one)]
        counted = shlex.quote(fitting[0]) if fitting else None if read else ""
    return Subject(named, counted)


def _opened(log: str) -> IO[bytes]:
    """The log as a stream.

    Raises:
        RunError: it cannot be read.
    """
    from cfglint.source.files.disk import open_stream

    if log == "-":
        return sys.stdin.buffer
    try:
        return open_stream(log)
    except OSError as error:
        raise RunError(f"{log}: cannot be read: {error.strerror}") from None
