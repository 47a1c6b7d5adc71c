r"""The public functions: check or fix a text or a file from Python.

Example:
    >>> from cfglint import lint_text
    >>> report = lint_text("base_model: a/b\nlearning_ratee: 0.1\n", select="KEY")
    >>> [(found.code, found.line) for found in report.diagnostics]
    [('KEY001', 2)]
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from cfglint.api.linter import FixReport, Linter
from cfglint.diagnostic import ConfidenceName
from cfglint.engine.file_report import FileReport
from cfglint.source.files.disk import Disk

__all__ = ["FileReport", "FixReport", "Linter", "fix_text", "lint_file", "lint_text"]


def lint_text(
    text: str,
    path: str | os.PathLike[str] | None = None,
    *,
    target: str | Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    min_confidence: ConfidenceName | None = None,
    framework: str | None = None,
) -> FileReport:
    """Check a configuration given as text. Nothing around it is examined.

    Args:
        text: YAML, or JSON when `path` says so.
        path: what the text is called in the report; the suffix `.json` makes it JSON.

    The other arguments are those of `Linter`.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a version, a GPU, a rule or a framework is not known.
    """
    options = _options(target, gpus, gpu, select, ignore, min_confidence, framework)
    return Linter(**options).lint(text, path)


def lint_file(
    path: str | os.PathLike[str],
    *,
    target: str | Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    min_confidence: ConfidenceName | None = None,
    framework: str | None = None,
) -> FileReport:
    """Check a configuration file, with the settings of the project around it.

    Arguments are those of `Linter`.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a version, a GPU, a rule, a framework or the project's settings file is not
            usable.
        OSError: the file cannot be read.
    """
    options = _options(target, gpus, gpu, select, ignore, min_confidence, framework)
    return Linter(**options, files=Disk()).lint_file(path)


def fix_text(
    text: str,
    path: str | os.PathLike[str] | None = None,
    *,
    unsafe: bool = False,
    target: str | Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    min_confidence: ConfidenceName | None = None,
    framework: str | None = None,
) -> FixReport:
    """Fix a configuration given as text.

    Args:
        path: as for `lint_text`.
        unsafe: apply also the fixes that a person should review.

    The other arguments are those of `Linter`.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a version, a GPU, a rule or a framework is not known.
    """
    options = _options(target, gpus, gpu, select, ignore, min_confidence, framework)
    return Linter(**options).fix(text, path, unsafe=unsafe)


def _options(
    target: str | Iterable[str],
    gpus: int | None,
    gpu: str | None,
    select: str | Iterable[str],
    ignore: str | Iterable[str],
    min_confidence: ConfidenceName | None,
    framework: str | None,
) -> dict[str, Any]:
    return {
        "target": target,
        "gpus": gpus,
        "gpu": gpu,
        "select": select,
        "ignore": ignore,
        "min_confidence": min_confidence,
        "framework": framework,
    }
