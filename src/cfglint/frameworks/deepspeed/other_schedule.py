"""A schedule in DeepSpeed's settings that takes the place of the one that a trainer is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.deepspeed.trainer_comparison import compares
from cfglint.source.document import Path
from cfglint.source.values import to_python

_AT: Final = "deepspeed"
_OWN: Final = "lr_scheduler_type"
_TYPE: Final = ("scheduler", "type")
#: DeepSpeed's schedules, and what the trainer calls those that take the same course, or nearly.
_ALIKE: Final = {
    "warmuplr": ("constant_with_warmup", "constant"),
    "warmupdecaylr": ("linear",),
    "warmupcosinelr": ("cosine",),
    "onecycle": (),
    "lrrangetest": (),
}
#: Those that do as long as nothing says more of them: with the power 1, and with one cycle.
_ALIKE_BY_DEFAULT: Final = {
    "warmupdecaylr": "polynomial",
    "warmupcosinelr": "cosine_with_restarts",
}
_MORE: Final = "lr_scheduler_kwargs"


def schedule_replaced(ctx: CheckContext) -> Iterator[Hit]:
    """`lr_scheduler_type: cosine` beside DeepSpeed's settings with a `WarmupLR`."""
    config = to_python(ctx.document.root)
    if compares(ctx.framework.kind, config):
        yield from replaced(ctx, (), config)


def replaced(ctx: CheckContext, at: Path, config: Mapping[str, Any]) -> Iterator[Hit]:
    """The schedule of the settings below a mapping, where the trainer is to have another one.

    Args:
        at: the mapping that has them below its key `deepspeed`; empty for the document.
        config: the arguments that are written.
    """
    path = (*at, _AT, *_TYPE)
    node = ctx.document.node(path)
    kind, own = None if node is None else to_python(node), config.get(_OWN)
    if not isinstance(kind, str) or not isinstance(own, str) or kind.lower() not in _ALIKE:
        return
    if own.lower() in _ALIKE[kind.lower()]:
        return
    if own.lower() == _ALIKE_BY_DEFAULT.get(kind.lower()) and not config.get(_MORE):
        return
    entry = ctx.document.entry((*at, _OWN))
    related = () if entry is None else (Related(entry.span, "not used"),)
    params = {"own": shortened(own), "type": shortened(kind)}
    yield Hit(path, ctx.span(path), params, related)


CHECKS = {"deepspeed-schedule-replaces": schedule_replaced}
