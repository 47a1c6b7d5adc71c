"""Where a key that stands in the wrong section was meant to stand."""

from __future__ import annotations

from cfglint.roles.framework import load_framework
from tests.draws import each

AXOLOTL = load_framework("axolotl")


@each(
    ("section", "name", "homes", "expected"),
    [
        ("datasets[]", "seed", ["", "datasets[].type"], [""]),
        # a name that says too little, in a mapping of its own, may be anything
        ("datasets[].type", "path", ["datasets[]"], []),
        ("datasets[].type", "shards", ["datasets[]"], ["datasets[]"]),
        ("datasets[]", "system_prompt", ["datasets[].type"], ["datasets[].type"]),
        ("datasets[]", "format", ["datasets[].type"], ["datasets[].type"]),
        ("trl", "path", ["datasets[]"], []),
        ("trl", "shards", ["datasets[]", "test_datasets[]"], ["datasets[]"]),
    ],
)
def test_homes(section: str, name: str, homes: list[str], expected: list[str]) -> None:
    assert AXOLOTL.key_policy.homes(section, name, homes) == expected
