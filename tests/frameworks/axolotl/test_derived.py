"""What follows from several settings: the attention, how the run is divided, its batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cfglint.frameworks.axolotl.derived import DERIVED
from tests.draws import each
from tests.frameworks.deriving import derived

BASE = "base_model: a/b\n"


def values(
    names: str, text: str, release: str = "0.18.0", files: Mapping[str, str] = {}
) -> list[Any]:
    target = (f"axolotl=={release}",) if release else ()
    return derived(
        DERIVED,
        names.split(),
        BASE + text,
        framework="axolotl",
        name="train.yml",
        target=target,
        files=files,
    )


@each(
    ("names", "text", "expected"),
    [
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "",
            [None, None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "attn_implementation: sdpa\nflash_attention: true\n",
            ["sdpa", None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "flash_attention: true\nsdp_attention: true\n",
            ["flash_attention_2", None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "s2_attention: true\neager_attention: true\nflash_attention: false\n",
            ["s2", None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "xformers_attention: true\nflash_attention: true\n",
            ["xformers", None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp: [full_shard]\n",
            [None, 1, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp_config: {offload_params: true}\n",
            [None, 1, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp_config: {fsdp_version: 2}\n",
            [None, 2, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp_config: {version: 2}\n",
            [None, 2, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp_version: 2\nfsdp: [full_shard]\n",
            [None, 2, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp_version: 2\n",
            [None, None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: ds/zero3.json\n",
            [None, None, 3, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: mine.json\n",
            [None, None, "unknown", "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: {zero_optimization: {stage: 2}}\n",
            [None, None, 2, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: {zero_optimization: {}}\n",
            [None, None, "unknown", "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: {zero_optimization: {stage: x}}\n",
            [None, None, "unknown", "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: ds_z2_offload.json\n",
            [None, None, 2, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: stage-1\n",
            [None, None, 1, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "micro_batch_size: 2\ngradient_accumulation_steps: 4\n",
            [None, None, None, 8, None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "micro_batch_size: 2\n",
            [None, None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "micro_batch_size: x\ngradient_accumulation_steps: 4\n",
            [None, None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "wandb_project: '{{ project }}'\n",
            [None, None, None, "missing", "{{ project }}"],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "datasets:\n  - path: <your dataset>\n",
            [None, None, None, "missing", "<your dataset>"],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "hub_model_id: your_name/model\noutput_dir: change_me\n",
            [None, None, None, "missing", "your_name/model"],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "special_tokens: {eos_token: '<|im_end|>', unk_token: '<unk>'}\n",
            [None, None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "a: yours\nb: fill it\nc: replace-this\n",
            [None, None, None, "missing", "replace-this"],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyour_name\n",
            [None, None, None, "missing", None],
        ),
    ],
)
def test_values(names: str, text: str, expected: Sequence[Any]) -> None:
    assert values(names, text) == expected


@each(
    ("names", "text", "release", "files", "expected"),
    [
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "attn_implementation: sdpa\nflash_attention: true\n",
            "0.10.0",
            {},
            ["flash_attention_2", None, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp_version: 2\nfsdp: [full_shard]\n",
            "0.10.0",
            {},
            [None, 1, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp: [full_shard]\n",
            "0.20.0",
            {},
            [None, 2, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp: [full_shard]\n",
            "0.19.0",
            {},
            [None, 1, None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp: [full_shard]\n",
            "",
            {},
            [None, "unknown", None, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: mine.json\n",
            "0.18.0",
            {"mine.json": '{"zero_optimization": {"stage": 1}}'},
            [None, None, 1, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "deepspeed: zero3.json\n",
            "0.18.0",
            {"zero3.json": '{"zero_optimization": {"stage": 1}}'},
            [None, None, 1, "missing", None],
        ),
        (
            "attention_backend fsdp_version zero_stage group_batch_size placeholder",
            "fsdp: [full_shard]\n",
            "",
            {"requirements.txt": "axolotl>=0.19,<0.21\n"},
            [None, "unknown", None, "missing", None],
        ),
    ],
)
def test_releases_and_projects(
    names: str, text: str, release: str, files: Mapping[str, str], expected: Sequence[Any]
) -> None:
    assert values(names, text, release, files) == expected
