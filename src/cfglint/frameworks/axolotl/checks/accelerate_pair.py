"""What a config and the settings of accelerate say against each other, where one command names both.

The settings are below the key `accelerate` of the document, laid there from their own file; the
commands of the surroundings are those that name this file.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.source.document import Path

_AT = "accelerate"
#: The first release that also takes a precision back.
_FULL_SINCE = "0.9.1"
#: Options of a launch line that take the place of `distributed_type`.
_CHOOSING = frozenset(
    {
        "--multi_gpu",
        "--use_deepspeed",
        "--use_fsdp",
        "--multi-gpu",
        "--use-deepspeed",
        "--use-fsdp",
    }
)
#: What DeepSpeed's own settings leave no room for.
_DEEPSPEED_FIELDS = (
    "gradient_accumulation_steps",
    "gradient_clipping",
    "offload_optimizer_device",
    "offload_optimizer_nvme_path",
    "offload_param_device",
    "offload_param_nvme_path",
    "zero3_save_16bit_model",
    "zero_stage",
)


def fields_beside_settings(ctx: CheckContext) -> Iterator[Hit]:
    """Accelerate's DeepSpeed fields, where the config names DeepSpeed's own settings."""
    if not ctx.value("deepspeed") or ctx.value("fsdp") or ctx.value("fsdp_config"):
        return
    if _kind(ctx) != "DEEPSPEED" or _chooses(ctx):
        return
    paths: list[Path] = [(_AT, "deepspeed_config", name) for name in _DEEPSPEED_FIELDS]
    written = [path for path in paths if ctx.document.node(path) is not None]
    given = any(line.option("mixed_precision") is not None for line in ctx.around.launches)
    if ctx.value(_AT, "mixed_precision") is not None and not given:
        written.append((_AT, "mixed_precision"))
    if written:
        fields = ", ".join(f"`{path[-1]}`" for path in written)
        named = ctx.value("deepspeed")
        shown = shortened(named) if isinstance(named, str) else "…"
        params = {"fields": fields, "deepspeed": shown}
        yield _hit(ctx, written[0], params, "deepspeed", "these are DeepSpeed's settings")


def other_strategy(ctx: CheckContext) -> Iterator[Hit]:
    """FSDP on one side, DeepSpeed on the other."""
    sharded = bool(ctx.value("fsdp") or ctx.value("fsdp_config"))
    deepspeed = bool(ctx.value("deepspeed"))
    if sharded == deepspeed or _chooses(ctx):
        return
    if _kind(ctx) == ("DEEPSPEED" if sharded else "FSDP"):
        theirs, own = ("DeepSpeed", "FSDP") if sharded else ("FSDP", "DeepSpeed")
        asking = "deepspeed" if deepspeed else "fsdp_config"
        if ctx.document.entry((asking,)) is None:
            asking = "fsdp"
        params = {"theirs": theirs, "own": own}
        yield _hit(ctx, (_AT, "distributed_type"), params, asking, f"asks for {own}")


def other_precision(ctx: CheckContext) -> Iterator[Hit]:
    """A precision that Axolotl replaces by the config's."""
    bf16, fp16 = ctx.value("bf16"), ctx.value("fp16")
    if ctx.value("fp8") or ctx.value("bfloat16") or ctx.value("float16"):
        return
    if bf16 is True:
        own = "bf16"
    elif bf16 is False:
        own = "fp16" if fp16 is True else "no"
    else:
        return
    if own == "no" and not ctx.since(_FULL_SINCE):
        return  # the launcher's word was left as it was
    theirs = ctx.value(_AT, "mixed_precision")
    theirs = "no" if theirs is False else theirs
    if theirs in ("no", "bf16", "fp16", "fp8") and theirs != own and _kind(ctx) != "DEEPSPEED":
        params = {"theirs": theirs, "own": own}
        yield _hit(ctx, (_AT, "mixed_precision"), params, "bf16", "this counts")


def _kind(ctx: CheckContext) -> str:
    """What the file starts: `DEEPSPEED`, `FSDP`, `NO` …; empty when it does not say."""
    kind = ctx.value(_AT, "distributed_type")
    if kind is False:
        return "NO"
    return kind.upper() if isinstance(kind, str) else ""


def _chooses(ctx: CheckContext) -> bool:
    """Whether a command says itself how the processes share the work."""
    return any(
        word.text in _CHOOSING
        for line in ctx.around.launches
        for word in (*line.before, *line.words, *line.handed)
    )


def _hit(ctx: CheckContext, path: Path, params: dict[str, Any], key: str, note: str) -> Hit:
    """A finding in accelerate's file, with the key of the config that has part in it."""
    entry = ctx.document.entry((key,))
    related = () if entry is None else (Related(entry.span, note),)
    return Hit(path, ctx.span(path), params, related)


CHECKS = {
    "accelerate-pair-fields": fields_beside_settings,
    "accelerate-pair-precision": other_precision,
    "accelerate-pair-strategy": other_strategy,
}
