"""Findings about what a file says, where a program of the project lets something else take its place."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic
from cfglint.engine.checked_document import CheckedDocument
from cfglint.environment.project.laid_over import keys_filled_in, keys_laid_over
from cfglint.knowledge.rules.knowledge import Knowledge

#: How files are written that a program loads by itself.
_OF_FILES = ("indentation", "brackets")
#: Rules about how a file is written, and its comments: they hold for any reader.
_OF_THE_TEXT = ("CFG", "YML")


def that_hold(diagnostics: list[Diagnostic], checked: CheckedDocument) -> list[Diagnostic]:
    """The findings that do not depend on keys which a program sets."""
    document, around = checked.document, checked.around
    if document.language.structure not in _OF_FILES:
        return diagnostics
    # What a command of the framework starts as well runs as it is written.
    if any(line.trains for line in around.launches):
        return diagnostics
    if not any(one.severity != "note" for one in diagnostics):
        return diagnostics
    filled_in = keys_filled_in(document, around)
    if filled_in:
        diagnostics = [one for one in diagnostics if not _is_at(one, filled_in)]
    keys = keys_laid_over(document, around)
    if not keys:
        return diagnostics
    knowledge = checked.framework.knowledge
    names = dict(knowledge.labels())
    return [one for one in diagnostics if not _depends(one, keys, names, knowledge)]


def _is_at(found: Diagnostic, keys: frozenset[str]) -> bool:
    """Whether a finding is about the value of one of some keys."""
    return bool(found.path) and str(found.path[0]) in keys and not _is_of_the_text(found)


def _is_of_the_text(found: Diagnostic) -> bool:
    return found.code.startswith(_OF_THE_TEXT)


def _depends(
    found: Diagnostic, keys: frozenset[str], names: dict[str, str], knowledge: Knowledge
) -> bool:
    if _is_of_the_text(found):
        return False
    if found.path:
        if str(found.path[0]) in keys or any(f"Use `{key}`" in found.message for key in keys):
            return True
    elif any(f"`{key}`" in found.message for key in keys):
        return True  # a key that the file lacks
    if found.code not in names:
        return False
    rule = knowledge.named(names[found.code])
    clause = knowledge.clause(rule) if rule.check is None else None
    return clause is not None and any(clause.mentions((key,)) for key in keys)
