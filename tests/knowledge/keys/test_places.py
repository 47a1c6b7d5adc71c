"""How tables name the place of a key."""

from __future__ import annotations

from cfglint.knowledge.keys.places import full_key, section_of


def test_a_key_with_its_section() -> None:
    assert full_key("datasets[]", "type") == "datasets[].type"
    assert full_key("", "seed") == "seed"


def test_the_section_of_a_path() -> None:
    assert section_of(("a", 0, 1, "b")) == "a[][].b"
