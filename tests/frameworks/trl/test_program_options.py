"""The options of a program of the project whose parser fills classes with them."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.trl.program_options import options_of_program, unset_of_program
from cfglint.source.languages.arguments import Arguments
from tests.draws import each
from tests.linting import case_in

PROGRAM = """\
from dataclasses import dataclass
from trl import {kind}, TrlParser

@dataclass
class Own:
    my_size: int = 1
    my_switch: bool = True
    my_words: list[str] = ()
    logging_steps: str = "x"

parser = TrlParser((Own, {kind}))
args = parser.parse_args_and_config()
"""
SFT = {"train.py": PROGRAM.format(kind="SFTConfig"), ".git/HEAD": ""}


def options(
    program: str, files: Mapping[str, str] = SFT, release: str = "1.0.0"
) -> Arguments | None:
    case, _ = case_in(
        files, f"python {program}\n", name="run.sh", framework="trl", target=[f"trl=={release}"]
    )
    return options_of_program(program, case.target, case.around)


def test_fields_of_the_program_and_of_the_class() -> None:
    found = options("train.py")
    assert found is not None
    for name, key in (
        ("my_size", "my_size"),
        ("my-size", "my_size"),
        ("no_my_switch", "my_switch"),
        ("no-my-switch", "my_switch"),
        ("learning_rate", "learning_rate"),
        ("learning-rate", "learning_rate"),
        ("packing", "packing"),
    ):
        assert name in found.table
        assert found.keys.get(name, name) == key
    assert {"no_my_size", "my_other"}.isdisjoint(found.table)
    assert {"no_my_switch", "no-my-switch"} <= found.off
    assert "my_switch" not in found.off
    # A field of its own counts over that of the class.
    assert found.truths.isdisjoint({"my_size", "logging_steps"})
    assert found.table["my_words"] != found.table["my_size"]


def test_the_class_decides() -> None:
    found = {
        kind: options("train.py", {"train.py": PROGRAM.format(kind=kind), ".git/HEAD": ""})
        for kind in ("SFTConfig", "DPOConfig")
    }
    has = {kind: one is not None and "packing" in one.table for kind, one in found.items()}
    assert has == {"SFTConfig": True, "DPOConfig": False}


@each("program", ["none.py", "", "$HERE"])
def test_a_program_that_is_not_known(program: str) -> None:
    assert options(program) is None


def test_the_same_program_is_read_once() -> None:
    case, _ = case_in(SFT, "python train.py\n", name="run.sh", framework="trl")
    found = options_of_program("train.py", case.target, case.around)
    assert options_of_program("train.py", case.target, case.around) is found


@each(
    ("field", "expected"),
    [
        ("other: int = 1", {"eval_strategy", "evaluation_strategy"}),
        # The program may have another default of its own.
        ("eval_strategy: str = 'steps'", set()),
        ("evaluation_strategy: str = 'steps'", set()),
    ],
)
def test_two_names_of_one_field(field: str, expected: set[str]) -> None:
    text = SFT["train.py"].replace("my_size: int = 1", field)
    case, _ = case_in({**SFT, "train.py": text}, "x\n", name="run.sh", framework="trl")
    assert unset_of_program("train.py", case.around) == expected
    assert unset_of_program("none.py", case.around) == set()
