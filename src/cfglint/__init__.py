"""cfglint: what a training config would do wrong, before the GPUs start.

The public API is `lint_text`, `lint_file`, `fix_text` and the result types they return; the rest
of the package may change in any release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from cfglint.api import (
        FileReport,
        FixReport,
        fix_text,
        lint_file,
        lint_text,
    )
    from cfglint.diagnostic import Diagnostic, Edit, Fix, Related

__all__ = [
    "Diagnostic",
    "Edit",
    "FileReport",
    "Fix",
    "FixReport",
    "Related",
    "__version__",
    "fix_text",
    "lint_file",
    "lint_text",
]

_HOMES = {
    "Diagnostic": "cfglint.diagnostic",
    "Edit": "cfglint.diagnostic",
    "Fix": "cfglint.diagnostic",
    "Related": "cfglint.diagnostic",
}


def __getattr__(name: str) -> object:
    """Import the API when it is asked for, so that the command starts without it."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module(_HOMES.get(name, "cfglint.api")), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
