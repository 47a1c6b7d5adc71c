"""What a run would fail with if the releases that no file states were the newest ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cfglint.base.record import Record
from cfglint.base.type_names import Final
from cfglint.engine.session import RunError
from cfglint.environment.newest_admitted import newest_admitted
from cfglint.knowledge.releases.table import releases_of
from cfglint.report.run import RunReport, plural
from cfglint.source.document import format_path

#: The report on the run where releases are stated in addition, as options state them.
Check = Callable[[tuple[str, ...]], RunReport]
#: So many errors are named.
_MOST_SHOWN: Final = 3
#: A key with more parts is not written out.
_LONGEST: Final = 6


class _Error(Record):
    """An error that there would be."""

    code: str
    place: str
    #: The key that it is about; empty where it is about none.
    key: str

    @property
    def in_words(self) -> str:
        return f"{self.code} at {self.place}" + (f", `{self.key}`" if self.key else "")


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
        errors = _errors(releases, check) if releases else []
        if errors:
            yield _in_words(_deciding(releases, errors, check), errors)
            return


def _older(package: str, one: str, other: str) -> str:
    known = releases_of(package).versions
    return min((one, other), key=known.index) if {one, other} <= set(known) else one


def _errors(releases: dict[str, str], check: Check) -> list[_Error]:
    """The errors with these releases."""
    try:
        run = check(tuple(f"{package}=={release}" for package, release in releases.items()))
    except RunError:
        return []
    return [
        _Error(
            one.code,
            f"{file.path} line {file.source.position(one.span.start).line}",
            format_path(one.path) if one.path and len(one.path) <= _LONGEST else "",
        )
        for file in run.files
        for one in file.diagnostics
        if run.fails(file, one)
    ]


def _deciding(releases: dict[str, str], errors: list[_Error], check: Check) -> dict[str, str]:
    """Those of the releases that are enough for the errors, the framework's own before what goes with it."""
    needed = dict(releases)
    for package in reversed(releases):
        others = {one: of_it for one, of_it in needed.items() if one != package}
        if others and _errors(others, check) == errors:
            needed = others
    return needed


def _in_words(releases: dict[str, str], errors: list[_Error]) -> str:
    with_ = " and ".join(f"{package} {release}" for package, release in releases.items())
    needed = " ".join(f"--target {package}==VERSION" for package in releases)
    places = [one.in_words for one in errors[:_MOST_SHOWN]]
    if len(errors) > len(places):
        places.append(f"{len(errors) - len(places)} more")
    return (
        f"no file states which release runs; with {with_} there would be"
        f" {plural(len(errors), 'error')} ({', '.join(places)}); state {needed},"
        " or --target installed"
    )
