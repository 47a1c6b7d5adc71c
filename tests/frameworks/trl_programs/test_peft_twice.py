"""Models with an adapter that a trainer is given together with another config."""

from __future__ import annotations

import pytest

from cfglint import Linter

START = """\
from peft import LoraConfig, get_peft_model
from trl import KTOTrainer, SFTTrainer
config = LoraConfig(r=8)
"""
WRAPPED = "model = load()\nmodel = get_peft_model(model, config)\n"
TRAINED = "trainer = SFTTrainer(model=model, peft_config=config)\n"


def found(program: str, release: str = "0.29.1") -> list[str]:
    linter = Linter(target=[f"trl=={release}"], settings=False, select=["TRP003"])
    return [one.code for one in linter.lint(START + program, "train.py").diagnostics]


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    "program",
    [
        WRAPPED + TRAINED,
        "model = get_peft_model(load(), config)\nprint(model)\n" + TRAINED,
        "model = get_peft_model(load(), config)\nSFTTrainer(model, peft_config=LoraConfig()).train()\n",
        "def main():\n" + _indented(WRAPPED + TRAINED),
        'if __name__ == "__main__":\n' + _indented(WRAPPED + TRAINED),
    ],
)
def test_both(program: str) -> None:
    assert found(program) == ["TRP003"]
    assert found(program, "0.24.0") == []


@pytest.mark.parametrize(
    "program",
    [
        WRAPPED,
        WRAPPED + "SFTTrainer(model=model)\n",
        WRAPPED + "SFTTrainer(model=model, peft_config=None)\n",
        WRAPPED + "SFTTrainer(model=model, peft_config=config if x else None)\n",
        WRAPPED + "model = model.merge_and_unload()\n" + TRAINED,
        WRAPPED + "if x:\n    model = load()\n" + TRAINED,
        "model = load()\nif x:\n    model = get_peft_model(model, config)\n" + TRAINED,
        "def get_peft_model(*_): pass\n" + WRAPPED + TRAINED,
        WRAPPED + "KTOTrainer(model=model, peft_config=config)\n",
        "import unsloth\n" + WRAPPED + TRAINED,
    ],
)
def test_one_of_them(program: str) -> None:
    assert found(program) == []
