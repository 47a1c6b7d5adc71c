"""Sub-commands of a known program that are a slip for one that it has."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.spelling import is_one_slip
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Edit, Fix
from cfglint.runs.starts.called import misspelt_commands


def misspelt_command(ctx: CheckContext) -> Iterator[Hit]:
    """`NAME trian x.yml`."""
    text = ctx.document.text
    for slip, word in misspelt_commands(text):
        written = text[word.start : word.end]
        params = {"program": slip.program, "command": word.text, "meant": slip.meant}
        # A variable may be used elsewhere, too.
        fixes: tuple[Fix, ...] = ()
        if written == word.text:
            is_sure = is_one_slip(written, slip.meant)
            edit = Edit(word.start, word.end, slip.meant)
            fixes = (Fix(f"Write {slip.meant}", "safe" if is_sure else "unsafe", (edit,), ()),)
        yield Hit((), word.span, params, fixes=fixes)


CHECKS = {"misspelt-command": misspelt_command}
