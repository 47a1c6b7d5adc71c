"""The marks `# <- CODE` in the examples of rules: the lines that carry the finding."""

from __future__ import annotations

import re

MARKER = re.compile(
    r"[ \t]*# <- ([A-Z][A-Z0-9]*-?\d+(?:[ ,]+[A-Z][A-Z0-9]*-?\d+)*)[ \t]*(?=\r?$)", re.M
)


def strip_markers(text: str) -> str:
    """The text without `# <- CODE`."""
    return MARKER.sub("", text)
