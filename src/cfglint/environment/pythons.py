"""Which releases of a package are installed for a project's Python."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.environment.pins import Fact
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.ranges import within

#: What the newest Python that a project admits is called among the facts.
PYTHON = "env.python"
_MINORS = tuple(f"3.{minor}" for minor in range(6, 15))


def newest_admitted(version: str | None, spec: str | None) -> str | None:
    """The newest Python of a version or a range; None if all newer ones are admitted, or none is known."""
    if version is not None:
        minor = ".".join(version.split(".")[:2])
        return minor if minor in _MINORS[:-1] else None
    if spec is None or not any(sign in spec for sign in ("<", "=", "~")):
        return None
    # Of a minor version any patch will do: `<=3.9.18` admits one.
    admitted = [one for one in _MINORS if within(one, spec) or within(f"{one}.20", spec)]
    return admitted[-1] if admitted and admitted[-1] != _MINORS[-1] else None


def installable(package: str, versions: tuple[str, ...], facts: Mapping[str, Fact]) -> int:
    """The releases of a package that a project's Python can have, one bit each; all where nothing is known of it."""
    everything = (1 << len(versions)) - 1
    python = facts.get(PYTHON)
    if python is None:
        return everything
    rows = compiled.load("pythons").FLOORS.get(package, ())
    too_new = next((first for first, floor in rows if not within(python.value, f">={floor}")), None)
    if too_new is None:
        return everything
    before = [one for one in versions if within(one, f"<{too_new}")]
    return (1 << len(before)) - 1 or everything


def those_installable(package: str, known: list[str], facts: Mapping[str, Fact]) -> list[str]:
    """The same as a list."""
    bits = installable(package, tuple(known), facts)
    return [one for number, one in enumerate(known) if bits >> number & 1]
