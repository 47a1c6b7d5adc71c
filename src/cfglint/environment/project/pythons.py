"""For which Python the requirements of a project count, where they have markers for several."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.project.readers.requirements import marker_is_true
from cfglint.environment.project.stated_versions import undisputed
from cfglint.knowledge.releases.ranges import within

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source

_OLD: Final = ("3.7", "3.8", "3.9")
#: What is installed today, where nothing says otherwise.
_USUAL: Final = ("3.10", "3.11", "3.12", "3.13", "3.14")


def of_the_python(sources: list[Source]) -> list[Source]:
    """The sources without what they ask for with other Pythons than the project's."""
    pythons = _pythons(sources)
    out = []
    for source in sources:
        if not any(one.marker for one in source.statements):
            out.append(source)
            continue
        kept = [
            one.replaced(marker="")
            for one in source.statements
            if any(marker_is_true(one.marker, python) is not False for python in pythons)
        ]
        if source.kind == "requirements":
            kept = undisputed(kept)
        out.append(source.replaced(statements=tuple(kept)))
    return out


def _pythons(sources: list[Source]) -> tuple[str, ...]:
    """The Pythons that a run may have: the stated one, else those that are installed today and admitted."""
    stated = [one for source in sources for one in source.statements if one.package == "python"]
    for one in stated:
        if one.version is not None:
            return (".".join(one.version.split(".")[:2]),)
    for one in stated:
        for among in (_USUAL, _OLD):
            admitted = tuple(python for python in among if within(python, one.spec or ""))
            if admitted:
                return admitted
    return _USUAL
