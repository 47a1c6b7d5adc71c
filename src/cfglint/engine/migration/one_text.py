"""Migrating one text to another release: the fixes of rules that are steps.

A step is the fix of a finding at the target that is about the release: the target refuses the
file, or the rule says `migration` (see `cfglint.knowledge.compiling.model`). Safe steps come first, and obey
the law of safe fixes; the rest is done by unsafe ones, which a person reviews.
"""

from __future__ import annotations

from contextlib import suppress

from cfglint.base.record import Record
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.migration.of_release import key_of
from cfglint.engine.migration.steps import Left, Step
from cfglint.engine.migration.walk import walked
from cfglint.engine.settings.selection import EVERY_STEP
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.for_files import for_document
from cfglint.roles.framework import Framework
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


class Migration(Record):
    """What a migration makes of a text."""

    original: SourceText
    #: The steps that were taken, in their order.
    steps: tuple[Step, ...]
    #: Unsafe steps that follow on those but were not asked for.
    proposed: tuple[Step, ...]
    #: What would be left after both.
    left: tuple[Left, ...]

    @property
    def result(self) -> SourceText:
        """The text after the steps that were taken."""
        return self.steps[-1].after if self.steps else self.original

    @property
    def whole(self) -> SourceText:
        """The text after all steps, including those that were not requested."""
        return self.proposed[-1].after if self.proposed else self.result

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return not self.proposed and not self.left


def migrate(
    source: SourceText,
    framework: Framework,
    target: Environment,
    *,
    unsafe: bool,
    around: Surroundings | None = None,
) -> Migration:
    """Migrate a text to a release.

    Args:
        target: the release, and what is known about the machine.
        unsafe: whether steps are taken that a person should review.
        around: what lies around the file, which decides for which command it is and which keys a program of the
            project reads; of a script, the program that it starts.
    """
    case = Case.of_text(framework, target, EVERY_STEP)
    if around is not None and not framework.row["of_sections"]:
        case = _where_it_lies(source, case, around)
    if framework.row["of_sections"]:
        # All that such a file has of the release is in its sections.
        from cfglint.engine.files_together.edges import Edges

        case = case.replaced(edges=Edges())
        if framework.in_scripts and around is not None:
            case = case.replaced(around=around.replaced(launches=(), project=None, schemas=()))
    walk = walked(source, case)
    taken = len(walk.steps) if unsafe else walk.safe
    steps = tuple(walk.steps)
    found = Migration(source, steps[:taken], steps[taken:], tuple(walk.left()))
    if not found.left or around is None or not around.launches or framework.row["of_sections"]:
        return found
    # What every command sets that starts the file is not left to do in it.
    shown = lint_source(found.whole, case.replaced(framework=framework, around=around)).diagnostics
    keys = {key_of(one) for one in shown}
    return found.replaced(left=tuple(one for one in found.left if (one.code, one.path) in keys))


def _where_it_lies(source: SourceText, case: Case, around: Surroundings) -> Case:
    """The case of a file of a project, of the kind that its place or a command decides.

    What the commands set beside it, and how old the project is, says nothing of the release.
    """
    framework = case.framework
    with suppress(SourceError):  # a step may make it readable
        language = framework.parsing.language_for(source.text, case.target, around)
        framework = for_document(framework, language.read(source), around)
    alone = around.replaced(launches=(), is_started=True, project=None, schemas=())
    return case.replaced(framework=framework, around=alone)
