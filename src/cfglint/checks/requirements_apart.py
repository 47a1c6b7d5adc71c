"""Requirements of one file that pip cannot meet together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.elsewhere import hit_at
from cfglint.environment.project.stated_versions import is_apart
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import all_marks
from cfglint.knowledge.releases.bounds import asked_by
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import releases_of
from cfglint.source.files.scripts import SCRIPTS

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source, Statement

#: The kinds of files that pip installs from as a whole.
_INSTALLED_TOGETHER: Final = frozenset({"pyproject", "requirements", "setup_script"})
#: What says that a file is installed without a look at what its packages ask for, or with other ranges than these.
_REGARDLESS: Final = lazy_pattern(
    r"(?<![\w-])(?:--no-dep(?:s|endencies)|--overrides?)\b|\bPIP_NO_DEPS=[\"']?(?:1|true|yes|on)\b"
)
_OVERRIDES: Final = lazy_pattern(
    r"\boverride-dependencies\b|\boverrides[ \t]{0,9}[\]=]|--no-deps\b"
)
_COMMANDS: Final = (*SCRIPTS, ".rst", ".ipynb", ".yml", ".yaml", ".def", "Dockerfile", "Makefile")


def requirements_apart(ctx: CheckContext) -> Iterator[Hit]:
    """An exact release beside a requirement that it excludes.

    One finding a file: pip stops at the first pair.
    """
    project = ctx.around.project
    if project is None:
        return
    for source in project.sources:
        pair = next(_pairs(source), None) if source.kind in _INSTALLED_TOGETHER else None
        if pair is None or _is_regardless(ctx, source):
            continue
        own, other, wanted = pair
        params = {
            "package": own.package,
            "release": str(own.version),
            "wanted": f"{other.package}{wanted}",
            "other": _written(other),
        }
        yield hit_at(project, other.place, params)


def _pairs(source: Source) -> Iterator[tuple[Statement, Statement, str]]:
    """(an exact release, a requirement that it excludes, what it asks for instead)."""
    asked = [one for one in source.statements if not (one.conditional or one.marker or one.implied)]
    for own in asked:
        wanted = None if own.version is None else _wanted(own.package, own.version)
        if not wanted:
            continue
        for other in asked:
            spec = wanted.get(other.package)
            if spec is None or other.place.path != own.place.path:
                continue
            if other.package == "torch" and own.package in _compiled_for_torch():
                continue  # see `compiled-for-other-torch`
            if not _is_optional(other.package, own) and is_apart(other, spec):
                yield own, other, _excluding(other, spec)


@lru_cache(maxsize=1)
def _compiled_for_torch() -> frozenset[str]:
    return frozenset(row.split()[0] for row in compiled.load("frameworks").COMPILED_FOR)


def _excluding(other: Statement, spec: str) -> str:
    """The parts of a range that leave out an exact version, or all of it."""
    if other.version is None:
        return spec
    parts = [part for part in spec.split(",") if not within(other.version, part)]
    return ",".join(parts) or spec


def _wanted(package: str, version: str) -> Mapping[str, str]:
    """What a release asks for, as far as it is known."""
    if package not in _with_releases():
        return asked_by(package, version)
    if f"{package} {version}" in compiled.load("frameworks").OF_MANY_COMMITS:
        return {}
    return releases_of(package).pins.get(version, {})


def _is_regardless(ctx: CheckContext, source: Source) -> bool:
    """Whether the file, or a command of the project that names it, keeps pip from comparing the requirements."""
    project, around = ctx.around.project, ctx.around
    if project is None or around.folder is None or _OVERRIDES.search(project.text(source.path)):
        return True
    root, name = project_root(around, around.folder), source.name
    texts = project_texts(around, root, _COMMANDS)
    if any(
        text is not None
        and name in text
        and any(
            name in line and _REGARDLESS.search(line)
            for line in text.replace("\\\n", " ").splitlines()
        )
        for _, text in texts
    ):
        return True
    from cfglint.environment.project.readers.program_images import commands_about

    return any(
        text is not None
        and _REGARDLESS.search(text)
        and any(map(_REGARDLESS.search, commands_about(text, name)))
        for text in python_sources(around, root).values()
    )


def _is_optional(package: str, own: Statement) -> bool:
    """Whether a release asks for a package only with an extra that is not asked for."""
    known = compiled.load("frameworks")
    if f"{own.package} {package}" in known.BY_OTHER_EXTRA:
        return True
    return package in known.BY_EXTRA and package not in own.extras


def _written(statement: Statement) -> str:
    version = f"=={statement.version}" if statement.version is not None else statement.spec
    return f"{statement.package}{version}"


def _with_releases() -> frozenset[str]:
    """The packages of which it is known what their releases ask for."""
    return frozenset(marks.package for marks in all_marks())


CHECKS = {"requirements-apart": requirements_apart}
