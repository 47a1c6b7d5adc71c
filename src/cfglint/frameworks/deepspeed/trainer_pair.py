"""A trainer's file against the DeepSpeed settings that it names.

The settings are below the key `deepspeed` of the document: written there, or laid there from the file that the key names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.deepspeed.trainer_comparison import differences
from cfglint.source.document import format_path
from cfglint.source.text import Span
from cfglint.source.values import to_python

_AT = "deepspeed"
#: What the trainer takes where the file says nothing, in all releases.
_DEFAULTS = {"gradient_accumulation_steps": 1}
_SHOWN = 60


def settings_differ(ctx: CheckContext) -> Iterator[Hit]:
    """Values that the trainer compares with its own, and finds different."""
    node = ctx.document.node((_AT,))
    settings = None if node is None else to_python(node)
    if not isinstance(settings, dict) or not settings:
        return
    written = {key: value for key, value in to_python(ctx.document.root).items() if key != _AT}
    config = {
        **_DEFAULTS,
        **{key: ctx.framework.parsing.coerce((key,), value) for key, value in written.items()},
    }
    gpus = ctx.target.facts.get("gpus")
    for found in differences(settings, config, gpus.value if gpus is not None else None):
        path = (_AT, *found.path)
        there = ctx.document.node(path)
        value = json.dumps(to_python(there) if there is not None else None, default=str)
        key = found.config.partition(":")[0]
        entry = ctx.document.entry((key,))
        related = () if entry is None else (Related(entry.span, "the config says so"),)
        implied = " by default" if key in _DEFAULTS and key not in written else ""
        params = {
            "key": format_path(found.path),
            "value": value[:_SHOWN],
            "config": f"{found.config}{implied}",
        }
        yield Hit(path, ctx.document.span(path) or Span(0, 0), params, related)


CHECKS = {"deepspeed-settings-differ": settings_differ}
