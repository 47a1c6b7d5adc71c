"""The rules that apply in the current folder: cfglint's, and those of the project around it."""

from __future__ import annotations

import click

from cfglint.api.explaining import known_rules
from cfglint.engine.session import RunError
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule


class Unusable(click.ClickException):
    """What the project says about rules cannot be used."""

    exit_code = 2


def rules_here() -> list[tuple[Rule, Knowledge]]:
    """The rules that the commands know in the current folder (see `known_rules`).

    Raises:
        Unusable: the project's settings or rules are broken.
    """
    try:
        return known_rules()
    except RunError as error:
        raise Unusable(str(error)) from None
