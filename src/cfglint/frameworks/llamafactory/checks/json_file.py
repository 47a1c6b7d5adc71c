"""A config whose name ends in `.json`."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit
from cfglint.source.text import Span


def json_file(ctx: CheckContext) -> Iterator[Hit]:
    """The file itself; the rule says which releases do not read it."""
    start = ctx.document.root.start
    yield Hit((), Span(start, start + 1), {})


CHECKS = {"json-file": json_file}
