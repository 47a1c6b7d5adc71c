"""A file that a search found, with what was found in it and what lies around it."""

from __future__ import annotations

from functools import cached_property

from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project.file_in_project import FileInProject
from cfglint.knowledge.marks import Marks, marks_of


class SearchedFile(FileInProject):
    """A file of a search."""

    def __init__(self, report: FileReport, case: Case, folder: str) -> None:
        super().__init__(case.around, folder)
        self.report = report
        self.case = case

    @cached_property
    def marks(self) -> Marks:
        """By what its framework is known."""
        return marks_of(self.case.framework.name)

    @property
    def is_second(self) -> bool:
        """Whether files of its kind belong to the configs of other frameworks."""
        return bool(self.case.framework.row["named_by_others"])

    @property
    def is_handed_on(self) -> bool:
        """Whether files of its kind are read because others, or a launcher's command, name them."""
        launcher = self.marks.launcher
        return self.is_second or bool(launcher and launcher.settings)

    @cached_property
    def others_of_its_kind(self) -> tuple[str, ...]:
        """The names of the files of its kind in its folder that its own does not contain."""
        return tuple(one for one in self.beside() if one not in self.name)
