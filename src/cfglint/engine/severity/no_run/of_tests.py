"""Programs whose names say that they try something out: `test_trainer.py`, while no script starts them."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.source.files.scripts import PAGES

_NAME = lazy_pattern(r"test_.+\.py|.+_test\.py")
_FOLDERS = frozenset({"test", "tests"})
_STARTS = lazy_pattern(r"\b(?:python[\d.]*|launch|\w{0,20}run)\b")
_REASON = "The name says that this is a test, and no script of the project starts it."


def why_a_test(file: SearchedFile) -> str:
    """Why no run meets what is found in a test that nothing starts; empty for any other program."""
    *folders, name = file.inside(file.path).split("/")
    if not (_NAME.fullmatch(name) or _FOLDERS.intersection(folders)):
        return ""
    is_started = any(
        text is None or _may_start(text, file, is_page=path.endswith(PAGES))
        for path, text in file.others()
    )
    return "" if is_started else _REASON


def _may_start(text: str, file: SearchedFile, *, is_page: bool) -> bool:
    """Whether a text names a program, or the module which it is; in a page, behind a command alone."""
    name = file.name
    if not is_page:
        return file.is_named_in(text)
    if name not in text:
        return False
    return any(
        _STARTS.search(line.partition(name)[0]) for line in text.splitlines() if name in line
    )
