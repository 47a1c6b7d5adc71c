"""Where a commit or a day lies among the releases."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import module_name, releases_of

#: Nightly images are built at midnight (UTC) from what is there then; the queue may delay that.
_DELAY_HOURS = 3


def _history(package: str) -> Any:
    """The module with COMMITS (oldest first), RELEASES, IMAGES and DATES; None without one."""
    try:
        return compiled.load(f"{module_name(package)}_history")
    except ModuleNotFoundError:
        return None


class Placement(Record):
    """A build between two releases; either end may be open, both are the same at a release."""

    after: str | None
    before: str | None
    #: The commits that it may be, oldest first (nine digits each, or as many as were given).
    commits: tuple[str, ...] = ()


def place_commit(package: str, commit: str) -> Placement | None:
    """Where a commit lies, None if it is not on the main branch."""
    table = _history(package)
    if table is None:
        return None
    for version, (tagged, _) in table.RELEASES.items():
        if (
            tagged
            and commit.startswith(tagged[: len(commit)])
            and tagged.startswith(commit[: len(tagged)])
        ):
            return Placement(version, version, (commit,))
    short = commit[:9]
    lines = table.COMMITS.split("\n")
    found = [at for at, line in enumerate(lines) if line[13:].startswith(short)]
    if len(found) != 1:
        return None
    return _between(table, found[0], found[0], lines, (commit,))


def place_day(package: str, day: str) -> Placement | None:
    """Where the nightly build of a day (YYYYMMDD) lies."""
    table = _history(package)
    if table is None:
        return None
    lines = table.COMMITS.split("\n")
    if day > lines[-1][:8]:
        return _by_dates(day, table.DATES)
    midnight, late = f"{day}0000", f"{day}{_DELAY_HOURS:02}00"
    first = sum(line[:12] < midnight for line in lines) - 1
    last = sum(line[:12] < late for line in lines) - 1
    if first < 0:  # older than the table of commits
        return _by_dates(day, table.DATES)
    return _between(table, first, last, lines, tuple(line[13:] for line in lines[first : last + 1]))


def place_development(package: str, version: str) -> Placement | None:
    """Where a version such as `0.13.0.dev0` lies: on the way from the release before to that one."""
    versions = releases_of(package).versions
    coming = version.partition(".dev")[0]
    if coming in versions:
        at = versions.index(coming)
        return Placement(versions[at - 1] if at else None, coming)
    if within(coming, f">{versions[-1]}"):
        return Placement(versions[-1], None)
    if ".dev" in version and within(coming, f">{versions[0]}"):
        # It was released under another number: 0.8.4.dev0 became 0.9.0.
        before = [one for one in versions if within(one, f"<{coming}")]
        return Placement(before[-1], versions[len(before)])
    return None


def _between(
    table: Any, first: int, last: int, lines: list[str], commits: tuple[str, ...]
) -> Placement:
    order = {line[13:]: at for at, line in enumerate(lines)}
    after = before = None
    known = -1
    for version, (_, base) in table.RELEASES.items():
        position = order.get(base)
        if position is None:
            continue
        # Several releases may leave the main line at one commit: that is the first of them. The
        # others brought along what was on the main line by the day of their release.
        earlier = position < first and table.DATES.get(version, "") <= lines[first][:8]
        if earlier or known < position == first:
            after, known = version, position
        if position >= last and before is None:
            before = version
    if before is None:
        # Releases that are younger than the table of commits.
        before = next((v for v in table.DATES if v not in table.RELEASES), None)
    return Placement(after, before, commits)


def nearer(
    package: str, commits: tuple[str, ...], between: tuple[str | None, str | None]
) -> str | None:
    """The one of two releases that a build is much closer to, counted in commits."""
    after, before = between
    table = _history(package)
    if table is None:
        return None
    bases = [table.RELEASES[version][1] for version in (after, before) if version in table.RELEASES]
    if len(bases) < 2 or not commits:
        return None
    order = {line[13:]: at for at, line in enumerate(table.COMMITS.split("\n"))}
    found = [order.get(commit[:9]) for commit in (bases[0], commits[-1], bases[1])]
    start, here, end = (-1 if at is None else at for at in found)
    if min(start, here, end) < 0:
        return None
    if 2 * (here - start) <= end - here:
        return after
    return before if 2 * (end - here) <= here - start else None


def _by_dates(day: str, dates: dict[str, str]) -> Placement:
    after = [version for version, released in dates.items() if released <= day]
    before = [version for version, released in dates.items() if released > day]
    return Placement(after[-1] if after else None, before[0] if before else None)


def last_built(package: str, build: str) -> str | None:
    """The day (YYYYMMDD) of the last images of a build (`py3.10-cu118-2.0.1`) that came to an end."""
    table = _history(package)
    return None if table is None else table.ENDED.get(build)


def latest_image(
    package: str, release: str, repository: str, *, bare: bool
) -> tuple[str, str, str] | None:
    """(python, cuda, torch) of a release's image without these in its tag, where that is known.

    Args:
        bare: the tag is the release and no more; before 0.18.0 any of the release's images could get that tag.
    """
    table = _history(package)
    if table is None:
        return None
    if bare and release not in table.BARE_TAGS:
        return None
    known = table.IMAGES.get(release, {}).get(repository)
    return None if known is None else tuple(known)
