"""Programs whose call that trains is a comment: drafts and templates that build arguments and hand them to nothing."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.python_sources import python_sources
from cfglint.knowledge.marks import without_comments

#: What trains, or may be handed the arguments: a class or a function of such a name, or a loop of the program's own.
_TRAINS = lazy_pattern(
    r"Trainer\b|Accelerator\b|(?i:train|fit|tune|optimi[sz]e)\w{0,60}\(|\.backward\(|\.step\("
)
#: What is named like that and only builds, sets up or prints.
_BUILDS = lazy_pattern(
    r"\b(?:def[ \t]+\w+|(?:create|setup|set_up|build|make|get|load|prepare|print)_\w*|\w*TrainingArguments)\("
)
#: What else may be handed them: anything that is imported.
_FROM = lazy_pattern(
    r"(?m)^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+(\([^()]{0,2000}\)|[^\n#]{1,300})"
)
_GIVEN = lazy_pattern(r"(?<![\w.])(\w{1,60})\([^()]{0,300}args\b")
_IMPORTS = lazy_pattern(r"(?m)^[ \t]*(?:from|import)[ \t][^\n]*")
_LEFT_OUT = lazy_pattern(r"#[^\n]{0,200}\btrain\(")
_REASON = "In this program the call that trains is a comment, and nothing imports it."


def why_nothing_trains(file: SearchedFile) -> str:
    """Why no training meets what is found in a program; empty where one may."""
    if _LEFT_OUT.search(file.report.source.text) is None:
        return ""
    text = without_comments(file.report.source.text)
    code = _IMPORTS.sub("", text)
    if _TRAINS.search(_BUILDS.sub("(", code)):
        return ""
    imported = {name for found in _FROM.finditer(text) for name in re.findall(r"\w+", found[1])}
    if any(found[1] in imported for found in _GIVEN.finditer(code)):
        return ""
    return "" if _is_imported(file) else _REASON


def _is_imported(file: SearchedFile) -> bool:
    """Whether a program of the project imports a file, or may do so."""
    if file.stem == "__init__":
        return True
    word = re.compile(rf"(?m)^[ \t]*(?:from|import)[ \t][^\n]*(?<!\w){re.escape(file.stem)}(?!\w)")
    programs = python_sources(file.around, file.root)
    return any(
        word.search(text) is not None
        for path, text in programs.items()
        if path != file.path and text is not None and file.stem in text
    )
