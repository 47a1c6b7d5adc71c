"""What LLaMA2-Accessory's programs make of a word."""

from __future__ import annotations

from typing import Any

from cfglint.engine.case import Case
from cfglint.roles.framework import load_framework
from tests.draws import each
from tests.linting import case_in


def case(words: str = "") -> Case:
    text = f"torchrun main_finetune.py --llama_type llama {words}\n"
    return case_in({}, text, name="run.sh", framework="accessory")[0]


@each(
    ("key", "value", "expected"),
    [
        ("epochs", "2", 2),
        ("epochs", "2.5", "2.5"),
        ("lr", "2e-5", 2e-5),
        ("lr", "x", "x"),
        ("lr", 1, 1),
        ("output_dir", "2", "2"),
        ("no_such_option", "2", "2"),
    ],
)
def test_a_word_as_the_number_of_its_type(key: str, value: Any, expected: Any) -> None:
    found = case().framework.parsing.coerce((key,), value)
    assert (found, type(found)) == (expected, type(expected))


def test_kinds_that_know_no_option() -> None:
    # Only the kinds for a program have its options.
    assert load_framework("accessory").parsing.coerce(("no_such_option",), "2") == "2"
