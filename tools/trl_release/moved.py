"""Which names TRL has moved to the modules of its experimental part, and the releases that have them there."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from typing import TYPE_CHECKING

from tools.python_sources.modules import Modules
from tools.python_sources.versions import in_order

if TYPE_CHECKING:
    from pathlib import Path

    from tools.python_sources.sources import Release

_TOP, _EXPERIMENTAL = "trl", "trl.experimental."
#: Module in the package, its first release, the first one without it.
_Home = tuple[str, str, str | None]


class Moved:
    """The names at the top and in the experimental modules, release by release."""

    def __init__(self) -> None:
        self._top: dict[str, frozenset[str]] = {}
        self._having: dict[tuple[str, str], list[str]] = defaultdict(list)

    def add(self, release: Release) -> None:
        """Read one more release."""
        modules = Modules(release)
        if _TOP not in modules:
            return
        tree = modules.tree(_TOP)
        # A lazy module lists its names as texts.
        texts = (one.value for one in ast.walk(tree) if isinstance(one, ast.Constant))
        named = {one for one in texts if isinstance(one, str)}
        self._top[release.version] = frozenset({*named, *_imported(tree)})
        for module in modules:
            if module.startswith(_EXPERIMENTAL) and module.count(".") == _EXPERIMENTAL.count("."):
                for name in _imported(modules.tree(module)):
                    self._having[name, module].append(release.version)

    def homes(self) -> dict[str, list[_Home]]:
        """Name -> where it is, of those that the newest release no longer has at the top."""
        releases = in_order(self._top)
        found: dict[str, list[_Home]] = {}
        for (name, module), having in sorted(self._having.items()):
            at_top = [one for one in releases if name in self._top[one]]
            if not at_top or at_top[-1] == releases[-1] or not name[:1].isupper():
                continue  # a module also imports functions for its own use
            first, *_, last = [*in_order(having), in_order(having)[-1]]
            after = releases[releases.index(last) + 1 :]
            place = module.partition(".")[2]
            found.setdefault(name, []).append((place, first, after[0] if after else None))
        return found

    def write(self, path: Path) -> None:
        """Write the table, a name a line; nothing for releases without an experimental part."""
        homes = self.homes()
        if homes:
            rows = ",\n".join(f' "{name}": {json.dumps(rows)}' for name, rows in homes.items())
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def _imported(tree: ast.Module) -> set[str]:
    """The names that a module imports, and so has."""
    found = (one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom))
    return {alias.asname or alias.name for one in found for alias in one.names}
