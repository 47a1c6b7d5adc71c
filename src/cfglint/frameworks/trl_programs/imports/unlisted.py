"""Packages that a program imports, and that no file of its project installs, though one lists others."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.project.installs import (
    LISTS,
    WITH_COMMANDS,
    commands_with_rest,
    is_installed_by_project,
    lists_packages,
)
from cfglint.environment.project.unbounded import asked
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.knowledge import compiled
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings

#: What is imported under the name that it is installed by, and comes with no interpreter, image or service by itself.
_ASKED: Final = ("trl", "peft")
#: One of these in a list shows that it is one for training.
_LISTED: Final = ("transformers", "torch", "datasets", "accelerate")
#: Images and services that bring packages of their own.
_BRINGING: Final = lazy_pattern(
    r"^FROM[ \t]+(?!(?:--\S+[ \t]+)?(?:python|ubuntu|debian|nvidia/cuda|pytorch/pytorch|nvcr\.io/nvidia/pytorch)\b)"
    r"|(?i:sagemaker|vertex_ai|google\.colab|kaggle_secrets|hub\.docker\.com|\bdocker[ -]images?\b)"
    r"|\bdocker[ \t]+(?:run|pull|load)\b|\b(?:apptainer|singularity|enroot|podman)\b|\.sif\b|--container-image\b",
    re.M,
)
#: The list that a command installs.
_NAMED_LIST: Final = lazy_pattern(
    r"(?:^|[ \t])(?:-r|--requirement)[ \t=]{0,9}([^\s\"'`;&|]{1,200})"
)
#: The name in a line of a list; an option or an address has a sign that no name has.
_ENTRY: Final = lazy_pattern(r"^[ \t]*([^\s#<>=!~;@\[]+)", re.M)


def imported_but_not_listed(ctx: CheckContext) -> Iterator[Hit]:
    """`import trl` in a project whose requirements have `transformers` and `torch` alone."""
    program, around = program_of(ctx.document.text), ctx.around
    if program.tree is None or around.folder is None or program.pieces:
        return
    if _BRINGING.search(ctx.document.text) or not (found := _imports(program.tree)):
        return
    listed = next((name for name in _LISTED if _is_listed(name, around)), None)
    if listed is None or _is_brought(around) or not _are_known(around):
        return
    for package, alias in found:
        if not _is_own(package, around) and not is_installed_by_project(around, package):
            yield Hit((), program.name_of(alias), {"package": package, "listed": listed})


def _is_listed(package: str, around: Surroundings) -> bool:
    """Whether a file of the program's folder, or of one above it, installs a package."""
    found = asked(around, package)
    return found.is_held or found.place is not None


def _imports(tree: ast.Module) -> list[tuple[str, ast.alias]]:
    """The packages that a program imports whatever happens, each once."""
    found: dict[str, ast.alias] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.setdefault(node.module.partition(".")[0], node.names[0])
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found.setdefault(alias.name.partition(".")[0], alias)
    return [(name, alias) for name, alias in found.items() if name in _ASKED]


def _is_own(package: str, around: Surroundings) -> bool:
    """Whether the project has a package of that name itself."""
    root = project_root(around, around.folder or "")
    return any(package in path.split(os.sep) for path in python_sources(around, root))


def _are_known(around: Surroundings) -> bool:
    """Whether all that lists of a project have is known to need none of the packages."""
    root = project_root(around, around.folder or "")
    without = {*compiled.load("frameworks").SELF_CONTAINED, *_ASKED}
    there = set[str]()
    for path, text in project_texts(around, root, LISTS):
        there.add(os.path.basename(path))
        if not lists_packages(path):
            continue
        if text is None or not path.endswith((".txt", ".in")):
            return False
        if not {name.lower().replace("_", "-") for name in _ENTRY.findall(text)} <= without:
            return False
    # A list that is installed and not there may have anything.
    return all(
        os.path.basename(named) in there
        for _, text in project_texts(around, root, WITH_COMMANDS)
        for _, _, rest in commands_with_rest(text or "")
        for named in _NAMED_LIST.findall(rest)
    )


def _is_brought(around: Surroundings) -> bool:
    """Whether an image or a service may bring packages of its own."""
    root = project_root(around, around.folder or "")
    return any(
        text is None or _BRINGING.search(text) is not None
        for _, text in project_texts(around, root, WITH_COMMANDS)
    )


CHECKS = {"imported-but-not-listed": imported_but_not_listed}
