"""What a release makes of one file among those of a session, and why it refuses it."""

from __future__ import annotations

from cfglint.answers.resolved.resolve import Effective, resolve
from cfglint.base.record import Record
from cfglint.base.type_names import Literal
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.files_together.edges import Edges
from cfglint.engine.launches.overrides import as_started
from cfglint.engine.lint import lint_document
from cfglint.engine.one_file import environment
from cfglint.engine.session import RunError, Session
from cfglint.engine.unreadable import reading_problem
from cfglint.environment.environment import Environment
from cfglint.frameworks.for_files import run_of
from cfglint.roles.framework import Framework
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.source.document import Document
from cfglint.source.problems import SourceError


class Made(Record):
    """The effective configuration of a file, and whether the release accepts the file."""

    package: str
    #: The origin of the release.
    release_origin: str
    found: Effective
    #: Why the release does not start with this file, with their lines; `found` has the values up to then.
    refusals: tuple[Diagnostic, ...] = ()
    #: What was read.
    subject: Literal["file", "command", "program"] = "file"

    @property
    def refused(self) -> bool:
        """Whether the release does not start with this file."""
        return bool(self.refusals)

    @property
    def release(self) -> str:
        """The package and its version, with a blank between them."""
        return f"{self.package} {self.found.release}"


def made(session: Session, document: Document, framework: Framework, file: str) -> Made:
    """What the framework makes of a file.

    Raises:
        RunError: the release is not known, settings or options are not understood, or it is not
            known how the file is read.
    """
    try:
        run = run_of(document)
    except NotDeterminedError as error:
        raise RunError(f"{file}: {error}") from None
    if run is not None:
        return _of_run(session, document, framework, file, run)
    target, around = environment(session, framework, file)
    try:
        # What a text means may depend on the release.
        language = framework.parsing.language_for(document.text, target, around)
        document = language.read(document.source)
        target = framework.parsing.shown(document, target)
        case = Case(framework, target, around)
        settings = as_started(document, case)
        found = resolve(settings, framework, target, around)
    except NotDeterminedError as error:
        raise RunError(f"{file}: {error}") from None
    except SourceError as error:
        raise RunError(f"{file}: {reading_problem(error, framework).message}") from None
    if settings is not document:
        case = case.replaced(around=around.replaced(launches=()))
    return _made(target, found, settings, case)


def _of_run(
    session: Session,
    document: Document,
    framework: Framework,
    file: str,
    run: tuple[Framework, Document],
) -> Made:
    """What the classes make of the calls of a program, and why they refuse one."""
    other, config = run
    target, around = environment(session, other, file)
    found = resolve(config, other, target, around)
    own, _ = environment(session, framework, file)
    settings = session.settings(file)
    edges = Edges(lambda name: session.framework(name, settings))
    made = _made(target, found, document, Case(framework, own, around, edges=edges))
    return made.replaced(subject="program")


def _made(target: Environment, found: Effective, settings: Document, case: Case) -> Made:
    result = lint_document(settings, case)
    source = None if result.document is None else result.document.source
    refusals = tuple(
        one if source is None else one.located(source) for one in result.diagnostics if one.refuses
    )
    package, origin = target.releases.package, target.release_origin
    subject: Literal["file", "command"] = "command" if case.framework.in_scripts else "file"
    return Made(package, origin, found, refusals, subject)
