"""The `src/train.py` or `src/train_bash.py` that a script starts with options: LLaMA-Factory's, or a program that grew from it."""

from __future__ import annotations

import ast
import os
from functools import partial

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.python_modules import module_file
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import read, search
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.roles.framework import Framework
    from cfglint.roles.parts import FileContext
    from cfglint.source.files.base import Files

#: The file and the older one, and what they import as LLaMA-Factory has it, since its packages got their names.
_FILES: Final = ("src/train.py", "src/train_bash.py")
_PACKAGES: Final = frozenset({"llamafactory", "llmtuner"})
_USUAL: Final = frozenset({"llamafactory", "os", "sys"})
_MAX_BYTES: Final = 200_000
#: So many options that no release has are not slips.
_MANY: Final = 3


def has_extended(ctx: FileContext) -> bool:
    """Whether the project's program does more than to start LLaMA-Factory."""
    return any(not _USUAL.issuperset(modules) for modules in _imported(ctx))


def is_of_its_own(ctx: FileContext) -> bool:
    """Whether the project's program imports no LLaMA-Factory, and no module of the project that does so for it.

    Its own classes have the options and the words then.
    """
    found = _imported(ctx)
    return bool(found) and all(_PACKAGES.isdisjoint(modules) for modules in found)


def seems_forked(framework: Framework, ctx: FileContext) -> bool:
    """Whether a script starts such a file, of a release that nothing states, with several options that none has."""
    if ctx.target.pins.get(framework.packages[0]) is not None:
        return False
    if not any(name in ctx.document.text for name in _FILES):
        return False
    return ctx.once("strange options", lambda: _has_many(framework, ctx))


def _has_many(framework: Framework, ctx: FileContext) -> bool:
    from cfglint.source.languages.shell import is_frame

    known = framework.keys.names("")
    names = (entry.name for entry in ctx.document.root.entries)
    strange = {name for name in names if name and name not in known and not is_frame(name)}
    return len(strange) >= _MANY


def _imported(ctx: FileContext) -> tuple[frozenset[str], ...]:
    """What each program of the project that a script names imports, the nearest first."""
    folder = ctx.around.folder
    if folder is None:
        return ()
    files = ctx.around.files

    def look(name: str) -> tuple[frozenset[str], ...]:
        paths = search(name, folder, files).found
        found = ((path, _modules(path, files)) for path in paths)
        return tuple(_followed(path, modules, files) for path, modules in found if modules)

    return tuple(
        one
        for name in _FILES
        if name in ctx.document.text
        for one in ctx.around.memory.once(
            ("imports of the llamafactory program", name, folder), partial(look, name)
        )
    )


def _followed(path: str, modules: frozenset[str], files: Files) -> frozenset[str]:
    """The packages that a program imports, with LLaMA-Factory's where a module of the project does that for it."""
    home = os.path.dirname(path)
    root, _ = climb(home, files)
    paths = [module_file(one, home, home, root, files.is_file) for one in sorted(modules)]
    behind = [_modules(one, files) for one in paths if one is not None]
    found = {package for one in behind for package in _tops(one)} & _PACKAGES
    return _tops(modules) | found


def _modules(path: str, files: Files) -> frozenset[str]:
    """The modules that a program imports, with the dots in front of theirs; none for what cannot be parsed."""
    contents = read(path, _MAX_BYTES, files)
    tree = program_of(contents.source.text).tree if contents is not None else None
    found: set[str] = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return frozenset(found)


def _tops(modules: frozenset[str]) -> frozenset[str]:
    return frozenset(one.partition(".")[0] for one in modules)
