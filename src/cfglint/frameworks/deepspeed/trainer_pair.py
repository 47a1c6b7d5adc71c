"""A trainer's file against the DeepSpeed settings that it names.

The settings are below the key `deepspeed` of the document: written there, or laid there from the file that the key names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from cfglint.base.logic import UNKNOWN
from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.deepspeed.trainer_comparison import compares, differences
from cfglint.source.document import Path, format_path
from cfglint.source.values import to_python

_AT = "deepspeed"
#: What the trainer takes where the file says nothing, in all releases.
_DEFAULTS = {"gradient_accumulation_steps": 1}


def settings_differ(ctx: CheckContext) -> Iterator[Hit]:
    """Values that the trainer compares with its own, and finds different."""
    config = _written(ctx)
    if compares(ctx.framework.kind, config):
        yield from differing(ctx, (), config, {**_DEFAULTS, **of_other_half(config)})


def settings_of_whole_file_differ(ctx: CheckContext) -> Iterator[Hit]:
    """The same, where both half precisions are off that the file does not turn on."""
    config = _written(ctx)
    if compares(ctx.framework.kind, config):
        yield from differing(ctx, (), config, {**_DEFAULTS, "bf16": False, "fp16": False})


def written_settings_differ(ctx: CheckContext) -> Iterator[Hit]:
    """The same, where only what is written is known: what is not has a default that other settings decide."""
    yield from differing(ctx, (), _written(ctx), {"max_grad_norm": UNKNOWN})


def _written(ctx: CheckContext) -> dict[str, Any]:
    """The arguments that a file has, as the trainer reads them."""
    written = {key: value for key, value in to_python(ctx.document.root).items() if key != _AT}
    return {key: ctx.framework.parsing.coerce((key,), value) for key, value in written.items()}


def of_other_half(config: Mapping[str, Any]) -> dict[str, Any]:
    """What `bf16` is by default beside `fp16`: off, also in releases that turn it on by themselves."""
    return {"bf16": False} if config.get("fp16") is True else {}


def differing(
    ctx: CheckContext, at: Path, config: Mapping[str, Any], defaults: Mapping[str, Any]
) -> Iterator[Hit]:
    """Values of the settings below a mapping that differ from those that the trainer is given.

    Args:
        at: the mapping that has them below its key `deepspeed`; empty for the document.
        config: the arguments that are written.
        defaults: what arguments are that are not.
    """
    node = ctx.document.node((*at, _AT))
    settings = None if node is None else to_python(node)
    if not isinstance(settings, dict) or not settings:
        return
    implied = {key: value for key, value in defaults.items() if key not in config}
    gpus = ctx.target.facts.get("gpus")
    both = {**implied, **config}
    for found in differences(settings, both, gpus.value if gpus is not None else None):
        path = (*at, _AT, *found.path)
        there = ctx.document.node(path)
        value = json.dumps(to_python(there) if there is not None else None, default=str)
        key = found.config.partition(":")[0]
        entry = ctx.document.entry((*at, key))
        related = () if entry is None else (Related(entry.span, "the config says so"),)
        params = {
            "key": format_path(found.path),
            "value": shortened(value),
            "config": f"{found.config}{' by default' if key in implied else ''}",
        }
        yield Hit(path, ctx.span(path), params, related)


CHECKS = {
    "deepspeed-settings-differ": settings_differ,
    "deepspeed-settings-of-file-differ": settings_of_whole_file_differ,
    "written-deepspeed-settings-differ": written_settings_differ,
}
