"""Keys that Axolotl does not read, with values that ask for what it does anyway."""

from __future__ import annotations

import pytest

from cfglint import Linter

CONFIG = """\
base_model: acme/small
adapter: qlora
load_in_4bit: true
bf16: auto
datasets:
  - path: notes.jsonl
    type: alpaca
sequence_len: 512
micro_batch_size: 1
gradient_accumulation_steps: 1
learning_rate: 0.0001
"""


@pytest.mark.parametrize(
    ("added", "severities"),
    [
        ("do_eval: true\nval_set_size: 0.1\n", []),
        ("do_eval: true\n", ["warning"]),
        ("do_eval: true\ntest_datasets: [{path: x.jsonl, type: alpaca}]\n", []),
        ("push_to_hub: true\nhub_model_id: a/b\n", []),
        ("push_adapter_to_hub: true\nhub_model_id: a/b\n", []),
        ("push_to_hub: true\n", ["error"]),
        ("push_to_hub: false\nhub_model_id: a/b\n", ["warning"]),
        ("bnb_4bit_compute_dtype: bfloat16\n", []),
        ("bnb_4bit_compute_dtype: torch.bfloat16\n", []),
        ("bnb_4bit_compute_dtype: float32\n", ["warning"]),
        ("bnb_4bit_compute_dtype: float16\n", ["warning"]),
        ("bnb_4bit_compute_dtype: 16\n", ["warning"]),
        ("quantization_config:\n  llm_int8_threshold: 6.0\n", []),
        ("quantization_config:\n  llm_int8_threshold: 5.0\n", ["warning"]),
        ("quantization_config:\n  llm_int8_has_fp16_weight: false\n", []),
        ("quantization_config:\n  llm_int8_has_fp16_weight: true\n", ["warning"]),
        ("quantization_config:\n  bnb_4bit_use_double_quant: true\n", []),
        ("quantization_config:\n  bnb_4bit_use_double_quant: false\n", ["warning"]),
        ("quantization_config:\n  bnb_4bit_compute_dtype: bfloat16\n", []),
        ("quantization_config:\n  bnb_4bit_compute_dtype: [a]\n", ["warning"]),
        ("quantization_config:\n  load_in_4bit: true\n  bnb_4bit_quant_type: nf4\n", []),
        ("quantization_config:\n  bnb_4bit_quant_type: fp4\n", ["warning"]),
        ("quantization_config: bitsandbytes\n", ["warning"]),
        ("special_tokens:\n  eot_tokens: ['<|end|>']\n", ["note"]),
    ],
)
def test_the_key(added: str, severities: list[str]) -> None:
    found = Linter(framework="axolotl", select=["KEY"]).lint(CONFIG + added).diagnostics
    shown = [one.severity for one in found if not one.harmless]
    assert shown == severities


def test_rows_are_mixed_anyway() -> None:
    text = CONFIG.replace("type: alpaca", "type: alpaca\n    shuffle: true")
    found = Linter(framework="axolotl", select=["KEY"]).lint(text).diagnostics
    assert all(one.harmless for one in found)
    kept = Linter(framework="axolotl", select=["KEY"]).lint(
        f"{text}shuffle_merged_datasets: false\n"
    )
    assert [one.severity for one in kept.diagnostics] == ["warning"]


@pytest.mark.parametrize(
    ("share", "release", "severities"),
    [(0.9, "0.20.0", []), (0.8, "0.20.0", ["error"]), (0.9, "0.21.0", ["error"])],
)
def test_the_share_of_a_gpu_for_vllm(share: float, release: str, severities: list[str]) -> None:
    added = f"rl: grpo\ntrl:\n  use_vllm: true\n  vllm: {{vllm_gpu_memory_utilization: {share}}}\n"
    linter = Linter(settings=False, select=["KEY003"], target=[f"axolotl=={release}"])
    found = linter.lint(CONFIG + added, "train.yml").diagnostics
    assert [one.severity for one in found if one.severity != "note"] == severities
