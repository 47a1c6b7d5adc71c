"""Which findings are about the release that a text is migrated to."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.for_files import for_document
from cfglint.roles.framework import frameworks, load_framework
from cfglint.source.document import Path
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


def findings_of(source: SourceText, case: Case) -> list[Diagnostic]:
    """What is found in a text, as far as it shows without the files around it.

    These show for which command it is, and which keys a program of the project reads. What is wrong with them, or
    missing, is no matter of the release.
    """
    found = lint_source(source, case).diagnostics
    # What a script sets is of the program that it starts.
    is_alone = case.around.folder is None or case.framework.row["of_sections"]
    if is_alone or not any(concerns(one, case) for one in found):
        return found
    alone = {key_of(one) for one in lint_source(source, _alone(source, case)).diagnostics}
    return [one for one in found if key_of(one) in alone]


def _alone(source: SourceText, case: Case) -> Case:
    """The case of a text without what lies around it, for the command that this decides."""
    framework = case.framework
    with suppress(SourceError):
        language = framework.parsing.language_for(source.text, case.target, case.around)
        framework = for_document(framework, language.read(source), case.around)
    return case.replaced(framework=framework, around=nowhere().replaced(is_started=True))


def concerns(found: Diagnostic, case: Case) -> bool:
    """Whether a finding is about the release."""
    if found.file is not None:
        return False
    is_step = found.code in case.framework.knowledge.migration_codes
    return found.refuses or is_step or (_ends_later(found) and _is_of_releases(found.code, case))


def _ends_later(found: Diagnostic) -> bool:
    """Whether the release starts with the file, and certainly ends the run later on."""
    is_certain = found.severity == "error" and not found.undecided
    return is_certain and found.upstream == "rejects" and found.bites != "start"


def _is_of_releases(code: str, case: Case) -> bool:
    """Whether a rule holds for some releases only; in a program it may be that of a class which is called."""
    if code in case.framework.knowledge.codes_of_releases:
        return True
    return any(code in load_framework(one).knowledge.codes_of_releases for one in frameworks())


def refusals(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings for which the release certainly refuses the file."""
    return [found for found in findings if found.refuses]


def key_of(found: Diagnostic) -> tuple[str, Path]:
    """What tells one finding from the others, whichever text it is in."""
    return found.code, found.path
