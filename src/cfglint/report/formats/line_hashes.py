"""The hashes by which GitHub's code scanning recognizes a line after it has moved.

GitHub's upload action computes them if a report has none, and warns about others. A program
that uploads through the API has to provide them. A line's hash is that of the 100 UTF-16 units from
its start, blanks and tabs left out, each line end counted as a line feed, and what is missing at
the end of the file as zeros. Equal hashes of a file are numbered.
"""

from __future__ import annotations

from collections import Counter

from cfglint.source.text import BOM, SourceText

_UNITS = 100
_BASE = 37
_MODULUS = 1 << 64
#: The code unit that marks the end of the file.
_END = 0xFFFF


def line_hashes(source: SourceText) -> list[str]:
    """The hash of each line; also that of an empty one after a final line break."""
    text = (BOM if source.bom else "") + source.text
    # Line ends before blanks: with a blank between them, CR and LF are two.
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    data = text.encode("utf-16-le", "surrogatepass")
    units = [low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True)]
    units += [_END, *[0] * _UNITS]
    starts = [0, *(at + 1 for at, unit in enumerate(units) if unit == 10)]
    seen: Counter[str] = Counter()
    hashes = []
    for start in starts:
        value = 0
        for unit in units[start : start + _UNITS]:
            value = (value * _BASE + unit) % _MODULUS
        name = f"{value:x}"
        seen[name] += 1
        hashes.append(f"{name}:{seen[name]}")
    return hashes
