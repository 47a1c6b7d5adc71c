"""The command line: options in, exit code out."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, NoReturn

import click

import cfglint


@contextmanager
def _visible_errors() -> Iterator[None]:
    """Usage errors quote arguments, and a file name may be one."""
    try:
        yield
    except click.ClickException as error:
        from cfglint.report.escaping import visible

        vars(error)["message"] = visible(error.message)
        raise


class _DefaultGroup(click.Group):
    """A group in which checking is what happens when no sub-command is named."""

    #: Sub-command -> the module that holds it; imported when it is called.
    modules: ClassVar[dict[str, str]] = {
        "check": "cfglint.cli.check",
        "effective": "cfglint.cli.effective",
        "explain": "cfglint.cli.explain",
        "rules": "cfglint.cli.rules",
    }

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        with _visible_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _visible_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            # As a shell has it: 128 and the number of the signal.
            ctx.exit(130)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = self.modules.get(cmd_name)
        if module is None:
            return None
        from importlib import import_module

        command: click.Command = import_module(module).command
        return command

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
    `cfglint .` looks for configs in a folder. `cfglint check --help` lists the options.
    """


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command.

    Args:
        arguments: what stands after the command's name; those of this process when None.

    Raises:
        SystemExit: always, with 0 (nothing found), 1 (findings), 2 (could not run) or 130
            (interrupted).
    """
    # A short life, millions of nodes and no cycles: the collector would only look on.
    gc.set_threshold(100_000, 50, 50)
    if sys.stdout is None:
        # Started with its standard output closed: there is nobody to tell.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    group.main(args=arguments, prog_name="cfglint")
    raise SystemExit(0)


def script() -> NoReturn:
    """The installed command: as `main`, but the process ends at once.

    Taking the interpreter apart would take as long as a check.
    """
    try:
        main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1 if stop.code else 0
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        # Whoever read the output has gone; there is nobody left to tell.
        code = code or 1
    os._exit(code)
