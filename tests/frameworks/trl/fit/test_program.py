"""What is known of the memory of a program's run, and how changes are said."""

from __future__ import annotations

from cfglint.frameworks.for_files import variant
from cfglint.frameworks.trl.fit.program import ProgramPlanner
from cfglint.frameworks.trl.joined_calls import joined
from cfglint.roles.framework import load_framework
from cfglint.runs.memory.terms import bound
from cfglint.source.document import Mapping
from tests.draws import each
from tests.linting import case_in

PROGRAM = """\
from trl import SFTConfig, SFTTrainer
args = SFTConfig(output_dir="out", bf16=True{more})
trainer = SFTTrainer(model={model}, args=args, train_dataset=rows)
trainer.train()
"""
MODEL = '"NousResearch/Meta-Llama-3-8B"'
#: Parameters of that model.
SIZE = 8_030_261_248


def planner(more: str = "", model: str = MODEL) -> ProgramPlanner:
    text = PROGRAM.format(more=more, model=model)
    case, source = case_in(
        {".git/HEAD": ""}, text, name="train.py", framework="trl_programs", target=["trl==1.9.0"]
    )
    program = case.framework.language.read(source)
    sections = (entry.value.target() for entry in program.root.entries)
    runs = (joined(program.section(one)) for one in sections if isinstance(one, Mapping))
    calls = next(run for run in runs if run is not None)
    readings = variant(load_framework("trl"), kind="trl.SFTConfig").readings
    found = readings.planner(calls, case.target, case.around)
    assert isinstance(found, ProgramPlanner)
    return found


def test_a_run_whose_model_is_known() -> None:
    found = planner().run(1)
    assert found is not None
    assert round(bound(found).total / SIZE) == 8


@each(
    ("more", "accumulates"),
    [
        ("", False),
        (", gradient_accumulation_steps=4", True),
        (", gradient_accumulation_steps=1", False),
        # A step is the least that is certain.
        (", gradient_accumulation_steps=steps", False),
    ],
)
def test_what_is_known_only_when_it_runs(more: str, accumulates: bool) -> None:
    found = planner(more).run(1)
    assert found is not None
    assert found.accumulates is accumulates


@each(
    ("title", "said"),
    [
        ("`use_peft: true`", "an adapter (`peft_config=LoraConfig(…)`)"),
        ("`dtype: bfloat16`", "`dtype=torch.bfloat16` for the model"),
        ("`optim: adamw_8bit`", '`optim="adamw_8bit"`'),
        ("`per_device_train_batch_size: 1`", "`per_device_train_batch_size=1`"),
    ],
)
def test_changes_are_said_as_calls(title: str, said: str) -> None:
    assert planner().spelling(title) == said


def test_both_spellings_of_two_changes_are_one() -> None:
    found = planner().spelling
    assert found("`use_peft` with `load_in_4bit: true`") == found(
        "`use_peft: true` and `load_in_4bit: true`"
    )


def test_an_unknown_length_or_batch_is_no_error() -> None:
    assert planner(", max_length=length").run(1) is not None
    assert list(planner(", per_device_train_batch_size=size").measures(1)) == []
