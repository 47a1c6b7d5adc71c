"""The releases of a package that go with the stated release of another one."""

from __future__ import annotations

from cfglint.environment.going_with import (
    beside_stated,
    going_with,
    those_going_with,
    those_without,
)
from cfglint.environment.pins import Fact, Pin
from cfglint.environment.pythons import PYTHON
from tests.draws import each

RELEASES = ["0.7.8", "0.9.2", "0.15.0", "0.19.0", "0.23.0", "0.24.0", "1.0.0"]


def pin(version: str | None, **fields: object) -> Pin:
    return Pin(version, None, "x").replaced(**fields)


@each(
    ("pins", "expected"),
    [
        # unsloth 2025.10.1 asks for trl>=0.7.9,<=0.23.0 without some of them.
        ({"unsloth": pin("2025.10.1")}, ["0.23.0"]),
        ({"unsloth": pin("2025.3.1")}, ["0.19.0", "0.23.0", "0.24.0", "1.0.0"]),
        ({}, RELEASES),
        ({"torch": pin("2.6.0")}, RELEASES),
        ({"unsloth": pin(None, spec=">=2025.1")}, RELEASES),
        ({"unsloth": pin("1.0")}, RELEASES),
        ({"unsloth": pin("2025.10.1", alone=True)}, RELEASES),
        ({"unsloth": pin("2025.10.1", fork="a/b")}, RELEASES),
    ],
)
def test_which_are_admitted(pins: dict[str, Pin], expected: list[str]) -> None:
    found = those_going_with("trl", RELEASES, pins)
    assert found == expected
    bits = going_with("trl", RELEASES, pins)
    assert [one for number, one in enumerate(RELEASES) if bits >> number & 1] == expected
    # It asks for no release of a package that it does not name.
    assert those_going_with("verl", RELEASES, pins) == RELEASES


@each(
    ("pins", "expected"),
    [
        # A framework that a list pins asks for transformers>=4.33,<4.58 beside itself.
        ({"ms-swift": pin("3.10.1")}, ["4.52.4", "4.57.6"]),
        ({"ms-swift": pin("3.10.1+local")}, ["4.52.4", "4.57.6"]),
        ({"llamafactory": pin("0.9.3")}, ["4.52.4"]),
        ({"ms-swift": pin(None, spec=">=3")}, ["4.52.4", "4.57.6", "5.24.0"]),
        # Of these it is not known what is installed beside them.
        ({"ms-swift": pin("3.10.1", alone=True)}, ["4.52.4", "4.57.6", "5.24.0"]),
        ({"ms-swift": pin("3.10.1", fork="a/b")}, ["4.52.4", "4.57.6", "5.24.0"]),
        ({"ms-swift": pin("3.10.1", inferred=True)}, ["4.52.4", "4.57.6", "5.24.0"]),
        ({"ms-swift": pin("3.10.1", implied=True)}, ["4.52.4", "4.57.6", "5.24.0"]),
        ({"ms-swift": pin("99.0")}, ["4.52.4", "4.57.6", "5.24.0"]),
    ],
)
def test_a_pinned_framework_bounds_what_is_beside_it(
    pins: dict[str, Pin], expected: list[str]
) -> None:
    known = ["4.52.4", "4.57.6", "5.24.0"]
    assert those_going_with("transformers", known, pins) == expected
    without = those_without("transformers", "5.24.0", pins)
    assert without == ([] if expected == known else list(pins))


def test_a_range_that_none_of_them_is_in_is_not_looked_at() -> None:
    assert those_going_with("trl", ["0.1.0", "1.0.0"], {"unsloth": pin("2025.10.1")}) == [
        "0.1.0",
        "1.0.0",
    ]


@each(
    ("facts", "pins", "usual", "expected"),
    [
        ({}, {}, "0.24.0", "0.24.0"),
        ({}, {"unsloth": pin("2025.10.1")}, "0.24.0", "0.23.0"),
        ({}, {"unsloth": pin("2025.10.1")}, "0.23.0", "0.23.0"),
        ({}, {"unsloth": pin("2025.3.1")}, "0.24.0", "0.24.0"),
        # Another release than those that are known, which nothing stands against.
        ({}, {"torch": pin("2.6.0")}, "9.0.0", "9.0.0"),
        ({PYTHON: Fact("3.9", "x")}, {}, "1.0.0", "0.24.0"),
        ({PYTHON: Fact("3.9", "x")}, {}, "0.24.0", "0.24.0"),
        ({PYTHON: Fact("3.9", "x")}, {}, "0.15.0", "0.15.0"),
    ],
)
def test_the_usual_release_or_the_newest(
    facts: dict[str, Fact], pins: dict[str, Pin], usual: str, expected: str
) -> None:
    assert beside_stated("trl", usual, RELEASES, facts, pins)[1] == expected
