"""`cfglint server`: the language server, for editors."""

from __future__ import annotations

import gc
import sys
from typing import BinaryIO, cast

import click


@click.command("server", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--stdio", is_flag=True, help="The default; accepted because some editors pass it.")
@click.pass_context
def command(ctx: click.Context, /, stdio: bool) -> None:
    """Run a language server for editors: findings while you type, fixes, completion, hover.

    It speaks the Language Server Protocol on standard input and output until the editor stops it.
    """
    try:
        from cfglint.server.features import create
        from cfglint.server.protocol import MessageInput
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        click.echo(
            "cfglint: the server needs pygls: pip install 'cfglint-llm[server]', in a clone pip install '.[server]'",
            err=True,
        )
        ctx.exit(2)
    # This process lives long: what a short one leaves lying about is collected.
    gc.set_threshold(10_000, 10, 10)
    # Nothing but the protocol may reach standard output.
    output, sys.stdout = sys.stdout, sys.stderr
    # pygls reads lines and bytes from it, and nothing else.
    create().start_io(cast("BinaryIO", MessageInput(sys.stdin.buffer)), output.buffer)
