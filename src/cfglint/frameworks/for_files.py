"""The framework for a file: for the kind that its name or its keys decide, in the language it is written in."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.knowledge import recognition
from cfglint.roles.framework import Framework, load_framework
from cfglint.source.calls import call_of

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.document import Document


def for_path(framework: Framework, path: str, language: str = "") -> Framework:
    """The framework for a file of that name: for the kind that the name decides, in its language, or another one."""
    named = framework.row["named_files"].get(os.path.basename(path))
    kind = None if named is None else named["kind"]
    return variant(framework, kind=kind, language=language or recognition.language_of(path))


def for_document(framework: Framework, document: Document, around: Surroundings) -> Framework:
    """The framework with the keys of the kind of file that a document is."""
    call = call_of(document.root)
    if call is not None:
        return variant(framework, kind=call.name)
    written = variant(framework, language=document.language.name)
    return variant(written, kind=written.own_files.kind_of(document, around))


def run_of(document: Document) -> tuple[Framework, Document] | None:
    """What the calls of a program are together, as a config of a framework; None for what is a config itself.

    Raises:
        NotDeterminedError: it has no such run, or several.
    """
    if document.language.structure != "calls" or call_of(document.root) is not None:
        return None
    from cfglint.source.languages.python import joining_of

    joining = joining_of(document)
    if joining is None:
        return None
    run = joining.only_run(document)
    return variant(load_framework(run.framework), kind=run.kind, language="python"), run.config


def variant(framework: Framework, *, kind: str | None = None, language: str = "") -> Framework:
    """A framework for a kind of its files, or for those in a language.

    Args:
        kind: its own when None.
        language: the name of one; empty for its own. Only scripts are in another one.
    """
    in_scripts = framework.in_scripts
    if language:
        in_scripts = framework.row["scripts"] and language == "shell"
    key = (framework.kind if kind is None else kind, in_scripts)
    if key == (framework.kind, framework.in_scripts):
        return framework
    known = framework.variants.get(key)
    if known is None:
        known = type(framework)(framework.project_rules, key[0], in_scripts=in_scripts)
        framework.variants[key] = known
    return known
