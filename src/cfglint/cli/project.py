"""The rules that hold in the current folder: cfglint's, and those of the project around it."""

from __future__ import annotations

import os

import click

from cfglint.engine.runner import Options, RunError, Runner
from cfglint.engine.settings import SettingsFinder
from cfglint.rules.knowledge import Knowledge


class Unusable(click.ClickException):
    """What the project says about rules cannot be used."""

    exit_code = 2


def project_knowledge() -> Knowledge:
    """What a check in the current folder would know.

    Raises:
        Unusable: the project's settings or rules are broken.
    """
    runner = Runner(Options(), SettingsFinder())
    try:
        settings = runner.settings(os.path.join(os.getcwd(), "config.yml"))
        return runner.framework_for(settings).knowledge
    except RunError as error:
        raise Unusable(str(error)) from None
