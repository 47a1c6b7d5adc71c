"""The JSON of a file that DeepSpeed opens itself: it does so with hjson, and has a hook for keys that are there twice."""

from __future__ import annotations

from cfglint.frameworks.deepspeed.filling import is_filled_in
from cfglint.source.document import Document
from cfglint.source.json_problems import JsonProblemKind, SourceProblem
from cfglint.source.languages.json import JSON, Json
from cfglint.source.text import SourceText

#: Slips that hjson reads as they are meant.
_AS_MEANT = frozenset(
    {
        JsonProblemKind.COMMENT,
        JsonProblemKind.SINGLE_QUOTES,
        JsonProblemKind.BOM,
    }
)


class Hjson(Json):
    """What DeepSpeed reads; a file for transformers or accelerate is theirs, who read it with `json.load`."""

    refuses_duplicates = True

    def read(self, source: SourceText, *, pure: bool = False) -> Document:
        document = super().read(source, pure=pure)
        if is_filled_in(document):
            return Document(source, document.root, language=JSON, problems=document.problems)
        for problem in document.problems:
            problem.tolerated = _is_tolerated(problem, source.text)
        return document


def _is_tolerated(problem: SourceProblem, text: str) -> bool:
    after = text[problem.span.end :]
    if problem.kind is JsonProblemKind.EXTRA_COMMA:
        return after.lstrip()[:1] in ("}", "]")
    if problem.kind is JsonProblemKind.MISSING_COMMA:
        return "\n" in after[: len(after) - len(after.lstrip())]
    if problem.kind is JsonProblemKind.UNQUOTED_TEXT:
        return problem.details.get("what") == "key"
    return problem.kind in _AS_MEANT


HJSON = Hjson()
