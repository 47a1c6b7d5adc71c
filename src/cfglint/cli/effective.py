"""`cfglint effective FILE`: the configuration that the framework ends up with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cfglint.answers.resolved.made import Made, made
from cfglint.cli.one_file import (
    color_option,
    environment_options,
    fail,
    format_option,
    pins,
    read_config,
    settings_options,
)
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder
from cfglint.source.document import Document

if TYPE_CHECKING:
    from cfglint.report.effective import Detail
    from cfglint.report.style import Style


@click.command("effective", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path())
@environment_options
@click.option(
    "--compare",
    nargs=2,
    metavar="[PACKAGE==]VERSION [PACKAGE==]VERSION",
    help="Print only what differs between two releases, such as before and after an upgrade.",
)
@click.option(
    "--changed",
    is_flag=True,
    help="Print only what differs from the file: neither what is as written, nor defaults.",
)
@click.option("--all", "all_", is_flag=True, help="Also print the defaults of the release.")
@format_option(
    "yaml", "json", text="YAML with the reasons as comments, or JSON with the lines of the file."
)
@color_option
@settings_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    target: tuple[str, ...],
    compare: tuple[str, str] | None,
    gpus: int | None,
    gpu: str | None,
    changed: bool,
    all_: bool,
    format_: str,
    color: str,
    config: str | None,
    isolated: bool,
) -> None:
    """Print the configuration that the framework makes of a file.

    `-` is standard input. The framework's rewrites, conversions and defaults are applied, each with
    its reason: what differs from the file comes first, and defaults are only counted. Values that
    only the machine of the run can decide are omitted and listed at the end. The exit code is 1 if
    the framework refuses the file.
    """
    if changed and all_:
        raise click.UsageError("--changed and --all exclude each other")
    detail: Detail = "changed" if changed else "all" if all_ else "usual"
    try:
        finder = SettingsFinder(config=config, isolated=isolated)
        document, framework = read_config(Session(Options(), finder), file, any_release=True)

        def made_by(*more: str) -> Made:
            session = Session(Options(target=(*pins(target), *more), gpus=gpus, gpu=gpu), finder)
            return made(session, document, framework, file)

        package = framework.packages[0]
        stated = [f"{package}=={one}" if one[:1].isdigit() else one for one in compare or ()]
        results = [made_by(release) for release in stated] or [made_by()]
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    if format_ == "json":
        sys.stdout.write(_json(results, document, file))
    else:
        from cfglint.report.style import Style, wants_color

        sys.stdout.write(_text(results, file, detail, Style(color=wants_color(sys.stdout, color))))
    ctx.exit(1 if any(result.refused for result in results) else 0)


def effective_text(session: Session, file: str) -> str:
    """What the framework makes of a file among those of a session, as YAML.

    Raises:
        RunError: it is not a config, or cannot be read, or its settings are broken.
    """
    from cfglint.report.style import Style

    document, framework = read_config(session, file, any_release=True)
    found = made(session, document, framework, file)
    return _text([found], file, "usual", Style(color=False))


def _text(results: list[Made], file: str, detail: Detail, style: Style) -> str:
    """The answer: what one release makes of the file, or what differs between two."""
    if len(results) == 1:
        from cfglint.report.effective import render_yaml

        return render_yaml(results[0], file, detail, style)
    from cfglint.report import effective_changes

    before, after = results
    return effective_changes.render(before, after, file, detail, style)


def _json(results: list[Made], document: Document, file: str) -> str:
    """The same for programs."""
    if len(results) == 1:
        from cfglint.report.effective import render_json

        return render_json(results[0], document, file)
    from cfglint.report import effective_changes

    before, after = results
    return effective_changes.render_json(before, after, document, file)
