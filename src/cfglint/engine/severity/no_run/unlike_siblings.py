"""Configs that nothing starts, without the data or the model that those beside them have, which scripts start."""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.source.files.nearby import text_of
from cfglint.source.files.scripts import PAGES, SCRIPTS

#: What a training is nothing without, with what is written behind it in its line, or below it.
_NEEDED = lazy_pattern(
    r"(?m)^(base_model|data_path|dataset(?:s|_name|_path)?|model_name_or_path|train_dataset|train_file):"
    r"[ \t]*([^#\s][^\n]*|(?:#[^\n]*)?\n(?:[ \t]+[^\s#]|-)[^\n]*)?"
)
_BLANK = ("", "null", "~", '""', "''")
#: So many others show how the files of a folder are started.
_LEAST = 2
_MAX_BESIDE = 50
_MAX_BYTES = 200_000


def why_incomplete(file: SearchedFile) -> str:
    """Why no run reads a file that nothing names and that lacks what those beside it have; empty for any other."""
    values = _needed(file.report.source.text)
    blank = [key for key, value in values.items() if value in _BLANK]
    if not blank:
        return ""
    started = _started_beside(file)
    if len(started) < _LEAST:
        return ""
    texts = (text_of(one, _MAX_BYTES, file.around.files) for one in started)
    others = [_needed(text or "") for text in texts]
    for key in blank:
        if all(other.get(key, "") not in _BLANK for other in others):
            return (
                f"Scripts start {len(started)} files beside this one, which all have `{key}`;"
                " nothing names this file."
            )
    return ""


def _started_beside(file: SearchedFile) -> set[str]:
    """The files beside one that scripts start; none if anything may start that one, too."""
    beside = {os.path.join(file.folder, one) for one in file.beside()[:_MAX_BESIDE]} - {file.path}
    is_at_top = file.folder == file.root
    goes_through = None if is_at_top else _of_whole(file.folder, file.root)
    started: set[str] = set()
    for path, written in file.others():
        if written is None:
            return set()
        if path in beside:
            continue
        text, is_page = file.in_force(path, written), path.endswith(PAGES)
        if file.name in text:
            return set()
        is_gone_through = goes_through is not None and goes_through.search(text)
        if not is_page and (is_gone_through or file.may_be_composed_in(text)):
            return set()
        if path.endswith(SCRIPTS) and not is_page:
            started |= {one for one in beside if os.path.basename(one) in text}
    return started


def _of_whole(folder: str, root: str) -> re.Pattern[str]:
    """What goes through all files of a folder: `for file in conf/*`, `os.listdir("conf")`, `DIR=conf`.

    A model may have the name of a folder below another one (`recipes/Qwen3-8B`), which is written before it then.
    """
    above, name = (re.escape(os.path.basename(one)) for one in (os.path.dirname(folder), folder))
    before = "" if os.path.dirname(folder) == root else rf"{above}[\"']?[ ]?[/,][ ]?[\"']?"
    return re.compile(rf"(?<![\w-])(?:{before}{name}/?(?:[*\"'`)\s;]|\Z)|{name}/\*)")


def _needed(text: str) -> dict[str, str]:
    return {found[1]: (found[2] or "").strip() for found in _NEEDED.finditer(text)}
