"""What the questions about one file share: how it is read, and what it is checked against."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.diagnostic import Diagnostic
from cfglint.engine.session import RunError, Session
from cfglint.engine.unreadable import reading_problem
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings, nowhere
from cfglint.frameworks.for_files import for_path
from cfglint.knowledge import recognition
from cfglint.roles.framework import Framework
from cfglint.source.calls import call_of
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

#: The name of a text that is not a file.
NO_FILE = "-"


def config_of(
    session: Session, file: str, data: bytes, *, any_release: bool = False
) -> tuple[Document, Framework]:
    """A config, and the framework that it is for.

    Args:
        file: what it is called.
        data: its bytes.
        any_release: also one that only older releases can read; the caller reads it again for its release.

    Raises:
        RunError: it cannot be understood, or is not a config of any framework.
    """
    language = recognition.language_of(file)
    name, certain = None, False
    try:
        source = SourceText.from_bytes(data)
        name = recognition.of_file(file, source.text, language)
        if name is None and language not in recognition.OF_TEXTS:
            name = _as_named(session, file, source.text, language)
            certain = name is not None
        if name is None and language == "shell":
            raise RunError(f"{file}: it has no command whose options cfglint reads")
        usual = for_path(session.framework(name or _usual(language)), file)
        releases, language_for = Environment(usual.releases), usual.parsing.language_for
        newest = language_for(source.text, releases, nowhere())
        try:
            document = newest.read(source)
        except SourceError:
            first = releases.at(usual.releases.versions[0])
            older = language_for(source.text, first, nowhere())
            if not any_release or older is newest:
                raise
            document = older.read(source)
    except SourceError as error:
        problem = reading_problem(error, session.framework(name or _usual(language)))
        raise RunError(f"{_place(file, data, problem)}: {problem.message}") from None
    if name is None or not (certain or usual.own_files.recognizes(document)):
        raise RunError(f"{file}: not a training config that cfglint knows")
    return document, usual


def _place(file: str, data: bytes, problem: Diagnostic) -> str:
    """A file, with the line of what keeps it from being read where there is one."""
    try:
        line = SourceText.from_bytes(data).position(problem.span.start).line
    except SourceError:
        return file
    return f"{file}:{line}" if problem.span.start else file


def environment(
    session: Session, framework: Framework, file: str
) -> tuple[Environment, Surroundings]:
    """What a config is checked against, and what lies around it.

    Raises:
        RunError: the release is not known, or settings or options are not understood.
    """
    settings = session.settings(file)
    target, around = session.environment(framework, settings, None if file == NO_FILE else file)
    if target.foreign_version is not None:
        raise RunError(target.unlisted()[target.releases.package].question)
    return target, around


def known_facts(document: Document, target: Environment, around: Surroundings) -> dict[str, Any]:
    """The facts that a run is judged by; of a script or a program, with the GPUs that its commands name."""
    facts = {name: fact.value for name, fact in target.facts.items()}
    is_command = document.language.structure == "words"
    if "gpus" not in facts and (is_command or call_of(document.root) is not None):
        from cfglint.environment.project.own_processes import processes_of

        gpus = processes_of(document, around)
        facts.update({} if gpus is None else {"gpus": gpus})
    return facts


def _as_named(session: Session, file: str, text: str, language: str) -> str | None:
    """The framework that a check of this very file takes it for, although it has few keys."""
    from cfglint.knowledge.resemblance import resemblance

    seen = resemblance(text, language)
    return session.framework_of(seen, None if file == NO_FILE else file)


def _usual(language: str) -> str:
    """The framework that reports what is wrong with a file that none recognizes."""
    name = recognition.fallback(language) or recognition.usual()
    if name is None:
        raise RunError("there are no rules for any framework")
    return name
