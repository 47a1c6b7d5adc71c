"""Modules that lie in packs, each of which is fetched when the first of its modules is imported.

Runs in the browser: the finder is a part of the memory that is restored there.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any, cast

#: Name of a module -> whether it is a package, and its bytecode.
Modules = dict[str, tuple[bool, bytes]]


class Packs:
    """Finds and loads the modules of packs.

    Attributes:
        index: name of a module that is not here yet -> the pack that has it.
        here: the modules of the packs that are here.
        fetch: gets a pack by its name, as bytes of JavaScript.
    """

    def __init__(self, here: Modules) -> None:
        self.here = here
        self.index: dict[str, str] = {}
        self.fetch: Callable[[str], Any] | None = None

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a module; None if it is in no pack."""
        if name not in self.here and not self._fetched(name):
            return None
        is_package, _ = self.here[name]
        place = f"/packs/{name.replace('.', '/')}"
        origin = f"{place}/__init__.py" if is_package else f"{place}.py"
        found = spec_from_loader(name, cast(Loader, self), origin=origin, is_package=is_package)
        if found is not None:
            # Modules have `__file__`, although nothing is there to read.
            found.has_location = True
        return found

    def create_module(self, _spec: ModuleSpec) -> None:
        """Nothing: a module is an ordinary one."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module."""
        # Its bytecode is not needed again.
        _, bytecode = self.here.pop(module.__name__)
        exec(marshal.loads(bytecode), module.__dict__)

    def _fetched(self, name: str) -> bool:
        """Whether a module is here once its pack has been fetched."""
        pack = self.index.get(name)
        if pack is None or self.fetch is None:
            return False
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        self.here.update(marshal.loads(zstd.decompress(self.fetch(pack).to_bytes())))
        self.index = {name: other for name, other in self.index.items() if other != pack}
        return name in self.here


def install(here: Modules) -> Packs:
    """Let imports find these modules, which come before those of the disk."""
    packs = Packs(here)
    sys.meta_path.insert(0, packs)
    return packs
