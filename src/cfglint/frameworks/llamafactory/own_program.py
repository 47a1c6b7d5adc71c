"""The `src/train.py` that a script starts with options: LLaMA-Factory's, or a program that grew from it."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.files.nearby import read, search

if TYPE_CHECKING:
    from cfglint.roles.framework import Framework
    from cfglint.roles.parts import FileContext

#: The file, and what it imports as LLaMA-Factory has it, since its packages got their names.
_PROGRAM: Final = "src/train.py"
_FILES: Final = (_PROGRAM, "src/train_bash.py")
_PACKAGES: Final = frozenset({"llamafactory", "llmtuner"})
_USUAL: Final = frozenset({"llamafactory", "os", "sys"})
_IMPORT: Final = lazy_pattern(r"(?m)^[ \t]*(?:from|import)[ \t]+(\w+)")
_MAX_BYTES: Final = 200_000
#: So many options that no release has are not slips.
_MANY: Final = 3


def has_extended(ctx: FileContext) -> bool:
    """Whether the project's program does more than to start LLaMA-Factory."""
    return any(not _USUAL.issuperset(modules) for modules in _imported(ctx))


def is_of_its_own(ctx: FileContext) -> bool:
    """Whether the project's program imports no LLaMA-Factory: its own classes have the options and the words."""
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
    """What each program of the name imports, the nearest first."""
    folder = ctx.around.folder
    if folder is None:
        return ()

    def look() -> tuple[frozenset[str], ...]:
        paths = search(_PROGRAM, folder, ctx.around.files).found
        texts = (read(path, _MAX_BYTES, ctx.around.files) for path in paths)
        return tuple(
            frozenset(_IMPORT.findall(one.source.text)) for one in texts if one is not None
        )

    return ctx.around.memory.once(("imports of the llamafactory program", folder), look)
