"""Keys that Axolotl drops and nothing is lost by it: harmless. All of them were seen in real files."""

from __future__ import annotations

import pytest

from cfglint import lint_text
from tests.draws import each

BASE = """\
base_model: Qwen/Qwen3-8B
datasets:
  - path: ./data/tickets.jsonl
    type: alpaca
    {entry}
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 3
learning_rate: 0.00001
optimizer: adamw_torch
adapter: qlora
load_in_4bit: true
lora_r: 16
lora_alpha: 32
lora_target_linear: true
output_dir: ./out
seed: 42
{line}
"""


def found(line: str = "", entry: str = "split: train", release: str = "0.18.0") -> set[str]:
    """`CODE severity` of what is found; what is harmless is found by those who ask."""
    text = BASE.format(line=line, entry=entry)
    target, select = [f"axolotl=={release}"], ["KEY", "YML"]
    report = lint_text(text, target=target, select=select)
    asked = lint_text(text, target=target, select=select, min_confidence="low")
    shown = {d.key for d in report.diagnostics}
    assert shown == {d.key for d in asked.diagnostics if not d.harmless}
    return {f"{d.code} {'harmless' if d.harmless else d.severity}" for d in asked.diagnostics}


@each(
    ("line", "expected"),
    [
        ("bnb_4bit_quant_type: nf4", "KEY002 harmless"),
        ("bnb_4bit_quant_type: fp4", "KEY002 error"),
        ("eval_table_max_new_tokens: 256", "KEY002 note"),
        ("wandb_run_name: first", "KEY002 warning"),
        ("report_to: wandb", "KEY002 warning"),
        # Nor with what only makes it slower.
        ("preprocessing_num_workers: 8", "KEY002 warning"),
        ("per_device_eval_batch_size: 4", "KEY002 warning"),
        ("lora_bias: none", "KEY002 harmless"),
        ("data_seed: 42", "KEY002 harmless"),
        ("data_seed: 7", "KEY002 warning"),
        ("cutoff_len: 512", "KEY002 warning"),
        ("epochs: 3", "KEY002 harmless"),
        ("push_adapter_to_hub: true", "KEY001 warning"),
        ("gradient_checkpointin: true", "KEY001 error"),
        ("gradient_checkpointin: false", "KEY001 note"),
        # A switch is not meant by a number.
        ("gradient_checkpointin: 40", "KEY001 warning"),
        ("push_adapter_to_hub: false", "KEY001 harmless"),
        ("train_on_inputs: false\ntrain_on_inputs:", "YML020 note"),
        ("train_on_inputs: true\ntrain_on_inputs:", "YML020 warning"),
    ],
)
def test_at_the_top(line: str, expected: str) -> None:
    assert found(line) == {expected}


def test_a_number_that_is_converted_is_reported_to_those_who_ask() -> None:
    text = BASE.format(line="optim_args:\n  eps: 1e-8", entry="split: train")
    assert [d.code for d in lint_text(text).diagnostics if d.code == "YML021"] == []
    (note,) = lint_text(text, select=["YML021"]).diagnostics
    assert note.severity == "note"


def test_arguments_of_an_optimizer_of_axolotl_are_not_converted() -> None:
    text = BASE.format(line="optim_args:\n  eps: 1e-8", entry="split: train")
    report = lint_text(text.replace("adamw_torch", "came_pytorch"), select=["YML021"])
    assert [d.severity for d in report.diagnostics] == ["error"]


@each(
    ("entry", "release", "expected"),
    [
        ("field_instruction: instruction", "0.18.0", "KEY002 harmless"),
        ("field_instruction: question", "0.18.0", "KEY002 error"),
        ("train_on_split: train", "0.18.0", "KEY005 harmless"),
        ("train_on_split: train_sft", "0.18.0", "KEY005 error"),
        ("field_chosen: chosen", "0.12.2", "KEY006 harmless"),
        ("field_chosen: better", "0.12.2", "KEY006 error"),
    ],
)
def test_in_an_entry_of_the_data(entry: str, release: str, expected: str) -> None:
    assert found(entry=entry, release=release) == {expected}


def test_keys_that_the_evaluation_command_reads_need_no_plugin() -> None:
    assert found("lm_eval_tasks: [gsm8k]") == set()
    assert found("lm_eval_post_train: true") == {"KEY004 error"}


@each(
    ("fsdp", "config", "hint", "safety"),
    [
        ("[]", "", "It asks for nothing and can be deleted.", "safe"),
        (
            "[]",
            "{activation_checkpointing: true}",
            "It asks for nothing and can be deleted.",
            "safe",
        ),
        ("[full_shard]", "{activation_checkpointing: true}", "is set as well", "unsafe"),
        ("[full_shard]", "", "Use `fsdp_config`.", None),
    ],
)
def test_a_removed_key_beside_the_one_that_took_its_place(
    fsdp: str, config: str, hint: str, safety: str | None
) -> None:
    text = BASE.format(line=f"fsdp: {fsdp}\nfsdp_config: {config}", entry="split: train")
    (finding,) = lint_text(text, target=["axolotl==0.21.0"], select=["KEY005"]).diagnostics
    assert hint in finding.message
    assert [fix.safety for fix in finding.fixes] == ([safety] if safety else [])


@each(
    ("line", "release", "severity", "words"),
    [
        ("fsdp: [full_shard]", None, "warning", "Axolotl 0.20.0 and later refuse the file"),
        ("fsdp: full_shard", None, "warning", "Axolotl 0.20.0 and later refuse the file"),
        ("fsdp: [full_shard]", "0.20.0", "error", "Axolotl refuses the file"),
        ("fsdp: []", None, "note", "silently"),
        ("unsloth_rope: true", None, "warning", "Axolotl 0.17.0 and later refuse the file"),
        ("unsloth_rope: false", None, "note", "silently"),
        # One that is only dropped may be for a release that has it.
        ("train_on_split: a", None, "warning", "warns and ignores it"),
    ],
)
def test_a_removed_key_that_is_refused_is_an_error_where_the_release_is_stated(
    line: str, release: str | None, severity: str, words: str
) -> None:
    top = line if not line.startswith("train_on_split") else ""
    text = BASE.format(line=top, entry="split: train" if top else line)
    target = [f"axolotl=={release}"] if release else []
    (finding,) = lint_text(text, target=target, select=["KEY005"]).diagnostics
    assert finding.severity == severity
    assert words in finding.message


@pytest.mark.parametrize(("line", "release"), [("fsdp:", None), ("fsdp: [full_shard]", "0.19.0")])
def test_keys_that_the_release_reads_and_placeholders(line: str, release: str | None) -> None:
    text = BASE.format(line=line, entry="split: train")
    target = [f"axolotl=={release}"] if release else []
    assert not lint_text(text, target=target, select=["KEY005"]).diagnostics


def test_a_name_that_comes_later_is_no_fix() -> None:
    text = BASE.format(line="_attn_implementation: sdpa", entry="split: train")
    (finding,) = lint_text(text, target=["axolotl==0.9.2"], select=["KEY"]).diagnostics
    assert "Since 0.12.0" in finding.message
    assert not finding.fixes


def test_a_number_is_not_meant_for_a_switch_nor_a_switch_for_a_number() -> None:
    for line in ("gradient_checkpointin: 40", "gradient_accumulation_step: true"):
        text = BASE.format(line=line, entry="split: train")
        (finding,) = lint_text(text, select=["KEY001"]).diagnostics
        assert "Did you mean" not in finding.message
        assert not finding.fixes
