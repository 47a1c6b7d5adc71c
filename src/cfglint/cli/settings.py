"""`cfglint settings FILE`: which settings apply to a file, and where each comes from."""

from __future__ import annotations

import sys

import click

from cfglint.engine.paths import shown_path
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings import SettingsError, SettingsFinder
from cfglint.knowledge import recognition
from cfglint.report.escaping import visible_path


@click.command("settings", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path())
@click.option("--config", type=click.Path(), metavar="FILE", help="Use this settings file.")
@click.pass_context
def command(ctx: click.Context, /, file: str, config: str | None) -> None:
    """Show which settings apply to a file, and where each comes from.

    The file does not have to exist. Options of a check override settings.
    """
    from cfglint.report.settings import render

    try:
        session = Session(Options(), SettingsFinder(config=config))
        settings = session.settings(file)
        name = recognition.fallback(recognition.language_of(file))
        if name is not None:
            framework = session.framework(name, settings)
            # A setting that names no rule, no release or no GPU is reported here, too, and a schema
            # that cannot be used.
            session.environment(framework, settings, file)
            session.selection(settings, framework, file)
    except (RunError, SettingsError) as error:
        click.echo(f"cfglint: {visible_path(str(error))}", err=True)
        ctx.exit(2)
    sys.stdout.write(render(settings, file, lambda path: shown_path(path, file)))
