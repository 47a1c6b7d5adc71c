"""`cfglint mcp`: the tools of a coding agent."""

from __future__ import annotations

import gc

import click


@click.command("mcp", context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def command(ctx: click.Context, /) -> None:
    """Run an MCP server for coding agents: check, fix, explain, keys, effective, fit, preflight.

    It speaks the Model Context Protocol on standard input and output until the agent stops it. Paths
    count from the current folder.
    """
    try:
        from cfglint.server.agents.server import create
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "mcp":
            raise
        click.echo(
            "cfglint: the tools need mcp 2: pip install 'cfglint-llm[mcp]', in a clone pip install '.[mcp]'",
            err=True,
        )
        ctx.exit(2)
    # This process lives long: what a short one leaves lying about is collected.
    gc.set_threshold(10_000, 10, 10)
    create().run("stdio")
