"""Reports made by hand, so that the formats are tested apart from the rules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from cfglint.diagnostic import Diagnostic, Edit, Fix, Related, SeverityName
from cfglint.engine.file_report import FileReport
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.text import SourceText, Span

SNAPSHOTS = Path(__file__).parent / "snapshots"


def check_snapshot(name: str, printed: str, folder: Path = SNAPSHOTS) -> None:
    """Compare with the stored output, or store it when `CFGLINT_UPDATE_SNAPSHOTS=1` is set.

    What cannot be seen is stored as `<U+001B>`, so that the files are plain text.
    """
    stored = "".join(
        char if char == "\n" or char.isprintable() else f"<U+{ord(char):04X}>" for char in printed
    )
    path = folder / name
    if os.environ.get("CFGLINT_UPDATE_SNAPSHOTS") == "1":
        path.write_bytes(stored.encode("utf-8"))
    assert stored == path.read_bytes().decode("utf-8")


def target(*pins: str, gpus: int | None = None, gpu: str | None = None) -> Environment:
    """What a file was checked against; a fixed release when none is named."""
    release = pins or ("axolotl==0.18.0",)
    return build_environment(Axolotl().releases, pins=release, gpus=gpus, gpu=gpu)


def at(text: str, needle: str, nth: int = 0) -> Span:
    """The span of a part of the text."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(needle, start + 1)
    return Span(start, start + len(needle))


def swap(text: str, old: str, new: str, **kwargs: Any) -> Fix:
    """A fix that replaces one piece of the text."""
    start, end = at(text, old)
    title = kwargs.pop("title", f"Write {new.strip()}")
    safety = kwargs.pop("safety", "safe")
    return Fix(title, safety, (Edit(start, end, new),), (), **kwargs)


def finding(
    code: str,
    span: Span,
    *,
    severity: SeverityName = "error",
    message: str = "It says something that cannot be meant.",
    **kwargs: Any,
) -> Diagnostic:
    """A finding with ordinary words where none are given."""
    words: dict[str, Any] = {
        "name": "some-rule",
        "confidence": "high",
        "upstream": "silent",
        "bites": "train",
        "path": ("some_key",),
        "cost": "a night of eight GPUs",
    }
    return Diagnostic(
        code=code, span=span, severity=severity, message=message, **{**words, **kwargs}
    )


def related(text: str, needle: str, note: str, nth: int = 0) -> Related:
    """Another place, found by its words."""
    return Related(at(text, needle, nth), note)


def report(
    path: str, text: str, *found: Diagnostic, bom: bool = False, **kwargs: Any
) -> FileReport:
    """The report of one file."""
    fields: dict[str, Any] = {
        "framework": "axolotl",
        "undecided": {},
        "suppressed": 0,
        "target": target(),
        "fail_on": "error",
    }
    return FileReport(
        title="Axolotl",
        path=path,
        source=SourceText(text, bom=bom),
        diagnostics=tuple(sorted(found, key=lambda d: (d.span.start, d.span.end, d.code))),
        **{**fields, **kwargs},
    )
