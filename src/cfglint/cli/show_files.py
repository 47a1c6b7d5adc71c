"""`--show-files`: which files a check is about, and which a search leaves out, each with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cfglint.engine.file_report import Named
from cfglint.engine.files_together.discovery import FoundFile
from cfglint.engine.files_together.not_checked import why_not_checked
from cfglint.engine.runner import Runner
from cfglint.engine.workers import LeftOut, check_files
from cfglint.report.escaping import visible, visible_path
from cfglint.report.json_text import json_text

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 1


class FileList:
    """The files of a check, instead of its findings.

    Args:
        changed: which files the check is about.
    """

    def __init__(self, runner: Runner, changed: Callable[[str], bool]) -> None:
        self._runner = runner
        self._changed = changed
        #: path -> (whose file it is, why it is left out)
        self._rows: dict[str, tuple[str, str]] = {}

    def leave_out(self, path: str, why: str) -> None:
        """Add what is not checked."""
        self._rows[path] = ("", why)

    def check(self, files: list[FoundFile]) -> Iterator[str]:
        """Add the files that are checked, with those that they name; gives what fails."""
        on_disk = self._runner.session.files
        self._runner.in_run = frozenset(found.real for found in files)
        named: list[tuple[Named, str]] = []
        for found, outcome in check_files(self._runner, files):
            if isinstance(outcome, str):
                yield outcome
            elif isinstance(outcome, LeftOut):
                self.leave_out(found.path, outcome.reason)
            elif outcome is None:
                self.leave_out(found.path, why_not_checked(found.path, on_disk))
            elif any(map(self._changed, (found.path, *(one.path for one in outcome.names)))):
                self._rows[found.path] = (outcome.title, "")
                named += [(one, found.path) for one in outcome.names]
            else:
                self.leave_out(found.path, "not changed")
        known = {on_disk.real(path) for path in self._rows}
        for one, path in named:
            if on_disk.real(one.path) not in known:
                self._rows[one.path] = (f"{one.title}, named by {path}", "")

    @property
    def is_empty(self) -> bool:
        """Whether no file is checked."""
        return not any(title for title, _ in self._rows.values())

    def as_text(self) -> str:
        """A line for each file, by path."""
        return "".join(
            f"{visible_path(path)}: {visible(title or f'left out: {why}')}\n"
            for path, (title, why) in sorted(self._rows.items())
        )

    def as_json(self) -> str:
        """The same as one JSON object."""
        files = [
            {"path": path, "checked_as": title or None, "left_out": why or None}
            for path, (title, why) in sorted(self._rows.items())
        ]
        return json_text({"version": FORMAT_VERSION, "files": files}) + "\n"
