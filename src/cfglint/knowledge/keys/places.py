"""Where a key is, as the tables of keys name it: `datasets[].type`."""

from __future__ import annotations

from cfglint.source.document import Path


def full_key(section: str, name: str) -> str:
    """A key with its section: `optimizer.type`; at the top level the name alone."""
    return f"{section}.{name}" if section else name


def section_of(path: Path) -> str:
    """The section that a mapping's path names: `("datasets", 0)` -> `datasets[]`."""
    out = ""
    for part in path:
        if isinstance(part, int):
            out += "[]"
        else:
            out += f".{part}" if out else part
    return out
