"""SECURITY.md names a test for each threat that was once real, and each of these tests exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.draws import each

TESTS = Path(__file__).resolve().parent
TEXT = (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"(?m)^\| (F\d+) \|[^|]+\|(.+)\|$", TEXT))
NAMED = sorted({test for row in ROWS.values() for test in re.findall(r"`([^`]+)`", row)})


def test_every_threat_has_a_test() -> None:
    assert list(ROWS) == [f"F{number}" for number in range(1, 25)]
    assert all(re.search(r"`[\w/]+\.py::test_\w+`", row) for row in ROWS.values())


@each("name", NAMED)
def test_a_named_test_exists(name: str) -> None:
    path, _, function = name.partition("::")
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert function.startswith("test_")
