"""cfglint: what a training config would do wrong, before the GPUs start.

The public API is what `__all__` lists (docs/python-api.md); the rest of the package may change in
any release.
"""

from __future__ import annotations

#: As in `typing`, which would take longer to import than all that is needed here.
TYPE_CHECKING = False

__version__ = "0.1.0"

if TYPE_CHECKING:
    from cfglint.answers.logs.diagnosis import RunDiagnosis
    from cfglint.api.functions import fix_text, lint_file, lint_text
    from cfglint.api.linter import FixReport, Linter
    from cfglint.api.questions import diagnose, effective, explain, fit, migrate
    from cfglint.api.reports import EffectiveReport, ExplainReport, FitReport, MigrationReport
    from cfglint.diagnostic import Diagnostic, Edit, Fix, OtherFile, Related
    from cfglint.engine.file_report import AppliedFix, FileReport, Named
    from cfglint.source.files.disk import Disk
    from cfglint.source.files.memory import InMemory
    from cfglint.source.files.overlay import Overlay
    from cfglint.source.text import Position, SourceText, Span

#: Public name -> the module that holds it.
_HOMES = {
    "AppliedFix": "cfglint.engine.file_report",
    "Diagnostic": "cfglint.diagnostic",
    "Disk": "cfglint.source.files.disk",
    "Edit": "cfglint.diagnostic",
    "EffectiveReport": "cfglint.api.reports",
    "ExplainReport": "cfglint.api.reports",
    "FileReport": "cfglint.engine.file_report",
    "FitReport": "cfglint.api.reports",
    "Fix": "cfglint.diagnostic",
    "FixReport": "cfglint.api.linter",
    "InMemory": "cfglint.source.files.memory",
    "Linter": "cfglint.api.linter",
    "MigrationReport": "cfglint.api.reports",
    "Named": "cfglint.engine.file_report",
    "OtherFile": "cfglint.diagnostic",
    "Overlay": "cfglint.source.files.overlay",
    "Position": "cfglint.source.text",
    "Related": "cfglint.diagnostic",
    "RunDiagnosis": "cfglint.answers.logs.diagnosis",
    "SourceText": "cfglint.source.text",
    "Span": "cfglint.source.text",
    "diagnose": "cfglint.api.questions",
    "effective": "cfglint.api.questions",
    "explain": "cfglint.api.questions",
    "fit": "cfglint.api.questions",
    "fix_text": "cfglint.api.functions",
    "lint_file": "cfglint.api.functions",
    "lint_text": "cfglint.api.functions",
    "migrate": "cfglint.api.questions",
}

__all__ = [
    "AppliedFix",
    "Diagnostic",
    "Disk",
    "Edit",
    "EffectiveReport",
    "ExplainReport",
    "FileReport",
    "FitReport",
    "Fix",
    "FixReport",
    "InMemory",
    "Linter",
    "MigrationReport",
    "Named",
    "OtherFile",
    "Overlay",
    "Position",
    "Related",
    "RunDiagnosis",
    "SourceText",
    "Span",
    "__version__",
    "diagnose",
    "effective",
    "explain",
    "fit",
    "fix_text",
    "lint_file",
    "lint_text",
    "migrate",
]


def __getattr__(name: str) -> object:
    """Import what is asked for, so that the command starts without the rest."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """The public names, and nothing that is merely imported."""
    return list(__all__)
