"""Workflows that test a change: what they install says little about a run of the project."""

from __future__ import annotations

import os
from collections.abc import Callable

from cfglint.environment.project.stated_versions import Source, Statement
from cfglint.knowledge.marks import all_marks, launchers, without_comments

_NAMES = ("azure-pipelines.", "bitbucket-pipelines.", "jenkinsfile")


def is_workflow(path: str) -> bool:
    """Whether a file is about tests of a change, which run a config in their own way."""
    name = os.path.basename(path).lower()
    if not name.endswith((".yml", ".yaml")):
        return name == "jenkinsfile"
    return name.startswith((".", *_NAMES)) or os.sep + ".github" + os.sep in path


def weighed(
    sources: list[Source], is_so: Callable[[Callable[[str], bool], str], bool]
) -> list[Source]:
    """The files of a project, where workflows state no more than they show.

    One of their jobs may well install the oldest version that is supported. A workflow counts where no other
    file names the package, and then from that version on; one that starts a training counts like any file.

    Args:
        is_so: what a function says of the text of a file of the project.
    """
    of_tests = {
        one.path for one in sources if is_workflow(one.path) and not is_so(_trains, one.path)
    }
    if not of_tests:
        return sources
    named = {
        statement.package
        for one in sources
        if one.path not in of_tests
        for statement in one.statements
    }
    return [_weaker(one, named) if one.path in of_tests else one for one in sources]


def _trains(text: str) -> bool:
    """Whether a workflow starts a training, as far as that is known."""
    commands = without_comments(text)
    by_launcher = (called for one in launchers() if one.settings for called in one.commands)
    return any(called in commands for called in by_launcher) or any(
        marks.starts_among(commands) for marks in all_marks()
    )


def _weaker(source: Source, named: set[str]) -> Source:
    left = (_from_there_on(one) for one in source.statements if one.package not in named)
    return source.replaced(statements=tuple(one for one in left if one is not None))


def _from_there_on(statement: Statement) -> Statement | None:
    """What a workflow's statement shows; None for a build that is no release."""
    if statement.commit or statement.day or statement.fork:
        return None
    spec = f">={statement.version}" if statement.version else statement.spec
    return statement.replaced(version=None, spec=spec, tested=True)
