"""The migration of one file: the releases that it is from and goes to, and the files around it."""

from __future__ import annotations

from contextlib import suppress

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.files_together.files_around import Around, files_around
from cfglint.engine.lint import lint_document
from cfglint.engine.migration.one_text import migrate
from cfglint.engine.programs.unparsed import UNPARSED, is_unparsed
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import Settings, SettingsFinder
from cfglint.engine.severity.releases.written_for import WrittenFor, written_for
from cfglint.environment.environment import Environment
from cfglint.environment.fitting import fits
from cfglint.environment.pins import Pin, is_version
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.for_files import for_document, for_path
from cfglint.knowledge import recognition
from cfglint.knowledge.releases.beside import newest_beside
from cfglint.knowledge.resemblance import resemblance
from cfglint.report.migration import MigratedFile
from cfglint.roles.framework import Framework
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


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
        if framework.row["of_sections"]:
            pins = _beside(pins, framework, settings)
        elif not pins:
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


def _beside(pins: tuple[str, ...], framework: Framework, settings: Settings) -> tuple[str, ...]:
    """Versions together with the newest ones of the other packages whose classes a program calls."""
    stated = {
        name.strip(): version.strip() for name, _, version in (p.partition("==") for p in pins)
    }
    together = newest_beside(framework.packages, stated, settings.as_of)
    added = (f"{name}=={version}" for name, version in together.items() if name not in stated)
    return (*pins, *added)


def migrated(
    path: str, data: bytes, ends: Ends, *, unsafe: bool, pin: bool = False
) -> MigratedFile:
    """The migration of one file.

    Args:
        data: its contents.
        unsafe: whether steps are taken that a person should review.
        pin: whether the release is also written into the project's requirements.

    Raises:
        RunError: the file, a release or the settings cannot be used.
    """
    source = ends.session
    try:
        text = SourceText.from_bytes(data)
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
    if language == "python" and is_unparsed(_document(text, framework)):
        raise RunError(f"{path}: {UNPARSED}")
    release = ends.after(framework, settings, path)
    before, around = source.environment(framework, settings, path)
    release = _with_admitted(release, before)
    if ends.stated:
        before = ends.before(framework, settings, path)
    migration = migrate(text, framework, release, unsafe=unsafe, around=around)
    was, origin = before.release, "--from" if ends.stated else before.release_origin
    if framework.row["of_sections"]:
        was, origin = _stated(before, framework), ""
    elif before.assumed:
        was, origin = _by_keys(text, migration.whole, framework, around)
    changes: tuple[Around, ...] = ()
    with suppress(SourceError):  # what launches a text that cannot be read is left as it is
        document = framework.language.read(text)
        case = Case(framework, release, around)
        changes = tuple(files_around(document, case, before, pin=pin))
    title, goal = framework.title, release.release
    if framework.row["of_sections"]:
        title, goal = "", _stated(release, framework)
    return MigratedFile(path, title, was, origin, goal, migration, changes)


def _with_admitted(release: Environment, project: Environment) -> Environment:
    """The release to migrate to, with the versions around it that the project states and that it admits."""
    asks = release.releases.pins.get(release.release, {})
    kept = {
        name: pin
        for name, pin in project.pins.items()
        if pin.in_project and pin.version and not pin.weak
        if name not in release.pins and name in asks and fits(pin, asks[name])
    }
    if not kept:
        return release
    return Environment(release.releases, {**kept, **release.pins}, release.facts)


def _document(text: SourceText, framework: Framework) -> Document | None:
    with suppress(SourceError):
        return framework.language.read(text)
    return None


def _environment(
    session: Session, framework: Framework, settings: Settings, path: str, option: str
) -> Environment:
    """The release that a file is migrated to, or from.

    Raises:
        RunError: the option does not name a known release of the file's framework.
    """
    environment, _ = session.environment(framework, settings, path)
    package = environment.releases.package
    if framework.row["of_sections"] and any(
        (pin := environment.pins.get(name)) is not None and not pin.in_project
        for name in framework.packages
    ):
        return environment  # a release of one of the packages tells enough
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


def _stated(environment: Environment, framework: Framework) -> str:
    """The versions of the packages whose classes a program calls, as far as they are stated."""
    pins = ((name, environment.pins.get(name)) for name in framework.packages)
    return ", ".join(f"{name} {pin}" for name, pin in pins if pin is not None)


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


def _by_keys(
    text: SourceText, after: SourceText, framework: Framework, around: Surroundings
) -> tuple[str, str]:
    """The release inferred from the keys of a file, and how."""
    for source in (text, after):
        try:
            document = framework.language.read(source)
        except SourceError:
            continue  # what it was written for shows once it is mended
        # A kind of file may lose a key that others keep.
        own = for_document(framework, document, around)
        found = written_for(document, own, _Refusals(document, own))
        return found.release, _in_words(found, written_for(document, own))
    return framework.releases.newest, "its keys cannot be read"


def _in_words(found: WrittenFor, by_keys: WrittenFor) -> str:
    """Why a file is taken to be of a release.

    Args:
        by_keys: the release that its keys alone show.
    """
    which = "all" if found.unread == 0 else "most of"
    if found.refused:
        return f"the newest release that reads {which} its keys; none takes all its values"
    if found.release == by_keys.release:
        return f"the newest release that reads {which} its keys"
    return f"the newest release that takes its values and reads {which} its keys"
