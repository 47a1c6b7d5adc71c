"""cfglint: what a training config would do wrong, before the GPUs start.

The public API is what `__all__` lists (docs/python-api.md); the rest of the package may change in
any release.
"""

from __future__ import annotations

#: As in `typing`, which would take longer to import than all that is needed here.
TYPE_CHECKING = False

__version__ = "0.1.0"

if TYPE_CHECKING:
    from cfglint.api.functions import fix_text, lint_file, lint_text
    from cfglint.api.linter import FixReport, Linter
    from cfglint.diagnostic import Diagnostic, Edit, Fix, OtherFile, Related
    from cfglint.engine.file_report import AppliedFix, FileReport, Named
    from cfglint.files.disk import Disk
    from cfglint.files.memory import InMemory
    from cfglint.files.overlay import Overlay
    from cfglint.source.text import Position, SourceText, Span

#: Public name -> the module that holds it.
_HOMES = {
    "AppliedFix": "cfglint.engine.file_report",
    "Diagnostic": "cfglint.diagnostic",
    "Disk": "cfglint.files.disk",
    "Edit": "cfglint.diagnostic",
    "FileReport": "cfglint.engine.file_report",
    "Fix": "cfglint.diagnostic",
    "FixReport": "cfglint.api.linter",
    "InMemory": "cfglint.files.memory",
    "Linter": "cfglint.api.linter",
    "Named": "cfglint.engine.file_report",
    "OtherFile": "cfglint.diagnostic",
    "Overlay": "cfglint.files.overlay",
    "Position": "cfglint.source.text",
    "Related": "cfglint.diagnostic",
    "SourceText": "cfglint.source.text",
    "Span": "cfglint.source.text",
    "fix_text": "cfglint.api.functions",
    "lint_file": "cfglint.api.functions",
    "lint_text": "cfglint.api.functions",
}

__all__ = [
    "AppliedFix",
    "Diagnostic",
    "Disk",
    "Edit",
    "FileReport",
    "Fix",
    "FixReport",
    "InMemory",
    "Linter",
    "Named",
    "OtherFile",
    "Overlay",
    "Position",
    "Related",
    "SourceText",
    "Span",
    "__version__",
    "fix_text",
    "lint_file",
    "lint_text",
]


def __getattr__(name: str) -> object:
    """Import what is asked for, so that the command starts without the rest."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
