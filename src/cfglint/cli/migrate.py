"""`cfglint migrate FILE… --to PACKAGE==VERSION`: migrate configs to another release."""

from __future__ import annotations

import sys
from contextlib import suppress

import click

from cfglint.cli.one_file import fail, gpus_option, settings_options
from cfglint.engine.case import Case
from cfglint.engine.files_around import Around, files_around, together
from cfglint.engine.migration import migrate
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings import Settings, SettingsError, SettingsFinder
from cfglint.engine.written_for import written_for
from cfglint.environment.environment import Environment
from cfglint.files.links import read_inside
from cfglint.framework import Framework
from cfglint.knowledge import recognition
from cfglint.knowledge.releases.table import example_target
from cfglint.report.migration import MigratedFile, render, render_markdown
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText


@click.command("migrate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE…")
@click.option(
    "--to",
    multiple=True,
    required=True,
    metavar="PACKAGE==VERSION",
    help=f"The release to migrate to, such as {example_target()}. May be repeated.",
)
@click.option(
    "--from",
    "from_",
    multiple=True,
    metavar="PACKAGE==VERSION",
    help="The release to migrate from. [default: found in the project, or inferred from the keys]",
)
@click.option("--write", is_flag=True, help="Write the files.")
@click.option("--diff", is_flag=True, help="Print the changes as a patch; change no file.")
@click.option(
    "--unsafe-fixes", "unsafe", is_flag=True, help="Also take steps that a person should review."
)
@click.option(
    "--partial",
    is_flag=True,
    help="Write the steps that can be taken even if something is left to do.",
)
@click.option(
    "--pin",
    is_flag=True,
    help="Also write the release into the project's requirements file, where it requires another.",
)
@click.option(
    "--report",
    type=click.Choice(("text", "markdown")),
    default="text",
    show_default=True,
    help="Format of the report on what was done and what was not.",
)
@gpus_option
@settings_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    to: tuple[str, ...],
    from_: tuple[str, ...],
    write: bool,
    diff: bool,
    unsafe: bool,
    partial: bool,
    pin: bool,
    report: str,
    gpus: int | None,
    config: str | None,
    isolated: bool,
) -> None:
    """Migrate configs to another release of their framework.

    Without --write and --diff only the report is printed. A file is written only if nothing
    is left to do in any of the files, unless --partial is given.

    Exit code 0: nothing is left to do; 1: something is; 2: it could not run.
    """
    if write and diff:
        raise click.UsageError("--write and --diff exclude each other")
    finder = SettingsFinder(config=config, isolated=isolated)
    try:
        source = Session(Options(target=from_, gpus=gpus), finder)
        target = Session(Options(target=to, gpus=gpus), SettingsFinder(config=None, isolated=True))
        done = [
            _migrated(file, source, target, stated=bool(from_), unsafe=unsafe, pin=pin)
            for file in files
        ]
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    complete = all(file.migration.complete for file in done)
    around = together([change for file in done for change in file.around])
    if write:
        done = [_written(file, may=complete or partial) for file in done]
        if complete or partial:
            around = [_written_too(change) for change in around]
    if diff and (complete or partial):
        _print_patch([*done, *around])
    elif diff:
        sys.stderr.write(
            "cfglint: no patch, because something is left to do; --partial prints one\n"
        )
    stream = sys.stderr if diff else sys.stdout
    if report == "markdown":
        stream.write(render_markdown(done, around))
    else:
        from cfglint.report.style import Style, wants_color

        stream.write(render(done, around, Style(color=wants_color(stream))))
    failed = [*(file.not_written for file in done), *(change.not_written for change in around)]
    ctx.exit(0 if complete and not any(failed) else 1)


def _print_patch(files: list[MigratedFile | Around]) -> None:
    """Print what changes in the files as a patch."""
    from cfglint.report.diff import render as render_diff

    terminal = sys.stdout.isatty()
    patch = render_diff(files, for_terminal=terminal)
    if terminal:
        sys.stdout.write(patch)
    else:
        # A patch is bytes: the locale's encoding and line ends would spoil it.
        sys.stdout.flush()
        sys.stdout.buffer.write(patch.encode("utf-8"))


def _migrated(
    path: str, source: Session, target: Session, *, stated: bool, unsafe: bool, pin: bool
) -> MigratedFile:
    """The migration of one file.

    Raises:
        RunError: the file, a release or the settings cannot be used.
    """
    try:
        text = SourceText.from_bytes(read_inside(path, MAX_BYTES + 1, source.files))
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from None
    except SourceError as error:
        raise RunError(f"{path}: cannot be read ({error.kind.value})") from None
    language = recognition.language_of(path)
    name = recognition.of_text(text.text, language) or recognition.fallback(language, text.text)
    if name is None:
        raise RunError(f"{path}: not a config of a framework that cfglint knows")
    settings = source.settings(path)
    framework = source.framework(name, settings)
    release = _environment(target, framework, Settings(), path, "--to")
    before, around = source.environment(framework, settings, path)
    if stated:
        before = _environment(source, framework, settings, path, "--from")
    migration = migrate(text, framework, release, unsafe=unsafe)
    was, origin = before.release, "--from" if stated else before.release_origin
    if before.assumed:
        was, origin = _by_keys(text, migration.whole, framework)
    changes: tuple[Around, ...] = ()
    with suppress(SourceError):  # what launches a text that cannot be read is left as it is
        document = framework.language.read(text)
        case = Case(framework, release, around)
        changes = tuple(files_around(document, case, before, pin=pin))
    return MigratedFile(path, framework.title, was, origin, release.release, migration, changes)


def _environment(
    session: Session, framework: Framework, settings: Settings, path: str, option: str
) -> Environment:
    """The release that a file is migrated to, or from.

    Raises:
        RunError: the option does not name a known release of the file's framework.
    """
    environment, _ = session.environment(framework, settings, path)
    package = environment.releases.package
    if environment.assumed:
        raise RunError(f"{path}: {option} does not name a release of {package}")
    if environment.foreign_version is not None:
        raise RunError(environment.unlisted()[package].question)
    return environment


def _by_keys(text: SourceText, after: SourceText, framework: Framework) -> tuple[str, str]:
    """The release inferred from the keys of a file, and how."""
    for source in (text, after):
        try:
            found = written_for(framework.language.read(source), framework)
        except SourceError:
            continue  # what it was written for shows once it is mended
        if found.unread == 0:
            return found.release, "the newest release that reads all its keys"
        return found.release, "the newest release that reads most of its keys"
    return framework.releases.newest, "its keys cannot be read"


def _written(file: MigratedFile, *, may: bool) -> MigratedFile:
    """The file, after it was written if there is something to write."""
    after = file.fixed_source
    if after is None:
        return file
    if not may:
        return file.replaced(not_written="something is left to do (--partial writes the rest)")
    from cfglint.fixes.writing import write_file

    result = write_file(file.path, file.original.to_bytes(), after.to_bytes())
    if not result.written:
        return file.replaced(not_written=result.reason)
    return file.replaced(written=True)


def _written_too(change: Around) -> Around:
    """The change to a file around, after it was written."""
    from cfglint.fixes.writing import write_file

    after = change.fixed_source
    assert after is not None
    result = write_file(change.path, change.original.to_bytes(), after.to_bytes())
    return change.replaced(not_written=None if result.written else result.reason)
