"""Fixing one text to a fix point, with the linter as the judge of every pass."""

from __future__ import annotations

from cfglint.engine.lint import Beyond, lint_source
from cfglint.engine.selection import EVERY_RULE, Selection
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.fixes.loop import FixOutcome
from cfglint.fixes.loop import fix_source as fix_to_fix_point
from cfglint.framework import Framework
from cfglint.source.text import SourceText


def fix_source(
    source: SourceText,
    framework: Framework,
    target: Environment,
    selection: Selection = EVERY_RULE,
    around: Surroundings | None = None,
    beyond: Beyond | None = None,
    *,
    unsafe: bool = False,
) -> FixOutcome:
    """Apply the fixes of all findings until none is left to apply.

    Args:
        unsafe: apply also the fixes that a person should review.
    """
    return fix_to_fix_point(
        source,
        lambda text: lint_source(text, framework, target, selection, around, beyond).diagnostics,
        unsafe=unsafe,
        language=framework.language_for(source.text, target.release),
    )
