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
    from cfglint.answers.logs.diagnosis import RunConfigs
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
    from cfglint.answers.logs.diagnosis import diagnose
    from cfglint.api.diagnosing import config_of_log, reports_on, versions_given

    options = Options(target=pins(target), gpus=gpus, gpu=gpu)
    try:
        finder = SettingsFinder(config=config, isolated=isolated)

        def check(stated: LogFacts) -> RunConfigs:
            return reports_on(configs or config_of_log(stated), options, finder, stated)

        with _opened(log) as stream:
            found = diagnose(stream, check, versions_given(options.target))
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    if format_ == "json":
        from cfglint.report.diagnosis_json import render_json

        text = render_json(found, log)
    elif format_ == "agent":
        from cfglint.report.diagnosis import render_agent

        text = render_agent(found, log, _named(configs))
    else:
        from cfglint.report.diagnosis import render_text
        from cfglint.report.style import Style, terminal_width, wants_color

        text = render_text(
            found, log, Style(color=wants_color(sys.stdout)), terminal_width(), _named(configs)
        )
    sys.stdout.write(text)
    # Other errors of the config are no cause of what the log has.
    ctx.exit(0 if found.causes or found.named else 1)


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
