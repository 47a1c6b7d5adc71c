"""The releases of a framework that go with the versions around it, and how surely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cfglint.base.logic import Truth
from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.pins import Pin
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.releases.ranges import is_below, surely_apart, within
from cfglint.knowledge.releases.table import Releases, known_releases
from cfglint.knowledge.releases.unlisted import known_release

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment

#: So many exact versions that a release asks for are no coincidence.
_ENOUGH = 2


class Fit(Record):
    """The releases that the versions around a framework leave open."""

    #: One bit a release; 0 when the versions decide nothing.
    releases: int
    #: The packages with a version that these releases do not admit, although most others agree.
    against: tuple[str, ...] = ()
    #: How many versions were compared.
    compared: int = 0
    #: The releases rest on ranges, on one version, or on a majority only.
    weak: bool = False
    #: No version is one that these releases ask for: they only do not exclude any.
    vague: bool = False


def fit(releases: Releases, pins: Mapping[str, Pin], among: int) -> Fit:
    """The releases that admit every version, else those that ask for most of them.

    A majority decides only if a release asks for at least two of the versions exactly, and for more of
    them than it excludes.

    Args:
        pins: the stated versions and ranges, without the framework's own.
        among: the releases in question, one bit each.
    """
    admitting = 0
    scores: dict[int, tuple[int, int]] = {}
    for bit, version in enumerate(releases.versions):
        if not among >> bit & 1:
            continue
        stated = releases.pins[version]
        apart = sum(not fits(pin, stated[name]) for name, pin in pins.items() if name in stated)
        exact = sum(is_exactly(pin, stated.get(name)) for name, pin in pins.items())
        if not apart:
            admitting |= 1 << bit
        scores[bit] = (exact, apart)
    stated_here = any(not pin.in_project for pin in pins.values())
    if admitting:
        agreeing = [scores[bit][0] for bit in scores if admitting >> bit & 1]
        weak = not stated_here and min(agreeing) < _ENOUGH
        return Fit(admitting, (), len(pins), weak, vague=weak and not max(agreeing))
    best = max((exact - apart for exact, apart in scores.values()), default=0)
    chosen = [bit for bit, (exact, apart) in scores.items() if exact - apart == best > 0]
    if not chosen or max(scores[bit][0] for bit in chosen) < _ENOUGH:
        return Fit(0)
    newest = releases.pins[releases.versions[chosen[-1]]]
    against = tuple(n for n, pin in pins.items() if n in newest and not fits(pin, newest[n]))
    return Fit(sum(1 << bit for bit in chosen), against, len(pins), weak=True)


def fits(pin: Pin, stated: str) -> bool:
    """Whether a pin goes with what a release asks for."""
    if pin.version is not None:
        return within(pin.version, stated)
    return pin.spec is None or not surely_apart(pin.spec, stated)


def is_exactly(pin: Pin, stated: str | None) -> bool:
    """Whether a pin is the one version that a release asks for."""
    return (
        pin.version is not None
        and stated is not None
        and stated.startswith("==")
        and within(pin.version, stated)
    )


def _none_goes_with(target: Environment, package: str, asking: Iterable[Mapping[str, str]]) -> bool:
    """Whether releases of a package, whose own one nothing states, all ask for what is stated otherwise.

    Args:
        asking: what each of them asks for.
    """
    own = target.pins.get(package)
    if own is not None and (own.version or own.commit):
        return False
    stated = [
        (name, pin)
        for name, pin in target.pins.items()
        if name != package and not (pin.inferred or pin.weak or pin.implied)
    ]
    return all(
        any(name in asked and not fits(pin, asked[name]) for name, pin in stated)
        for asked in asking
    )


def is_contradicted(target: Environment, package: str) -> bool:
    """Whether another stated version asks for a package in other releases than the stated one: both are not installed."""
    pin = target.pins.get(package)
    if pin is None or pin.version is None:
        return False
    for name, other in target.pins.items():
        known = None if name == package or other.inferred or other.weak else known_releases(name)
        if known is None or not (other.version or other.spec):
            continue
        spec = f"=={other.version}" if other.version else other.spec or ""
        asked = [known.pins[one].get(package) for one in known.versions if within(one, spec)]
        if asked and all(one is not None and not within(pin.version, one) for one in asked):
            return True
    return False


def by_commit(pin: Pin, spec: Applies, *, is_placed: bool) -> tuple[Truth] | None:
    """(whether a build of no stated version is in a range,); None where the releases around it decide.

    Args:
        is_placed: these releases are known.
    """
    commits = pin.commits or ((pin.commit,) if pin.commit else ())
    if commits and spec.commits:
        verdicts = {any(_same_commit(one, c) for c in spec.commits) for one in commits}
        return (verdicts.pop(),) if len(verdicts) == 1 else (None,)
    if not (commits or pin.is_lost) or is_placed:
        return None
    return (None,)


def _same_commit(one: str, other: str) -> bool:
    return one.startswith(other[: len(one)]) and other.startswith(one[: len(other)])


def later_releases(releases: Releases, own: Pin | None, as_of: str | None) -> frozenset[str]:
    """The releases that came out after a day; none if one of them is stated, or all did.

    Args:
        own: what is stated of the release.
        as_of: YYYY-MM-DD, or a month, which counts up to its last day; None for today.
    """
    if as_of is None:
        return frozenset()
    later = {version for version, day in releases.dates.items() if day[: len(as_of)] > as_of}
    stated = None if own is None else own.version
    is_later = stated is not None and known_release(stated, releases) in later
    is_all = len(later) == len(releases.versions)
    return frozenset() if is_later or is_all else frozenset(later)


def excluded(releases: Releases, release: str, pins: Mapping[str, Pin]) -> dict[str, str]:
    """Package -> what a release asks for, of the pins that it does not admit."""
    stated = releases.pins.get(release, {})
    return {n: stated[n] for n, pin in pins.items() if n in stated and not fits(pin, stated[n])}


def go_together(one: Environment, other: Environment) -> bool:
    """Whether one Python environment can have the releases of two frameworks, as far as what they ask for tells."""
    first, second = _asked_for(one), _asked_for(other)
    return not any(surely_apart(first[name], second[name]) for name in first.keys() & second.keys())


def _asked_for(target: Environment) -> dict[str, str]:
    releases = target.releases
    return {**releases.pins.get(target.release, {}), releases.package: f"=={target.release}"}


def agreeing(releases: Releases, remaining: int, pins: Mapping[str, Pin]) -> Mapping[str, Pin]:
    """The pins that go with any of the releases which a file shows; the others are of another environment.

    Args:
        remaining: these releases, one bit each.
    """
    shown = [version for bit, version in enumerate(releases.versions) if remaining >> bit & 1]
    apart = [excluded(releases, version, pins) for version in shown]
    return {n: pin for n, pin in pins.items() if not all(n in one for one in apart)}


def beside(package: str, usual: str, known: list[str], pins: Mapping[str, Pin]) -> str:
    """The version of a package that runs beside a framework: the stated one, or the usual one where it is admitted.

    A release is admitted by the range that is stated of it, and by the versions that are stated of what it
    asks for itself.

    Args:
        usual: the one that comes with the framework's release.
        known: its releases, the oldest first.
        pins: the stated versions and ranges.
    """
    pin = pins.get(package)
    if pin is not None and pin.version is not None:
        return pin.version
    if pin is not None and pin.between is not None and (pin.between[0] or pin.between[1]):
        before, after = pin.between
        return before or str(after) if after in (None, before) else f"{after}.dev0"
    if pin is not None and pin.spec is None:
        return usual  # a commit with no known place, or a fork
    spec = None if pin is None else pin.spec
    ranged = known if spec is None else [one for one in known if within(one, spec)]
    if not ranged and spec is not None and is_below(spec, known[0]):
        return known[0]  # what is meant is older than all that are known
    releases = known_releases(package)
    # Whether a release asks for nothing that is stated otherwise, as far as that is known.
    fitting = (
        ranged if releases is None else [one for one in ranged if not excluded(releases, one, pins)]
    )
    admitted = fitting or ranged
    if usual in admitted or not admitted or (spec is None and usual not in known):
        return usual
    return admitted[-1]


def by_day(package: str, known: list[str], day: str) -> list[str]:
    """The releases of a package that were out on a day; all of them where the days are not known, or none was.

    Args:
        day: YYYY-MM-DD, or a month, which counts up to its last day.
    """
    releases = known_releases(package)
    if releases is None:
        return known
    dates = releases.dates
    return [one for one in known if dates.get(one, "")[: len(day)] <= day] or known


def is_kept_below(target: Environment, package: str, release: str) -> bool:
    """Whether the packages stated beside it keep a package before a release.

    A range of another package has only releases that go with older ones of it, or all later ones ask for what the
    stated versions do not admit.
    """
    known = known_releases(package)
    if known is None or release not in known.versions:
        return False
    later = known.versions[known.versions.index(release) :]
    if _none_goes_with(target, package, [known.pins.get(one, {}) for one in later]):
        return True
    for name, pin in target.pins.items():
        others = known_releases(name)
        if name == package or pin.spec is None or pin.inferred or others is None:
            continue
        asked = [others.pins[one].get(package) for one in others.versions if within(one, pin.spec)]
        if asked and all(
            one is not None and not any(within(version, one) for version in later) for one in asked
        ):
            return True
    return False
