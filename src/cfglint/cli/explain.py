"""`cfglint explain CODES-OR-KEYS`: all that is known about rules and keys."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from cfglint.api.explaining import explained, symptom_pages
from cfglint.cli.one_file import fail, pins
from cfglint.engine.session import RunError
from cfglint.engine.settings.nearest import SettingsError
from cfglint.knowledge.releases.table import example_target
from cfglint.report.style import Style, terminal_width, wants_color
from cfglint.roles.framework import frameworks

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from cfglint.cli.completing import rules

    return rules(ctx, param, incomplete)


@click.command("explain", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("subjects", metavar="CODES-OR-KEYS", nargs=-1, shell_complete=_complete)
@click.option(
    "--symptom",
    metavar="WORDS",
    help="A part of an error message, whose causes are named instead.",
)
@click.option(
    "--target",
    multiple=True,
    metavar="PACKAGE==VERSION",
    help=f"The release whose keys are explained, such as {example_target()}.",
)
@click.option(
    "--framework",
    "only",
    metavar="NAME",
    help="The framework whose keys are explained. [default: all that have the key]",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    subjects: tuple[str, ...],
    symptom: str | None,
    target: tuple[str, ...],
    only: str | None,
) -> None:
    """Explain rules and keys.

    A rule is named by its code or its name: what happens, when, and the evidence. A prefix of codes
    (`KEY`) lists a family. A key is named as in a file (`sample_packing`, `datasets[].type`): what it
    does, its values, since when it exists, the rules about it, and its names in other tools.

    --symptom takes a part of an error message and names its known causes.
    """
    if only is not None and only not in frameworks():
        raise click.UsageError(
            f"unknown framework {only!r}; expected one of {', '.join(sorted(frameworks()))}"
        )
    if bool(subjects) == (symptom is not None):
        raise click.UsageError("name a rule or a key, or give words of an error with --symptom")
    if symptom is not None:
        _explain_symptom(ctx, symptom, pins(target), only)
    style, width = Style(color=wants_color(sys.stdout)), terminal_width()
    try:
        pages, wrong = explained(subjects, pins(target), only, style, width)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    # Pages that begin with a code are separated by a line.
    sys.stdout.write(f"\n{style.dim('─' * width)}\n\n".join(pages))
    if wrong:
        from cfglint.report.escaping import visible

        for message in wrong:
            click.echo(f"cfglint: {visible(message)}", err=True)
        ctx.exit(2)


def _explain_symptom(
    ctx: click.Context, words: str, target: tuple[str, ...], only: str | None
) -> NoReturn:
    """Print what some words of an error are a symptom of; the exit code is 1 when that is not known."""
    style, width = Style(color=wants_color(sys.stdout)), terminal_width()
    try:
        pages = symptom_pages(words, target, only, style, width)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    if not pages:
        click.echo("cfglint: no rule has a symptom with these words; try fewer of them", err=True)
        ctx.exit(1)
    sys.stdout.write("\n".join(pages))
    ctx.exit(0)
