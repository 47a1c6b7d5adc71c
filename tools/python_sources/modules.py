"""The parsed modules of a release and what a name means in each of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.python_sources.sources import Release

_MAX_HOPS = 12


@dataclass(frozen=True)
class External:
    """A name that comes from outside the release, by its dotted path."""

    path: str


@dataclass(frozen=True)
class ClassRef:
    """A class of the release together with the module that defines it."""

    module: str
    node: ast.ClassDef

    @property
    def name(self) -> str:
        """The class name without its module."""
        return self.node.name

    @property
    def path(self) -> str:
        """The dotted path by which the class is defined."""
        return f"{self.module}.{self.node.name}"


@dataclass(frozen=True)
class ValueRef:
    """An expression that a module assigns to a name."""

    module: str
    node: ast.expr


@dataclass(frozen=True)
class FunctionRef:
    """A function that a module of the release defines at its top level."""

    module: str
    node: ast.FunctionDef


Meaning = External | ClassRef | ValueRef


@dataclass
class _Names:
    """What one module defines itself and what it imports (name -> dotted path)."""

    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    values: dict[str, ast.expr] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)


class Modules:
    """Finds classes and values by name, following imports from module to module."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self._trees: dict[str, ast.Module] = {}
        self._names: dict[str, _Names] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._release.modules))

    def __contains__(self, module: str) -> bool:
        return module in self._release.modules

    def text(self, module: str) -> str:
        """The module's source text."""
        return self._release.modules[module]

    def tree(self, module: str) -> ast.Module:
        """The module's syntax tree (parsed once); an unparsable module counts as empty."""
        if module not in self._trees:
            try:
                self._trees[module] = ast.parse(self._release.modules[module])
            except SyntaxError:
                self._trees[module] = ast.Module(body=[], type_ignores=[])
        return self._trees[module]

    def classes(self, module: str) -> list[ClassRef]:
        """The classes that a module defines at its top level."""
        return [ClassRef(module, node) for node in self._of(module).classes.values()]

    def exported(self, module: str) -> dict[str, str]:
        """Names that a module imports, lazily or not, with the dotted path each one stands for."""
        return dict(self._of(module).imports)

    def find(self, module: str, name: str) -> Meaning | None:
        """What ``name`` (dotted or not) stands for in ``module``; None when it is unknown."""
        return self._find(module, name, _MAX_HOPS)

    def find_path(self, path: str) -> Meaning | None:
        """What an absolute dotted path stands for, re-exports included."""
        return self._at_path(path, _MAX_HOPS)

    def find_function(self, module: str, name: str) -> FunctionRef | None:
        """The function that ``name`` (dotted or not) stands for in ``module``, if it is one."""
        return self._find_function(module, name, _MAX_HOPS)

    def function_at(self, path: str) -> FunctionRef | None:
        """The function that an absolute dotted path stands for, re-exports included."""
        return self._function_at(path, _MAX_HOPS)

    def _find_function(self, module: str, name: str, hops: int) -> FunctionRef | None:
        head, _, rest = name.partition(".")
        names = self._of(module)
        if hops <= 0:
            return None
        if not rest and head in names.functions:
            return FunctionRef(module, names.functions[head])
        if head in names.imports:
            path = names.imports[head]
            return self._function_at(f"{path}.{rest}" if rest else path, hops - 1)
        for star in names.stars:
            found = self._find_function(star, name, hops - 1) if star in self else None
            if found is not None:
                return found
        return None

    def _function_at(self, path: str, hops: int) -> FunctionRef | None:
        module, _, name = path.rpartition(".")
        while module:
            if module in self:
                return self._find_function(module, name, hops)
            module, _, first = module.rpartition(".")
            name = f"{first}.{name}"
        return None

    def _find(self, module: str, name: str, hops: int) -> Meaning | None:
        head, _, rest = name.partition(".")
        names = self._of(module)
        if not rest:
            if head in names.classes:
                return ClassRef(module, names.classes[head])
            if head in names.values:
                return ValueRef(module, names.values[head])
        if head in names.imports:
            path = names.imports[head]
            return self._at_path(f"{path}.{rest}" if rest else path, hops - 1)
        for star in names.stars:
            if star in self and hops > 0:
                found = self._find(star, name, hops - 1)
                if found is not None:
                    return found
        return None

    def _at_path(self, path: str, hops: int) -> Meaning | None:
        module, _, name = path.rpartition(".")
        while module:
            if module in self:
                return self._find(module, name, hops) if hops > 0 else None
            module, _, first = module.rpartition(".")
            name = f"{first}.{name}"
        return External(path)

    def _of(self, module: str) -> _Names:
        if module not in self._names:
            self._names[module] = self._collect(module)
        return self._names[module]

    def _collect(self, module: str) -> _Names:
        names = _Names()
        for statement in _top_level(self.tree(module).body):
            if isinstance(statement, ast.ClassDef):
                names.classes[statement.name] = statement
            elif isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        names.values[target.id] = statement.value
                        self._lazy_table(module, statement.value, names)
            elif isinstance(statement, ast.AnnAssign):
                if isinstance(statement.target, ast.Name) and statement.value is not None:
                    names.values[statement.target.id] = statement.value
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                self._imports(module, statement, names)
            elif isinstance(statement, ast.FunctionDef):
                names.functions[statement.name] = statement
                if statement.name == "__getattr__":
                    for inner in ast.walk(statement):
                        if isinstance(inner, ast.ImportFrom):
                            self._imports(module, inner, names)
        return names

    def _lazy_table(self, module: str, value: ast.expr, names: _Names) -> None:
        """A dict of name -> relative module is how packages spell imports done on first use."""
        if not isinstance(value, ast.Dict):
            return
        for key, item in zip(value.keys, value.values, strict=True):
            if (
                isinstance(key, ast.Constant)
                and isinstance(key.value, str)
                and isinstance(item, ast.Constant)
                and isinstance(item.value, str)
                and item.value.startswith(".")
            ):
                target = self._absolute(module, len(item.value) - len(item.value.lstrip(".")))
                path = ".".join(filter(None, (target, item.value.lstrip("."))))
                names.imports.setdefault(key.value, f"{path}.{key.value}")

    def _imports(self, module: str, statement: ast.Import | ast.ImportFrom, names: _Names) -> None:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                bound = alias.asname or alias.name.partition(".")[0]
                names.imports[bound] = alias.name if alias.asname else bound
            return
        base = statement.module or ""
        if statement.level:
            base = ".".join(filter(None, (self._absolute(module, statement.level), base)))
        for alias in statement.names:
            if alias.name == "*":
                names.stars.append(base)
            else:
                names.imports[alias.asname or alias.name] = f"{base}.{alias.name}"

    def _absolute(self, module: str, level: int) -> str:
        parts = module.split(".")
        if module not in self._release.packages:
            parts.pop()
        if level > 1:
            parts = parts[: len(parts) - (level - 1)]
        return ".".join(parts)


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module, those inside its ``if``, ``try`` and ``with`` blocks included."""
    for statement in body:
        if isinstance(statement, ast.If):
            yield from _top_level(statement.body)
            yield from _top_level(statement.orelse)
        elif isinstance(statement, ast.Try):
            yield from _top_level(statement.body)
            for handler in statement.handlers:
                yield from _top_level(handler.body)
        elif isinstance(statement, ast.With):
            yield from _top_level(statement.body)
        else:
            yield statement
