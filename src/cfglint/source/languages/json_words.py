"""What is wrong with a JSON file, as a clause for a message."""

from __future__ import annotations

from cfglint.source.problems import JsonProblemKind, ProblemKind, SourceError, SourceProblem

_CLAUSES: dict[JsonProblemKind | ProblemKind, str] = {
    ProblemKind.EMPTY: "it is empty",
    ProblemKind.ROOT_NOT_MAPPING: "it holds no object `{{…}}`",
    ProblemKind.TOO_DEEP: "it is nested more than {limit} levels deep",
    ProblemKind.TOO_LARGE: "it has more than {limit} {unit}",
    JsonProblemKind.SYNTAX: "{problem}",
    JsonProblemKind.COMMENT: "a comment, which JSON does not allow",
    JsonProblemKind.EXTRA_COMMA: "a trailing comma",
    JsonProblemKind.MISSING_COMMA: "a comma is missing after this",
    JsonProblemKind.SINGLE_QUOTES: "single quotes where JSON needs double quotes",
    JsonProblemKind.LITERAL: "JSON literals are true, false and null",
    JsonProblemKind.UNQUOTED_TEXT: "a string without quotes",
    JsonProblemKind.NUMBER_FORM: "JSON writes this number as {right}",
    JsonProblemKind.NON_FINITE: "{literal} is not a valid JSON number",
    JsonProblemKind.RAW_CONTROL: "an unescaped control character ({character}) in a string",
    JsonProblemKind.ODD_SPACE: "{character} is not whitespace in JSON",
    JsonProblemKind.BOM: "it starts with a byte-order mark",
}


def in_words(problem: SourceProblem | SourceError) -> str:
    """A clause such as "a comment, which JSON does not allow"."""
    return _CLAUSES[problem.kind].format_map(problem.details)
