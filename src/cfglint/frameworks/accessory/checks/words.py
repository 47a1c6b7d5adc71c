"""What the shell makes of several files in one pair of quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import ANY, Edit, Fix
from cfglint.source.document import Path, Sequence

#: Options whose value is a list of files.
_LISTS = ("llama_config", "pretrained_path")


def files_in_one_word(ctx: CheckContext) -> Iterator[Hit]:
    """Several files in one pair of quotes: the program looks for one file of that name."""
    for name in _LISTS:
        entry = ctx.document.root.lookup.get(name)
        node = entry.value.target() if entry is not None else None
        if not isinstance(node, Sequence):
            continue
        for number, item in enumerate(node.items):
            value = getattr(item.target(), "value", None)
            parts = value.split() if isinstance(value, str) else []
            written = ctx.document.text[item.start : item.end]
            is_quoted = written[:1] in ("'", '"')  # else the shell splits it
            if len(parts) < 2 or not is_quoted or not all(_is_file(name, one) for one in parts):
                continue
            fixes: tuple[Fix, ...] = ()
            if re.fullmatch(r'"[^"\\]*"', written):
                edits = (Edit(item.start, item.end, written[1:-1]),)
                paths: tuple[Path, ...] = ((name,),)
                fixes = (Fix("Remove the quotes", "safe", edits, paths, leads_to=(ANY,)),)
            params = {"option": name, "count": len(parts), "written": shortened(written)}
            yield Hit((name, number), item.span, params, fixes=fixes)


def _is_file(option: str, part: str) -> bool:
    """Whether a part of a word is a file of its own, or an unknown variable."""
    if re.fullmatch(r"\$\{?\w+\}?", part):
        return True
    return part.endswith(".json") if option == "llama_config" else "/" in part


CHECKS = {"files-in-one-word": files_in_one_word}
