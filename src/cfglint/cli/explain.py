"""`cfglint explain CODES`: all that is known about rules."""

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
@click.argument(
    "rules", metavar="CODES-OR-NAMES", nargs=-1, required=True, shell_complete=_complete
)
@click.pass_context
def command(ctx: click.Context, rules: tuple[str, ...]) -> None:
    """Explain rules: what happens, when, and the evidence.

    A rule is named by its code or its name. A prefix of codes (`KEY`) lists a family.
    """
    from cfglint.report import rules_list
    from cfglint.report.style import Style, terminal_width, wants_color

    known = rules_here()
    style = Style(color=wants_color(sys.stdout))
    width = terminal_width()
    pages, wrong = [], []
    for text in rules:
        found = rules_list.named(known, text)
        exact = [
            rule
            for rule in found
            if text.upper() in (rule[0].code, *rule[0].formerly) or text.lower() == rule[0].name
        ]
        if exact:
            pages += [render(*rule, style, width) for rule in exact]
        elif found:
            pages.append(rules_list.render(found, style))
        else:
            wrong.append(f"unknown rule {text!r}{suggestions(text, [rule for rule, _ in known])}")
    # Pages that begin with a code are separated by a line.
    sys.stdout.write(f"\n{style.dim('─' * width)}\n\n".join(pages))
    if wrong:
        from cfglint.report.escaping import visible

        for message in wrong:
            click.echo(f"cfglint: {visible(message)}", err=True)
        ctx.exit(2)
