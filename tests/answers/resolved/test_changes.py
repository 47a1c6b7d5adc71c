"""What differs between two releases, and which of it switches nothing on."""

from __future__ import annotations

from typing import Any

from cfglint.answers.resolved.changes import EffectiveChange
from cfglint.answers.resolved.resolve import EffectiveValue, Undecided
from tests.draws import each

DEFAULT = "default of axolotl 0.21.0"


def value(
    held: Any, reason: str | None = DEFAULT, path: tuple[str, ...] = ("a",)
) -> EffectiveValue:
    return EffectiveValue(path, held, None, reason)


@each(
    ("one", "inert"),
    [
        (value(False), True),
        (value(8), True),
        (value("auto"), True),
        # It may switch something on.
        (value(True), False),
        # In a section, the section does.
        (value(True, path=("trl", "a")), True),
        # The framework makes it up for this file.
        (value(False, "worked out from b"), False),
        (value(8, None), False),
        (Undecided(("a",), ("cpus",), DEFAULT), False),
    ],
)
def test_a_default_of_one_release_alone(one: EffectiveValue | Undecided, inert: bool) -> None:
    assert EffectiveChange(one.path, None, one).is_inert is inert
    assert EffectiveChange(one.path, one, None).is_inert is inert


def test_another_default_is_a_change_of_the_run() -> None:
    assert not EffectiveChange(("a",), value(1), value(2)).is_inert
