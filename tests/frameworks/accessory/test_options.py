"""The options of LLaMA2-Accessory's programs, and what a command makes of them."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.frameworks.accessory.options import (
    arguments_of,
    kind_of,
    launcher_value,
    value_of,
    whole,
)
from cfglint.roles.framework import load_framework
from cfglint.source.document import Mapping
from cfglint.source.text import SourceText
from tests.draws import each

PROGRAM = "torchrun --nproc_per_node 8 main_finetune.py"


def root(script: str) -> Mapping:
    return load_framework("accessory").parsing.language.read(SourceText(script + "\n")).root


@each(
    ("script", "kind"),
    [
        (f"{PROGRAM} --epochs 2", "finetune"),
        ("torchrun a/b/main_pretrain.py --epochs 2", "pretrain"),
        ("torchrun $WHERE/main_finetune.py --epochs 2", "finetune"),
    ],
)
def test_the_program_of_a_script(script: str, kind: str) -> None:
    assert kind_of(root(script)) == kind


def test_programs_of_others_have_no_options() -> None:
    assert arguments_of("main.py") is None
    assert arguments_of("main_finetune.py") is not None


@each(
    ("words", "name", "expected"),
    [
        ("--epochs 2", "epochs", 2),
        ("--epochs=2", "epochs", 2),
        ("--lr 1e-4", "lr", 1e-4),
        ("--epochs 1 --epochs 3", "epochs", 3),
        # By default.
        ("--lr 1", "epochs", 400),
        ("--lr 1 $MORE", "epochs", UNKNOWN),
        ("--epochs $N", "epochs", UNKNOWN),
        ("--epochs two", "epochs", UNKNOWN),
        ("--epochs 2.5", "epochs", UNKNOWN),
        ("--llama_config a.json b.json", "llama_config", ["a.json", "b.json"]),
        ("--llama_config a.json $B", "llama_config", UNKNOWN),
        ("--quant", "quant", True),
        ("--lr 1", "quant", False),
        ("--lr 1", "no_such_option", None),
        ("--no_such_option 1", "no_such_option", None),
    ],
)
def test_the_value_of_an_option(words: str, name: str, expected: Any) -> None:
    found = value_of(root(f"{PROGRAM} {words}"), name)
    assert found is expected if expected is UNKNOWN else found == expected


@each(
    ("value", "expected"),
    [(3, 3), (0, 0), (True, None), (False, None), (3.0, None), ("3", None), (None, None)],
)
def test_whole_numbers(value: Any, expected: int | None) -> None:
    assert whole(value) == expected


@each(
    ("before", "expected"),
    [
        ("--nproc_per_node 8", "8"),
        ("--nproc-per-node 8", "8"),
        ("--nproc_per_node=$N", UNKNOWN),
        ("--nnodes 2", None),
        ("", None),
        ("$OPTIONS", UNKNOWN),
    ],
)
def test_options_of_the_launcher(before: str, expected: Any) -> None:
    found = launcher_value(
        root(f"torchrun {before} main_finetune.py --lr 1"), "nproc_per_node", "nproc-per-node"
    )
    assert found is expected if expected in (UNKNOWN, None) else str(found) == expected


def test_a_program_without_a_launcher() -> None:
    assert launcher_value(root("python main_finetune.py --lr 1"), "nproc_per_node") is None
