"""Programs and configs that only scripts in folders out of use start: `old/run.sh`, while other scripts start others."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project_texts import every_text
from cfglint.environment.python_sources import places, project_root
from cfglint.source.files.retired import is_retired

#: Those that have commands.
_SCRIPTS = (".sh", ".bash", ".sbatch", ".slurm")
#: A name that is put together may be any.
_MADE = lazy_pattern(r"""(?:[}%\$*][\w.-]{0,40}|\+[ \t]{0,9}["'])\.(?:json|py|ya?ml)\b""")


def why_out_of_use(_: FileReport, case: Case) -> str:
    """Why no run reads a file whose scripts are out of use; empty for any other."""
    script = _retired_start(case)
    return f"Only a script that is out of use names this file ({script})." if script else ""


def _retired_start(case: Case) -> str:
    """The script out of use that names a file, if no other file of the project does; empty otherwise."""
    around = case.around
    if around.folder is None or around.launches or not around.path:
        return ""
    root = project_root(around, around.folder)
    own = os.path.abspath(around.path)
    name = os.path.basename(own)
    stem = os.path.splitext(name)[0]
    retired = ""
    for path, text in every_text(around, root):
        if path == own:
            continue
        inside = os.path.relpath(path, root)
        if any(is_retired(folder) for folder in os.path.dirname(inside).split(os.sep)):
            if not retired and text is not None and name in text and path.endswith(_SCRIPTS):
                retired = inside.replace(os.sep, "/")
        elif text is None or _MADE.search(text) or _names(text, name, stem):
            return ""
    return retired


def _names(text: str, name: str, stem: str) -> bool:
    """Whether a text has the name of a file, or that of the module which it is."""
    return name in text or next(places(text, stem), None) is not None
