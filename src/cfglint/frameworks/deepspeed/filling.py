"""What transformers and accelerate do to a file before DeepSpeed sees it."""

from __future__ import annotations

from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Document, Path

AUTO = "auto"
#: Settings that are put in where the file says "auto", and that DeepSpeed itself cannot do without
#: or takes for text. (What its models drop by themselves is not among them.)
FILLED: tuple[Path, ...] = (
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
#: The sections that are looked into, each of which has to be a mapping or nothing.
WALKED: tuple[Path, ...] = (
    ("optimizer",),
    ("optimizer", "params"),
    ("scheduler",),
    ("scheduler", "params"),
    ("fp16",),
    ("bf16",),
    ("zero_optimization",),
    ("zero_optimization", "offload_optimizer"),
    ("zero_optimization", "offload_param"),
)


def is_filled_in(document: Document) -> bool:
    """Whether a file is for transformers or accelerate, which put numbers in for "auto"."""
    return any(written_value(document, path) == AUTO for path in FILLED)
