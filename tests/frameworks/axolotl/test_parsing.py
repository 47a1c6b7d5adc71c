"""What Axolotl makes of written values."""

from __future__ import annotations

from typing import Any

from cfglint.roles.framework import load_framework
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = load_framework("axolotl")


@each(
    ("key", "value", "expected"),
    [
        ("flash_attention", "yes", True),
        ("flash_attention", "off", False),
        ("flash_attention", 1, True),
        ("flash_attention", 0, False),
        ("flash_attention", "maybe", "maybe"),
        ("flash_attention", 2.0, 2.0),
        ("micro_batch_size", "3", 3),
        ("micro_batch_size", "2.5", "2.5"),
        ("num_epochs", "3", 3.0),
        # A whole number for another number stays as written.
        ("num_epochs", 3, 3),
        ("micro_batch_size", 2.0, 2.0),
        # A type that takes text keeps it.
        ("learning_rate", "2.5", "2.5"),
        ("base_model", "yes", "yes"),
        ("base_model", 1, 1),
        ("no_such_key", "3", "3"),
    ],
)
def test_the_value_that_is_read(key: str, value: Any, expected: Any) -> None:
    found = AXOLOTL.parsing.coerce((key,), value)
    assert (found, type(found)) == (expected, type(expected))


@each(
    ("text", "key", "noted"),
    [
        ("optimizer: adamw_torch\n", "optim_args", True),
        ("optimizer: galore_adamw\n", "optim_args", True),
        ("{}\n", "optim_args", True),
        ("optimizer: [muon]\n", "optim_args", True),
        # Axolotl's own are given what is written.
        ("optimizer: muon\n", "optim_args", False),
        ("optimizer: q_galore_adamw8bit\n", "optim_args", False),
        ("optimizer: adamw_torch\n", "learning_rate", False),
    ],
)
def test_arguments_that_are_text_in_any_case(text: str, key: str, noted: bool) -> None:
    document = language("yaml").read(SourceText(text))
    found = AXOLOTL.parsing.text_for_number((key, "eps"), document)
    assert (found is not None and found.severity == "note") is noted
