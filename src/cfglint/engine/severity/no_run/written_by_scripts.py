"""Files that a script of their project writes anew before each run: `cat > ds.json <<EOF`, `envsubst < a > b`."""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project.naming import may_be
from cfglint.environment.project_texts import project_texts
from cfglint.source.files.scripts import PAGES, SCRIPTS

_SCRIPTS = (*SCRIPTS, ".ipynb")
#: How far before a command what it reads is looked for, and a test for the file: `if [ ! -f a.json ]; then`.
_NEAR = 400
#: A text that follows in the script: `> a.json <<EOF`.
_HERE = lazy_pattern(r"[\"']?[ \t]{0,9}<<")


def why_written_anew(file: SearchedFile) -> str:
    """Why a file that a script writes is not the one to change; empty for any other."""
    written = re.compile(
        rf"(?:(?<![<>&\d])>[ \t]*|\btee[ \t]+|%%writefile[ \t]+)[\"']?([^\s\"'<>|;&]{{0,300}}{re.escape(file.name)})(?![\w.-])"
    )
    for path, text in project_texts(file.around, file.root, _SCRIPTS):
        if path == file.path or path.endswith(PAGES) or text is None or file.name not in text:
            continue
        for match in written.finditer(file.in_force(path, text)):
            if _is_own(match, file.path, os.path.dirname(path)):
                return f"{file.inside(path)} writes this file anew: change it there."
    return ""


def _is_own(match: re.Match[str], own: str, folder: str) -> bool:
    """Whether what is written is the file, each time: `> $OUT/ds.json` may be a copy, unless its text is in the script."""
    written, text, name = match[1], match.string, os.path.basename(own)
    before = text[max(0, match.start() - _NEAR) : match.start()]
    _, test, asked = before.rpartition("! -")
    # Read in the same line, it is there before; or it is made where there is none.
    if name in before.rpartition("\n")[2] or (test and name in asked):
        return False
    if "$" in written and not _HERE.match(text, match.end()):
        *_, above = written.rpartition("/")[0].rpartition("/")
        if not above or "$" in above:
            return False
    return may_be(written, own, folder, is_open="$" in written)
