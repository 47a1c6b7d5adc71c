"""`cfglint rules`: list the rules, print the schema of rule files, test a folder of rules."""

from __future__ import annotations

import json
import os
import sys

import click

from cfglint.cli.project import rules_here
from cfglint.knowledge.compiled import checkout_rules
from cfglint.report import rules_list


class _Rules(click.Group):
    """A group that lists the rules if no sub-command is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] not in (["test"], ["fmt"], ["list"]):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group("rules", cls=_Rules, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """List the rules, test the examples of a folder of rules, or write its files in one way."""


@command.command("list", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("selectors", metavar="[CODES]…", nargs=-1)
@click.option(
    "--search", metavar="WORDS", help="Only rules whose text contains all of these words."
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a rule file.")
@click.option("--matrix", is_flag=True, help="Show which framework has which shared rule.")
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text")
@click.pass_context
def listing(
    ctx: click.Context,
    selectors: tuple[str, ...],
    search: str | None,
    schema: bool,
    matrix: bool,
    format_: str,
) -> None:
    """List all rules, or those selected by codes, prefixes of codes (`KEY`) or names.

    `cfglint explain CODE` describes one in detail; `cfglint rules test [FOLDER]` runs the examples of
    rules.
    """
    if schema:
        from cfglint.knowledge.compiling.model import RuleModel

        sys.stdout.write(json.dumps(RuleModel.model_json_schema(), indent=2) + "\n")
        return
    if matrix:
        from cfglint.report import matrix as table

        known = table.known()
        if format_ == "json":
            sys.stdout.write(json.dumps(table.as_json(known), indent=2) + "\n")
        else:
            sys.stdout.write(table.as_text(known))
        return
    rules = rules_here()
    if selectors:
        rules = _named(ctx, rules, selectors)
    if search is not None:
        rules = rules_list.holding(rules, search)
    if format_ == "json":
        rows = [
            {
                "code": rule.code,
                "name": rule.name,
                "severity": rule.severity,
                "confidence": rule.confidence,
                "summary": knowledge.details(rule.code).summary,
                "fix": sorted({fix.safety for fix in rule.fixes}),
                "applies": dict(knowledge.details(rule.code).applies),
            }
            for rule, knowledge in rules
        ]
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    from cfglint.report.style import Style, wants_color

    sys.stdout.write(rules_list.render(rules, Style(color=wants_color(sys.stdout))))
    if not rules:
        click.echo("cfglint: no rule contains all of these words", err=True)


def _named(
    ctx: click.Context, rules: list[rules_list.Told], selectors: tuple[str, ...]
) -> list[rules_list.Told]:
    """The rules that any of the selectors names, in the order of codes."""
    from cfglint.report.escaping import visible
    from cfglint.report.explain import suggestions

    codes = set()
    for text in selectors:
        found = rules_list.named(rules, text)
        if not found:
            said = f"unknown rule {text!r}{suggestions(text, [rule for rule, _ in rules])}"
            click.echo(f"cfglint: {visible(said)}", err=True)
            ctx.exit(2)
        codes |= {rule.code for rule, _ in found}
    return [told for told in rules if told[0].code in codes]


@command.command("test")
@click.argument("folder", type=click.Path(exists=True, file_okay=False), required=False)
@click.pass_context
def test(ctx: click.Context, folder: str | None) -> None:
    """Run the examples of the rules in FOLDER, or of the checkout's own."""
    from cfglint.engine.selftest import check_project_rules, main
    from cfglint.knowledge.compiling.files import RuleFileError
    from cfglint.report.escaping import visible

    folder, is_own = _folder(ctx, folder)
    try:
        ctx.exit(main([folder]) if is_own else check_project_rules(folder, visible))
    except RuleFileError as error:
        click.echo(f"cfglint: {visible(str(error))}", err=True)
        ctx.exit(2)


@command.command("fmt")
@click.argument("folder", type=click.Path(exists=True, file_okay=False), required=False)
@click.option("--check", is_flag=True, help="Change no file; exit with 1 when one would change.")
@click.pass_context
def fmt(ctx: click.Context, folder: str | None, check: bool) -> None:
    """Write the rule files in FOLDER, or the checkout's own, in one order and one style."""
    from cfglint.engine.selftest import rule_files
    from cfglint.knowledge.compiling.files import RuleFileError
    from cfglint.knowledge.compiling.writing import write_again
    from cfglint.report.escaping import visible

    folder, is_own = _folder(ctx, folder)
    changed = 0
    try:
        for path in write_again(rule_files(folder, is_own=is_own), check=check):
            changed += 1
            click.echo(f"{'would change' if check else 'changed'}: {visible(str(path))}")
    except RuleFileError as error:
        click.echo(f"cfglint: {visible(str(error))}", err=True)
        ctx.exit(2)
    ctx.exit(1 if check and changed else 0)


def _folder(ctx: click.Context, folder: str | None) -> tuple[str, bool]:
    """The folder that is meant, and whether it has the rules of this checkout."""
    own = checkout_rules()
    if folder is None and own is None:
        click.echo("cfglint: name the folder with the rules", err=True)
        ctx.exit(2)
    if folder is None or (own is not None and os.path.realpath(folder) == own):
        assert own is not None
        return own, True
    return folder, False
