"""The rules that apply in the current folder: cfglint's, and those of the project around it."""

from __future__ import annotations

import click

from cfglint.engine.session import Options, RunError, Session, path_here
from cfglint.engine.settings import SettingsFinder
from cfglint.framework import frameworks
from cfglint.knowledge.recognition import fallback
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule


class Unusable(click.ClickException):
    """What the project says about rules cannot be used."""

    exit_code = 2


def rules_here() -> list[tuple[Rule, Knowledge]]:
    """The rules that the commands know in the current folder, each once, in the order of codes.

    Raises:
        Unusable: the project's settings or rules are broken.
    """
    session = Session(Options(), SettingsFinder())
    found: dict[str, tuple[Rule, Knowledge]] = {}
    try:
        settings = session.settings(path_here())
        # A shared rule is shown as for the most common framework.
        usual = fallback("yaml")
        for name in sorted(frameworks(), key=lambda name: name != usual):
            knowledge = session.framework(name, settings).knowledge
            for rule in (*knowledge.all_rules(), *knowledge.migration_rules):
                found.setdefault(rule.code, (rule, knowledge))
    except RunError as error:
        raise Unusable(str(error)) from None
    return [found[code] for code in sorted(found)]
