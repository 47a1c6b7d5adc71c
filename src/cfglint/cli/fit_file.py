"""The run that `fit` is about: that of a config or a program, or the only one that a script starts.

A script's own command counts, with what it lays over the config. A config counts as the only script starts it that
names it, where nothing else states how many GPUs that takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.answers.preflight.launched import MAX_SCRIPT_BYTES, RunPart, of_path
from cfglint.api.fitting import Fitting
from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.cli.one_file import read_config
from cfglint.cli.started import started_by
from cfglint.engine.session import RunError, Session
from cfglint.frameworks.for_files import run_of, variant
from cfglint.roles.framework import Framework
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.source.document import Document
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import decoded
from cfglint.source.files.scripts import scripts_below

_CONFIGS = (".yaml", ".yml")


def fitting_of(session: Session, file: str) -> Fitting:
    """What is known of the memory of a file's run; `-` is standard input.

    Raises:
        RunError: nothing is certain about it, or its settings are broken.
    """
    try:
        document, framework = read_config(session, file)
    except RunError as error:
        found = None if file == "-" else _of_script(session, file)
        if found is None:
            raise error from None
        return found
    fitting = Fitting.of_document(session, file, document, framework)
    if fitting.counted or file == "-" or framework.in_scripts:
        return fitting
    script = None if _is_program(document) else _starting_script(file, session.files)
    if script is not None:
        started = Fitting.of_document(session.of_script(script), file, document, framework)
        return started if started.counted else fitting
    return fitting


def _of_script(session: Session, file: str) -> Fitting | None:
    """The run that a script starts; None where it starts none, or several.

    Raises:
        RunError: nothing is certain about it.
    """
    files = session.files
    started = started_by(file, files)
    if len(started) != 1:
        return None
    near = os.path.join(os.path.dirname(file), started[0])
    path = next(filter(files.is_file, map(os.path.normpath, (near, started[0]))), None)
    if path is None:
        return None
    own = session.of_script(os.path.abspath(file))
    try:
        document, framework = read_config(own, path)
    except RunError:
        document, framework = None, None
    if document is not None and framework is not None and _has_run(document):
        return Fitting.of_document(own, path, document, framework, started=True)
    configs = list(_given(own, file))
    if len(configs) == 1:
        return Fitting.of_document(own, *configs[0], started=True)
    if framework is None:
        return None
    why = variant(framework, language="shell").readings.not_answered("fit")
    raise RunError(f"{file}: {why}, and {path}, which it starts, states no settings itself")


def _given(session: Session, file: str) -> Iterator[tuple[str, Document, Framework]]:
    """The configs that a script gives to the program which it starts."""
    parts: tuple[RunPart, ...] = of_path(file, session.files).parts
    for part in parts:
        if part.role == "file" and part.path.endswith(_CONFIGS) and not part.missing:
            try:
                yield (part.path, *read_config(session, part.path))
            except RunError:
                continue  # a file of another kind


def _is_program(document: Document) -> bool:
    return document.language.structure == "calls"


def _has_run(document: Document) -> bool:
    """Whether a document is a config, or a program with one run."""
    try:
        run = run_of(document)
    except NotDeterminedError:
        return False
    return run is not None or not _is_program(document)


def _starting_script(file: str, files: Files) -> str | None:
    """The only script of the project that names a config, if that starts something with it; its absolute path."""
    path = os.path.abspath(file)
    root = climb(os.path.dirname(path), files)[0]
    name = os.path.basename(path)
    scripts = scripts_below(root, files, SCRIPT_SUFFIXES)
    naming = [one for one in scripts if name in decoded(one, MAX_SCRIPT_BYTES, files)]
    if len(naming) != 1:
        return None
    real = files.real(path)
    try:
        parts = of_path(naming[0], files).parts
    except RunError:
        return None
    is_given = any(not part.missing and files.real(part.path) == real for part in parts)
    return naming[0] if is_given else None
