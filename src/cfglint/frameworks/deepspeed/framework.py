"""DeepSpeed: the JSON file that other frameworks hand to it."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import GENERIC_NAMES, Framework
from cfglint.frameworks.deepspeed.filling import AUTO, is_filled_in
from cfglint.frameworks.deepspeed.judge import READER
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.parts import CheckSource
from cfglint.source.document import Document, Mapping
from cfglint.source.json_problems import JsonProblemKind, SourceProblem

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment

#: Names that say nothing of where they belong.
_EVERYWHERE = GENERIC_NAMES | {
    "block",
    "config",
    "debug",
    "dtype",
    "kwargs",
    "offload",
    "params",
    "seed",
}
#: Slips that hjson, with which DeepSpeed opens a file that is named to itself, reads as they are meant.
_READ_BY_HJSON = frozenset(
    {
        JsonProblemKind.COMMENT,
        JsonProblemKind.SINGLE_QUOTES,
        JsonProblemKind.BOM,
    }
)


class DeepSpeed(Framework):
    """How DeepSpeed recognizes, reads and completes a file."""

    name = "deepspeed"
    checks: ClassVar = {
        "walked-section": CheckSource("cfglint.frameworks.deepspeed.checks", "walked-section"),
    }

    # A library that many programs pin: the newest release may well not be the one that reads it.
    refused_by_newest = "warning"
    #: GPT-NeoX and the like keep their own settings in the same file.
    shared_from = 5

    def homes(self, section: str, name: str, homes: list[str]) -> list[str]:
        """A key is misplaced when only one section has it, and not what it is in."""
        if section.rpartition(".")[2] == name or name in _EVERYWHERE:
            return []
        return homes if len(homes) == 1 else []

    def is_remark(self, name: str) -> bool:
        return name.startswith(("_", "//", "#")) or name.lower() in ("comment", "comments")

    def judge(self, release: str) -> Judge:
        return READER

    def reading(self, target: Environment) -> None:
        """Its reader's own conversions are not followed yet."""

    def reads_section(self, section: str, document: Document, keys: ReleaseKeys) -> bool:
        """Nobody looks at `bfloat16` beside `bf16`."""
        return section != "bfloat16" or document.node(("bf16",)) is None

    def is_overwritten(self, section: str, name: str, mapping: Mapping, keys: ReleaseKeys) -> bool:
        return not section and name == "bfloat16" and "bf16" in mapping.lookup

    def leaves_out(self, section: str, name: str, value: Any, keys: ReleaseKeys) -> bool:
        """A model drops its "auto" members before it looks at their names."""
        reader = keys.reader(section)
        return value == AUTO and reader.startswith("pydantic") and not reader.endswith("plain")

    def refuses_duplicates(self, document: Document, around: Surroundings) -> bool:
        """DeepSpeed refuses a key that is there twice; `json.load` takes the last one."""
        return _opens_itself(document, around)

    def tolerates(self, problem: SourceProblem, document: Document, around: Surroundings) -> bool:
        """What DeepSpeed reads when it opens the file itself, though nobody else does."""
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


FRAMEWORK = DeepSpeed
