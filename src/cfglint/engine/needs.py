"""What would decide a rule: the options for the facts it lacks."""

from __future__ import annotations

from cfglint.environment.environment import Environment
from cfglint.knowledge.rules.rule import Rule

#: What tells an unknown fact.
_OPTION_FOR = {"gpus": "--gpus N", "gpu": "--gpu NAME"}


def needs_of(unknown: set[str], target: Environment) -> tuple[str, ...]:
    """The options that would decide facts, without repetition, in a fixed order."""
    framework = target.releases.package
    if framework in unknown:
        # Its release implies the versions of the packages around it.
        unknown = {fact for fact in unknown if fact in (framework, *_OPTION_FOR) or "." in fact}
    options = [
        # A stated version that does not decide is that of several builds.
        f"--target {fact}@COMMIT" if fact in target.pins else option_for(fact)
        for fact in sorted(unknown)
        if not fact.startswith("env.")
    ]
    return tuple(dict.fromkeys(options))


def option_for(fact: str) -> str:
    """The option that sets a fact: `--gpus N` for `gpus`."""
    return _OPTION_FOR.get(fact.partition(".")[0], f"--target {fact}==VERSION")


def is_of_builds_that_none_states(rule: Rule, target: Environment) -> bool:
    """Whether a rule lists builds by their commits, and no build of their package is stated.

    A number in a file of the project is that of a release, or of sources that lie there: of any build with that number.
    """
    return any(
        spec.commits
        and (
            (pin := target.pins.get(package)) is None
            or pin.is_range
            or (pin.in_project and pin.version is not None and not (pin.commit or pin.commits))
        )
        for package, spec in rule.applies.items()
    )
