"""A DeepSpeed file that a config names, and that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.deepspeed.missing_file import missing_file
from cfglint.frameworks.llamafactory.brought_files import is_brought


def missing(ctx: CheckContext) -> Iterator[Hit]:
    """A file of the project that is not there."""
    yield from missing_file(ctx, is_brought)


CHECKS = {"deepspeed-file-missing": missing}
