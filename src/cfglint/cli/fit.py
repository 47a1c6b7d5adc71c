"""`cfglint fit FILE`: how much memory a run certainly needs on each GPU."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cfglint.cli.one_file import (
    environment,
    environment_options,
    fail,
    format_option,
    pins,
    read_config,
    settings_options,
)
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings import SettingsError, SettingsFinder

if TYPE_CHECKING:
    from cfglint.report.style import Style


@click.command("fit", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path())
@environment_options
@format_option("text", "json", text="A table with bars, or JSON (docs/fit.schema.json).")
@settings_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    target: tuple[str, ...],
    gpus: int | None,
    gpu: str | None,
    format_: str,
    config: str | None,
    isolated: bool,
) -> None:
    """Print how much memory a run certainly needs on each GPU, and what would need less.

    `-` is standard input. Only what is certain is counted, so a run needs at least as much.
    Without --gpus, one GPU is assumed.
    """
    options = Options(target=pins(target), gpus=gpus, gpu=gpu)
    try:
        session = Session(options, SettingsFinder(config=config, isolated=isolated))
        from cfglint.report.style import Style, wants_color

        text = fit_text(session, file, format_, Style(color=wants_color(sys.stdout)))
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    sys.stdout.write(text)


def fit_text(session: Session, file: str, format_: str, style: Style) -> str:
    """How much memory a run needs.

    Args:
        format_: `text` or `json`.

    Raises:
        RunError: it is not a config, nothing is certain about it, or its settings are broken.
    """
    document, framework = read_config(session, file)
    target, around = environment(session, framework, file)
    planner = framework.readings.planner(document, target, around)
    if planner is None:
        raise RunError(f"{file}: `fit` does not support files of {framework.title} yet")
    from cfglint.report.fit import answer, render_json, render_text

    facts = {name: fact.value for name, fact in target.facts.items()}
    found = answer(planner, facts)
    if found is None:
        raise RunError(f"{file}: nothing is certain: {planner.obstacle(facts.get('gpus', 1))}")
    release = f"{target.releases.package} {target.release}"
    if format_ == "json":
        return render_json(found, document, release)
    return render_text(found, document, file, release, style)
