"""The plan of the house: who may know whom, what is general, and how large a room may be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "cfglint"
#: Packages (and modules at the top) from low to high. What stands in a row may import what stands
#: in the same row or in one above it.
FLOORS = (
    ("record", "lazy", "logic", "freezing", "spelling", "source", "diagnostic"),
    ("compiled", "releases", "files", "environment", "keys", "rules", "recognition"),
    ("framework",),
    ("compiling", "fixes", "checks"),
    ("frameworks",),
    ("engine", "effective"),
    ("report", "cli", "api", "__main__"),
)
#: Imports by name against the order, with the reason.
UPWARDS = {
    # A checkout compiles its rules when they have changed; an installed package never gets there.
    ("cfglint.compiled", "cfglint.compiling.freshness"),
}
#: Frameworks that cfglint knows of or is about to; a part of a name is enough.
FRAMEWORKS = re.compile(
    r"axolotl|deepspeed|accelerate|llama-?factory|(?<![a-z])(?:trl|accessory)(?![a-z])",
    re.IGNORECASE,
)
#: Modules that import each other; the list is to become empty.
CIRCLES = {
    ("cfglint.fixes.moving", "cfglint.fixes.yaml_drafts"),
    ("cfglint.source.document", "cfglint.source.values"),
}
MAX_LINES = 400
#: Larger modules, with the reason; the list is to become empty.
LARGE = {
    "fixes/block.py",  # how a block mapping is edited, case by case
    "source/languages/json_reader.py",  # scanner and parser of JSON in one
}


@lru_cache(maxsize=1)
def modules() -> dict[str, Path]:
    """Every module by its full name, but the generated ones."""
    found = {}
    for path in sorted(SOURCES.rglob("*.py")):
        parts = path.relative_to(SOURCES.parent).with_suffix("").parts
        if "_compiled" not in parts:
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def is_for_types(node: ast.AST) -> bool:
    """Whether a part of a module is read by type checkers only."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def parts_that_run(node: ast.AST) -> Iterator[ast.AST]:
    """All parts of a module, inside functions too, without those for type checkers."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.If) and is_for_types(node) and child in node.body:
            continue
        yield from parts_that_run(child)


def imports(tree: ast.AST, known: frozenset[str]) -> tuple[set[str], set[str]]:
    """The modules of cfglint that a module imports by a statement, and those it imports by name.

    Raises:
        AssertionError: an import is relative, so the module that is meant cannot be told.
    """
    stated, named = set(), set()
    for node in parts_that_run(tree):
        if isinstance(node, ast.Import):
            stated |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                stated.add(inner if inner in known else str(node.module))
        elif isinstance(node, ast.Call) and node.args:
            called, first = ast.unparse(node.func), node.args[0]
            if called.endswith("import_module") and isinstance(first, ast.Constant):
                named.add(str(first.value))
    return stated & known, named & known


@lru_cache(maxsize=1)
def imported() -> dict[str, tuple[set[str], set[str]]]:
    """Module -> the modules that it imports by a statement, and by name."""
    known = frozenset(modules())
    return {
        name: imports(ast.parse(path.read_text(encoding="utf-8")), known)
        for name, path in modules().items()
    }


def floor(module: str) -> int | None:
    """The floor of a module; None for the package itself, whose names are loaded on demand."""
    package = module.partition(".")[2].partition(".")[0]
    if not package:
        return None
    (found,) = [number for number, packages in enumerate(FLOORS) if package in packages]
    return found


def circles(graph: dict[str, set[str]]) -> set[tuple[str, ...]]:
    """The groups of modules each of which leads to all others of its group."""
    reached: dict[str, set[str]] = {}
    for start, first in graph.items():
        seen: set[str] = set()
        waiting = list(first)
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting.extend(graph[module])
        reached[start] = seen
    return {
        tuple(sorted(other for other in reached[module] if module in reached[other]))
        for module in graph
        if module in reached[module]
    }


def test_every_package_has_its_floor() -> None:
    listed = [package for packages in FLOORS for package in packages]
    there = {name.split(".")[1] for name in modules() if "." in name}
    assert sorted(listed) == sorted(there)


def test_imports_point_down() -> None:
    upwards = {
        (module, other)
        for module, (stated, named) in imported().items()
        for other in stated | named
        if (own := floor(module)) is not None and (theirs := floor(other)) is not None
        if own < theirs
    }
    assert upwards == UPWARDS


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles({name: stated for name, (stated, _) in imported().items()}) == CIRCLES


def test_what_is_general_names_no_framework() -> None:
    own = SOURCES / "frameworks"
    named = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in modules().values()
        if path.parent == own or own not in path.parents
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if FRAMEWORKS.search(line)
    ]
    assert named == []


def test_the_names_of_frameworks_are_those_of_their_folders() -> None:
    for described in (ROOT / "rules").glob("*/framework.yaml"):
        assert FRAMEWORKS.search(described.parent.name), described


def test_modules_are_short() -> None:
    large = {
        path.relative_to(SOURCES).as_posix()
        for path in modules().values()
        if len(path.read_text(encoding="utf-8").splitlines()) > MAX_LINES
    }
    assert large == LARGE


@pytest.mark.parametrize(
    ("text", "stated", "named"),
    [
        ("import cfglint.a", {"cfglint.a"}, set()),
        ("from cfglint.a import name", {"cfglint.a"}, set()),
        ("from cfglint import a", {"cfglint.a"}, set()),
        ("def f():\n    from cfglint.a import b", {"cfglint.a.b"}, set()),
        ("def f():\n    import_module('cfglint.a')", set(), {"cfglint.a"}),
        (
            "if TYPE_CHECKING:\n    import cfglint.a\nelse:\n    import cfglint.b",
            {"cfglint.b"},
            set(),
        ),
    ],
)
def test_how_imports_are_read(text: str, stated: set[str], named: set[str]) -> None:
    known = frozenset({"cfglint", "cfglint.a", "cfglint.a.b", "cfglint.b"})
    assert imports(ast.parse(text), known) == (stated, named)


def test_how_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"e"}}
    assert circles(graph) == {("b", "c"), ("e",)}
