"""The fields of a release's schema."""

from __future__ import annotations

import pytest

from cfglint.effective.fields import Fields


@pytest.mark.parametrize(
    ("since", "release", "counts"),
    [(None, "2.0", False), ("2.0", "1.0", False), ("2.0", "2.0", True), ("1.0", "2.0", True)],
)
def test_which_class_is_preferred(since: str | None, release: str, counts: bool) -> None:
    fields = Fields({}, ("1.0", "2.0"), release, frozenset(), since)
    assert fields.counts_keys is counts
