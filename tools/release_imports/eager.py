"""What importing an entry of a release imports at once from other packages.

Followed are the imports at the margin of the modules that the entry runs. Those in a `try` that catches, in a function or
under a condition are not, but for `if is_PACKAGE_available():`, which holds whenever the package is installed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tools.python_sources.sources import Release
from tools.release_imports.entries import IMPORTED
from tools.release_imports.margin import margin

_AVAILABLE = re.compile(r"_?is_(\w+?)_available")
#: Installed wherever a model is trained.
_ALWAYS = frozenset({"torch", "rich", "tqdm", "numpy", "safetensors"})
#: Counts as installed only from a release on, which transformers states.
_FROM_RELEASE = "accelerate"
_FROM = re.compile(r'(?m)^ACCELERATE_MIN_VERSION = "([\d.]+)"')
_LAZY = "_LazyModule("
_PACKAGES = {module: package for package, module in IMPORTED.items()}


class Wanted(NamedTuple):
    """A name that is imported."""

    #: The package that has to have it.
    package: str
    #: With the module in it: `trainer_utils.SchedulerType`.
    name: str
    #: The packages that have to be installed for the import to run: `peft`, `accelerate>=1.1.0`.
    needs: frozenset[str]


class _Import(NamedTuple):
    node: ast.Import | ast.ImportFrom
    needs: frozenset[str]


class Eager:
    """The modules of a release, and what each runs."""

    def __init__(self, release: Release, module: str) -> None:
        self._modules = release.modules
        self._packages = release.packages
        self._package = module
        self._margins: dict[str, list[_Import]] = {}
        self._offered: dict[str, dict[str, str]] = {}
        stated = _FROM.search(release.modules.get(f"{module}.utils.import_utils", ""))
        self._from = stated[1] if stated is not None else None

    def has(self, entry: str) -> bool:
        """Whether the release has an entry."""
        module, _, name = entry.partition(":")
        return module in self._modules and (not name or name in self._modules[module])

    def wanted(self, entry: str) -> set[Wanted]:
        """The names of other packages that `import MODULE` or `from MODULE import NAME` imports."""
        found: set[Wanted] = set()
        for module, needs in self._run_by(entry).items():
            for one in self._margin(module):
                both = needs | one.needs
                found |= {Wanted(*row, both) for row in _of_others(one.node)}
        least: dict[tuple[str, str], Wanted] = {}
        for name in sorted(found, key=lambda name: -len(name.needs)):
            least[name.package, name.name] = name
        return set(least.values())

    def _run_by(self, entry: str) -> dict[str, frozenset[str]]:
        """The modules that an import runs -> what has to be installed for that."""
        module, _, name = entry.partition(":")
        first = self._of_name(module, name) if name else [module]
        seen: dict[str, frozenset[str]] = {}
        waiting = [(one, frozenset[str]()) for one in first]
        while waiting:
            module, needs = waiting.pop(0)
            if module not in self._modules or (module in seen and seen[module] <= needs):
                continue
            seen[module] = needs
            waiting += [(one, needs) for one in _above(module)]
            for one in self._margin(module):
                waiting += [(run, needs | one.needs) for run in self._runs(module, one.node)]
        return seen

    def _runs(self, module: str, node: ast.ImportFrom | ast.Import) -> list[str]:
        """The modules of the package that an import in a module runs."""
        if isinstance(node, ast.Import):
            return [one.name for one in node.names if one.name.startswith(f"{self._package}.")]
        origin = self._absolute(module, node)
        if origin is None or origin.partition(".")[0] != self._package:
            return []
        return [run for alias in node.names for run in self._of_name(origin, alias.name)]

    def _of_name(self, module: str, name: str) -> list[str]:
        """The modules that importing a name from a module runs."""
        if f"{module}.{name}" in self._modules:
            return [f"{module}.{name}"]
        if module not in self._packages or _LAZY not in self._modules.get(module, ""):
            return [module]
        origin = self._offers(module).get(name)
        return [module] if origin is None else [module, *self._of_name(origin, name)]

    def _offers(self, module: str) -> dict[str, str]:
        """Name -> the module that a lazy package has it from.

        What it offers is also written as plain imports, for type checkers.
        """
        if module not in self._offered:
            found: dict[str, str] = {}
            for node in _inner(margin(self._modules[module])):
                if not isinstance(node, ast.ImportFrom) or not node.level:
                    continue
                origin = self._absolute(module, node)
                if origin is not None and origin != module:
                    for one in node.names:
                        found.setdefault(one.asname or one.name, origin)
            self._offered[module] = found
        return self._offered[module]

    def _absolute(self, module: str, node: ast.ImportFrom) -> str | None:
        if not node.level:
            return node.module
        parts = module.split(".")
        drop = node.level - (module in self._packages)
        base = parts[: len(parts) - drop] if drop else parts
        return ".".join([*base, *(node.module or "").split(".")]).rstrip(".") or None

    def _margin(self, module: str) -> list[_Import]:
        if module not in self._margins:
            body = margin(self._modules[module])
            self._margins[module] = list(self._imports(body, frozenset()))
        return self._margins[module]

    def _imports(self, body: Iterable[ast.stmt], needs: frozenset[str]) -> Iterator[_Import]:
        """The imports that surely run, if some packages are installed."""
        for node in body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                yield _Import(node, needs)
            elif isinstance(node, ast.With) or (isinstance(node, ast.Try) and not node.handlers):
                yield from self._imports(node.body, needs)
            elif isinstance(node, ast.If):
                also = _asked(node.test)
                if also is not None and (_FROM_RELEASE not in also or self._from is not None):
                    own = frozenset(self._counting(one) for one in also)
                    yield from self._imports(node.body, needs | own)

    def _counting(self, package: str) -> str:
        return f"{package}>={self._from}" if package == _FROM_RELEASE else package


def _inner(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    for node in body:
        yield from ast.walk(node)


def _asked(test: ast.expr) -> frozenset[str] | None:
    """The packages that a condition asks for; None where it asks for something else."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        parts = [_asked(one) for one in test.values]
        return None if None in parts else frozenset().union(*filter(None, parts))
    if not isinstance(test, ast.Call) or test.args or test.keywords:
        return None
    name = getattr(test.func, "id", getattr(test.func, "attr", ""))
    match = _AVAILABLE.fullmatch(name)
    if match is None:
        return None
    return frozenset() if match[1] in _ALWAYS else frozenset({match[1].replace("_", "-")})


def _of_others(node: ast.ImportFrom | ast.Import) -> Iterator[tuple[str, str]]:
    """(package, name) of what an import takes from packages whose names are looked up."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first, _, inner = alias.name.partition(".")
            if first in _PACKAGES and inner:
                yield _PACKAGES[first], inner
    elif not node.level and node.module:
        first, _, inner = node.module.partition(".")
        if first in _PACKAGES:
            for alias in node.names:
                if alias.name != "*":
                    yield _PACKAGES[first], f"{inner}.{alias.name}" if inner else alias.name


def _above(module: str) -> Sequence[str]:
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]
