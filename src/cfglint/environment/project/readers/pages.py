"""What the page that describes a project says about releases, beside the files that packages are installed from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.stated_versions import (
    Source,
    Statement,
    is_exact,
    says_something,
    undisputed,
)
from cfglint.knowledge.releases.ranges import within

_PAGE = "readme"
#: `Tested with [NAME](https://…) v0.9.5 and OTHER 4.57.1`: the rest of a line behind such words.
_TESTED = lazy_pattern(r"(?i)\btested[ \t]+(?:with|on|under|using)\b:?([^\n]{1,300})")
#: A name there, maybe with a link, and the release behind it.
_RELEASE = lazy_pattern(
    r"\[?([A-Za-z][\w.-]{1,40})[\]`*]{0,3}(?:\([^()\s]{1,200}\))?[ \t]{0,3}(?:==[ \t]?|(?:version|release)[ \t]{1,3})?[`*]{0,2}v?(\d{1,3}\.\d{1,4}(?:\.\d{1,4})?)(?![\w.]?\w)"
)
_MAX_TESTED = 20
#: Kinds of files that are kept up to date, as without them nothing can be installed.
_INSTALLED_FROM = frozenset(
    {"conda", "conda_locks", "images", "pipenv", "pyproject", "requirements"}
    | {"setup_script", "toml_locks"}
)


def read(path: str, text: str) -> list[Statement]:
    """What the commands of a page install, check out, or start a container of."""
    from cfglint.environment.project.idle_text import without_idle_text
    from cfglint.environment.project.readers import clones, images, pip_commands

    text = without_idle_text(path, text)
    cloned = clones.read(path, text, installed=False)
    # A command that starts the image again names it a second time.
    tagged = dict.fromkeys(one for one in images.read(path, text) if says_something(one))
    installed = [*pip_commands.of_readme(path, text), *cloned, *tagged]
    known = {one.package for one in installed if says_something(one)}
    # What is installed says more than what was tested.
    tested = (one for one in _tested(path, text) if one.package not in known)
    return undisputed([*installed, *tested])


def _tested(path: str, text: str) -> Iterator[Statement]:
    """The releases that a page says its project was tested with."""
    from cfglint.environment.project.readers.requirements import statement_of

    for sentence in islice(_TESTED.finditer(text), _MAX_TESTED):
        for found in islice(_RELEASE.finditer(text, *sentence.span(1)), _MAX_TESTED):
            # A title may have a hyphen that the name of its package lacks.
            names = (found[1], found[1].replace("-", ""))
            stated = (
                statement_of(f"{name}=={found[2]}", path, text, *found.span()) for name in names
            )
            yield from islice((one for one in stated if one is not None), 1)


def without_outdated(sources: list[Source]) -> list[Source]:
    """The files of a project, where a page with other releases than these files have states nothing.

    A page is rarely changed with them. If it contradicts them about one package, it is not of their time, so that
    what it says about further ones is no better.
    """
    if not any(one.kind == _PAGE and one.statements for one in sources):
        return sources
    stated = [one for one in sources if one.kind in _INSTALLED_FROM]
    return [
        one.replaced(statements=())
        if one.kind == _PAGE and any(_contradicted(one, stated))
        else one
        for one in sources
    ]


def _contradicted(page: Source, files: list[Source]) -> Iterator[bool]:
    """For each package that a page has an exact release of: whether the files name others alone."""
    for package in dict.fromkeys(one.package for one in page.statements):
        written = [one for one in page.statements if one.package == package and one.version]
        found = (file.of(package) for file in files)
        others = [one for one in found if one is not None and _restricts(one)]
        if written and others:
            yield not any(_fit(one, other) for one in written for other in others)


def _restricts(statement: Statement) -> bool:
    return is_exact(statement) or bool(statement.spec) or _is_source(statement)


def _is_source(statement: Statement) -> bool:
    """Whether the package is built from the sources of the day, which come after every release."""
    is_open = not is_exact(statement) and not statement.spec
    return is_open and statement.written.startswith("git+")


def _fit(page: Statement, other: Statement) -> bool:
    """Whether two statements may be about one release."""
    version = page.version or ""
    if other.version:
        return version.partition("+")[0] == other.version.partition("+")[0]
    # A commit has no number to compare.
    return not _is_source(other) and (other.spec is None or within(version, other.spec))
