"""DeepSpeed's file that a config of a trainer names, and that is not there.

Imported only when a config names one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from cfglint.base.spelling import Speller
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.diagnostic import SeverityName
from cfglint.fixes.actions import SetValue
from cfglint.source.document import Scalar
from cfglint.source.files.base import Files
from cfglint.source.files.nearby import search

_KEY = ("deepspeed",)


def written_file(ctx: CheckContext) -> str | None:
    """What `deepspeed:` is set to, if that is a text."""
    node = ctx.document.node(_KEY)
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, str) and value else None


def name_instead(path: str) -> Repair:
    """A fix that names another file."""
    return Repair(f"Name {path}", "unsafe", (SetValue(_KEY, path),))


def missing_file(
    ctx: CheckContext, is_brought: Callable[[str], bool], brought: Callable[[str], str] = str
) -> Iterator[Hit]:
    """A file of the project that is not there.

    Args:
        is_brought: whether a path is that of a file which comes with the framework.
        brought: where the framework would have a file of a name.
    """
    written, folder = written_file(ctx), ctx.around.folder
    if written is None or folder is None or is_brought(written):
        return
    if not written.lower().endswith(".json"):
        return
    places = search(written, folder, ctx.around.files)
    if places.found or places.missing_in is None:
        return
    below = places.missing_in.startswith(folder.rstrip(os.sep) + os.sep)
    if not below and not places.in_repository:
        # The folder that the run starts in is unknown.
        return
    name = written.replace("\\", "/").rpartition("/")[2]
    others = _neighbours(places.missing_in, ctx.around.files)
    guess = Speller(tuple(others)).closest(name) if others else None
    hint = ""
    repairs: tuple[Repair, ...] = ()
    severity: SeverityName | None = None
    if guess is not None:
        there = written[: len(written) - len(name)] + guess.name
        hint = f"; there is `{there}`"
        repairs = (name_instead(there),)
        severity = "error"
    elif is_brought(shipped := brought(name)):
        hint = f"; {ctx.framework.title}'s own is `{shipped}`"
        repairs = (name_instead(shipped),)
    span = ctx.document.span(_KEY)
    assert span is not None
    params = {"file": written, "hint": hint}
    yield Hit(_KEY, span, params, repairs=repairs, severity=severity)


def _neighbours(folder: str, files: Files) -> list[str]:
    """The names of the JSON files in a folder."""
    try:
        names = files.names(folder)
    except OSError:
        return []
    return sorted(name for name in names[:2000] if name.endswith(".json"))
