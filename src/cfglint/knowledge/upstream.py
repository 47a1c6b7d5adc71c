"""Files that a framework's own project has published: whether a text is byte for byte one of them."""

from __future__ import annotations

import hashlib

from cfglint.knowledge import compiled


def origin_of(data: bytes) -> str | None:
    """The project that has published a file with these bytes; None if none is known.

    Line ends do not count: a clone on Windows has others.
    """
    tables = compiled.load("upstream")
    unix = data.replace(b"\r\n", b"\n")
    head = b"blob %d\0" % len(unix)
    name = hashlib.sha1(head + unix, usedforsecurity=False).digest()[: tables.BYTES]
    for title, names in tables.FILES.items():
        at = names.find(name)
        while at >= 0:
            if at % tables.BYTES == 0:
                return str(title)
            at = names.find(name, at + 1)
    return None
