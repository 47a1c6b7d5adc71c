"""What makes a finding of this run the same as one of another run, although lines have moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.knowledge.keys.places import section_of
from cfglint.report.run import RunReport


class Identified(NamedTuple):
    """A finding, and which one of its kind it is."""

    file: FileReport
    found: Diagnostic
    #: The key that it is about, items of lists without their number: `datasets[].type`.
    key: str
    #: 1 for the first finding of this rule at this key in the file, and so on.
    number: int
    #: Unique in the run, and the same in the next one. 64 hexadecimal digits.
    fingerprint: str


def identified(run: RunReport) -> Iterator[Identified]:
    """All findings, in the order of files and lines."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for file in run.files:
        path = run.path_from_root(file.path) or file.path
        for found in file.diagnostics:
            key = section_of(found.path)
            same = (path, found.code, key)
            seen[same] += 1
            parts = (*same, str(seen[same]))
            digest = sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
            yield Identified(file, found, key, seen[same], digest)
