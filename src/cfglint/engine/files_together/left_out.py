"""Why a search leaves out a file that looks like a framework's, for what the project around it shows."""

from __future__ import annotations

import os

from cfglint.engine.case import Case
from cfglint.engine.files_together.discovery import COPIED, KEPT_ASIDE
from cfglint.source.document import Document
from cfglint.source.files.retired import may_be_set_aside

#: A program of the project reads it, and not the framework.
OF_A_PROGRAM = "a program of the project asks for its keys, some of which are its own"


def why_left_out(document: Document | None, case: Case) -> str:
    """Why a file is not checked that was not named; empty if nothing speaks against it."""
    if may_be_set_aside(os.path.basename(case.around.path)):
        from cfglint.environment.project.mentioned import is_mentioned

        if not is_mentioned(case.around):
            return KEPT_ASIDE
    from cfglint.engine.files_together.twins import is_astray, is_twin

    if is_twin(case.around) or is_astray(case.around):
        return COPIED
    return OF_A_PROGRAM if is_of_a_program(document, case) else ""


def remark(path: str, document: Document | None, case: Case) -> list[str]:
    """What a person who named a file should know of its reader, in a sentence; empty for nothing."""
    if not is_of_a_program(document, case):
        return []
    return [f"{path}: {OF_A_PROGRAM}, so it is not judged as {case.framework.title}'s."]


def is_of_a_program(document: Document | None, case: Case) -> bool:
    """Whether a program of the project is all that reads a file."""
    if document is None:
        return False
    return case.framework.own_code.is_all_that_reads(document, case.around)
