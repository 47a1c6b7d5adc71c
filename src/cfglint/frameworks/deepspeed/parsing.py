"""What DeepSpeed makes of a text: it opens a file with hjson, or gets one that another program has read."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.deepspeed.filling import is_filled_in
from cfglint.frameworks.deepspeed.judge import READER
from cfglint.knowledge.keys.judges import Judge
from cfglint.roles.parsing import Parsing
from cfglint.source.document import Document
from cfglint.source.json_problems import JsonProblemKind, SourceProblem

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings

#: Slips that hjson, with which DeepSpeed opens a file that is named to itself, reads as they are meant.
_READ_BY_HJSON = frozenset(
    {
        JsonProblemKind.COMMENT,
        JsonProblemKind.SINGLE_QUOTES,
        JsonProblemKind.BOM,
    }
)


class DeepSpeedParsing(Parsing):
    """hjson, and the classes of the settings."""

    def judge(self, release: str) -> Judge:
        return READER

    def refuses_duplicates(self, document: Document, around: Surroundings) -> bool:
        """DeepSpeed refuses a key that is there twice; `json.load` takes the last one."""
        return _opens_itself(document, around)

    def tolerates(self, problem: SourceProblem, document: Document, around: Surroundings) -> bool:
        """Whether DeepSpeed accepts a problem that other readers of JSON refuse.

        It does where it opens the file itself.
        """
        if not _opens_itself(document, around):
            return False
        after = document.text[problem.span.end :]
        if problem.kind is JsonProblemKind.EXTRA_COMMA:
            return after.lstrip()[:1] in ("}", "]")
        if problem.kind is JsonProblemKind.MISSING_COMMA:
            return "\n" in after[: len(after) - len(after.lstrip())]
        if problem.kind is JsonProblemKind.UNQUOTED_TEXT:
            return problem.details.get("what") == "key"
        return problem.kind in _READ_BY_HJSON


def _opens_itself(document: Document, around: Surroundings) -> bool:
    """Whether DeepSpeed reads the file: those whose configs name one do so with `json.load`."""
    return around.named_by is None and not is_filled_in(document)


ROLE = DeepSpeedParsing
