"""Which files are taken for Axolotl configs, among other YAML that lies around."""

from __future__ import annotations

import pytest

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.keys.places import section_of
from cfglint.knowledge.recognition import of_text
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = Axolotl()

OTHERS = {
    "compose": "services:\n  web:\n    image: nginx\n    ports: ['80:80']\nvolumes: {data: {}}\n",
    "workflow": "name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: []\n",
    "llamafactory": (
        "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\nlora_rank: 8\n"
        "dataset: identity\ntemplate: llama3\ncutoff_len: 2048\noutput_dir: saves\n"
        "per_device_train_batch_size: 1\ngradient_accumulation_steps: 8\nlearning_rate: 1.0e-4\n"
        "num_train_epochs: 3.0\nlr_scheduler_type: cosine\nbf16: true\ndeepspeed: ds.json\n"
    ),
    "accelerate": (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nfsdp_config:\n"
        "  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\nmixed_precision: bf16\nnum_processes: 8\n"
    ),
    "trl": (
        "model_name_or_path: a/b\ndataset_name: c\nbf16: true\ngradient_accumulation_steps: 4\n"
        "learning_rate: 2.0e-5\nlogging_steps: 1\noutput_dir: out\nnum_train_epochs: 1\npacking: true\n"
    ),
    "mkdocs": "site_name: x\nnav:\n  - Home: index.md\ntheme: {name: material}\nplugins: [search]\n",
    "k8s": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {replicas: 1}\n",
    "mergekit": (
        "slices:\n  - sources:\n      - model: a/b\n        layer_range: [0, 32]\nmerge_method: slerp\n"
        "base_model: a/b\nparameters: {t: 0.5}\ndtype: bfloat16\n"
    ),
    "model-card": "base_model: a/b\ndatasets:\n  - c/d\nlanguage: en\nlicense: mit\nlibrary_name: peft\n",
    "hydra": "defaults:\n  - model: x\n_target_: a.b\nlr: 1e-3\n",
    "values": "a: 1\n",
}
CONFIGS = {
    "full": (
        "base_model: a/b\ndatasets:\n  - path: x\n    type: alpaca\nsequence_len: 2048\n"
        "micro_batch_size: 2\nnum_epochs: 1\nlearning_rate: 0.0002\n"
    ),
    "two-keys": "base_model: a/b\nsequence_len: 2048\noutput_dir: x\n",
    "no-model": "sequence_len: 2048\nsample_packing: true\nmicro_batch_size: 1\n",
    "fragment": "adapter: qlora\nlora_r: 8\nsequence_len: 512\nval_set_size: 0.1\n",
    "quoted-keys": "'base_model': a/b\n\"sequence_len\": 1\noutput_dir: y\n",
}


@each("text", OTHERS.values())
def test_files_of_other_tools(text: str) -> None:
    assert not AXOLOTL.own_files.recognizes(compose(SourceText(text)))
    assert of_text(text, "yaml") != "axolotl"


@each("text", CONFIGS.values())
def test_configs(text: str) -> None:
    assert AXOLOTL.own_files.recognizes(compose(SourceText(text)))


@each("name", ["full", "two-keys", "no-model", "fragment"])
@each("newline", ["\n", "\r\n"])
def test_broken_configs_by_their_lines(name: str, newline: str) -> None:
    text = CONFIGS[name] + 'wandb_name: "never closed\n'
    assert of_text(text.replace("\n", newline), "yaml") == "axolotl"


def test_indented_keys_are_no_top_level_keys() -> None:
    text = "x:\n" + "".join(f"  {line}\n" for line in CONFIGS["full"].splitlines())
    assert of_text(text, "yaml") != "axolotl"
    assert not AXOLOTL.own_files.recognizes(compose(SourceText(text)))


def view(text: str) -> View:
    return View(compose(SourceText(text)))


@each(
    ("name", "text", "value"),
    [
        ("attention_backend", "flash_attention: true\n", "flash_attention_2"),
        ("attention_backend", "attn_implementation: x\nflash_attention: true\n", "x"),
        ("attention_backend", "a: 1\n", None),
        ("zero_stage", "deepspeed: configs/zero3_bf16.json\n", 3),
        ("zero_stage", "deepspeed: deepspeed_configs/zero2.json\n", 2),
        ("zero_stage", "deepspeed: ds.json\n", UNKNOWN),
        ("zero_stage", "deepspeed: {zero_optimization: {stage: 1}}\n", 1),
        ("zero_stage", "deepspeed: {zero_optimization: {}}\n", UNKNOWN),
        ("zero_stage", "deepspeed:\n", None),
        ("group_batch_size", "micro_batch_size: 2\ngradient_accumulation_steps: 4\n", 8),
        ("group_batch_size", "micro_batch_size: 2\n", MISSING),
        ("fsdp_version", "a: 1\n", None),
        ("fsdp_version", "fsdp_config: {fsdp_version: 1}\n", 1),
        ("fsdp_version", "fsdp: [full_shard]\nfsdp_version: 2\n", 2),
    ],
)
def test_derived_keys(name: str, text: str, value: object) -> None:
    target = build_environment(AXOLOTL.releases)
    assert (
        AXOLOTL.readings.derived(name, view(text), Asked(target, nowhere()), assume=True) == value
    )


def test_fsdp_version_depends_on_the_release() -> None:
    sharded = view("fsdp_config: {offload_params: true}\n")
    releases = AXOLOTL.releases
    old, new = (build_environment(releases, pins=[f"axolotl=={v}"]) for v in ("0.12.2", "0.20.0"))
    assert (
        AXOLOTL.readings.derived("fsdp_version", sharded, Asked(old, nowhere()), assume=False) == 1
    )
    assert (
        AXOLOTL.readings.derived("fsdp_version", sharded, Asked(new, nowhere()), assume=False) == 2
    )
    either = build_environment(releases)
    assert (
        AXOLOTL.readings.derived("fsdp_version", sharded, Asked(either, nowhere()), assume=False)
        is UNKNOWN
    )
    assert (
        AXOLOTL.readings.derived("fsdp_version", sharded, Asked(either, nowhere()), assume=True)
        == 2
    )


def test_facts_about_the_model() -> None:
    known = view("base_model: meta-llama/Llama-3.1-8B-Instruct\n")
    assert AXOLOTL.readings.fact("model.params_b", known, nowhere()) == pytest.approx(8, abs=0.5)
    assert AXOLOTL.readings.fact("model.no_such_fact", known, nowhere()) is UNKNOWN
    assert (
        AXOLOTL.readings.fact("model.params_b", view("base_model: /data/model\n"), nowhere())
        is UNKNOWN
    )
    assert AXOLOTL.readings.fact("model.params_b", view("base_model: [1]\n"), nowhere()) is UNKNOWN


def test_key_table() -> None:
    keys = AXOLOTL.keys
    assert section_of(("datasets", 0, "type")) == "datasets[].type"
    assert keys.type_at(("learning_rate",)) is not None
    assert keys.type_at(("datasets", 3, "path")) is not None
    assert keys.type_at(("datasets", 0)) is None
    assert keys.info("", "no_such_key") is None
    assert keys.is_closed("")
    assert not keys.is_closed("lr_scheduler_kwargs")
    assert keys.free_form_parent(("lr_scheduler_kwargs", "eta")) == "lr_scheduler_kwargs"
    assert keys.free_form_parent(("datasets", 0, "path")) is None
