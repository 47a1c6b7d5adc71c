"""What the commands that are about one file share: their options, and how they read it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click

from cfglint.cli.started import started_by
from cfglint.engine.one_file import config_of
from cfglint.engine.session import RunError, Session
from cfglint.knowledge.releases.table import example_target
from cfglint.roles.framework import Framework
from cfglint.source.document import Document
from cfglint.source.files.base import Files
from cfglint.source.files.links import read_inside
from cfglint.source.text import MAX_BYTES

_Command = TypeVar("_Command", bound=Callable[..., Any])

gpus_option = click.option(
    "--gpus",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of GPUs in the run, over all nodes.",
)
_TARGET = click.option(
    "--target",
    multiple=True,
    metavar="PACKAGE==VERSION",
    help=f"The release that will read the file, such as {example_target()}.",
)
_GPU = click.option(
    "--gpu", metavar="NAME", help="GPU model, such as h100, or sm_90:96GB if it is not listed."
)
config_option = click.option(
    "--config", type=click.Path(), metavar="FILE", help="Use this settings file."
)
_ISOLATED = click.option(
    "--isolated", is_flag=True, help="Ignore settings files and the surrounding project."
)

color_option = click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Color the text.",
)


def format_option(*names: str, text: str) -> Callable[[_Command], _Command]:
    """Make an option `--format`, whose first name is the default, and whose help is the text."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help=text,
    )


def settings_options(command: _Command) -> _Command:
    """Add `--config` and `--isolated`."""
    return config_option(_ISOLATED(command))


def environment_options(command: _Command) -> _Command:
    """Add what a run is checked against: `--target`, `--gpus` and `--gpu`."""
    return _TARGET(gpus_option(_GPU(command)))


def pins(given: tuple[str, ...]) -> tuple[str, ...]:
    """The versions of `--target`, which may be several."""
    return tuple(part for text in given for part in text.replace(",", " ").split())


def fail(ctx: click.Context, error: Exception) -> NoReturn:
    """End the command with what keeps it from running."""
    from cfglint.report.escaping import visible_path

    click.echo(f"cfglint: {visible_path(str(error))}", err=True)
    ctx.exit(2)


def read_bytes(file: str, files: Files) -> bytes:
    """The bytes of a file, or of standard input for `-`; one byte too many of a larger one.

    Raises:
        RunError: it cannot be read.
    """
    if file == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        return read_inside(file, MAX_BYTES + 1, files, pipes=True)
    except OSError as error:
        raise RunError(f"{file}: cannot be read: {error.strerror}") from None


def read_config(
    session: Session, file: str, *, any_release: bool = False
) -> tuple[Document, Framework]:
    """A config, and the framework that it is for (see `engine.one_file.config_of`); `-` is standard input.

    Raises:
        RunError: it cannot be read, or is not a config of any framework.
    """
    data = read_bytes(file, session.files)
    try:
        return config_of(session, file, data, any_release=any_release)
    except RunError:
        started = () if file == "-" else started_by(file, session.files)
        if not started:
            raise
        raise RunError(f"{file}: it starts {started[0]}; name that instead of the script") from None


def write_patch(patch: str) -> None:
    """Print a patch as bytes: the locale's encoding and line ends would spoil it."""
    sys.stdout.flush()
    sys.stdout.buffer.write(patch.encode("utf-8"))
