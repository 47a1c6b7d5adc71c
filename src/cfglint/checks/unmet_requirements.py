"""Requirements that pip meets with no release of any index, because the name is one of Python's own library."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.elsewhere import hit_at
from cfglint.environment.project.stated_versions import place_at
from cfglint.environment.pythons import PYTHON
from cfglint.knowledge.releases.ranges import within

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Place

#: Name -> what PyPI has of it for the Pythons of today: the releases, of which the last is the newest.
_ON_INDEX: Final = {
    "dataclasses": ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6"),
    "json": (),
    "logging": ("0.4.9.6",),
    "os": (),
    "sys": (),
}
#: A line with one of the names, and a range or nothing behind it; one with a marker may not count.
_LINE = lazy_pattern(
    rf"^[ \t]*({'|'.join(_ON_INDEX)})[ \t]{{0,20}}((?:[<>=!~]=|[<>])[^\n#;]{{0,80}})?[ \t]{{0,20}}(?:#[^\n]*)?\r?$",
    re.MULTILINE | re.IGNORECASE,
)
#: Another index may have what PyPI has not; the one of PyTorch has not.
_OTHER_INDEX = lazy_pattern(
    r"(?m)^[ \t]*(?:-i|-f|--(?:extra-)?index-url|--find-links)\b(?!.*\bpytorch\.org\b)"
)
#: The last Python for which `dataclasses` was made.
_OLDEST: Final = ("dataclasses", "3.6")


class _Unmet(NamedTuple):
    name: str
    written: str
    place: Place


def unmet_requirement(ctx: CheckContext) -> Iterator[Hit]:
    """`logging>=0.5`, of which PyPI has 0.4.9.6 alone; the first one of each list."""
    project = ctx.around.project
    if project is None:
        return
    for source in project.sources:
        if source.kind != "requirements":
            continue
        text = project.text(source.path)
        one = None if _OTHER_INDEX.search(text) else next(_unmet(source.path, text), None)
        if one is not None and not (one.name == _OLDEST[0] and _is_old(ctx)):
            there = _ON_INDEX[one.name]
            has = f"has {there[-1]} at most" if there else "has nothing of that name"
            if one.name == _OLDEST[0]:
                has += f" for later Pythons than {_OLDEST[1]}"
            params = {"written": one.written, "name": one.name, "has": has}
            yield hit_at(project, one.place, params)


def _unmet(path: str, text: str) -> Iterator[_Unmet]:
    for found in _LINE.finditer(text):
        name, spec = found[1].lower(), "".join((found[2] or "").split())
        if any(within(one, spec) for one in _ON_INDEX[name]) if spec else _ON_INDEX[name]:
            continue
        written = f"{found[1]}{spec}"
        yield _Unmet(name, written, place_at(path, text, found.start(1), found.end(1)))


def _is_old(ctx: CheckContext) -> bool:
    """Whether the project is for a Python that is older than the library's own module."""
    python = ctx.target.facts.get(PYTHON)
    return python is not None and within(str(python.value), f"<={_OLDEST[1]}")


CHECKS = {"unmet-requirement": unmet_requirement}
