"""DeepSpeed: the JSON file that other frameworks hand to it."""

from __future__ import annotations

from cfglint.framework import Framework
from cfglint.frameworks.deepspeed.judge import READER
from cfglint.keys.judges import Judge
from cfglint.rules.views import written_value
from cfglint.source.document import Document, Path
from cfglint.source.problems import JsonProblemKind, SourceProblem

_AUTO = "auto"
#: The settings that transformers and accelerate put in where the file says "auto", and that
#: DeepSpeed itself cannot do without or takes for text.
_FILLED: tuple[Path, ...] = (
    *((f"train_{name}",) for name in ("batch_size", "micro_batch_size_per_gpu")),
    *((name,) for name in ("gradient_accumulation_steps", "gradient_clipping", "steps_per_print")),
    ("bf16", "enabled"),
    ("fp16", "enabled"),
    *(("optimizer", "params", name) for name in ("lr", "betas", "eps", "weight_decay")),
    *(
        ("scheduler", "params", name)
        for name in ("warmup_min_lr", "warmup_max_lr", "warmup_num_steps", "total_num_steps")
    ),
)
#: Slips that hjson, with which DeepSpeed opens a file that is named to itself, reads as they are meant.
_READ_BY_HJSON = frozenset(
    {
        JsonProblemKind.COMMENT,
        JsonProblemKind.SINGLE_QUOTES,
        JsonProblemKind.BOM,
    }
)


class DeepSpeed(Framework):
    """How DeepSpeed recognises, reads and completes a file."""

    name = "deepspeed"

    def judge(self, release: str) -> Judge:
        return READER

    def refuses_duplicates(self, document: Document) -> bool:
        """DeepSpeed refuses a key that is there twice; `json.load` takes the last one."""
        return not is_filled_in(document)

    def tolerates(self, problem: SourceProblem, document: Document) -> bool:
        """What DeepSpeed reads when it opens the file itself, though nobody else does."""
        if is_filled_in(document):
            return False
        after = document.text[problem.span.end :]
        if problem.kind is JsonProblemKind.EXTRA_COMMA:
            return after.lstrip()[:1] in ("}", "]")
        if problem.kind is JsonProblemKind.MISSING_COMMA:
            return "\n" in after[: len(after) - len(after.lstrip())]
        if problem.kind is JsonProblemKind.UNQUOTED_TEXT:
            return problem.details.get("what") == "key"
        return problem.kind in _READ_BY_HJSON


def is_filled_in(document: Document) -> bool:
    """Whether a file is for transformers or accelerate, which put numbers in for "auto"."""
    return any(written_value(document, path) == _AUTO for path in _FILLED)


FRAMEWORK = DeepSpeed
