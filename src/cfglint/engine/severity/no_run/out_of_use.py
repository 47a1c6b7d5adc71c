"""Programs and configs that only scripts in folders out of use start: `old/run.sh`, while other scripts start others."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.source.files.retired import is_retired

#: Those that have commands.
_SCRIPTS = (".sh", ".bash", ".sbatch", ".slurm")
#: A name that is put together may be any.
_MADE = lazy_pattern(r"""(?:[}%\$*][\w.-]{0,40}|\+[ \t]{0,9}["'])\.(?:json|py|ya?ml)\b""")


def why_out_of_use(file: SearchedFile) -> str:
    """Why no run reads a file whose scripts are out of use; empty for any other."""
    retired = ""
    for path, text in file.others():
        inside = file.inside(path)
        if any(map(is_retired, inside.split("/")[:-1])):
            if not retired and text is not None and file.name in text and path.endswith(_SCRIPTS):
                retired = inside
        elif text is None or _MADE.search(text) or file.name in text or file.is_imported_in(text):
            return ""
    return f"Only a script that is out of use names this file ({retired})." if retired else ""
