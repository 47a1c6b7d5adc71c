"""The classes of Unsloth that extend TRL's."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

PROGRAM = """\
from unsloth import FastLanguageModel, UnslothTrainer, UnslothTrainingArguments
model, tokenizer = FastLanguageModel.from_pretrained("a/b", max_seq_length=2048)
args = UnslothTrainingArguments({words})
UnslothTrainer(model=model, tokenizer=tokenizer, train_dataset=None, args=args).train()
"""
OWN = "output_dir='o', embedding_learning_rate=1e-5, q_galore_config=None"
REFUSED = "eval_strategy='steps', load_best_model_at_end=True, save_strategy='epoch'"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (OWN, []),
        (f"{OWN}, {REFUSED}", ["TRL002"]),
        # The first that is given without a name is its own.
        (f"1e-5, None, 'o', {REFUSED}", []),
        # What a patched class takes beside its own keywords is not known.
        (f"{OWN}, made_up=1", []),
    ],
)
def test_keywords(tmp_path: Path, words: str, expected: list[str]) -> None:
    program = tmp_path / "train.py"
    program.write_text(PROGRAM.format(words=words))
    report = lint_file(program, target=["transformers==4.50.0", "trl==0.15.2"])
    assert report.framework == "trl_programs"
    found = [one.code for one in report.diagnostics if one.severity != "note"]
    assert found == expected


CALL = """\
import unsloth
from trl import GRPOConfig, GRPOTrainer
args = GRPOConfig(output_dir="o", kl_coef=0.1, vllm_sampling_params=None, unsloth_num_chunks=4)
GRPOTrainer(model="a/b", args=args, reward_funcs=print, train_dataset=None, kl_coef=0.1).train()
"""


@pytest.mark.parametrize(
    ("unsloth", "reaction"),
    [
        ("", "Unsloth warns and ignores it"),
        ("unsloth==2026.10.9\n", "Unsloth warns and ignores it"),
        ("unsloth==2026.8.11\n", "Unsloth warns and ignores it"),
        ("unsloth==2026.8.10\n", "`GRPOConfig` refuses the call"),
    ],
)
def test_older_name(
    tmp_path: Path, unsloth: str, reaction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("train.py").write_text(CALL)
    Path("requirements.txt").write_text(f"trl==0.27.0\ntransformers==4.57.1\n{unsloth}")
    (found,) = (one for one in lint_file("train.py").diagnostics if one.code.startswith("KEY"))
    assert (found.code, found.severity) == ("KEY002", "error")
    assert reaction in found.message


@pytest.mark.parametrize(
    ("imported", "unsloth", "is_found"),
    [
        ("unsloth", [], False),
        ("unsloth", ["unsloth==2025.11.4"], False),
        ("unsloth", ["unsloth==2025.8.7"], True),
        ("os", [], True),
    ],
)
def test_the_length_that_it_gives_each_config(
    tmp_path: Path, imported: str, unsloth: list[str], *, is_found: bool
) -> None:
    program = tmp_path / "train.py"
    program.write_text(
        f"import {imported}\nfrom trl import DPOConfig\nargs = DPOConfig('o', max_seq_length=2048)\n"
    )
    report = lint_file(program, target=["trl==0.19.1", "transformers==4.53.0", *unsloth])
    codes = [one.code for one in report.diagnostics if one.code.startswith("KEY")]
    assert codes == ["KEY002"] * is_found
