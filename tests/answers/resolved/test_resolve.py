"""From a file to the configuration that a release ends up with."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.answers.resolved.made import Made
from cfglint.answers.resolved.resolve import Effective, EffectiveValue, resolve
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.document import format_path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each, examples

AXOLOTL = Axolotl()
BASE = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
micro_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 0.0001
"""


def effective(text: str, release: str = "0.21.0", **facts: Any) -> Effective:
    target = build_environment(AXOLOTL.releases, pins=(f"axolotl=={release}",), **facts)
    return resolve(compose(SourceText(text)), AXOLOTL, target)


def entries(found: Effective) -> dict[str, EffectiveValue]:
    return {format_path(entry.path): entry for entry in found.entries}


@each(
    ("text", "release", "path", "value"),
    [
        ("", "0.21.0", "sequence_len", 512),
        ("", "0.12.2", "max_prompt_len", 512),
        ("", "0.13.2", "max_prompt_len", None),
        ("", "0.7.0", "optimizer", "adamw_hf"),
        ("", "0.8.1", "optimizer", "adamw_torch_fused"),
        ("num_epochs: 3\n", "0.21.0", "num_epochs", 3.0),
        ("num_epochs: '3'\n", "0.21.0", "num_epochs", 3.0),
        ("save_steps: '100'\n", "0.21.0", "save_steps", 100),
        ("bf16: 'true'\n", "0.21.0", "bf16", True),
        ("strict: 0\n", "0.21.0", "strict", False),
        ("flash_attention: true\n", "0.21.0", "attn_implementation", "flash_attention_2"),
        ("flash_attention: true\n", "0.21.0", "flash_attention", None),
        ("flash_attention: true\n", "0.16.1", "attn_implementation", None),
        ("flash_attention: true\n", "0.16.1", "flash_attention", True),
        ("model_type: LlamaForCausalLM\n", "0.21.0", "type_of_model", "LlamaForCausalLM"),
        ("seed:\n", "0.21.0", "seed", 42),
        ("", "0.21.0", "seed", None),
        ("fsdp_config: {fsdp_offload_params: 1}\n", "0.21.0", "fsdp_config.offload_params", True),
        ("fsdp_config: {offload_params: false}\n", "0.19.0", "fsdp_version", 1),
        ("fsdp_config: {offload_params: false}\n", "0.20.0", "fsdp_version", 2),
        ("optim_args: {a: null}\n", "0.21.0", "optim_args.a", None),
        ("trl: {use_vllm: true}\n", "0.21.0", "trl.vllm_mode", "server"),
        ("misspelt_key: 1\n", "0.21.0", "misspelt_key", None),
        ("liger_rope: true\n", "0.21.0", "liger_rope", None),
        (
            "liger_rope: true\nplugins: [axolotl.integrations.liger.LigerPlugin]\n",
            "0.21.0",
            "liger_rope",
            True,
        ),
    ],
)
def test_a_value(text: str, release: str, path: str, value: Any) -> None:
    found = entries(effective(BASE + text, release)).get(path)
    assert (found and found.value) == value
    assert found is None or type(found.value) is type(value)


def test_reasons_and_origins() -> None:
    found = entries(effective(BASE + "sample_packing: true\nmodel_type: X\nnum_epochs: 1\n"))
    assert found["base_model"].reason is None
    assert found["base_model"].origin == ("base_model",)
    assert found["sequence_len"] == EffectiveValue(
        ("sequence_len",), 512, None, "default of axolotl 0.21.0"
    )
    assert found["type_of_model"].origin == ("model_type",)
    assert found["num_epochs"].reason == "read from 1"
    assert "sample_packing" in str(found["eval_sample_packing"].reason)
    assert found["datasets[0].trust_remote_code"].reason == "default of axolotl 0.21.0"


def test_the_order_is_that_of_the_file() -> None:
    found = effective("learning_rate: 1\nmodel_type: X\nbase_model: x\nmicro_batch_size: 1\n")
    assert list(found.data)[:4] == [
        "learning_rate",
        "type_of_model",
        "base_model",
        "micro_batch_size",
    ]
    datasets = effective(BASE).data["datasets"]
    assert list(datasets[0])[:2] == ["path", "type"]


def test_what_the_machine_decides_is_left_out() -> None:
    unknown = effective(BASE)
    assert {format_path(one.path): one.needs for one in unknown.undecided} == {
        "dataset_num_proc": ("cpus",),
        "dataloader_num_workers": ("gpus",),
        "tf32": ("gpu.compute_capability",),
    }
    assert not {"dataset_num_proc", "dataloader_num_workers", "tf32"} & unknown.data.keys()
    known = effective(BASE, gpus=8, gpu="h100")
    assert known.data["dataloader_num_workers"] == 8
    assert known.data["tf32"] is True
    assert effective(BASE, gpus=8, gpu="t4").data["tf32"] is False


def test_a_condition_on_the_machine_leaves_its_keys_out() -> None:
    text = BASE + "adapter: lora\nfsdp_config: {offload_params: true}\nfsdp_version: 1\n"
    unknown = effective(text, "0.18.0")
    assert "lora_qkv_kernel" not in unknown.data
    assert ("lora_qkv_kernel",) in {one.path for one in unknown.undecided}
    assert effective(text, "0.18.0", gpus=1).data["lora_qkv_kernel"] is True
    assert "lora_qkv_kernel" not in effective(text, "0.18.0", gpus=2).data


def test_keys_that_nothing_reads() -> None:
    found = effective(BASE + "misspelt_key: 1\ntrl: {nothing: 1}\nrl: grpo\n")
    assert [format_path(path) for path in found.dropped] == ["misspelt_key", "trl.nothing"] or [
        format_path(path) for path in found.dropped
    ] == ["trl.nothing", "misspelt_key"]


@pytest.mark.parametrize(
    ("rl", "kept"),
    [("", {"shards", "name"}), ("rl: dpo\n", set()), ("rl: kto\n", set())],
)
def test_entries_become_what_the_method_needs(rl: str, kept: set[str]) -> None:
    text = BASE.replace("    type", "    shards: 2\n    name: en\n    type") + rl
    assert effective(text).data["datasets"][0].keys() & {"shards", "name"} == kept


KEYS = sorted(AXOLOTL.keys.names(""))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 100000),
    st.floats(allow_nan=False),
    st.text(max_size=12),
    st.sampled_from(["auto", "true", "1e-4", "lora", "dpo", "kto", "flash_attention_2"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(st.sampled_from(["path", "type", "version", "size"]), st.text(max_size=5)),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=examples(60), deadline=None)
@given(
    config=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=12),
    release=st.sampled_from(["0.5.2", "0.6.0", "0.12.2", "0.17.0", "0.21.0"]),
)
def test_any_file_has_an_answer_that_is_plain_data(config: dict[str, Any], release: str) -> None:
    from cfglint.report.effective import render_yaml

    found = effective(yaml.safe_dump(config, allow_unicode=True), release)
    made = Made("axolotl", "--target", found)
    text = render_yaml(made, "x.yml", "all")
    assert yaml.safe_load(text) == (found.data or None)
