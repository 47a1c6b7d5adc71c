"""A package with compiled parts beside a torch that they are not made for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.elsewhere import hit_at
from cfglint.environment.project.stated_versions import is_apart
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.ranges import within

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source, Statement

#: What is installed as it is written. An image's torch may be replaced by what is installed into it later.
_INSTALLED: Final = frozenset({"conda", "pipenv", "pyproject", "requirements", "setup_script"})
_TORCH: Final = "torch"
#: What has pip, or uv, compile packages against the torch that is installed.
_BUILDING: Final = lazy_pattern(r"no-build-isolation|no-binary")
#: How far after such a word a package may be named, in a list of several lines.
_REACH: Final = 300
_MAX_FOUND: Final = 50


class Compiled(NamedTuple):
    """Releases of a package, and the torch that their compiled parts are made for."""

    package: str
    first: str
    last: str
    #: A minor release: `2.6`.
    torch: str

    @property
    def spec(self) -> str:
        """The releases of torch that they load with."""
        major, _, minor = self.torch.partition(".")
        return f">={self.torch},<{major}.{int(minor) + 1}"


#: What `pip freeze` writes for what conda installed.
_OF_MACHINE = "@ file:///"
#: What `conda env export` writes for it: with its build.
_EXPORTED: Final = lazy_pattern(r"[ \t]{0,20}-[ \t]{1,9}[\w.-]{1,80}=[\w.]{1,30}=\w")


def compiled_for_other_torch(ctx: CheckContext) -> Iterator[Hit]:
    """`vllm==0.8.5` beside `torch==2.7.0` in one file.

    One finding a file: with another torch, the rest changes as well.
    """
    project = ctx.around.project
    if project is None:
        return
    for source in project.sources:
        pair = next(_pairs(source), None) if source.kind in _INSTALLED else None
        if pair is not None and not _is_built(project.text(pair[0].place.path), pair[0]):
            own, torch, row = pair
            params = {
                "package": own.package,
                "release": str(own.version),
                "made_for": row.torch,
                "stated": f"torch=={torch.version}" if torch.version else f"torch{torch.spec}",
                "ways": " or ".join([f"torch {row.torch}", *_others(own, torch)]),
            }
            yield hit_at(project, own.place, params)


def _pairs(source: Source) -> Iterator[tuple[Statement, Statement, Compiled]]:
    """(a package with compiled parts, a torch that they are not made for, what they are made for)."""
    always = [
        one for one in source.statements if not (one.conditional or one.marker or one.implied)
    ]
    torches = [one for one in always if one.package == _TORCH]
    for own in always:
        row = _made_for(own)
        if row is None:
            continue
        for torch in torches:
            if torch.place.path == own.place.path and is_apart(torch, row.spec):
                yield own, torch, row


def _is_built(text: str, own: Statement) -> bool:
    """Whether the package comes from a repository, or is compiled on the machine: it fits what is there.

    A list with files of one machine, or with builds of conda's, is an account of what was there.
    """
    if _OF_MACHINE in text:
        return True
    lines = text.splitlines()
    line = lines[own.place.line - 1] if own.place.line <= len(lines) else ""
    if "://" in line or _EXPORTED.match(line):
        return True
    for word in islice(_BUILDING.finditer(text), _MAX_FOUND):
        named = text[text.rfind("\n", 0, word.start()) + 1 : word.end() + _REACH]
        if own.package in named or ":all:" in named:
            return True
    return False


def _others(own: Statement, torch: Statement) -> Iterator[str]:
    """The releases of the package that are made for the torch that is stated."""
    for row in _table():
        if row.package == own.package and torch.version and within(torch.version, row.spec):
            yield f"{row.package} {row.first}" + (
                f" to {row.last}" if row.last != row.first else ""
            )


def _made_for(own: Statement) -> Compiled | None:
    if own.version is None or own.fork or own.commit or own.is_lost:
        return None
    _, _, build = str(own.version).partition("+")
    if build and not build.startswith("cu"):
        return None  # a build for another kind of machine may be made for another torch
    for row in _table():
        if row.package == own.package and within(own.version, f">={row.first},<={row.last}"):
            return row
    return None


@lru_cache(maxsize=1)
def _table() -> tuple[Compiled, ...]:
    return tuple(Compiled(*row.split()) for row in compiled.load("frameworks").COMPILED_FOR)


CHECKS = {"compiled-for-other-torch": compiled_for_other_torch}
