"""What is wrong with a JSON file, as a clause for a message."""

from __future__ import annotations

from cfglint.source.problems import JsonProblemKind, ProblemKind, SourceError, SourceProblem

_CLAUSES: dict[JsonProblemKind | ProblemKind, str] = {
    ProblemKind.EMPTY: "it is empty",
    ProblemKind.ROOT_NOT_MAPPING: "it holds no object `{{…}}`",
    ProblemKind.TOO_DEEP: "it is nested more than {limit} levels deep",
    ProblemKind.TOO_LARGE: "it has more than {limit} {unit}",
    JsonProblemKind.SYNTAX: "{problem}",
    JsonProblemKind.COMMENT: "a comment, which JSON does not have",
    JsonProblemKind.EXTRA_COMMA: "a comma after the last item",
    JsonProblemKind.MISSING_COMMA: "a comma is missing after this",
    JsonProblemKind.SINGLE_QUOTES: "a single quote where JSON has double ones",
    JsonProblemKind.LITERAL: "JSON writes true, false and null",
    JsonProblemKind.UNQUOTED_TEXT: "text without quotes",
    JsonProblemKind.NUMBER_FORM: "JSON writes this number as {right}",
    JsonProblemKind.NON_FINITE: "{literal} is no number that JSON has",
    JsonProblemKind.RAW_CONTROL: "a control character ({character}) inside quotes",
    JsonProblemKind.ODD_SPACE: "a space that is none to JSON ({character})",
    JsonProblemKind.BOM: "it starts with a byte-order mark",
}


def in_words(problem: SourceProblem | SourceError) -> str:
    """A clause such as "a comment, which JSON does not have"."""
    return _CLAUSES[problem.kind].format_map(problem.details)
