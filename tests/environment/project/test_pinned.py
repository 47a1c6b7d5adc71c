"""From a statement to a version, a range or a place among the releases."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.environment.pins import Pin
from cfglint.environment.project.pinned import pinned
from cfglint.environment.project.stated_versions import Place, Statement
from tests.draws import each

PLACE = Place("/x/requirements.txt", 1)
PLAIN = Pin(None, None, "here", in_project=True, path=PLACE.path)
LOST = "0123456789abcdef0123456789abcdef01234567"


@each(
    ("what", "expected"),
    [
        ({}, {}),
        ({"version": "0.20.0"}, {"version": "0.20.0"}),
        ({"spec": ">=0.20"}, {"spec": ">=0.20"}),
        ({"version": "0.20.0", "implied": True}, {"version": "0.20.0", "implied": True}),
        ({"spec": ">=0.20", "tested": True}, {"spec": ">=0.20", "inferred": True}),
        ({"commit": LOST}, {"commit": LOST}),
        ({"commit": LOST, "version": "0.20.0"}, {"version": "0.20.0"}),
        ({"is_lost": True, "written": "main"}, {"commit": "main"}),
        # The commits of a fork are in no history that is known.
        ({"fork": "me/trl", "commit": LOST}, {"fork": "me/trl"}),
        ({"fork": "me/trl", "version": "0.20.0"}, {"fork": "me/trl", "version": "0.20.0"}),
    ],
)
def test_a_statement(what: dict[str, Any], expected: dict[str, Any]) -> None:
    statement = Statement("trl", PLACE, **what)
    assert pinned(statement, "trl", "here") == PLAIN.replaced(**expected)


def test_a_build_between_two_releases() -> None:
    of_day = Statement("axolotl", PLACE, day="20250601")
    found = pinned(of_day, "axolotl", "here")
    assert found.between is not None
    assert found.between[0] is not None
    assert found.commits
    assert found.origin == "here, the build of 20250601"
    frozen = pinned(of_day.replaced(frozen=True), "axolotl", "here")
    assert frozen.origin == "here, a tag last built on 20250601"
    # Of another package no build is known.
    assert pinned(of_day, "trl", "here") == PLAIN
    development = pinned(Statement("trl", PLACE, version="0.20.0.dev0"), "trl", "here")
    assert (development.version, development.between) == (None, ("0.19.1", "0.20.0"))
    other = pinned(Statement("trl", PLACE, version="0.20.0.dev0"), "axolotl", "here")
    assert (other.version, other.between) == ("0.20.0.dev0", None)
