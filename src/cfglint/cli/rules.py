"""`cfglint rules`: list the rules, print the schema of rule files, test a folder of rules."""

from __future__ import annotations

import json
import os
import sys

import click

from cfglint.cli.project import rules_here
from cfglint.compiled import checkout_rules


@click.group("rules", invoke_without_command=True)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a rule file.")
@click.option("--matrix", is_flag=True, help="Show which framework has which shared rule.")
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text")
@click.pass_context
def command(ctx: click.Context, schema: bool, matrix: bool, format_: str) -> None:
    """List the rules; `cfglint explain CODE` tells more about one."""
    if ctx.invoked_subcommand is not None:
        return
    if schema:
        from cfglint.compiling.model import RuleModel

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
    width = max((len(rule.name) for rule, _ in rules), default=0)
    for rule, knowledge in rules:
        sys.stdout.write(
            f"{rule.code}  {rule.severity:7}  {rule.name:{width}}  {knowledge.details(rule.code).summary}\n"
        )


@command.command("test")
@click.argument("folder", type=click.Path(exists=True, file_okay=False), required=False)
@click.pass_context
def test(ctx: click.Context, folder: str | None) -> None:
    """Run the examples of the rules in FOLDER, or of the checkout's own."""
    from cfglint.compiling.files import RuleFileError
    from cfglint.engine.selftest import check_project_rules, main
    from cfglint.report.escaping import visible

    own = checkout_rules()
    if folder is None and own is None:
        click.echo("cfglint: name the folder with the rules", err=True)
        ctx.exit(2)
    try:
        if folder is None or (own is not None and os.path.realpath(folder) == own):
            assert own is not None
            ctx.exit(main([own]))
        ctx.exit(check_project_rules(folder, visible))
    except RuleFileError as error:
        click.echo(f"cfglint: {visible(str(error))}", err=True)
        ctx.exit(2)
