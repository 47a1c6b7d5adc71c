"""Findings about what a file says, where a program of the project lets something else take its place."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic
from cfglint.engine.checked_document import CheckedDocument
from cfglint.knowledge.rules.knowledge import Knowledge

#: Rules about how a file is written, and its comments: they hold for any reader.
_OF_THE_TEXT = ("CFG", "YML")


def that_hold(diagnostics: list[Diagnostic], checked: CheckedDocument) -> list[Diagnostic]:
    """The findings that do not depend on keys which a program sets."""
    if not any(one.severity != "note" for one in diagnostics):
        return diagnostics
    own_code = checked.framework.own_code
    filled_in = own_code.filled_in(checked.context)
    if filled_in:
        diagnostics = [one for one in diagnostics if not _is_at(one, filled_in)]
    keys = own_code.laid_over(checked.context)
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
