"""What the options of a launch line lay over a file whose keys are arguments."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.roles.argument_words import overrides
from cfglint.roles.framework import load_framework
from cfglint.runs.settings.words import Override
from cfglint.runs.starts.commands import read
from cfglint.runs.starts.start import Start
from tests.draws import each

TABLE = load_framework("trl").keys
LINE = "trl sft --config x.yaml "


def line_of(words: str) -> Start:
    (found,) = read("/x/run.sh", LINE + words)
    return found


def given(words: str, *, with_open: bool = False) -> list[Override]:
    return [*overrides(line_of(words), TABLE, with_open=with_open)]


@each(
    ("words", "values"),
    [
        ("", {}),
        ("--learning_rate 1e-5", {"learning_rate": 1e-5}),
        ("--learning-rate=1e-5", {"learning_rate": 1e-5}),
        ("--max_steps 5 --output_dir out", {"max_steps": 5, "output_dir": "out"}),
        ("--packing", {"packing": True}),
        ("--packing --max_steps 5", {"packing": True, "max_steps": 5}),
        ("--packing false", {"packing": False}),
        ("--no_packing", {"packing": False}),
        ("--no-packing", {"packing": False}),
        ("--lora_target_modules q_proj v_proj", {"lora_target_modules": ["q_proj", "v_proj"]}),
        ("--lora_target_modules", {}),
        ("--output_dir", {}),
        # The beginning of a name is enough where it is that of one alone.
        ("--packing_str bfd", {"packing_strategy": "bfd"}),
        ("--learning_rat 1", {"learning_rate": 1}),
        ("--lora 1", {}),
        # What no release has is refused as such a key is.
        ("--made_up 5", {"made_up": "5"}),
        ("--made_up", {"made_up": True}),
        ("--no_made_up", {}),
        ("--no_packing_at_all 5", {}),
        # What is none of its options.
        ("--config y.yaml --help", {}),
        ("more --1 2 -x 3 ---y 4 -- 5", {}),
        ("--max_steps $N", {}),
        ("--max_steps=$N --packing", {"packing": True}),
    ],
)
def test_the_values(words: str, values: dict[str, Any]) -> None:
    assert {one.path[0]: one.value for one in given(words)} == values
    assert all(len(one.path) == 1 for one in given(words))


@each(
    ("words", "shown"),
    [
        ("--max_steps 5 --packing", ["--max_steps 5", "--packing"]),
        ("--max_steps=5 --made_up", ["--max_steps=5", "--made_up"]),
        ("--lora_target_modules q v x.y --packing", ["--lora_target_modules q v x.y", "--packing"]),
    ],
)
def test_the_places(words: str, shown: list[str]) -> None:
    assert [(LINE + words)[one.start : one.end] for one in given(words)] == shown


def test_values_that_the_line_leaves_open() -> None:
    words = "--max_steps $N --made_up $X --learning_rate 1"
    found = given(words, with_open=True)
    assert [(one.path, one.value) for one in found] == [
        (("max_steps",), UNKNOWN),
        (("learning_rate",), 1),
    ]
    assert (LINE + words)[found[0].start : found[0].end] == "--max_steps $N"


def test_options_of_another_program_are_left_to_it() -> None:
    line = line_of("--made_up 5 --other 6 --max_steps 7")
    found = overrides(line, TABLE, lambda key: key == "made_up")
    assert [one.path for one in found] == [("other",), ("max_steps",)]
