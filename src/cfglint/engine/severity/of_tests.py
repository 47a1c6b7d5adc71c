"""Programs whose names say that they try something out: `test_trainer.py`, while no script starts them."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project_texts import every_text
from cfglint.environment.python_sources import places, project_root
from cfglint.environment.surroundings import Surroundings

_NAME = lazy_pattern(r"test_.+\.py|.+_test\.py")
_FOLDERS = frozenset({"test", "tests"})
#: Pages tell of all that there is.
_PAGES = ".md"
_STARTS = lazy_pattern(r"\b(?:python[\d.]*|launch|\w{0,20}run)\b")
_REASON = "The name says that this is a test, and no script of the project starts it."


def why_a_test(_: FileReport, case: Case) -> str:
    """Why no run meets what is found in a test that nothing starts; empty for any other file."""
    return _REASON if _is_test_alone(case.around) else ""


def _is_test_alone(around: Surroundings) -> bool:
    if around.folder is None or around.launches or not around.path.endswith(".py"):
        return False
    root = project_root(around, around.folder)
    own = os.path.abspath(around.path)
    *folders, name = os.path.relpath(own, root).split(os.sep)
    if not (_NAME.fullmatch(name) or _FOLDERS.intersection(folders)):
        return False
    return not any(
        path != own and (text is None or _may_start(text, name, is_page=path.endswith(_PAGES)))
        for path, text in every_text(around, root)
    )


def _may_start(text: str, name: str, *, is_page: bool) -> bool:
    """Whether a text names a program, or the module which it is; in a page, behind a command alone."""
    if not is_page:
        return name in text or next(places(text, name.removesuffix(".py")), None) is not None
    if name not in text:
        return False
    return any(
        _STARTS.search(line.partition(name)[0]) for line in text.splitlines() if name in line
    )
