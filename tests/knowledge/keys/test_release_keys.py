"""Keys as one release sees them."""

from __future__ import annotations

import pytest

from cfglint.knowledge.keys import release_keys
from cfglint.roles.framework import load_framework


def test_judged_values_are_forgotten_when_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(release_keys, "_MAX_REMEMBERED", 2)
    known = release_keys.InOrder()
    for value in (1, 2, 3):
        known.remember(("a", int, value))
    assert known == {("a", int, 3)}


def test_a_class_loses_a_key_with_the_release_that_removed_it() -> None:
    def takes(release: str, name: str) -> bool:
        keys = load_framework("axolotl").release_keys(release)
        return keys.schema_of_class("datasets[]", name, "SFTDataset") is not None

    assert takes("0.8.0", "train_on_split")
    assert not takes("0.8.1", "train_on_split")
    assert takes("0.8.1", "path")
    assert not takes("0.8.1", "made_up")
