"""The families of rules: those whose codes begin alike."""

from __future__ import annotations

from cfglint.knowledge import compiled


def family_of(code: str) -> str:
    """The prefix that the codes of a family share."""
    return code.rstrip("0123456789").rstrip("-")


def title_of(family: str) -> str:
    """`KEY  Keys`; the prefix alone for a family of a project's own rules."""
    title = compiled.load("families").FAMILIES.get(family)
    return family if title is None else f"{family}  {title}"
