"""Which environment a program has that says in its first lines what it is to be installed with, or installs it.

Such a line is as old as the program. It counts where no file around states a release of what it trains with: what these
list is another environment then, or the rest of its own.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project.stated_versions import EVERYWHERE, says_something
from cfglint.knowledge import compiled

if TYPE_CHECKING:
    from cfglint.environment.project.finder import Finder
    from cfglint.environment.project.stated_versions import Source
    from cfglint.source.files.base import Files

#: A longer head is a text about something else.
_MAX_HEAD = 10_000
_OF_LISTS = ("pip install", "pip3 install", "uv add", "# /// script", '"install"', "'install'")


def own_list(
    path: str, sources: list[Source], finder: Finder, files: Files
) -> tuple[Source | None, list[Source]]:
    """What counts of the first lines of a program, None for nothing, and the other sources that count beside it.

    One that lists a package which they install, and not what the program trains with, is of another environment.
    """
    head = _head(path, finder, files)
    keys = {one.package for one in head.statements} & _of_programs() if head is not None else set()
    if head is None or not keys:
        return None, sources
    stated = (source.of(key) for source in sources for key in keys)
    if any(found is not None and says_something(found) for found in stated):
        return None, sources
    return head, [
        source.replaced(statements=()) if _shares(source, head) else source for source in sources
    ]


def _head(path: str, finder: Finder, files: Files) -> Source | None:
    try:
        text = files.read(path, _MAX_HEAD).decode("utf-8-sig", "replace")
    except OSError:
        return None
    if not any(word in text for word in _OF_LISTS):
        return None
    from cfglint.environment.project.readers import program_heads

    name = re.compile(rf"\buv[ \t]+run\b[^\n]{{0,200}}{re.escape(os.path.basename(path))}")
    pages = finder.scripts_of(os.path.dirname(path)) if "# ///" in text else ()
    by_uv = any(name.search(finder.text(page)) for page in pages)
    return program_heads.read(path, text, by_uv=by_uv)


def _shares(source: Source, head: Source) -> bool:
    packages = {one.package for one in source.statements} - EVERYWHERE
    return any(head.mentions(package) for package in packages)


@lru_cache(maxsize=1)
def _of_programs() -> frozenset[str]:
    """The packages with the classes of programs that are checked."""
    rows = compiled.load("frameworks").FRAMEWORKS.values()
    return frozenset(
        package for row in rows if row["language"] == "python" for package in row["packages"]
    )
