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
from cfglint.source.files.scripts import SCRIPTS

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source, Statement

#: What pip installs from; conda's solver holds pyarrow back itself.
_INSTALLED: Final = frozenset({"pipenv", "pyproject", "requirements", "setup_script"})
#: The first release that does without `pyarrow.PyExtensionType`, and the oldest one whose source was read for it.
_MENDED: Final = ">=2.14.7"
_OLDEST_READ: Final = ">=1.2"
#: The first pyarrow without the name is built for these Pythons.
_PYTHONS: Final = ">=3.9"
#: What may say something of pyarrow: its name, another list, packages that bound it, a file of one machine, a day.
_HOLDING: Final = lazy_pattern(
    r"pyarrow|@ file:///|--constraint\b|^[ \t]*-c\b|\bexclude-newer\b"
    r"|\b(?:apache[_-]beam|autogluon|awswrangler|cudf|dask|databricks|feast|mlflow|pylance|ray|snowflake|streamlit|tfx|vaex)\b",
    re.MULTILINE,
)
#: What a command says of it, or has in place of pip's choice: the releases of a day, an image with packages of its own.
_ELSEWHERE: Final = lazy_pattern(
    r"\bpyarrow\b|\bexclude-newer\b|\bpip[ \t]+install\b[^\n]{0,300}--constraint\b"
    r"|(?:^[ \t]*FROM[ \t]+(?!(?:docker\.io/)?(?:library/)?(?:python|ubuntu|debian|nvidia/cuda|pytorch/pytorch)\b)[^\s:]{0,200})",
    re.MULTILINE,
)
_COMMANDS: Final = (*SCRIPTS, ".rst", ".ipynb", ".yml", ".yaml", ".toml", "Dockerfile", "Makefile")


def datasets_of_older_arrow(ctx: CheckContext) -> Iterator[Hit]:
    """`datasets==2.11.0` in a list that leaves pyarrow open.

    Any list or script of the project that names pyarrow rules it out, and so does an image with packages of its own.
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
    if _is_held_elsewhere(ctx):
        return
    for source in project.sources:
        own = _older(source) if source.kind in _INSTALLED else None
        if own is not None:
            stated = f"=={own.version}" if own.version else str(own.spec)
            yield hit_at(project, own.place, {"stated": f"datasets{stated}"})
            return


def _is_held_elsewhere(ctx: CheckContext) -> bool:
    """Whether a command, or an image, of the project may bring another pyarrow, or keep pip from the newest one."""
    around = ctx.around
    if around.folder is None:
        return False
    from cfglint.environment.project_texts import project_texts
    from cfglint.environment.python_sources import project_root

    root = project_root(around, around.folder)

    def look() -> bool:
        texts = project_texts(around, root, _COMMANDS)
        return any(text is not None and _ELSEWHERE.search(text) for _, text in texts)

    return around.memory.once(("another pyarrow", root), look)


def _older(source: Source) -> Statement | None:
    for one in source.statements:
        if one.package != "datasets" or one.conditional or one.marker or one.implied or one.fork:
            continue
        if is_apart(one, _MENDED) and not is_apart(one, _OLDEST_READ):
            return one
    return None


CHECKS = {"datasets-of-older-arrow": datasets_of_older_arrow}
