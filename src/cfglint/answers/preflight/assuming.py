"""What a run would fail with if the releases that no file states were the newest ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cfglint.engine.session import RunError
from cfglint.environment.newest_admitted import newest_admitted
from cfglint.knowledge.releases.table import releases_of
from cfglint.report.run import RunReport, plural

#: The report on the run where releases are stated in addition, as options state them.
Check = Callable[[tuple[str, ...]], RunReport]


def with_newest(run: RunReport, check: Check) -> Iterator[str]:
    """The errors that there are if the newest releases run of what is assumed, and of what goes with it.

    Args:
        run: the report on the run, which has no errors.
    """
    files = [file for file in run.files if file.target.foreign_version is None]
    assumed = {
        file.target.releases.package: file.target.release for file in files if file.target.assumed
    }
    own = {file.target.releases.package for file in run.files}
    newest = dict(assumed)
    for file in files:
        for package, release in newest_admitted(file.target):
            if package in assumed:
                # Another file of the run may ask for an older one.
                assumed[package] = newest[package] = _older(package, assumed[package], release)
            elif package not in own:
                newest.setdefault(package, release)
    for releases in (newest, assumed):
        codes = _errors(releases, check) if releases else []
        if codes:
            yield _in_words(_deciding(releases, codes, check), codes)
            return


def _older(package: str, one: str, other: str) -> str:
    known = releases_of(package).versions
    return min((one, other), key=known.index) if {one, other} <= set(known) else one


def _errors(releases: dict[str, str], check: Check) -> list[str]:
    """The code of each error with these releases."""
    try:
        run = check(tuple(f"{package}=={release}" for package, release in releases.items()))
    except RunError:
        return []
    return [one.code for file in run.files for one in file.diagnostics if run.fails(file, one)]


def _deciding(releases: dict[str, str], codes: list[str], check: Check) -> dict[str, str]:
    """Those of the releases without which there are other errors; all if it is none of them alone."""
    found = {}
    for package, release in releases.items():
        others = {one: of_it for one, of_it in releases.items() if one != package}
        if _errors(others, check) != codes:
            found[package] = release
    return found or releases


def _in_words(releases: dict[str, str], codes: list[str]) -> str:
    with_ = " and ".join(f"{package} {release}" for package, release in releases.items())
    needed = " ".join(f"--target {package}==VERSION" for package in releases)
    return (
        f"no file states which release runs; with {with_} there would be"
        f" {plural(len(codes), 'error')} ({', '.join(dict.fromkeys(codes))}); state {needed},"
        " or --target installed"
    )
