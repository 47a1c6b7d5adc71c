"""Configs that nothing starts, without the data or the model that those beside them have, which scripts start."""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project.naming import may_compose, text_in_force
from cfglint.environment.project_texts import every_text
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.nearby import read
from cfglint.source.files.scripts import SCRIPTS

_CONFIGS = (".yaml", ".yml")
_PAGES = (".md", ".rst")
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


def why_incomplete(report: FileReport, case: Case) -> str:
    """Why no run reads a file that nothing names and that lacks what those beside it have; empty for any other."""
    around = case.around
    if around.folder is None or around.launches or not around.path.endswith(_CONFIGS):
        return ""
    values = _needed(report.source.text)
    blank = [key for key, value in values.items() if value in _BLANK]
    if not blank:
        return ""
    root, own = project_root(around, around.folder), os.path.abspath(around.path)
    beside = _beside(own, around)
    folder = os.path.dirname(own)
    goes_through = _of_whole(folder, root) if folder != root else None
    started: set[str] = set()
    for path, text in every_text(around, root):
        if text is None:
            return ""
        text = text_in_force(path, text)
        if path == own or path in beside:
            continue
        if os.path.basename(own) in text:
            return ""
        is_gone_through = goes_through is not None and goes_through.search(text)
        if not path.endswith(_PAGES) and (is_gone_through or may_compose(text, own)):
            return ""
        if path.endswith(SCRIPTS) and not path.endswith(_PAGES):
            started |= {one for one in beside if os.path.basename(one) in text}
    if len(started) < _LEAST:
        return ""
    others = [_needed(_text(one, around)) for one in started]
    for key in blank:
        if all(other.get(key, "") not in _BLANK for other in others):
            return (
                f"Scripts start {len(started)} files beside this one, which all have `{key}`;"
                " nothing names this file."
            )
    return ""


def _of_whole(folder: str, root: str) -> re.Pattern[str]:
    """What goes through all files of a folder: `for file in conf/*`, `os.listdir("conf")`, `DIR=conf`.

    A model may have the name of a folder below another one (`recipes/Qwen3-8B`), which is written before it then.
    """
    above, name = (re.escape(os.path.basename(one)) for one in (os.path.dirname(folder), folder))
    before = "" if os.path.dirname(folder) == root else rf"{above}[\"']?[ ]?[/,][ ]?[\"']?"
    return re.compile(rf"(?<![\w-])(?:{before}{name}/?(?:[*\"'`)\s;]|\Z)|{name}/\*)")


def _needed(text: str) -> dict[str, str]:
    return {found[1]: (found[2] or "").strip() for found in _NEEDED.finditer(text)}


def _beside(own: str, around: Surroundings) -> frozenset[str]:
    folder, ending = os.path.dirname(own), os.path.splitext(own)[1]
    try:
        names = [one for one in around.files.names(folder) if one.endswith(ending)]
    except OSError:
        return frozenset()
    paths = [os.path.join(folder, one) for one in names]
    return frozenset(paths[:_MAX_BESIDE]) - {own}


def _text(path: str, around: Surroundings) -> str:
    contents = read(path, _MAX_BYTES, around.files)
    return "" if contents is None or contents.problem is not None else contents.source.text
