"""A word that LLaMA-Factory only compares is a warning; one that it looks up, or transformers, an error."""

from __future__ import annotations

import pytest

from tests.draws import each
from tests.linting import lint

_BASE = """\
model_name_or_path: Qwen/Qwen3-8B
template: qwen3
stage: dpo
do_train: true
finetuning_type: lora
dataset: pairs
output_dir: ./out
"""


def found(text: str) -> dict[str, str]:
    """Code and severity of each finding."""
    reported = lint(_BASE + text, target=["llamafactory==0.9.5"], framework="llamafactory")
    return {one.code: one.severity for one in reported}


@pytest.mark.parametrize("key", ["mixture_of_depths", "rope_scaling", "pref_loss"])
def test_a_compared_word_may_be_ignored(key: str) -> None:
    assert found(f"{key}: foo\n") == {"TYP002": "warning"}


@each("key", ["flash_attn", "save_strategy", "lr_scheduler_type", "optim"])
def test_a_word_that_is_looked_up_is_refused(key: str) -> None:
    assert found(f"{key}: foo\n")["TYP002"] == "error"


@pytest.mark.parametrize("line", ["galore_update_interval: 1.5", "apollo_proj: foo"])
def test_settings_of_an_optimizer_need_its_switch(line: str) -> None:
    assert not {"TYP001", "TYP002"} & set(found(line + "\n"))
    switch = "use_" + line.partition("_")[0]
    judged = found(f"{line}\n{switch}: true\noptim: adamw_torch\n")
    assert {"TYP001", "TYP002"} & set(judged)
