"""Whether the classes that a program calls are patched when it runs: by a package that it, its own modules or its importers import."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.python_modules import module_file
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.source.calls import call_of

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.parts import FileContext
    from cfglint.source.document import Document

#: A package that patches the classes of another one when it is imported -> that package.
PATCHED_BY: Final = {"unsloth": "trl"}
PATCHING: Final = frozenset(PATCHED_BY)
#: Classes of such a package -> the patched one that each extends.
EXTENDING: Final = {
    "unsloth.UnslothTrainer": "trl.SFTTrainer",
    "unsloth.UnslothTrainingArguments": "trl.SFTConfig",
}
#: `from .model import load, save`, `import tools.model as m, os`; a cell of a notebook has a quote before it.
_IMPORT = lazy_pattern(
    r"^[ \t]{0,99}(?:\"[ \t]{0,99})?(?:from[ \t]{1,20}(\.{0,8}[\w.]{0,200})[ \t]{1,20}import\b[ \t]{0,20}(?:\(([^()]{0,2000})\)|([^\n(]{0,2000}))"
    r"|import[ \t]{1,20}([\w., \t]{1,500}))",
    re.MULTILINE,
)
_COMMENT = lazy_pattern(r"#[^\n]*")
#: So many modules of the project are followed from one program.
_MAX_MODULES = 60


def is_patched(package: str, document: Document, around: Surroundings) -> bool:
    """Whether a program runs with other classes of a package than its releases have.

    Args:
        document: a call in the program.
    """
    call = call_of(document.root)
    patching = {name for name, patched in PATCHED_BY.items() if patched == package}
    if call is None or not patching:
        return False
    return _runs_patched(patching, call.imports, document.text, around)


def is_patched_program(packages: AbstractSet[str], ctx: FileContext) -> bool:
    """Whether a program may run with patched classes of any package.

    Args:
        packages: those that it imports itself.
    """
    return _runs_patched(PATCHING, packages, ctx.document.text, ctx.around)


def _runs_patched(
    patching: AbstractSet[str], packages: Iterable[str], text: str, around: Surroundings
) -> bool:
    if not patching.isdisjoint(packages):
        return True
    folder = around.folder
    if folder is None:
        return False
    return around.memory.once(
        ("patched through modules", frozenset(patching), around.path),
        lambda: _through_modules(patching, text, folder, around),
    )


def _through_modules(names: AbstractSet[str], text: str, folder: str, around: Surroundings) -> bool:
    """Whether modules that a program imports import one of some packages, or programs that import it do."""
    root = project_root(around, folder)
    sources = python_sources(around, root)
    if not any(name in one for one in sources.values() if one is not None for name in names):
        return False
    project = around.memory.once(("imports of", root), lambda: _Imports(root, sources))
    if project.leads_to(names, project.read(text), folder):
        return True
    waiting, seen = [os.path.join(folder, os.path.basename(around.path))], set[str]()
    while waiting and len(seen) < _MAX_MODULES:
        for path in project.importing.get(waiting.pop(0), ()):
            if path in seen:
                continue
            seen.add(path)
            waiting.append(path)
            if project.leads_to(names, project.of(path), os.path.dirname(path)):
                return True
    return False


class _Imported(NamedTuple):
    """What a program imports."""

    #: The first names, of whichever package.
    packages: frozenset[str]
    #: The modules that may be the project's.
    modules: tuple[str, ...]


class _Imports:
    """What the programs of a project import, each read once."""

    def __init__(self, root: str, sources: Mapping[str, str | None]) -> None:
        self._root = root
        self._sources = sources
        #: The names of its files and folders: what begins with another one is no module of the project.
        self._own = {os.path.splitext(part)[0] for path in sources for part in path.split(os.sep)}
        self._imported: dict[str, _Imported] = {}
        self._files: dict[tuple[str, str, str], str | None] = {}

    def of(self, path: str) -> _Imported:
        """What a program of the project imports."""
        found = self._imported.get(path)
        if found is None:
            found = self._imported[path] = self.read(self._sources[path] or "")
        return found

    def read(self, text: str) -> _Imported:
        """What the program in a text imports."""
        packages: set[str] = set()
        modules: dict[str, None] = {}
        for module in _modules(text):
            packages.add(module.partition(".")[0])
            first = module.lstrip(".").partition(".")[0]
            if not first or first in self._own:
                modules[module] = None
        return _Imported(frozenset(packages), tuple(modules))

    @cached_property
    def importing(self) -> dict[str, list[str]]:
        """Each module of the project -> the programs that import it."""
        found: dict[str, list[str]] = {}
        for program in self._sources:
            home = os.path.dirname(program)
            paths = {self._file(module, home, home) for module in self.of(program).modules}
            for path in sorted(path for path in paths if path is not None and path != program):
                found.setdefault(path, []).append(program)
        return found

    def leads_to(self, names: AbstractSet[str], imported: _Imported, folder: str) -> bool:
        """Whether what a program imports, or what these modules do, is of one of some packages.

        Args:
            folder: that of the program.
        """
        waiting, seen = [(imported, folder)], set[str]()
        while waiting and len(seen) < _MAX_MODULES:
            one, home = waiting.pop(0)
            if not names.isdisjoint(one.packages):
                return True
            for module in one.modules:
                path = self._file(module, home, folder)
                if path is not None and path not in seen:
                    seen.add(path)
                    waiting.append((self.of(path), os.path.dirname(path)))
        return False

    def _file(self, module: str, home: str, start: str) -> str | None:
        asked = (module, home, start)
        if asked not in self._files:
            self._files[asked] = module_file(*asked, self._root, self._sources.__contains__)
        return self._files[asked]


def _modules(text: str) -> Iterator[str]:
    """What a program imports: each module, and what may be a module in it, with its dots in front."""
    for found in _IMPORT.finditer(text):
        if found[4] is not None:
            yield from (one.split()[0] for one in found[4].split(",") if one.strip())
            continue
        yield found[1]
        listed = _COMMENT.sub("", found[2] if found[2] is not None else found[3])
        joint = "" if found[1].endswith(".") else "."
        for one in listed.split(","):
            name = one.split()[:1]
            if name and name[0].isidentifier():
                yield f"{found[1]}{joint}{name[0]}"
