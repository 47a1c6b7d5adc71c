"""Names of DeepSpeed settings that releases before 3.0 had."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.fixes.actions import SetValue

_KEY: Final = ("deepspeed",)
#: Name of before -> that of the same file (`deepspeed_mapping` of both).
_NAMES: Final = {
    "default-zero2": "zero2",
    "default-zero3": "zero3",
    "zero2-offload": "zero2_offload",
    "zero3-offload": "zero3_offload",
}
#: Options that every command of before 3.0 has: without a stated release, the names are right for it.
_OLDER: Final = ("sft_type", "model_id_or_path")


def older_deepspeed_name(ctx: CheckContext) -> Iterator[Hit]:
    """A name that no release since 3.0 has, for settings that it has under another one."""
    written = ctx.value("deepspeed")
    name = _NAMES.get(written) if isinstance(written, str) else None
    span = ctx.document.span(_KEY)
    if name is None or span is None:
        return
    if ctx.target.assumed and any(ctx.document.node((key,)) is not None for key in _OLDER):
        return
    repair = Repair(f"Use {name}", "safe", (SetValue(_KEY, name),))
    yield Hit(_KEY, span, {"deepspeed": str(written), "name": name}, repairs=(repair,))


CHECKS = {"older-deepspeed-name": older_deepspeed_name}
