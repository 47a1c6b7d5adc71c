"""What a script installs after the project's own requirements, which takes the place of their releases.

`pip install -e . && pip install git+https://github.com/…`: the release in `setup.py` is gone then, and so are those of
packages that the later one asks for in later releases. A page does the same with what the project's own list does not have
(`pip install -r requirements.txt`, `pip install -U other`). A platform runs its hook before each start, after all others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.project.file_kinds import LISTS, WITH_COMMANDS
from cfglint.environment.project.readers.workflows import is_workflow
from cfglint.environment.project.stated_versions import is_exact, is_sane, says_something
from cfglint.knowledge.marks import without_comments
from cfglint.knowledge.releases.ranges import is_below, within
from cfglint.knowledge.releases.table import known_releases

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source, Statement

_SCRIPTS: Final = WITH_COMMANDS | {"images"}
_PAGE: Final = "readme"
#: The script that Determined runs in every container, before what it is to start.
_HOOK: Final = "startup-hook.sh"
#: What installs the packages that a project asks for in its files.
_OF_PROJECT: Final = lazy_pattern(
    r"""(?x)\bpip3?[ \t]+install\b(?:[^\n;&|\\]|\\\r?\n){0,300}?
    [ \t"'](?:\.{1,2}/?(?=[\[\s"']|$)|(?:-r|--requirement)[ \t=]+["']?[\w./-]{1,100}\.txt)
    |\b(?:uv[ \t]+sync|poetry[ \t]+install|pdm[ \t]+(?:install|sync)|pipenv[ \t]+(?:install|sync))(?=[ \t\r\n;&]|$)
    |\b(?:conda|mamba)[ \t]+env[ \t]+(?:create|update)\b"""
)
_LEAST: Final = lazy_pattern(r"(?:>=|==)[ ]?(\d[\d.]{0,30})")
#: The releases of transformers that releases of vLLM ask for at least (its wheels' metadata). It pins torch, too.
_OF_VLLM: Final = {
    "0.8.3": "4.51.0",
    "0.10.0": "4.53.2",
    "0.10.1": "4.55.0",
    "0.10.2": "4.55.2",
    "0.11.2": "4.56.0",
}


def installed_over(sources: list[Source], text_of: Callable[[str], str]) -> list[Source]:
    """The sources, without the releases that a script replaces after it has installed them.

    Args:
        text_of: gives the text of a file that was read.
    """
    files = [one for one in sources if one.kind in LISTS]
    listed = {statement.package for one in files for statement in one.statements}
    later = {
        one.path: _later(one, text_of(one.path), listed)
        for one in sources
        if one.kind in (*_SCRIPTS, _PAGE) and one.statements and not is_workflow(one.path)
    }
    replacing = [statement for found in later.values() for statement in found]
    if not replacing:
        return sources
    hooks = [one for one in replacing if _is_hook(one.place.path)]

    def left_of(one: Source) -> Sequence[Statement]:
        if one.kind in LISTS:
            return _without(one, replacing, listed)
        if later.get(one.path):
            return _bounded(one, later[one.path], files)
        # What a hook installs comes after what any other script does.
        return _without(one, hooks, listed) if one.kind in _SCRIPTS else one.statements

    return [one.replaced(statements=tuple(left_of(one))) for one in sources]


def _later(script: Source, text: str, listed: set[str]) -> list[Statement]:
    """What a script installs after the requirements of the project: other releases, or the newest ones.

    Args:
        listed: the packages that the requirements have.
    """
    line = 0
    if not _is_hook(script.path):
        first = _OF_PROJECT.search(without_comments(text))
        if first is None:
            return []
        line = text.count("\n", 0, first.end()) + 1
    return [
        one
        for one in script.statements
        if one.place.line > line
        and one.place.path == script.path
        and not one.conditional
        and (
            _is_added(one, listed)
            or (script.kind != _PAGE and (_is_plain(one) or _is_of_the_day(one)))
        )
    ]


def _is_hook(path: str) -> bool:
    return os.path.basename(path) == _HOOK


def _is_added(statement: Statement, listed: set[str]) -> bool:
    """Whether the newest release is installed of a package that nothing has installed before."""
    return statement.package not in listed and not (says_something(statement) or statement.written)


def _is_plain(statement: Statement) -> bool:
    return is_exact(statement) and is_sane(statement)


def _is_of_the_day(statement: Statement) -> bool:
    """Whether the package is built from the sources of the day."""
    is_open = not is_exact(statement) and not statement.fork and not statement.spec
    return is_open and statement.written.startswith("git+")


def _without(source: Source, replacing: list[Statement], listed: set[str]) -> list[Statement]:
    """What a file of requirements still states."""
    packages = {one.package for one in replacing}
    kept = (one for one in source.statements if one.package not in packages)
    return [_raised(one, replacing, listed) for one in kept]


def _raised(statement: Statement, replacing: list[Statement], listed: set[str]) -> Statement:
    """A statement, as the lower bound that it is where a later package asks for a later release."""
    version = statement.version
    if version is None or not is_sane(statement):
        return statement
    for one in replacing:
        if any(_are_later(version, asked) for asked in _asked(one, statement.package, listed)):
            return statement.replaced(version=None, spec=f">={_plain(version)}")
    return statement


def _are_later(version: str, asked: Iterable[str | None]) -> bool:
    """Whether all of some ranges are of later releases only."""
    return all(
        one is not None and not within(version, one) and _is_before(version, one) for one in asked
    )


def _asked(later: Statement, package: str, listed: set[str]) -> Iterator[Sequence[str | None]]:
    """What a package that is installed later asks for of another one, and so does what comes with it.

    Yields:
        ranges of which one counts.
    """
    if later.package == "vllm" and package == "transformers" and later.version is not None:
        version = later.version
        least = [asked for first, asked in _OF_VLLM.items() if within(version, f">={first}")]
        yield from ([f">={asked}"] for asked in least[-1:])
        return
    needs = _needs(later)
    # What it refuses to be imported with is no other than what it asks for.
    wanted = needs.get(package) or _refused(later, package)
    if wanted:
        yield [wanted]
    for brought, spec in needs.items():
        releases = known_releases(brought)
        if releases is None or brought in listed:
            continue
        admitted = [one for one in releases.versions if within(one, spec)]
        if admitted:
            yield [releases.pins.get(one, {}).get(package) for one in admitted]


def _refused(later: Statement, package: str) -> str | None:
    if later.version is None:
        return None
    from cfglint.knowledge.releases.together import refused

    return refused(later.package, later.version, package)


def _needs(later: Statement) -> Mapping[str, str]:
    """Package -> what a package that is installed later asks for."""
    releases = known_releases(later.package)
    if releases is None:
        return {}
    release = later.version if is_exact(later) else releases.newest
    return releases.pins.get(release or "", {})


def _is_before(version: str, asked: str) -> bool:
    least = _LEAST.search(asked)
    return least is not None and is_below(f"=={_plain(version)}", least[1])


def _plain(version: str) -> str:
    return version.partition("+")[0]


def _bounded(script: Source, later: list[Statement], files: list[Source]) -> list[Statement]:
    """What the script states: the sources of the day come after the release that they take the place of."""
    out = []
    for one in script.statements:
        if one in later and _is_of_the_day(one):
            versions = (file.of(one.package) for file in files)
            known = next((found.version for found in versions if found and found.version), None)
            if known is not None:
                out.append(one.replaced(spec=f">={_plain(known)}", written=""))
                continue
        out.append(one)
    return out
