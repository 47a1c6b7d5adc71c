"""Programs whose names say that they try something out: `test_trainer.py`, while no script starts them."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project_texts import CONFIGS, project_texts
from cfglint.environment.python_sources import places, project_root, python_sources
from cfglint.environment.surroundings import Surroundings

_NAME = lazy_pattern(r"test_.+\.py|.+_test\.py")
_FOLDERS = frozenset({"test", "tests"})
_OTHERS = (*CONFIGS, ".toml", ".ipynb")
#: Pages tell of all that there is.
_PAGES = ".md"
_STARTS = lazy_pattern(r"\b(?:python[\d.]*|launch|\w{0,20}run)\b")
_REASON = "The name says that this is a test, and no script of the project starts it."


def as_notes_if_test(report: FileReport, case: Case) -> FileReport:
    """The report on a file of a search, with notes in place of errors and warnings if it is a test that nothing starts."""
    if all(found.severity == "note" for found in report.diagnostics):
        return report
    return report.as_notes(_REASON) if _is_test_alone(case.around) else report


def _is_test_alone(around: Surroundings) -> bool:
    if around.folder is None or around.launches or not around.path.endswith(".py"):
        return False
    root = project_root(around, around.folder)
    own = os.path.abspath(around.path)
    *folders, name = os.path.relpath(own, root).split(os.sep)
    if not (_NAME.fullmatch(name) or _FOLDERS.intersection(folders)):
        return False
    texts = (*project_texts(around, root), *project_texts(around, root, _OTHERS))
    return not any(
        path != own and (text is None or _may_start(text, name, is_page=path.endswith(_PAGES)))
        for path, text in (*texts, *python_sources(around, root).items())
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
