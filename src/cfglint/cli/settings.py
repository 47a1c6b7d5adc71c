"""`cfglint settings [FILE]`: which settings apply to a file, and where each comes from."""

from __future__ import annotations

import os
import sys

import click

from cfglint.engine.paths import shown_path
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder
from cfglint.knowledge import recognition
from cfglint.report.escaping import visible_path
from cfglint.source.files.links import read_inside

#: A file of a folder, whatever it is called.
_ANY = "any.yml"
_MAX_BYTES = 2_000_000


@click.command("settings", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path(), required=False)
@click.option("--config", type=click.Path(), metavar="FILE", help="Use this settings file.")
@click.pass_context
def command(ctx: click.Context, /, file: str | None, config: str | None) -> None:
    """Show which settings apply to a file, and where each comes from.

    The versions and the hardware that it is checked for are shown as well. The file does not have to exist; without
    one, what applies to files in the current folder is shown. Options of a check override settings.
    """
    from cfglint.report.settings import render, render_target

    path = file if file is not None else os.path.join(os.curdir, _ANY)
    shown = []
    try:
        session = Session(Options(), SettingsFinder(config=config))
        settings = session.settings(path)
        for name in _frameworks(path, session):
            framework = session.framework(name, settings)
            # A setting that names no rule, no release or no GPU is reported here, too, and a schema
            # that cannot be used.
            target, around = session.environment(framework, settings, path)
            session.selection(settings, framework, path)
            if target.pins or target.facts or around.project is not None:
                shown.append(render_target(target, around.project))
    except (RunError, SettingsError) as error:
        click.echo(f"cfglint: {visible_path(str(error))}", err=True)
        ctx.exit(2)
    title = path if file is not None else os.curdir
    sys.stdout.write(render(settings, title, lambda found: shown_path(found, path)))
    sys.stdout.writelines(dict.fromkeys(shown))


def _frameworks(path: str, session: Session) -> list[str]:
    """The frameworks whose file it may be: that of its text, or the usual one of its language."""
    language = recognition.language_of(path)
    try:
        text = read_inside(path, _MAX_BYTES, session.files).decode("utf-8", "replace")
    except OSError:
        text = ""
    found = recognition.of_text(text, language) if text else None
    name = found or recognition.fallback(language)
    return [name] if name is not None else []
