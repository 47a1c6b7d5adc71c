"""`cfglint fit FILE`: what a run needs on each GPU for certain."""

from __future__ import annotations

import sys

import click

from cfglint import recognition
from cfglint.cli.effective import read_file
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings import SettingsError, SettingsFinder
from cfglint.releases.table import example_target
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


@click.command("fit", context_settings={"help_option_names": ["-h", "--help"]})
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
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="A table with bars, or JSON (docs/fit.schema.json).",
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
    """Print what a run needs on each GPU for certain, and what would need less.

    `-` is standard input. Only what is certain is counted, so a run needs at least as much.
    Without --gpus, one GPU is asked about.
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
    try:
        source = SourceText.from_bytes(read_file(file, session.files))
        name = recognition.of_text(source.text, language) or recognition.fallback(language)
        if name is None:
            raise RunError(f"{file}: no config of a framework that cfglint knows")
        framework = session.framework(name)
        document = framework.language.read(source)
    except SourceError as error:
        raise RunError(f"{file}: cannot be read ({error.kind.value})") from None
    settings = session.settings(file)
    target, around = session.environment(framework, settings, None if file == "-" else file)
    package = target.releases.package
    if target.foreign_version is not None:
        raise RunError(target.unlisted()[package].question)
    planner = framework.planner(document, target, around)
    if planner is None:
        raise RunError(f"{file}: `fit` does not support files of {framework.title} yet")
    from cfglint.report.fit import answer, render_json, render_text

    facts = target.facts
    found = answer(planner, {name: fact.value for name, fact in facts.items()})
    if found is None:
        raise RunError(
            f"{file}: nothing is certain: the sizes of the base model are not known, or a setting "
            "lets parts lie elsewhere than on the GPUs"
        )
    release = f"{package} {target.release}"
    if format_ == "json":
        return render_json(found, document, release)
    return render_text(found, document, file, release)
