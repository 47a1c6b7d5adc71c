"""Releases that a program surely runs with."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from cfglint.environment.pins import Pin
from cfglint.frameworks.trl_programs.stated import stated, surely
from tests.draws import each


def context(**pins: Pin) -> Any:
    return SimpleNamespace(target=SimpleNamespace(pins=pins))


def pin(version: str | None = None, **fields: Any) -> Pin:
    return Pin(version, None, "requirements.txt line 1").replaced(**fields)


@each(
    ("found", "expected"),
    [
        (pin("4.57.1"), True),
        (pin("5.0.0"), False),
        (pin(spec="<5"), True),
        (pin(spec=">=4.50"), False),
        (pin(spec=">=99"), False),
        (pin(), False),
        # What is derived is not stated.
        (pin("4.57.1", inferred=True), False),
        (pin("4.57.1", implied=True), False),
        (pin("4.57.1", fork="a/b"), False),
        (pin(spec="<5", inferred=True), False),
    ],
)
def test_a_package(found: Pin, expected: bool) -> None:
    assert surely(context(transformers=found), "transformers", "<5.0.0") is expected


def test_others() -> None:
    assert not surely(context(), "transformers", "<5.0.0")
    # Of which releases another package has is not known.
    assert not surely(context(peft=pin(spec="<1")), "peft", "<5.0.0")
    assert surely(context(peft=pin("0.17.0")), "peft", "<5.0.0")
    assert surely(context(trl=pin(spec="<0.12")), "trl", "<0.12.0")
    assert "4.57.1" in stated(context(transformers=pin("4.57.1")), "transformers")
