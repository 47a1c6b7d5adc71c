"""The anchors of headings, which links to a part of a page name."""

from __future__ import annotations

import re


def slug(title: str) -> str:
    """The anchor of a heading: of a sentence as GitHub has it, of a key path its parts."""
    if " " in title.strip():
        return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
    return re.sub(r"[^\w-]+", "-", title.lower()).strip("-")
