"""Checks of DeepSpeed's files that no condition on keys can say."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.frameworks.deepspeed.filling import WALKED, is_filled_in
from cfglint.source.document import Mapping, Scalar, format_path


def walked_section(ctx: CheckContext) -> Iterator[Hit]:
    """A section that is no mapping, in a file whose "auto" transformers fills in."""
    if not is_filled_in(ctx.document):
        return
    for path in WALKED:
        entry = ctx.document.entry(path)
        if entry is None:
            continue
        value = entry.value.target()
        empty = isinstance(value, Scalar) and value.value is None
        if not empty and not isinstance(value, Mapping):
            yield Hit(path, entry.span, {"key": format_path(path)})


CHECKS: dict[str, Check] = {"walked-section": walked_section}
