"""A release of datasets that needs an older pyarrow than pip installs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.elsewhere import hit_at
from cfglint.environment.project.stated_versions import is_apart
from cfglint.environment.pythons import PYTHON
from cfglint.knowledge.releases.ranges import within

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source, Statement

#: What pip installs from; conda's solver holds pyarrow back itself.
_INSTALLED: Final = frozenset({"pipenv", "pyproject", "requirements", "setup_script"})
#: The first release without `pyarrow.PyExtensionType`, and the first pyarrow that lacks it.
_MENDED: Final = ">=2.14.7"
_OLDEST_READ: Final = ">=1.18"
#: The first pyarrow without the name is built for these Pythons.
_PYTHONS: Final = ">=3.9"
#: What may say something of pyarrow: its name, another list, packages that bound it, a file of one machine.
_HOLDING: Final = lazy_pattern(
    r"pyarrow|@ file:///|--constraint\b|^[ \t]*-c\b"
    r"|\b(?:awswrangler|cudf|dask|feast|mlflow|pylance|ray|snowflake|streamlit|tfx|vaex)\b",
    re.MULTILINE,
)


def datasets_of_older_arrow(ctx: CheckContext) -> Iterator[Hit]:
    """`datasets==2.11.0` in a list that leaves pyarrow open.

    Any of the project's files that names pyarrow rules it out.
    """
    project = ctx.around.project
    if project is None:
        return
    python = ctx.target.facts.get(PYTHON)
    if python is not None and not within(str(python.value), _PYTHONS):
        return
    if any(
        source.complete or _HOLDING.search(project.text(source.path)) for source in project.sources
    ):
        return
    for source in project.sources:
        own = _older(source) if source.kind in _INSTALLED else None
        if own is not None:
            stated = f"=={own.version}" if own.version else str(own.spec)
            yield hit_at(project, own.place, {"stated": f"datasets{stated}"})
            return


def _older(source: Source) -> Statement | None:
    for one in source.statements:
        if one.package != "datasets" or one.conditional or one.marker or one.implied or one.fork:
            continue
        if is_apart(one, _MENDED) and (one.version is None or within(one.version, _OLDEST_READ)):
            return one
    return None


CHECKS = {"datasets-of-older-arrow": datasets_of_older_arrow}
