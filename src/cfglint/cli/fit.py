"""`cfglint fit FILE`: how much memory a run certainly needs on each GPU."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cfglint.api.fitting import FitRequest
from cfglint.cli.fit_file import fitting_of
from cfglint.cli.one_file import (
    color_option,
    environment_options,
    fail,
    format_option,
    pins,
    settings_options,
    write_patch,
)
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder

if TYPE_CHECKING:
    from cfglint.engine.advice import Advice
    from cfglint.report.style import Style


@click.command("fit", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path())
@environment_options
@click.option(
    "--advise",
    is_flag=True,
    help="Print the changes of the file with which it probably fits the GPUs, the cheapest first.",
)
@click.option(
    "--diff", is_flag=True, help="With --advise: print them as a patch, and the rest to stderr."
)
@click.option(
    "--measured", is_flag=True, help="Also print the measured runs that are the nearest to it."
)
@format_option("text", "json", text="A table with bars, or JSON (docs/fit.schema.json).")
@color_option
@settings_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    target: tuple[str, ...],
    gpus: int | None,
    gpu: str | None,
    advise: bool,
    diff: bool,
    measured: bool,
    format_: str,
    color: str,
    config: str | None,
    isolated: bool,
) -> None:
    """Print how much memory a run certainly and probably needs on each GPU, and what would reduce it.

    `-` is standard input. What is certain is counted, with what decides it; what a run probably
    needs is estimated. Without --gpus, the GPUs are those of the command that starts the file, or of
    the project, or else one.

    Exit code with --advise: 0 if it probably fits, as it is or with the changes; 1 if it does not,
    or that is not known. Otherwise 0; 2 if nothing is known.
    """
    if diff and (not advise or format_ == "json"):
        raise click.UsageError("--diff is for --advise, and for text")
    options = Options(target=pins(target), gpus=gpus, gpu=gpu)
    try:
        finder = SettingsFinder(config=config, isolated=isolated)
        session = Session(options, finder)
        fitting = fitting_of(session, file)
        advice = fitting.advice() if advise else None
        request = FitRequest(advise, advice, fitting.measured() if measured else None)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    if format_ == "json":
        sys.stdout.write(fitting.json(request))
    else:
        from cfglint.report.style import Style, wants_color

        stream = sys.stderr if diff else sys.stdout
        stream.write(fitting.text(Style(color=wants_color(stream, color)), request))
        if diff and advice is not None:
            _print_patch(advice, fitting.file)
    if advise:
        fits = advice is not None and (advice.fits or advice.enough is not None)
        ctx.exit(0 if fits else 1)


def is_counted(options: Options, finder: SettingsFinder, file: str) -> bool:
    """Whether the command has an answer for a file."""
    try:
        fitting_of(Session(options, finder), file)
    except (RunError, SettingsError):
        return False
    return True


def _print_patch(advice: Advice, file: str) -> None:
    """Print the cheapest changes as a patch."""
    from cfglint.report.fit_advice import patch

    if sys.stdout.isatty():
        sys.stdout.write(patch(advice, file, for_terminal=True))
    else:
        write_patch(patch(advice, file))


def fit_text(session: Session, file: str, style: Style, *, advise: bool = False) -> str:
    """How much memory a run needs, as text.

    Args:
        advise: with the changes with which it fits.

    Raises:
        RunError: it is not a config, nothing is certain about it, or its settings are broken.
    """
    fitting = fitting_of(session, file)
    request = FitRequest(advise, fitting.advice() if advise else None)
    return fitting.text(style, request)
