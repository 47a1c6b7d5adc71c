"""`cfglint completion SHELL`: the script that makes a shell complete the command."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash: eval "$(cfglint completion bash)"        in ~/.bashrc
    zsh:  eval "$(cfglint completion zsh)"         in ~/.zshrc, after compinit
    fish: cfglint completion fish | source         in ~/.config/fish/config.fish
    """  # noqa: D301 - the character is click's sign for lines that stay as they are
    from cfglint.cli.completing import register
    from cfglint.cli.group import group

    register()
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(group, {}, "cfglint", "_CFGLINT_COMPLETE").source())
