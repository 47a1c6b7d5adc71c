"""`cfglint [PATHS]…` for click: help, errors, completion, and unusual command lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import click

from cfglint.cli.checking import check
from cfglint.cli.options import GROUPS, OPTIONS, CheckOptions, Option, split_list
from cfglint.knowledge.releases.table import example_target


class _Choice(click.Choice):  # type: ignore[type-arg]  # generic in new releases only
    """A choice that has other names as well."""

    def __init__(self, option: Option) -> None:
        super().__init__(option.choices)
        self._aliases = option.aliases

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(self._aliases.get(value, value), param, ctx)


def _parameter(option: Option) -> click.Option:
    kinds: dict[str, Any] = {
        "count": click.IntRange(min=1),
        "choice": _Choice(option),
        "path": click.Path(),
        "reports": click.Path(),
    }
    return click.Option(
        [option.flag, *([option.short] if option.short else ()), option.name],
        is_flag=option.kind == "flag",
        multiple=option.kind in ("list", "texts", "reports"),
        type=kinds.get(option.kind),
        callback=(lambda _ctx, _param, value: split_list(value)) if option.kind == "list" else None,
        default=None if option.kind in ("list", "texts", "reports") else option.unset(),
        show_default=option.kind == "choice" and option.unset() is not None,
        metavar=option.metavar,
        help=option.help.replace("{example}", example_target()),
        shell_complete=_completion(option.flag),
    )


def _completion(flag: str) -> Callable[..., Any] | None:
    """The completion of an option's value, where the shell itself cannot do it."""
    if "_CFGLINT_COMPLETE" not in os.environ:
        return None
    from cfglint.cli.completing import BY_FLAG

    found: Callable[..., Any] | None = BY_FLAG.get(flag)
    return found


@click.pass_context
def _command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Check files and folders, or `-` for standard input."""
    chosen = CheckOptions(**options)
    if not paths and not _says_which(chosen):
        raise click.UsageError("name a file or a folder to check (`cfglint .` for this folder)")
    paths = paths or (os.curdir,)
    if not chosen.watch:
        ctx.exit(check(paths, chosen))
    if "-" in paths:
        raise click.UsageError("--watch does not go with standard input")
    from cfglint.cli.watching import watch

    ctx.exit(watch(paths, chosen))


def _says_which(options: CheckOptions) -> bool:
    """Whether options say which files of the current folder are meant."""
    chosen = options.staged or options.changed_since is not None
    return chosen or options.watch or options.show_files


def write_options(
    ctx: click.Context, params: Sequence[click.Parameter], formatter: click.HelpFormatter
) -> None:
    """The options of a check in their groups, then the others."""
    records = {}
    for one in params:
        record = one.get_help_record(ctx)
        if isinstance(one, click.Option) and record is not None:
            # The help option may be there twice.
            records[one.opts[0]] = record
    for title, flags in GROUPS.items():
        with formatter.section(title):
            formatter.write_dl([records.pop(flag) for flag in flags])
    with formatter.section("General"):
        formatter.write_dl(list(records.values()))


class _Check(click.Command):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_options(ctx, self.get_params(ctx), formatter)


command = _Check(
    "check",
    context_settings={"help_option_names": ["-h", "--help"]},
    callback=_command,
    params=[
        click.Argument(["paths"], nargs=-1, type=click.Path(), metavar="[PATHS]…"),
        *(_parameter(option) for option in OPTIONS),
    ],
    help=_command.__doc__,
)
