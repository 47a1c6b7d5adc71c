"""Keys as one release sees them."""

from __future__ import annotations

import pytest

from cfglint.keys import release_keys


def test_judged_values_are_forgotten_when_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(release_keys, "_MAX_REMEMBERED", 2)
    known = release_keys.InOrder()
    for value in (1, 2, 3):
        known.remember(("a", int, value))
    assert known == {("a", int, 3)}
