"""Releases of several packages that are used together."""

from __future__ import annotations

from cfglint.knowledge.releases.beside import newest_beside
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import releases_of


def test_the_newest_ones_go_together() -> None:
    found = newest_beside(("transformers", "trl", "peft"), {})
    assert found["transformers"] == releases_of("transformers").newest
    # There is no table of PEFT's releases.
    assert found.keys() == {"transformers", "trl"}


def test_each_one_asks_of_the_others() -> None:
    trl = newest_beside(("transformers", "trl"), {"transformers": "4.46.3"})["trl"]
    pins = releases_of("trl").pins
    assert within("4.46.3", pins[trl]["transformers"])
    later = releases_of("trl").versions[releases_of("trl").versions.index(trl) + 1 :]
    assert not any(within("4.46.3", pins[one].get("transformers", "")) for one in later)


def test_a_day_hides_later_ones() -> None:
    found = newest_beside(("transformers", "trl"), {}, "2025-06")
    assert found["trl"] != newest_beside(("trl",), {})["trl"]
    assert all(releases_of(name).dates[one][:7] <= "2025-06" for name, one in found.items())
