"""Rules that a log speaks for only if the run was of certain releases, or of a certain framework.

What such a rule is about is not refused: something else fails later, with a text that other causes have as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cfglint.knowledge.releases.ranges import within
from cfglint.roles.framework import load_framework

#: What bounds releases from above, as a defect that was mended is bounded.
_BOUNDS = ("<", "==")


def is_ruled_out(applies: Iterable[tuple[str, str]], versions: Mapping[str, str]) -> bool:
    """Whether the run was of releases that a rule is not about.

    Args:
        applies: the packages of the rule, with their releases.
        versions: of the packages that ran, as far as they are known.
    """
    known = ((versions[package], spec) for package, spec in applies if package in versions)
    return not all(within(version, spec) for version, spec in known)


def is_open(applies: Iterable[tuple[str, str]], versions: Mapping[str, str]) -> bool:
    """Whether a rule is about releases with an end, as those with a defect are, and nothing tells which ran."""
    return not all(package in versions for package, spec in applies if _is_bounded(spec))


def _is_bounded(spec: str) -> bool:
    return any(part.strip().startswith(_BOUNDS) for part in spec.split(","))


def condition(
    framework: str,
    applies: Iterable[tuple[str, str]],
    versions: Mapping[str, str],
) -> str:
    """What has to be so for a rule to be the cause, as a clause: `it ran with peft >=0.15.0,<0.15.1`."""
    wanted = [f"{package} {spec}" for package, spec in applies if package not in versions]
    if wanted:
        return f"it ran with {' and '.join(wanted)}"
    title = load_framework(framework).title if framework != "any" else ""
    return f"the run uses {title}" if title else "it applies"
