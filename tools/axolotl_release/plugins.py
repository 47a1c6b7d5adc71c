"""Finds the plugins of a release, the argument class of each, and those that are always on."""

from __future__ import annotations

import ast
import configparser
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tools.python_sources.modules import ClassRef, Modules, ValueRef
from tools.python_sources.values import NotConstantError, Values, dotted_name

if TYPE_CHECKING:
    from tools.python_sources.sources import Release

_BASE = "BasePlugin"
_BUILTIN_LIST = "BUILTIN_PLUGINS"
_BUILTIN_MODULE = "axolotl.integrations.base"
_ENTRY_POINT_GROUP = "axolotl.plugins"


@dataclass
class Plugin:
    """A plugin class under its shortest import path."""

    path: str
    also: list[str] = field(default_factory=list)
    """Other import paths of the same class."""
    args: ClassRef | None = None
    """The model whose fields the plugin adds to the configuration."""
    builtin: bool = False


def find_plugins(release: Release, modules: Modules) -> dict[str, Plugin]:
    """Every plugin class of the release by its shortest import path."""
    classes = [
        ref
        for module in modules
        if _BASE in modules.text(module)
        for ref in modules.classes(module)
        if _is_plugin(ref, modules)
    ]
    paths: dict[str, list[str]] = {ref.path: [ref.path] for ref in classes}
    by_name = {ref.name: ref for ref in classes}
    for module in modules:
        for name, target in modules.exported(module).items():
            if name not in by_name or not target.startswith("axolotl."):
                continue
            found = modules.find(module, name)
            known = isinstance(found, ClassRef) and found.path in paths
            if isinstance(found, ClassRef) and known and _offers(module, found):
                paths[found.path].append(f"{module}.{name}")
    builtin = _builtin_paths(release, modules)
    plugins: dict[str, Plugin] = {}
    for ref in classes:
        names = sorted(set(paths[ref.path]), key=lambda path: (path.count("."), path))
        one = Plugin(names[0], names[1:], _args(ref, modules), bool(builtin & set(names)))
        plugins[one.path] = one
    return dict(sorted(plugins.items()))


def _offers(module: str, plugin: ClassRef) -> bool:
    """Only the packages around a plugin re-export it; other importers merely use it."""
    return plugin.module.startswith(f"{module}.")


def _is_plugin(ref: ClassRef, modules: Modules, depth: int = 6) -> bool:
    for base in ref.node.bases:
        name = dotted_name(base) or ""
        if name.rpartition(".")[2] == _BASE:
            return True
        parent = modules.find(ref.module, name)
        if isinstance(parent, ClassRef) and depth > 0 and _is_plugin(parent, modules, depth - 1):
            return True
    return False


def _args(ref: ClassRef, modules: Modules) -> ClassRef | None:
    for statement in ref.node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "get_input_args":
            for part in ast.walk(statement):
                if isinstance(part, ast.Return) and part.value is not None:
                    try:
                        path = Values(modules).evaluate(part.value, ref.module, ref.node)
                    except NotConstantError:
                        continue
                    found = modules.find_path(path) if isinstance(path, str) else None
                    if isinstance(found, ClassRef):
                        return found
    return None


def _builtin_paths(release: Release, modules: Modules) -> set[str]:
    """Plugins that are active without being listed: the bundled tuple and the entry points."""
    paths: set[str] = set()
    listed = modules.find(_BUILTIN_MODULE, _BUILTIN_LIST) if _BUILTIN_MODULE in modules else None
    if isinstance(listed, ValueRef):
        with suppress(NotConstantError):
            paths.update(Values(modules).evaluate(listed.node, listed.module))
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    parser.read_string(release.packaging.get("entry_points.txt", ""))
    if parser.has_section(_ENTRY_POINT_GROUP):
        paths.update(target.replace(":", ".") for _, target in parser.items(_ENTRY_POINT_GROUP))
    return paths
