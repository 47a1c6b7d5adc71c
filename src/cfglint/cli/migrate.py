"""`cfglint migrate PATH… --to PACKAGE==VERSION`: migrate configs to another release."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import click

from cfglint.api.migrating import Ends, migrated
from cfglint.cli.migrated_files import migrated_files
from cfglint.cli.one_file import (
    color_option,
    fail,
    gpus_option,
    read_bytes,
    settings_options,
    write_patch,
)
from cfglint.cli.output import complain
from cfglint.engine.files_together.files_around import Around, together
from cfglint.engine.session import RunError
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder
from cfglint.knowledge.releases.table import example_target
from cfglint.report.migration import MigratedFile, render, render_markdown


@click.command("migrate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="PATH…")
@click.option(
    "--to",
    multiple=True,
    metavar="[PACKAGE==]VERSION",
    help=f"The release to migrate to, such as {example_target()}. May be repeated."
    " [default: the newest]",
)
@click.option(
    "--from",
    "from_",
    multiple=True,
    metavar="[PACKAGE==]VERSION",
    help="The release to migrate from. May be repeated. [default: found in the project, or inferred"
    " from keys and values]",
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
    help="Also write the release into the requirements file that counts for the config, and a version"
    " that it admits of each package that is stated otherwise there.",
)
@click.option(
    "--report",
    type=click.Choice(("text", "markdown")),
    default="text",
    show_default=True,
    help="Format of the report on what was done and what was not.",
)
@gpus_option
@color_option
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
    color: str,
    config: str | None,
    isolated: bool,
) -> None:
    """Migrate configs to another release of their framework.

    Of a folder, the files are migrated that a check of it reads and that are for a package of --to.

    Without --write and --diff only the report is printed. A file is written only if nothing
    is left to do in any of the files, unless --partial is given.

    Exit code 0: nothing is left to do; 1: something is; 2: it could not run.
    """
    if write and diff:
        raise click.UsageError("--write and --diff exclude each other")
    try:
        finder = SettingsFinder(config=config, isolated=isolated)
        ends = Ends(from_, to, gpus, finder)
        done = list(_migrated(migrated_files(files, to, finder), ends, unsafe=unsafe, pin=pin))
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

        stream.write(render(done, around, Style(color=wants_color(stream, color))))
    failed = [*(file.not_written for file in done), *(change.not_written for change in around)]
    ctx.exit(0 if complete and not any(failed) else 1)


def _migrated(
    files: Mapping[str, bool], ends: Ends, *, unsafe: bool, pin: bool
) -> Iterator[MigratedFile]:
    """The migration of each file; one that is only in a folder does not keep the others.

    Args:
        files: path -> whether it is named.

    Raises:
        RunError: a file that is named cannot be migrated.
    """
    for file, is_named in files.items():
        try:
            data = read_bytes(file, ends.session.files)
            yield migrated(file, data, ends, unsafe=unsafe, pin=pin)
        except RunError as error:
            if is_named:
                raise
            complain(str(error))


def _print_patch(files: list[MigratedFile | Around]) -> None:
    """Print what changes in the files as a patch."""
    from cfglint.report.formats.diff import render as render_diff

    terminal = sys.stdout.isatty()
    patch = render_diff(files, for_terminal=terminal)
    if terminal:
        sys.stdout.write(patch)
    else:
        write_patch(patch)


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
