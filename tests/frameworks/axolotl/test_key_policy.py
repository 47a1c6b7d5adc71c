"""What becomes of keys in Axolotl's files."""

from __future__ import annotations

import pytest

from cfglint.roles.framework import load_framework
from cfglint.roles.key_policy import IDLE, READ, REFUSED, UNREAD
from cfglint.source.document import Path
from tests.draws import each
from tests.linting import lint
from tests.roles.verdicts import verdict

AXOLOTL = load_framework("axolotl")


@each(
    ("text", "state"),
    [
        ("datasets: ['', [], {path: x}]\n", READ),
        ("datasets: ''\n", REFUSED),
        ("datasets: [1]\n", REFUSED),
        # those of preferences are of another class
        ("rl: dpo\ndatasets: ['']\n", REFUSED),
        ("test_datasets: ['']\n", REFUSED),
    ],
)
def test_empty_entries_of_datasets(text: str, state: str) -> None:
    name = "test_datasets" if text.startswith("test") else "datasets"
    assert verdict("axolotl", text, (name,), "0.21.0").state == state


@each(
    ("text", "key", "needless"),
    [
        ("trl: {vllm_device: auto}\n", "vllm_device", True),
        ("trl: {vllm_device: auto, use_vllm: false}\n", "vllm_device", True),
        ("trl: {vllm_device: auto, use_vllm: true}\n", "vllm_device", False),
        # One that is there is none of those.
        ("trl: {vllm_guided_decoding_regex: a}\n", "vllm_guided_decoding_regex", False),
    ],
)
def test_what_is_gone_of_a_vllm_that_is_not_used(text: str, key: str, needless: bool) -> None:
    assert verdict("axolotl", text, ("trl", key), "0.18.0").needless is needless


@each(
    ("entry", "place"),
    [
        ("type: {field: x}", "under the `type:` of the dataset; "),
        ("type: [a]", "under the `type:` of the dataset; "),
        ("type: chat_template", "in a `type:` mapping (`chat_template` does not read it); "),
    ],
)
def test_where_a_key_of_a_type_belongs(entry: str, place: str) -> None:
    text = f"base_model: a/b\ndatasets:\n  - path: a/b\n    {entry}\n    field_system: x\n"
    (found,) = lint(text, target=["axolotl==0.18.0"], select=["KEY003"])
    assert f"belongs {place}" in found.message


@each(
    ("tokens", "severity"),
    [('["<|im_end|>"]', "note"), ('["<|im_end|>", "</s>"]', "error"), ('["<end>"]', "error")],
)
def test_the_end_of_turns_in_the_wrong_place(tokens: str, severity: str) -> None:
    text = (
        "base_model: Qwen/Qwen2.5-7B-Instruct\ndatasets:\n  - path: a/b\n    type: chat_template\n"
        f"    eot_tokens: {tokens}\n"
    )
    (found,) = lint(text, target=["axolotl==0.18.0"], select=["KEY003"])
    assert found.severity == severity


@each(
    ("more", "release", "state"),
    [
        ("", "0.21.0", IDLE),
        ("diffusion: {eps: 0.001}\ndiffusion_lm: {}\n", "0.21.0", IDLE),
        ("diffusion_lm: {eps: 0.001}\n", "0.21.0", REFUSED),
        ("", "0.20.0", REFUSED),
    ],
)
def test_the_diffusion_plugin_takes_a_share_of_warmup(more: str, release: str, state: str) -> None:
    plugin = "plugins: [axolotl.integrations.diffusion.DiffusionPlugin]\n"
    text = f"warmup_steps: 0.1\n{more}"
    assert verdict("axolotl", plugin + text, ("warmup_steps",), release).state == state
    assert verdict("axolotl", text, ("warmup_steps",), release).state == REFUSED


@pytest.mark.parametrize(
    ("name", "kind", "needless"),
    [
        ("field_input", "alpaca", True),
        ("field_input", "completion", False),
    ],
)
def test_columns_that_are_read_in_any_case(name: str, kind: str, needless: bool) -> None:
    text = f"datasets:\n  - path: x\n    type: {kind}\n    {name}: input\n"
    found = verdict("axolotl", text, ("datasets", 0, name))
    assert found.state == UNREAD
    assert found.needless is needless


@each(
    ("section", "name", "own"),
    [
        ("fsdp_config", "fsdp_offload_params", "offload_params"),
        ("fsdp_config", "offload_params", "offload_params"),
        ("", "fsdp_config", "fsdp_config"),
        ("trl", "fsdp_offload_params", "fsdp_offload_params"),
    ],
)
def test_the_prefix_of_fsdp_keys(section: str, name: str, own: str) -> None:
    assert AXOLOTL.key_policy.own_key(section, name) == own


@each(
    ("text", "path", "release", "state"),
    [
        # a key of a later release that an earlier one reads before its schema does
        ("plugins: []\n", ("plugins",), "0.5.0", READ),
        ("plugins: []\n", ("plugins",), "0.4.1", UNREAD),
        # the spelling that comes later decides
        (
            "fsdp_config: {offload_params: 1.5, fsdp_offload_params: true}\n",
            ("fsdp_config", "offload_params"),
            "",
            IDLE,
        ),
        (
            "fsdp_config: {fsdp_offload_params: true, offload_params: true}\n",
            ("fsdp_config", "offload_params"),
            "",
            READ,
        ),
        ("lm_eval_tasks: [arc]\n", ("lm_eval_tasks",), "", IDLE),
        # with the plugin listed, its value is examined
        (
            "plugins: [axolotl.integrations.lm_eval.LMEvalPlugin]\nlm_eval_tasks:\n",
            ("lm_eval_tasks",),
            "",
            REFUSED,
        ),
    ],
)
def test_keys_that_only_axolotl_reads_in_this_way(
    text: str, path: Path, release: str, state: str
) -> None:
    assert verdict("axolotl", text, path, release).state == state


def test_an_outranked_counterpart() -> None:
    path = ("num_train_epochs",)
    assert not verdict("axolotl", "num_train_epochs: 1\n", path).outranked
    assert verdict("axolotl", "num_train_epochs: 1\nmax_steps: 5\n", path).outranked


def test_entries_of_test_datasets_have_the_foreign_names_of_datasets() -> None:
    text = "test_datasets:\n  - path: x\n    dataset_name: y\n"
    found = verdict("axolotl", text, ("test_datasets", 0, "dataset_name")).foreign
    own = verdict("axolotl", text.removeprefix("test_"), ("datasets", 0, "dataset_name")).foreign
    assert (found is None) == (own is None)


@each(
    ("model", "token", "severity"),
    [
        ("Qwen/Qwen3-8B", "<|im_end|>", "note"),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", "<|im_end|>", "note"),
        ("Qwen/Qwen3-8B-Base", "<|im_end|>", "error"),
        ("Qwen/Qwen3-8B", "<|im_start|>", "error"),
        ("meta-llama/Llama-3.1-8B-Instruct", "<|eot_id|>", "note"),
        ("meta-llama/Llama-3.1-8B", "<|eot_id|>", "error"),
        ("a/b\nspecial_tokens: {eos_token: <done>}", "<done>", "note"),
    ],
)
def test_an_end_of_turn_in_a_dataset_that_is_the_usual_one(
    model: str, token: str, severity: str
) -> None:
    entry = f"datasets:\n  - path: a.jsonl\n    type: chat_template\n    eot_tokens: ['{token}']\n"
    (found,) = lint(f"base_model: {model}\n{entry}", select=["KEY003"], target=["axolotl==0.10.1"])
    assert found.severity == severity
    assert found.message.endswith("probably the same token ends a turn.") is (severity == "note")
