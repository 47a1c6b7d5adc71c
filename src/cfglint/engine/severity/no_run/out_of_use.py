"""Programs and configs that only scripts in folders out of use start: `old/run.sh`, while other scripts start others."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.source.files.retired import is_retired

#: A name that is put together may be any.
_MADE = lazy_pattern(r"""(?:[}%\$*][\w.-]{0,40}|\+[ \t]{0,9}["'])\.(?:json|py|ya?ml)\b""")


def why_out_of_use(file: SearchedFile) -> str:
    """Why no run reads a file whose scripts are out of use; empty for any other."""
    retired, others = "", []
    for path, text in file.others():
        inside = file.inside(path)
        if not any(map(is_retired, inside.split("/")[:-1])):
            others.append(text)
        elif (
            not retired
            and text is not None
            and file.name in text
            and path.endswith(SCRIPT_SUFFIXES)
        ):
            retired = inside
    # What follows is looked for in all texts.
    if not retired or any(text is None or _may_name(text, file) for text in others):
        return ""
    return f"Only a script that is out of use names this file ({retired})."


def _may_name(text: str, file: SearchedFile) -> bool:
    """Whether a text has the name of a file, or that of the module which it is, or puts one together."""
    return file.is_named_in(text) or _MADE.search(text) is not None
