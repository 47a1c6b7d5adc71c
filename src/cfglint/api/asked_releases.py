"""The releases that a question about keys is about, where it names none: those of the project around the current folder."""

from __future__ import annotations

from cfglint.engine.session import Session, path_here
from cfglint.engine.settings.nearest import Settings
from cfglint.environment.environment import Environment
from cfglint.knowledge.marks import all_marks
from cfglint.roles.framework import Framework, frameworks


def target_here(session: Session, framework: Framework) -> Environment:
    """What a framework's keys are of: the release of the project, or the newest if the project is one of another framework.

    Raises:
        RunError: the target is not known.
    """
    target, _ = session.environment(framework, Settings(), path_here())
    if not target.assumed or is_stated(target) or not stated_here(session):
        return target
    # What goes with the other framework says nothing of this one.
    own = {name: pin for name, pin in target.pins.items() if not pin.in_project}
    return Environment(target.releases, own, target.facts, as_of=target.as_of)


def is_stated(target: Environment) -> bool:
    """Whether an option, a setting or the project states the release of the framework itself."""
    own = target.pins.get(target.releases.package)
    return own is not None and not own.implied and not own.inferred


def stated_here(session: Session) -> list[str]:
    """The frameworks with a command of their own whose release the project states.

    Raises:
        RunError: the target is not known.
    """
    commands = {marks.framework for marks in all_marks() if marks.starter is not None}
    found = []
    for name in sorted(commands & set(frameworks())):
        target, _ = session.environment(session.framework(name), Settings(), path_here())
        if is_stated(target):
            found.append(name)
    return found
