"""A DeepSpeed file that a config names, and that is not there; or in the folder of older releases.

Imported only when a config names one.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.axolotl.deepspeed_files import is_shipped
from cfglint.frameworks.deepspeed.missing_file import missing_file, name_instead, written_file
from cfglint.source.files.nearby import search

_RENAMED = lazy_pattern(
    r"^(?:\./)?deepspeed/zero[123](?:_bf16)?(?:_cpuoffload_(?:all|params))?\.json$"
)
#: Where Axolotl keeps its DeepSpeed files, and where `axolotl fetch` puts them.
_FOLDER = "deepspeed_configs"


def missing(ctx: CheckContext) -> Iterator[Hit]:
    """A file of the project that is not there."""
    yield from missing_file(ctx, is_shipped, lambda name: f"{_FOLDER}/{name}")


def in_renamed_folder(ctx: CheckContext) -> Iterator[Hit]:
    """A file that Axolotl brings, by the name of its first folder, which the project has not."""
    written, folder = written_file(ctx), ctx.around.folder
    if written is None or _RENAMED.search(written) is None:
        return
    if folder is not None and search(written, folder, ctx.around.files).found:
        return  # a copy of the project's own
    span = ctx.document.span(("deepspeed",))
    assert span is not None
    repair = name_instead(f"{_FOLDER}/{written.rpartition('/')[2]}")
    yield Hit(("deepspeed",), span, {"file": written}, repairs=(repair,))


CHECKS = {
    "deepspeed-file-missing": missing,
    "deepspeed-file-in-renamed-folder": in_renamed_folder,
}
