"""Fixes for what the format forbids, from the edits that the reader proposes."""

from __future__ import annotations

from cfglint.diagnostic import Edit, Fix
from cfglint.source.document import Document
from cfglint.source.json_problems import JsonProblemKind, SourceProblem

_TITLES = {
    JsonProblemKind.COMMENT: "Remove the comment",
    JsonProblemKind.EXTRA_COMMA: "Remove the comma",
    JsonProblemKind.MISSING_COMMA: "Add the comma",
    JsonProblemKind.SINGLE_QUOTES: "Write double quotes",
    JsonProblemKind.LITERAL: "Write `{right}`",
    JsonProblemKind.UNQUOTED_TEXT: "Put it in double quotes",
    JsonProblemKind.NUMBER_FORM: "Write `{right}`",
    JsonProblemKind.RAW_CONTROL: "Write it as an escape",
    JsonProblemKind.ODD_SPACE: "Write a space",
}
#: Those that stand between the keys and values, whose spelling stays.
_BETWEEN = frozenset(
    {
        JsonProblemKind.COMMENT,
        JsonProblemKind.EXTRA_COMMA,
        JsonProblemKind.MISSING_COMMA,
        JsonProblemKind.ODD_SPACE,
    }
)


def repair(problem: SourceProblem) -> Fix | None:
    """The fix of a problem; None if there is no evident one.

    A comment is a person's words, and its loss for a person to accept; all else is safe.
    """
    if not problem.edits:
        return None
    is_comment = problem.kind is JsonProblemKind.COMMENT
    return Fix(
        _TITLES[problem.kind].format_map(problem.details),
        "unsafe" if is_comment else "safe",
        tuple(Edit(*edit) for edit in problem.edits),
        () if problem.kind in _BETWEEN else (problem.path,),
        drops_comments=is_comment,
    )


def repairs(document: Document) -> tuple[tuple[SourceProblem, Fix | None], ...]:
    """Every problem of a document with its fix."""
    return tuple((problem, repair(problem)) for problem in document.problems)
