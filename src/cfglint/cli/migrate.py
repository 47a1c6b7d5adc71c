"""`cfglint migrate FILE… --to PACKAGE==VERSION`: migrate configs to another release."""

from __future__ import annotations

import sys
from contextlib import suppress

import click

from cfglint.cli.one_file import fail, gpus_option, settings_options
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.files_around import Around, files_around, together
from cfglint.engine.lint import lint_document
from cfglint.engine.migration import migrate
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings import Settings, SettingsError, SettingsFinder
from cfglint.engine.written_for import written_for
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Pin, is_version
from cfglint.files.links import read_inside
from cfglint.framework import Framework, for_path
from cfglint.knowledge import recognition
from cfglint.knowledge.releases.table import example_target
from cfglint.knowledge.resemblance import resemblance
from cfglint.report.migration import MigratedFile, render, render_markdown
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText


@click.command("migrate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE…")
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
    help="The release to migrate from. [default: found in the project, or inferred from keys and"
    " values]",
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
        ends = Ends(from_, to, gpus, finder)
        done = [migrated(file, ends, unsafe=unsafe, pin=pin) for file in files]
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


class Ends:
    """The releases that files are migrated from and to, as options give them."""

    def __init__(
        self, from_: tuple[str, ...], to: tuple[str, ...], gpus: int | None, finder: SettingsFinder
    ) -> None:
        self._from, self._to, self._gpus = from_, to, gpus
        self._finder = finder
        #: Knows the project around the files.
        self.session = Session(Options(gpus=gpus), finder)
        self._sessions: dict[tuple[str, ...], Session] = {}

    @property
    def stated(self) -> bool:
        """Whether the release to migrate from is given."""
        return bool(self._from)

    def before(self, framework: Framework, settings: Settings, path: str) -> Environment:
        """The release to migrate from.

        Raises:
            RunError: it is not a known release of the framework.
        """
        pins = _with_package(self._from, framework)
        session = self._session(pins, self._finder)
        return _environment(session, framework, settings, path, "--from")

    def after(self, framework: Framework, settings: Settings, path: str) -> Environment:
        """The release to migrate to, the newest one of the day that counts if none is given.

        Raises:
            RunError: it is not a known release of the framework.
        """
        pins = _with_package(self._to, framework)
        if not pins:
            known = Environment(framework.releases, as_of=settings.as_of)
            pins = (f"{framework.releases.package}=={known.newest}",)
        session = self._session(pins, SettingsFinder(config=None, isolated=True))
        return _environment(session, framework, Settings(), path, "--to")

    def _session(self, pins: tuple[str, ...], finder: SettingsFinder) -> Session:
        known = self._sessions.get(pins)
        if known is None:
            options = Options(target=pins, gpus=self._gpus)
            known = self._sessions[pins] = Session(options, finder)
        return known


def _with_package(given: tuple[str, ...], framework: Framework) -> tuple[str, ...]:
    """Versions as they are given; a plain one is of the file's framework."""
    package = framework.releases.package
    return tuple(f"{package}=={text}" if is_version(text) else text for text in given)


def migrated(path: str, ends: Ends, *, unsafe: bool, pin: bool) -> MigratedFile:
    """The migration of one file.

    Raises:
        RunError: the file, a release or the settings cannot be used.
    """
    try:
        source = ends.session
        text = SourceText.from_bytes(read_inside(path, MAX_BYTES + 1, source.files))
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from None
    except SourceError as error:
        raise RunError(f"{path}: cannot be read ({error.kind.value})") from None
    language = recognition.language_of(path)
    name = recognition.of_file(path, text.text, language)
    if name is None:
        seen = resemblance(text.text, language)
        name = seen.framework if seen.is_certain else source.started_as(path)
    if name is None:
        raise RunError(f"{path}: not a config of a framework that cfglint knows")
    settings = source.settings(path)
    framework = for_path(source.framework(name, settings), path)
    release = ends.after(framework, settings, path)
    before, around = source.environment(framework, settings, path)
    if ends.stated:
        before = ends.before(framework, settings, path)
    migration = migrate(text, framework, release, unsafe=unsafe)
    was, origin = before.release, "--from" if ends.stated else before.release_origin
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
        doubt = environment.unlisted()[package]
        if option == "--from" and doubt.is_older:
            # What an older release had is what the oldest known one has.
            pins = {**environment.pins, package: Pin(doubt.oldest, None, option)}
            return Environment(framework.releases, pins, environment.facts)
        raise RunError(doubt.question)
    return environment


class _Refusals:
    """For how many reasons a release refuses a file, apart from keys that it does not read."""

    def __init__(self, document: Document, framework: Framework) -> None:
        self._document, self._framework = document, framework

    def __call__(self, version: str) -> int:
        releases = self._framework.releases
        target = Environment(releases, {releases.package: Pin(version, None, "--from")})
        # What the fixes would be is of no interest, and takes half of the time.
        case = Case.of_text(self._framework, target).replaced(plans=False)
        found = lint_document(self._document, case).diagnostics
        return sum(one.refuses and not one.meant and not _is_missing(one) for one in found)


def _is_missing(found: Diagnostic) -> bool:
    """Whether a finding is about what is not in the file, which tells nothing of its release."""
    return not found.path


def _by_keys(text: SourceText, after: SourceText, framework: Framework) -> tuple[str, str]:
    """The release inferred from the keys of a file, and how."""
    for source in (text, after):
        try:
            document = framework.language.read(source)
        except SourceError:
            continue  # what it was written for shows once it is mended
        found = written_for(document, framework, _Refusals(document, framework))
        which = "all" if found.unread == 0 else "most of"
        by_keys_alone = written_for(document, framework).release
        takes = "" if found.release == by_keys_alone else " and takes its values"
        return found.release, f"the newest release that reads {which} its keys{takes}"
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
