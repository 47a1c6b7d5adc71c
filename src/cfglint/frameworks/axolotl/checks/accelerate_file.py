"""What is wrong between accelerate's config and Axolotl's, where one command names both.

Imported only when a launch line names such a file. The findings stand in accelerate's file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile
from cfglint.frameworks.axolotl.accelerate_files import (
    DEEPSPEED_FIELDS,
    KEYS,
    AccelerateFile,
    named,
)
from cfglint.source.text import Span
from cfglint.source.values import to_python
from cfglint.spelling import Speller

_ALONE = "NO"
#: The first release that also takes a precision back.
_FULL_SINCE = "0.9.1"
_LOCAL = (None, "LOCAL_MACHINE")
#: Options of a launch line that take the place of `distributed_type`.
_CHOOSING = ("--multi_gpu", "--use_deepspeed", "--use_fsdp", "--multi-gpu", "--use-deepspeed", "--use-fsdp")  # fmt: skip


def unknown_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that no release of accelerate has."""
    for file in _files(ctx):
        if file.value("compute_environment") not in _LOCAL or not file.kind:
            continue
        for entry in file.document.root.entries:
            name = entry.name
            if name is None or name in KEYS:
                continue
            guess = Speller(sorted(KEYS)).closest(name)
            hint = f" Did you mean `{guess.name}`?" if guess is not None else ""
            yield _hit(file, entry.key.span, {"key": name[:80], "hint": hint})


def fields_beside_settings(ctx: CheckContext) -> Iterator[Hit]:
    """Accelerate's DeepSpeed fields, where the config names DeepSpeed's own settings."""
    if not _value(ctx, "deepspeed") or _value(ctx, "fsdp") or _value(ctx, "fsdp_config"):
        return
    for file in _files(ctx):
        if file.kind != "DEEPSPEED" or _chooses(file):
            continue
        paths = [("deepspeed_config", name) for name in DEEPSPEED_FIELDS]
        written = [path for path in paths if file.document.node(path) is not None]
        precision = file.value("mixed_precision") is not None
        if precision and file.line.option("mixed_precision") is None:
            written.append(("mixed_precision",))  # type: ignore[arg-type]
        if written:
            fields = ", ".join(f"`{path[-1]}`" for path in written)
            params = {"fields": fields, "deepspeed": str(_value(ctx, "deepspeed"))[:60]}
            yield _hit(file, file.span(*written[0]), params)


def one_process(ctx: CheckContext) -> Iterator[Hit]:
    """Several processes in a file that starts one."""
    for file in _files(ctx):
        count = file.value("num_processes")
        word = file.line.option("num_processes")
        place = file.span("num_processes")
        if word is not None:
            count = int(word.text) if word.text.isdigit() and len(word.text) < 5 else None
            place = file.span("distributed_type")
        if file.kind == _ALONE and isinstance(count, int) and count > 1 and not _chooses(file):
            yield _hit(file, place, {"count": count})


def other_strategy(ctx: CheckContext) -> Iterator[Hit]:
    """FSDP on one side, DeepSpeed on the other."""
    sharded = bool(_value(ctx, "fsdp") or _value(ctx, "fsdp_config"))
    deepspeed = bool(_value(ctx, "deepspeed"))
    if sharded == deepspeed:
        return
    for file in _files(ctx):
        theirs, own = ("DEEPSPEED", "FSDP") if sharded else ("FSDP", "DeepSpeed")
        if file.kind == theirs and not _chooses(file):
            params = {"theirs": "DeepSpeed" if sharded else "FSDP", "own": own}
            yield _hit(file, file.span("distributed_type"), params)


def other_precision(ctx: CheckContext) -> Iterator[Hit]:
    """A precision that Axolotl replaces by the config's."""
    bf16, fp16 = _value(ctx, "bf16"), _value(ctx, "fp16")
    if _value(ctx, "fp8") or _value(ctx, "bfloat16") or _value(ctx, "float16"):
        return
    if bf16 is True:
        own = "bf16"
    elif bf16 is False:
        own = "fp16" if fp16 is True else "no"
    else:
        return
    if own == "no" and not ctx.since(_FULL_SINCE):
        return  # the launcher's word was left as it was
    for file in _files(ctx):
        theirs = file.value("mixed_precision")
        theirs = "no" if theirs is False else theirs
        if theirs in ("no", "bf16", "fp16", "fp8") and theirs != own and file.kind != "DEEPSPEED":
            params = {"theirs": theirs, "own": own}
            yield _hit(file, file.span("mixed_precision"), params)


def _files(ctx: CheckContext) -> list[AccelerateFile]:
    def read() -> list[AccelerateFile]:
        project, folder = ctx.around.project, ctx.around.folder
        if project is None or folder is None:
            return []
        return named(project, folder, ctx.around.launches)

    return ctx.once("accelerate files", read)


def _chooses(file: AccelerateFile) -> bool:
    words = (*file.line.before, *file.line.words, *file.line.handed)
    return any(word.text in _CHOOSING for word in words)


def _value(ctx: CheckContext, key: str) -> Any:
    node = ctx.document.node((key,))
    return None if node is None else to_python(node)


def _hit(file: AccelerateFile, span: Span, params: dict[str, Any]) -> Hit:
    return Hit((), span, params, file=OtherFile(file.path, file.document.source))


CHECKS = {
    "accelerate-deepspeed-fields": fields_beside_settings,
    "accelerate-one-process": one_process,
    "accelerate-other-precision": other_precision,
    "accelerate-other-strategy": other_strategy,
    "accelerate-unknown-key": unknown_key,
}
