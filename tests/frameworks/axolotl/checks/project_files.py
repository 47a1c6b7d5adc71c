"""What is found in a project that is written for a test, in a form that can be read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import cfglint

CONFIG = "train.yml"


def found(
    folder: Path, files: Mapping[str, str], select: Sequence[str], *, target: Sequence[str] = ()
) -> list[str]:
    """Code, severity, file, line and what is marked there, with the words that the message quotes.

    Args:
        files: path -> text; `train.yml` is the config that is checked.
        select: the rules that may speak.
    """
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    report = cfglint.lint_file(folder / CONFIG, select=list(select), target=list(target))
    told = []
    for one in (report, *report.elsewhere):
        for found in one.diagnostics:
            line = one.source.position(found.span.start).line
            marked = one.source.text[found.span.start : found.span.end]
            words = re.findall(r"`([^`]*)`", found.message)
            parts = [found.code, found.severity, f"{Path(one.path).name}:{line}", repr(marked)]
            parts.append(" ".join(words))
            parts += [f"fix: {fix.title}" for fix in found.fixes]
            told.append(" | ".join(parts))
    return sorted(told)
