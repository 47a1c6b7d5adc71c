"""The command and its sub-commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import click

import cfglint
from cfglint.cli.commands import INTERRUPTED, SUBCOMMANDS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@contextmanager
def _visible_errors() -> Iterator[None]:
    """Usage errors quote arguments, and a file name may be one."""
    try:
        yield
    except click.ClickException as error:
        from cfglint.report.escaping import visible

        vars(error)["message"] = visible(error.message)
        raise


#: No first sentence of a help is longer.
_LONGEST_HELP = 300


class _DefaultGroup(click.Group):
    """A group that checks if no sub-command is named."""

    #: Sub-command -> the module that defines it; imported when it is called.
    modules: ClassVar[dict[str, str]] = {name: f"cfglint.cli.{name}" for name in SUBCOMMANDS}

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        try:
            with _visible_errors():
                return super().make_context(info_name, args, parent, **extra)
        except KeyboardInterrupt:
            # click would print "Aborted!" and exit with 1.
            raise SystemExit(INTERRUPTED) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _visible_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = self.modules.get(cmd_name)
        if module is None:
            return None
        from importlib import import_module

        command: click.Command = import_module(module).command
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of a check, the most common command, then the rest."""
        from cfglint.cli.check import write_options

        check = self.get_command(ctx, "check")
        assert check is not None
        write_options(ctx, [*check.get_params(ctx), *self.get_params(ctx)], formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The sub-commands, each with its whole first sentence."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(_LONGEST_HELP))
                    for name, command in commands
                    if command is not None
                ]
            )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The first word may be a sub-command, a path, or an option of a check."""
        from click.shell_completion import CompletionItem

        check = self.get_command(ctx, "check")
        assert check is not None
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete) + check.shell_complete(ctx, incomplete)
        # For bash files come first, or it would forget the sub-commands.
        paths = CompletionItem(incomplete, type="file")
        return [paths, *super().shell_complete(ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            args = ["--help"]
        elif args[0] not in self.modules and args[0] not in ("--help", "-h", "--version", "-V"):
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_DefaultGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="",
    subcommand_metavar="[PATHS]… [OPTIONS] | COMMAND",
)
@click.version_option(cfglint.__version__, "--version", "-V", prog_name="cfglint")
def group() -> None:
    """Find what would go wrong with an LLM training config, before the GPUs start.

    `cfglint config.yml` checks a file, `cfglint config.yml --fix` repairs what can be repaired,
    `cfglint .` checks the configs in a folder.
    """
