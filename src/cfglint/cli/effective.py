"""`cfglint effective FILE`: the configuration that the framework ends up with."""

from __future__ import annotations

import sys

import click

from cfglint import recognition
from cfglint.effective.resolve import Made, resolve
from cfglint.engine.lint import lint_document
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings import SettingsError, SettingsFinder
from cfglint.engine.unreadable import reading_problem
from cfglint.files.base import Files
from cfglint.framework import Framework
from cfglint.releases.table import example_target
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText


@click.command("effective", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path())
@click.option(
    "--target",
    multiple=True,
    metavar="PACKAGE==VERSION",
    help=f"The release that reads the file, such as {example_target()}.",
)
@click.option(
    "--compare",
    nargs=2,
    metavar="PACKAGE==VERSION PACKAGE==VERSION",
    help="Print only what differs between two releases, such as before and after an upgrade.",
)
@click.option(
    "--gpus", type=click.IntRange(min=1), metavar="N", help="GPUs of the run, over all nodes."
)
@click.option(
    "--gpu", metavar="NAME", help="Their kind, such as h100, or sm_90:96GB if it is not known."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(("yaml", "json")),
    default="yaml",
    show_default=True,
    help="YAML with the reasons as comments, or JSON with the lines of the file.",
)
@click.option("--config", type=click.Path(), metavar="FILE", help="Use this settings file.")
@click.option(
    "--isolated", is_flag=True, help="Use no settings file and nothing of the project around."
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    target: tuple[str, ...],
    compare: tuple[str, str] | None,
    gpus: int | None,
    gpu: str | None,
    format_: str,
    config: str | None,
    isolated: bool,
) -> None:
    """Print the configuration that the framework makes of a file.

    `-` is standard input. The framework's rewrites, conversions and defaults are carried out, each with
    the reason beside it. What only the machine of the run can tell is left out and listed at the
    end. The exit code is 1 when the framework refuses the file.
    """
    pins = tuple(part for text in target for part in text.replace(",", " ").split())
    try:
        finder = SettingsFinder(config=config, isolated=isolated)
        document, framework = _document(Session(Options(), finder), file)

        def made(*more: str) -> Made:
            session = Session(Options(target=(*pins, *more), gpus=gpus, gpu=gpu), finder)
            return _made(session, document, framework, file)

        results = [made(release) for release in compare] if compare is not None else [made()]
    except (RunError, SettingsError) as error:
        from cfglint.report.escaping import visible_path

        click.echo(f"cfglint: {visible_path(str(error))}", err=True)
        ctx.exit(2)
    sys.stdout.write(_rendered(results, document, file, as_json=format_ == "json"))
    ctx.exit(1 if any(result.refused for result in results) else 0)


def effective_text(session: Session, file: str) -> str:
    """What the framework makes of a file among those of a session, as YAML.

    Raises:
        RunError: it is no config, or cannot be read, or its settings are broken.
    """
    document, framework = _document(session, file)
    return _rendered([_made(session, document, framework, file)], document, file, as_json=False)


def _rendered(results: list[Made], document: Document, file: str, *, as_json: bool) -> str:
    """The answer: what one release makes of the file, or what differs between two."""
    if len(results) == 1:
        from cfglint.report.effective import render_json, render_yaml

        (made,) = results
        return render_json(made, document, file) if as_json else render_yaml(made, file)
    from cfglint.report import effective_changes

    before, after = results
    if as_json:
        return effective_changes.render_json(before, after, document, file)
    return effective_changes.render(before, after, file)


def _document(session: Session, file: str) -> tuple[Document, Framework]:
    """The file, and the framework that it is for.

    Raises:
        RunError: it cannot be read, or is no config whose framework this can be told of.
    """
    language = recognition.language_of(file)
    name = None
    try:
        source = SourceText.from_bytes(read_file(file, session.files))
        name = recognition.of_text(source.text, language)
        usual = session.framework(name or _usual(language))
        document = usual.language.read(source)
    except SourceError as error:
        problem = reading_problem(error, session.framework(name or _usual(language)))
        raise RunError(f"{file}: {problem.message}") from None
    if name is None or not usual.recognises(document):
        raise RunError(f"{file}: no training config that cfglint knows")
    if not usual.completes:
        raise RunError(f"{file}: `effective` does not support files of {usual.title} yet")
    return document, usual


def _usual(language: str) -> str:
    """The framework that says what is wrong with a file that nobody recognises."""
    name = recognition.fallback(language) or recognition.usual()
    if name is None:
        raise RunError("there are no rules for any framework")
    return name


def _made(session: Session, document: Document, framework: Framework, file: str) -> Made:
    """What the framework makes of the file.

    Raises:
        RunError: the release is not known, or settings or options are not understood.
    """
    settings = session.settings(file)
    target, around = session.environment(framework, settings, None if file == "-" else file)
    package = target.releases.package
    if target.foreign_version is not None:
        raise RunError(target.unlisted()[package].question)
    found = resolve(document, framework, target, around)
    result = lint_document(document, framework, target, around=around)
    refused = any(
        one.upstream == "rejects" and one.bites == "start" and not one.undecided
        for one in result.diagnostics
    )
    return Made(package, target.release_origin, found, refused)


def read_file(file: str, files: Files) -> bytes:
    """The bytes of a file, or of standard input for `-`.

    Raises:
        RunError: it cannot be read.
    """
    if file == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        return files.read(file, MAX_BYTES + 1, pipes=True)
    except OSError as error:
        raise RunError(f"{file}: cannot be read: {error.strerror}") from None
