"""What follows from the call of a class, and from the commands that start its program."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.trl.call_readings import CallReadings
from cfglint.knowledge.rules.views import View
from cfglint.roles.framework import load_framework
from cfglint.roles.parts import Asked
from cfglint.source.document import Mapping
from tests.draws import each
from tests.linting import case_in

PROGRAM = """\
from trl import SFTConfig, SFTTrainer
args = SFTConfig(output_dir="out")
"""


def derived(name: str, text: str = PROGRAM, kind: str = "trl.SFTConfig", **files: str) -> Any:
    """A derived value of the first call of a program."""
    every = {".git/HEAD": "", **{one.replace("_", "."): text for one, text in files.items()}}
    case, source = case_in(every, text, name="train.py", framework="trl_programs")
    program = case.framework.language.read(source)
    section = program.root.entries[0].value.target()
    assert isinstance(section, Mapping)
    readings = variant(load_framework("trl"), kind=kind).readings
    assert isinstance(readings, CallReadings)
    view = View(program.section(section))
    return readings.derived(name, view, Asked(case.target, case.around), assume=False)


START = "accelerate launch --num_processes {} train.py\n"


@each(
    ("script", "processes", "launcher"),
    [
        (START.format(4), 4, "accelerate"),
        # The fewest of several commands count, where each says how many it starts.
        (START.format(4) + START.format(2), 2, "accelerate"),
        (START.format(4) + START.format("$N"), UNKNOWN, "accelerate"),
        ("torchrun --nproc_per_node 8 train.py\n", 8, "torchrun"),
        (f"torchrun --nproc_per_node 8 train.py\n{START.format(4)}", 4, UNKNOWN),
        ("accelerate launch --num_processes 4 other.py\n", UNKNOWN, UNKNOWN),
        ("", UNKNOWN, UNKNOWN),
    ],
)
def test_commands_that_start_the_program(script: str, processes: Any, launcher: Any) -> None:
    assert derived("processes", run_sh=script) == processes
    assert derived("launcher", run_sh=script) == launcher


@each(
    ("kind", "name", "expected"),
    [
        ("trl.SFTConfig", "call", "trl.SFTConfig"),
        ("trl.SFTConfig", "adapter", "trl.SFTConfig"),
        ("trl.SFTConfig", "command", "sft"),
        ("trl.DPOConfig", "command", "dpo"),
        ("peft.LoraConfig", "command", UNKNOWN),
        ("trl.SFTConfig", "trainer", None),
        ("trl.SFTConfig", "extended", UNKNOWN),
        ("trl.SFTConfig", "patched", False),
    ],
)
def test_the_class_that_is_called(kind: str, name: str, expected: Any) -> None:
    found = derived(name, kind=kind)
    assert found is expected or found == expected


def test_a_program_with_patched_classes() -> None:
    assert derived("patched", f"import unsloth\n{PROGRAM}") is True
