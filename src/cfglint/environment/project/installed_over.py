"""What a script installs after the project's own requirements, which takes the place of their releases.

`pip install -e . && pip install git+https://github.com/…`: the release in `setup.py` is gone then, and so are those of
packages that the later one asks for in later releases.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.project.readers.workflows import is_workflow
from cfglint.environment.project.stated_versions import is_exact, is_sane
from cfglint.knowledge.marks import without_comments
from cfglint.knowledge.releases.ranges import is_below, within
from cfglint.knowledge.releases.table import known_releases

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source, Statement

_SCRIPTS: Final = frozenset({"launch", "images", "install"})
#: Kinds of files that a command installs as a whole.
_INSTALLED: Final = frozenset(
    {"conda", "conda_locks", "pipenv", "pyproject", "requirements", "setup_script", "toml_locks"}
)
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
    later = {
        one.path: _later(one, text_of(one.path))
        for one in sources
        if one.kind in _SCRIPTS and one.statements and not is_workflow(one.path)
    }
    replacing = [statement for found in later.values() for statement in found]
    if not replacing:
        return sources
    files = [one for one in sources if one.kind in _INSTALLED]
    return [
        one.replaced(statements=tuple(_without(one, replacing)))
        if one.kind in _INSTALLED
        else one.replaced(statements=tuple(_bounded(one, later[one.path], files)))
        if later.get(one.path)
        else one
        for one in sources
    ]


def _later(script: Source, text: str) -> list[Statement]:
    """What a script installs after the requirements of the project: other releases, or the sources of the day."""
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
        and (_is_plain(one) or _is_of_the_day(one))
    ]


def _is_plain(statement: Statement) -> bool:
    return is_exact(statement) and is_sane(statement)


def _is_of_the_day(statement: Statement) -> bool:
    """Whether the package is built from the sources of the day."""
    is_open = not is_exact(statement) and not statement.fork and not statement.spec
    return is_open and statement.written.startswith("git+")


def _without(source: Source, replacing: list[Statement]) -> list[Statement]:
    """What a file of requirements still states."""
    packages = {one.package for one in replacing}
    kept = (one for one in source.statements if one.package not in packages)
    return [_raised(one, replacing) for one in kept]


def _raised(statement: Statement, replacing: list[Statement]) -> Statement:
    """A statement, as the lower bound that it is where a later package asks for a later release."""
    if statement.version is None or not is_sane(statement):
        return statement
    for one in replacing:
        asked = _asked(one, statement.package)
        if asked and not within(statement.version, asked) and _is_before(statement.version, asked):
            return statement.replaced(version=None, spec=f">={_plain(statement.version)}")
    return statement


def _asked(later: Statement, package: str) -> str | None:
    """What a package that is installed later asks for of another one."""
    if later.package == "vllm" and package == "transformers" and later.version is not None:
        version = later.version
        least = [asked for first, asked in _OF_VLLM.items() if within(version, f">={first}")]
        return f">={least[-1]}" if least else None
    releases = known_releases(later.package)
    if releases is None:
        return None
    release = releases.newest if _is_of_the_day(later) else later.version
    return releases.pins.get(release or "", {}).get(package)


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
