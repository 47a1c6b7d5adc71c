"""What the commands that are about one file share: their options, and how they read it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click

from cfglint.engine.session import RunError, Session
from cfglint.engine.unreadable import reading_problem
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.files.base import Files
from cfglint.files.links import read_inside
from cfglint.framework import Framework, for_path
from cfglint.knowledge import recognition
from cfglint.knowledge.releases.table import example_target
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText

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
    """A config, and the framework that it is for.

    Args:
        any_release: also one that only older releases can read; the caller reads it again for its release.

    Raises:
        RunError: it cannot be read, or is not a config of any framework.
    """
    language = recognition.language_of(file)
    name = None
    try:
        source = SourceText.from_bytes(read_bytes(file, session.files))
        name = recognition.of_file(file, source.text, language)
        usual = for_path(session.framework(name or _usual(language)), file)
        try:
            document = usual.language.read(source)
        except SourceError:
            older = usual.parsing.language_for(source.text, usual.releases.versions[0])
            if not any_release or older is usual.language:
                raise
            document = older.read(source)
    except SourceError as error:
        problem = reading_problem(error, session.framework(name or _usual(language)))
        raise RunError(f"{file}: {problem.message}") from None
    if name is None or not usual.recognizes(document):
        raise RunError(f"{file}: not a training config that cfglint knows")
    return document, usual


def environment(
    session: Session, framework: Framework, file: str
) -> tuple[Environment, Surroundings]:
    """What a config is checked against, and what lies around it.

    Raises:
        RunError: the release is not known, or settings or options are not understood.
    """
    settings = session.settings(file)
    target, around = session.environment(framework, settings, None if file == "-" else file)
    if target.foreign_version is not None:
        raise RunError(target.unlisted()[target.releases.package].question)
    return target, around


def _usual(language: str) -> str:
    """The framework that reports what is wrong with a file that none recognizes."""
    name = recognition.fallback(language) or recognition.usual()
    if name is None:
        raise RunError("there are no rules for any framework")
    return name
