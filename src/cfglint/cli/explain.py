"""`cfglint explain CODE-OR-NAME`: all that is known about one rule."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cfglint.cli.project import rules_here
from cfglint.report.explain import render, suggestions

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from cfglint.cli.completing import rules

    return rules(ctx, param, incomplete)


@click.command("explain", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("rule", metavar="CODE-OR-NAME", shell_complete=_complete)
@click.pass_context
def command(ctx: click.Context, rule: str) -> None:
    """Explain a rule: what happens, when, how it is known."""
    rules = rules_here()
    for known, knowledge in rules:
        if rule.upper() in (known.code, *known.formerly) or rule.lower() == known.name:
            from cfglint.report.style import Style, wants_color

            sys.stdout.write(render(known, knowledge, Style(color=wants_color(sys.stdout))))
            return
    from cfglint.report.escaping import visible

    said = visible(f"{rule!r} is no rule{suggestions(rule, [known for known, _ in rules])}")
    click.echo(f"cfglint: {said}", err=True)
    ctx.exit(2)
