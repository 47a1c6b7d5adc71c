"""Which releases of a package a program surely runs with: those that something states, none that is assumed."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import releases_of

if TYPE_CHECKING:
    from cfglint.checks.context import CheckContext

#: Packages of which the releases in a range are known.
_WITH_RELEASES: Final = frozenset({"transformers", "trl"})


def surely(ctx: CheckContext, package: str, spec: str) -> bool:
    """Whether the stated version of a package, or every release that the stated range admits, is in a range."""
    pin = ctx.target.pins.get(package)
    if pin is None or pin.inferred or pin.implied or pin.fork:
        return False
    if pin.version is not None:
        return within(pin.version, spec)
    if pin.spec is None or package not in _WITH_RELEASES:
        return False
    admitted = [one for one in releases_of(package).versions if within(one, pin.spec)]
    return bool(admitted) and all(within(one, spec) for one in admitted)


def stated(ctx: CheckContext, package: str) -> str:
    """The version or the range that is stated, as a message says it."""
    return str(ctx.target.pins[package])
