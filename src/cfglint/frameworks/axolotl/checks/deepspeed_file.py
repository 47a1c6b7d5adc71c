"""A DeepSpeed file that a config names, and that is not there; or in the folder of older releases.

Imported only when a config names one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.paths import relative_path
from cfglint.base.spelling import Speller
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.diagnostic import SeverityName
from cfglint.files.nearby import search
from cfglint.fixes.actions import SetValue
from cfglint.frameworks.axolotl.deepspeed_files import is_shipped, neighbours
from cfglint.source.document import Scalar

_RENAMED = lazy_pattern(
    r"^(?:\./)?deepspeed/zero[123](?:_bf16)?(?:_cpuoffload_(?:all|params))?\.json$"
)
#: Where Axolotl keeps its DeepSpeed files, and where `axolotl fetch` puts them.
_FOLDER = "deepspeed_configs"


def missing(ctx: CheckContext) -> Iterator[Hit]:
    """A file of the project that is not there."""
    written, folder = _written(ctx), ctx.around.folder
    if written is None or folder is None or is_shipped(written):
        return
    if not written.lower().endswith(".json"):
        return
    places = search(written, folder, ctx.around.files)
    if places.found or places.missing_in is None:
        return
    name = written.replace("\\", "/").rpartition("/")[2]
    below = places.missing_in.startswith(folder.rstrip(os.sep) + os.sep)
    if not below and not places.in_repository:
        # The folder that the run starts in is unknown.
        return
    others = neighbours(places.missing_in, ctx.around.files)
    guess = Speller(tuple(others)).closest(name) if others else None
    where = relative_path(places.missing_in, folder).replace(os.sep, "/")
    hint = ""
    repairs: tuple[Repair, ...] = ()
    severity: SeverityName | None = None
    span = ctx.document.span(("deepspeed",))
    assert span is not None
    if guess is not None:
        hint = f"; there is `{guess.name}`"
        action = SetValue(("deepspeed",), written[: len(written) - len(name)] + guess.name)
        repairs = (Repair(f"Name {guess.name}", "unsafe", (action,)),)
        severity = "error"
    elif is_shipped(shipped := f"{_FOLDER}/{name}"):
        hint = f"; Axolotl's own is `{shipped}`"
        repairs = (_from_axolotl(shipped),)
    params = {
        "file": written,
        "where": "the config's folder" if where == "." else f"`{where}`",
        "hint": hint,
    }
    yield Hit(("deepspeed",), span, params, repairs=repairs, severity=severity)


def in_renamed_folder(ctx: CheckContext) -> Iterator[Hit]:
    """A file that Axolotl brings, by the name of its first folder, which the project has not."""
    written, folder = _written(ctx), ctx.around.folder
    if written is None or _RENAMED.search(written) is None:
        return
    if folder is not None and search(written, folder, ctx.around.files).found:
        return  # a copy of the project's own
    span = ctx.document.span(("deepspeed",))
    assert span is not None
    repair = _from_axolotl(f"{_FOLDER}/{written.rpartition('/')[2]}")
    yield Hit(("deepspeed",), span, {"file": written}, repairs=(repair,))


def _from_axolotl(shipped: str) -> Repair:
    return Repair(f"Name {shipped}", "unsafe", (SetValue(("deepspeed",), shipped),))


def _written(ctx: CheckContext) -> str | None:
    node = ctx.document.node(("deepspeed",))
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, str) and value else None


CHECKS = {
    "deepspeed-file-missing": missing,
    "deepspeed-file-in-renamed-folder": in_renamed_folder,
}
