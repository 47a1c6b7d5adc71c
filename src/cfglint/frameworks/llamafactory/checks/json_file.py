"""A config whose name ends in `.json`."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit
from cfglint.source.text import Span


def json_file(ctx: CheckContext) -> Iterator[Hit]:
    """The file itself; the rule says which releases do not read it.

    A YAML file of the same name beside it is the one that is started.
    """
    stem = os.path.splitext(ctx.around.path)[0]
    if any(ctx.around.files.is_file(f"{stem}{ending}") for ending in (".yaml", ".yml")):
        return
    start = ctx.document.root.start
    yield Hit((), Span(start, start + 1), {})


CHECKS = {"json-file": json_file}
