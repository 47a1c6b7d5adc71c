"""Folders whose names say that what is in them is out of use: `archive/`, `old/`, `recipes_old/`."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern

_NAME = lazy_pattern(
    r"(?:.*[-_.])?(?:archive[ds]?|attic|backups?|bak|deprecated|legacy|obsolete|old|retired|trash|unused)[-_.\d]*"
    r"|.*(?:作废|废弃|弃用).*"
)


def is_retired(folder: str) -> bool:
    """Whether the name of a folder says that what is in it is out of use."""
    return _NAME.fullmatch(folder.lower()) is not None
