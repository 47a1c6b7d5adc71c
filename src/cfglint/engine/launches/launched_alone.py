"""What is wrong with the commands of a script that has no settings of its own.

A command is examined with the config that it starts. Of one that lies elsewhere nothing is known: it is taken to
be empty, and only what concerns the command itself is reported. So is a command that no program has.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.diagnostic import Diagnostic
from cfglint.engine.lint import LintResult, lint_source
from cfglint.runs.starts.start import Start
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb, is_inside
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.engine.case import Case
    from cfglint.engine.session import Session

#: How the checks of commands are called.
_OF_COMMANDS: Final = "launch-"
#: The rule for a command that no program has.
_MISSPELT: Final = "misspelt-command"


def launched_alone(
    result: LintResult, source: SourceText, case: Case, session: Session
) -> LintResult | None:
    """The result for a script's commands that start nothing, or configs that are not in the project; None if nothing is found.

    Args:
        result: that for the script, which has no settings of its own.
        case: what it was checked with.
    """
    if result.document is None or result.document.language.structure != "words":
        return None
    found = {one.key: one for one in result.diagnostics if one.name == _MISSPELT}
    if case.framework.in_scripts and case.around.project is not None:
        found |= {one.key: one for one in _of_starts(source, case, session)}
    return result.replaced(diagnostics=list(found.values())) if found else None


def _of_starts(source: SourceText, case: Case, session: Session) -> Iterator[Diagnostic]:
    """What is wrong with the commands whose configs are not in the project."""
    from cfglint.runs.starts.commands import read

    for start in read(os.path.abspath(case.around.path), source.text):
        name = os.path.basename(start.config.text)
        if not start.own or start.config.open or not name or _is_there(start, session.files):
            continue  # what is there is checked with the command
        alone = session.case(case.framework.name, os.path.join(start.folder, name))
        alone = alone.replaced(around=alone.around.replaced(launches=(start,)))
        knowledge = alone.framework.knowledge
        names = dict(knowledge.labels())
        for one in lint_source(SourceText("{}\n"), alone).diagnostics:
            check = knowledge.named(names[one.code]).check if one.code in names else None
            if one.file is not None and check is not None and check.startswith(_OF_COMMANDS):
                yield one.replaced(file=None)


def _is_there(start: Start, files: Files) -> bool:
    """Whether the project has the config of a command, as far as its path shows."""
    root, _ = climb(start.folder, files)
    places = [os.path.join(start.folder, os.path.basename(start.config.text))]
    if "\0" not in start.config.text:
        places.append(os.path.normpath(os.path.join(start.folder, start.config.text)))
    return any(is_inside(place, root, files) and files.exists(place) for place in places)
