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
    from cfglint.answers.logs.diagnosis import RunConfigs, RunDiagnosis
    from cfglint.answers.logs.stated import LogFacts


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
    from cfglint.report import diagnosis as report

    options = Options(target=pins(target), gpus=gpus, gpu=gpu)
    try:
        finder = SettingsFinder(config=config, isolated=isolated)
        with _opened(log) as stream:
            found = _diagnosed(stream, configs, options, finder)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    if format_ == "json":
        text = report.render_json(found, log)
    elif format_ == "agent":
        text = report.render_agent(found, log, _named(configs))
    else:
        from cfglint.report.style import Style, terminal_width, wants_color

        text = report.render_text(
            found, log, Style(color=wants_color(sys.stdout)), terminal_width(), _named(configs)
        )
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

    with _opened(log) if text is None else io.BytesIO(text.encode("utf-8", "replace")) as stream:
        found = _diagnosed(stream, configs, options, SettingsFinder())
    return render_agent(found, log, _named(configs))


def _diagnosed(
    stream: IO[bytes], configs: tuple[str, ...], options: Options, finder: SettingsFinder
) -> RunDiagnosis:
    """The causes of a failure, with the configs that are named or else the one that the log names."""
    from cfglint.answers.logs.diagnosis import diagnose
    from cfglint.api.diagnosing import config_of_log, reports_on, versions_given

    def check(stated: LogFacts) -> RunConfigs:
        return reports_on(configs or config_of_log(stated), options, finder, stated)

    return diagnose(stream, check, versions_given(options.target))


def _named(configs: tuple[str, ...]) -> str:
    """The only config, as a word of a shell; empty for several."""
    return shlex.quote(configs[0]) if len(configs) == 1 else ""


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
