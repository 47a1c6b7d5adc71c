"""A DeepSpeed file that a config names, and that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.deepspeed.missing_file import missing_file

#: What the checkout that a run starts in has, and what the board writes before it starts one.
_BROUGHT = lazy_pattern(
    r"(?:^|/)(?:examples/deepspeed|cache)/ds_z[0-3](?:_\w+)?_config(?:_gaudi)?\.json$"
)


def missing(ctx: CheckContext) -> Iterator[Hit]:
    """A file of the project that is not there."""
    yield from missing_file(ctx, lambda path: _BROUGHT.search(path) is not None)


CHECKS = {"deepspeed-file-missing": missing}
