"""`cfglint effective FILE`: the configuration that the framework ends up with."""

from __future__ import annotations

import sys

import click

from cfglint.cli.one_file import (
    environment_options,
    fail,
    format_option,
    pins,
    read_config,
    settings_options,
)
from cfglint.effective.resolve import Made, resolve
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_document
from cfglint.engine.one_file import environment
from cfglint.engine.overrides import as_started
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings import SettingsError, SettingsFinder
from cfglint.engine.unreadable import reading_problem
from cfglint.framework import Framework
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.source.document import Document
from cfglint.source.problems import SourceError


@click.command("effective", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path())
@environment_options
@click.option(
    "--compare",
    nargs=2,
    metavar="PACKAGE==VERSION PACKAGE==VERSION",
    help="Print only what differs between two releases, such as before and after an upgrade.",
)
@format_option(
    "yaml", "json", text="YAML with the reasons as comments, or JSON with the lines of the file."
)
@settings_options
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

    `-` is standard input. The framework's rewrites, conversions and defaults are applied, each with
    its reason. Values that only the machine of the run can decide are omitted and listed at the
    end. The exit code is 1 if the framework refuses the file.
    """
    try:
        finder = SettingsFinder(config=config, isolated=isolated)
        document, framework = read_config(Session(Options(), finder), file, any_release=True)

        def made(*more: str) -> Made:
            session = Session(Options(target=(*pins(target), *more), gpus=gpus, gpu=gpu), finder)
            return _made(session, document, framework, file)

        results = [made(release) for release in compare] if compare is not None else [made()]
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    sys.stdout.write(_rendered(results, document, file, as_json=format_ == "json"))
    ctx.exit(1 if any(result.refused for result in results) else 0)


def effective_text(session: Session, file: str) -> str:
    """What the framework makes of a file among those of a session, as YAML.

    Raises:
        RunError: it is not a config, or cannot be read, or its settings are broken.
    """
    document, framework = read_config(session, file, any_release=True)
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


def _made(session: Session, document: Document, framework: Framework, file: str) -> Made:
    """What the framework makes of the file.

    Raises:
        RunError: the release is not known, settings or options are not understood, or it is not
            known how the file is read.
    """
    target, around = environment(session, framework, file)
    try:
        # What a text means may depend on the release.
        language = framework.parsing.language_for(document.text, target.release)
        document = language.read(document.source)
        if target.assumed:
            target = target.at_least(
                framework.keys.earliest_release(document, framework.releases.versions)
            )
        case = Case(framework, target, around)
        settings = as_started(document, case)
        found = resolve(settings, framework, target, around)
    except NotDeterminedError as error:
        raise RunError(f"{file}: {error}") from None
    except SourceError as error:
        raise RunError(f"{file}: {reading_problem(error, framework).message}") from None
    if settings is not document:
        case = case.replaced(around=around.replaced(launches=()))
    result = lint_document(settings, case)
    refused = any(found.refuses for found in result.diagnostics)
    return Made(target.releases.package, target.release_origin, found, refused)
