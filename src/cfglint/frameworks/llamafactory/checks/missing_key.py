"""A required key that a file lacks: where no line is known that starts it, `key=value` behind the file may set it."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.checks.structure import missing_required_key
from cfglint.frameworks.llamafactory.launching import OVERRIDES_SINCE


def missing(ctx: CheckContext) -> Iterator[Hit]:
    """A key without which no release validates a file, a warning where the line may have it."""
    is_open = not (ctx.framework.in_scripts or ctx.around.launches)
    may_be_set = is_open and ctx.release_keys.released(OVERRIDES_SINCE)
    for hit in missing_required_key(ctx):
        # One with a path is written, but misspelt, or missing in a section.
        yield hit.replaced(severity="warning") if may_be_set and not hit.path else hit


CHECKS: dict[str, Check] = {"missing-required-key": missing}
