"""Entries of `datasets` that a dash too many splits in two."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint

BASE = "base_model: a/b\n"


def found(text: str) -> list[tuple[str, str]]:
    """The path of each finding's entry, and the key that it names."""
    return [
        (".".join(map(str, one.path)), one.message.split("`")[1])
        for one in lint(BASE + text, target=["axolotl==0.21.0"])
        if one.code == "DAT211"
    ]


@each(
    ("entries", "expected"),
    [
        (["path: a", "type: alpaca"], [("1", "type")]),
        (["path: a", "split: x\n    type: alpaca"], [("1", "split")]),
        (["path: z\n    type: alpaca", "path: a\n    name: b", "type: alpaca"], [("2", "type")]),
        (["path: a", "type: alpaca", "path: b", "type: alpaca"], [("1", "type"), ("3", "type")]),
        # Each is whole, or both have a key.
        (["path: a\n    type: alpaca", "type: alpaca"], []),
        (["path: a", "path: b\n    type: alpaca"], []),
        (["path: a\n    name: c", "name: b\n    type: alpaca"], []),
        (["path: a", "name: b"], []),
        (["name: a", "type: alpaca"], []),
        (["path: [a]", "type: alpaca"], []),
        (["path: a", "alpaca"], []),
        (["a", "type: alpaca"], []),
        (["path: a", "type: alpaca\n    ? [x]\n    : 1"], []),
    ],
)
def test_entries(entries: list[str], expected: list[tuple[str, str]]) -> None:
    rows = "".join(f"  - {entry}\n" for entry in entries)
    for name in ("datasets", "test_datasets"):
        assert found(f"{name}:\n{rows}") == [(f"{name}.{at}", key) for at, key in expected]


def test_other_values() -> None:
    assert found("datasets: a\ntest_datasets: {path: a}\n") == []
