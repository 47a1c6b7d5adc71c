"""`cfglint effective FILE`: the configuration that the framework ends up with."""

from __future__ import annotations

import sys

import click

from cfglint import recognition
from cfglint.effective.resolve import resolve
from cfglint.engine.lint import lint_document
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings import SettingsError, SettingsFinder
from cfglint.engine.unreadable import reading_problem
from cfglint.files.base import Files
from cfglint.releases.table import example_target
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
    gpus: int | None,
    gpu: str | None,
    format_: str,
    config: str | None,
    isolated: bool,
) -> None:
    """Print the configuration that the framework makes of a file.

    `-` is standard input. The framework's rewrites, conversions and defaults are carried out, each with
    the reason beside it. What only the machine of the run can tell is left out and listed at the
    end.
    """
    pins = tuple(part for text in target for part in text.replace(",", " ").split())
    options = Options(target=pins, gpus=gpus, gpu=gpu)
    try:
        session = Session(options, SettingsFinder(config=config, isolated=isolated))
        text = _run(session, file, format_)
    except (RunError, SettingsError) as error:
        from cfglint.report.escaping import visible_path

        click.echo(f"cfglint: {visible_path(str(error))}", err=True)
        ctx.exit(2)
    sys.stdout.write(text)


def _run(session: Session, file: str, format_: str) -> str:
    language = recognition.language_of(file)
    name = recognition.fallback(language)
    try:
        source = SourceText.from_bytes(_read(file, session.files))
        name = recognition.of_text(source.text, language) or name
        if name is None:
            raise RunError(f"{file}: no config of a framework that cfglint knows")
        framework = session.framework(name)
        if not framework.completes:
            raise RunError(f"{file}: `effective` does not support files of {framework.title} yet")
        document = framework.language.read(source)
    except SourceError as error:
        name = name or recognition.usual()
        if name is None:
            raise RunError(f"{file}: cannot be read ({error.kind.value})") from None
        problem = reading_problem(error, session.framework(name))
        raise RunError(f"{file}: {problem.message}") from None
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
    from cfglint.report.effective import render_json, render_yaml

    if format_ == "json":
        return render_json(found, document, package, file, target.release_origin, refused=refused)
    return render_yaml(found, package, file, target.release_origin, refused=refused)


def _read(file: str, files: Files) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        return files.read(file, MAX_BYTES + 1, pipes=True)
    except OSError as error:
        raise RunError(f"{file}: cannot be read: {error.strerror}") from None
