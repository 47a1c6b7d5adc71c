"""A prefix for a model that already recomputes its activations."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from peft import PrefixTuningConfig, get_peft_model
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("facebook/opt-125m")
model.gradient_checkpointing_enable()
config = PrefixTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=30)
model = get_peft_model(model, config)
"""


def found(text: str, release: str = "0.14.0") -> list[int]:
    linter = Linter(target=[f"peft=={release}"], settings=False, select=["TRP845"])
    return [one.start.line for one in linter.lint(text, "train.py").diagnostics]


@each(
    ("old", "new", "lines"),
    [
        ("", "", [5]),
        ("(model, config)", "(peft_config=config, model=model)", [5]),
        ("get_peft_model(model, config)", "get_peft_model(model, config).cuda()", []),
        ("config = Pre", "if flag:\n    model.gradient_checkpointing_disable()\nconfig = Pre", []),
        ("config = Pre", "model.gradient_checkpointing_disable()\nconfig = Pre", []),
        ("config = Pre", "model = load()\nconfig = Pre", []),
        ("config = Pre", "model: Model = load()\nconfig = Pre", []),
        ("config = Pre", "if flag:\n    model = load()\nconfig = Pre", []),
        ("config = Pre", "if flag:\n    config = load()\nconfig = Pre", []),
        ("config = Pre", "if flag:\n    other = load()\nconfig = Pre", [5]),
        ("model.grad", "other.grad", []),
        ("model.grad", "if flag:\n    model.grad", []),
        ("(model, config)", "(model, config_of(options))", []),
        ("import Prefix", "import LoraConfig as Prefix", []),
        ("from peft", "import unsloth\nfrom peft", []),
    ],
)
def test_the_order_of_the_calls_decides(old: str, new: str, lines: list[int]) -> None:
    assert found(PROGRAM.replace(old, new, 1) if old else PROGRAM) == lines


def test_functions_count_by_themselves() -> None:
    body = "".join(f"    {line}\n" for line in PROGRAM.splitlines()[3:])
    assert found(f"{PROGRAM.partition('model =')[0]}def load():\n{body}") == [6]


def test_releases() -> None:
    assert (found(PROGRAM, "0.13.2"), found(PROGRAM, "0.14.0")) == ([], [5])
