"""What a config and its DeepSpeed settings say against each other.

The settings are below the key `deepspeed` of the document: written there, or laid there from the
file that the key names.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.shortened import shortened, shortened_value
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.deepspeed.trainer_comparison import differences
from cfglint.source.document import Path, format_path
from cfglint.source.values import to_python

_AT = "deepspeed"
#: DeepSpeed's schedules and what the Trainer calls them.
_SCHEDULES = {
    "warmuplr": ("constant_with_warmup",),
    "warmupdecaylr": ("linear",),
    "warmupcosinelr": ("cosine",),
}
#: Forms of the cosine that Axolotl builds itself; it warns in the log when it cannot.
_RATIO = "cosine_min_lr_ratio"
_OWN_CURVES = ("lr_quadratic_warmup", _RATIO)


def disagrees(ctx: CheckContext) -> Iterator[Hit]:
    """Values that the Trainer compares with its own, and finds different."""
    settings = ctx.value(_AT)
    if not isinstance(settings, dict) or not settings:
        return
    config = {key: value for key, value in to_python(ctx.document.root).items() if key != _AT}
    gpus = ctx.target.facts.get("gpus")
    number = gpus.value if gpus is not None else None
    for found in differences(settings, config, number, "micro_batch_size"):
        params = {
            "key": format_path(found.path),
            "value": shortened(_as_json(ctx.value(_AT, *found.path))),
            "config": found.config,
        }
        key = found.config.partition(":")[0]
        yield _hit(ctx, (_AT, *found.path), params, (key, "the config says so"))


def _as_json(value: Any) -> str:
    # Few files have settings, and of those most agree with them.
    from json import dumps

    return dumps(value)


def other_optimizer(ctx: CheckContext) -> Iterator[Hit]:
    """An optimizer in the settings that takes the place of the config's."""
    own, kind = ctx.value("optimizer"), ctx.value(_AT, "optimizer", "type")
    if not isinstance(own, str) or not isinstance(kind, str):
        return
    alike = own.startswith(("adamw_torch", "adamw_hf", "adamw_apex")) or own == "adamw"
    if alike and kind.lower() in ("adam", "adamw"):
        return
    if own.lower().replace("_", "") == kind.lower().replace("_", ""):
        return
    params = {"optimizer": shortened(own), "type": shortened(kind)}
    yield _hit(ctx, (_AT, "optimizer", "type"), params, ("optimizer", "not used"))


def other_schedule(ctx: CheckContext) -> Iterator[Hit]:
    """A schedule in the settings that takes the place of the config's."""
    own, kind = ctx.value("lr_scheduler"), ctx.value(_AT, "scheduler", "type")
    if not isinstance(own, str) or not isinstance(kind, str):
        return
    setting = next((key for key in _OWN_CURVES if ctx.value(key)), "lr_scheduler")
    ratio = ctx.value(_AT, "scheduler", "params", "cos_min_ratio")
    if setting == _RATIO and own in _SCHEDULES.get(kind.lower(), ()) and ratio == ctx.value(_RATIO):
        return  # a cosine to the same end
    # Axolotl's other forms of the cosine have no counterpart among DeepSpeed's schedules.
    if setting != "lr_scheduler" or own not in _SCHEDULES.get(kind.lower(), ()):
        params = {
            "setting": f"{setting}: {shortened_value(ctx.value(setting))}",
            "type": shortened(kind),
        }
        yield _hit(ctx, (_AT, "scheduler", "type"), params, (setting, "not used"))


def _hit(ctx: CheckContext, path: Path, params: dict[str, Any], beside: tuple[str, str]) -> Hit:
    """A finding at a setting, with the key of the config that has part in it."""
    name, note = beside
    entry = ctx.document.entry((name,))
    related = () if entry is None else (Related(entry.span, note),)
    return Hit(path, ctx.span(path), params, related)


CHECKS = {
    "deepspeed-pair-disagrees": disagrees,
    "deepspeed-pair-optimizer": other_optimizer,
    "deepspeed-pair-schedule": other_schedule,
}
