"""What is certain of a run of LLaMA-Factory, in bytes of a parameter and in known numbers."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.runs.memory.estimate import estimate
from cfglint.runs.memory.planning import Planner, largest, lighter
from cfglint.runs.memory.run import GIB, MemoryRun
from cfglint.runs.memory.terms import Bound, bound
from tests.draws import each
from tests.runs.memory.planners import planner_of

BASE: dict[str, Any] = {
    "model_name_or_path": "NousResearch/Meta-Llama-3-8B",
    "stage": "sft",
    "do_train": True,
    "dataset": "alpaca_en_demo",
    "template": "llama3",
    "finetuning_type": "full",
    "bf16": True,
    "output_dir": "saves/notes",
}
#: Parameters of that model.
SIZE = 8_030_261_248
SHIPPED = "examples/deepspeed/ds_z{}_config.json"


def planner(release: str = "0.9.4", /, *, script: bytes = b"", **config: Any) -> Planner:
    return planner_of("llamafactory", release, {**BASE, **config}, script=script)


def run(gpus: int = 1, release: str = "0.9.4", /, **config: Any) -> MemoryRun:
    found = planner(release, **config).run(gpus)
    assert found is not None
    return found


def needed(gpus: int = 1, release: str = "0.9.4", /, **config: Any) -> Bound:
    return bound(run(gpus, release, **config))


def per_parameter(gpus: int = 1, release: str = "0.9.4", /, **config: Any) -> float:
    return round(needed(gpus, release, **config).total / SIZE, 2)


@each(
    ("gpus", "config", "expected"),
    [
        # Everything in 32 bits: weights, gradients, two states.
        (1, {}, 16.0),
        (1, {"optim": "adamw_torch"}, 20.0),
        (1, {"pure_bf16": True}, 8.0),
        (1, {"pure_bf16": True, "optim": "paged_adamw_8bit"}, 4.0),
        (1, {"use_galore": True}, 4.0),
        (1, {"use_badam": True}, 2.0),
        # What starts the run may be accelerate with FSDP, which this file does not show.
        (4, {}, 4.0),
        (1, {"stage": "dpo"}, 20.0),
        (1, {"stage": "dpo", "pref_loss": "simpo"}, 16.0),
        (1, {"stage": "kto"}, 20.0),
        (1, {"finetuning_type": "freeze"}, 2.0),
        (1, {"freeze_language_model": True}, 2.0),
    ],
)
def test_bytes_of_a_parameter(gpus: int, config: dict[str, Any], expected: float) -> None:
    assert per_parameter(gpus, **config) == expected


def test_a_process_for_each_gpu_has_a_copy() -> None:
    own = b"llamafactory-cli train train.yaml\n"
    other = b"cd LLaMA-Factory\naccelerate launch --config_file fsdp.yaml src/train.py train.yaml\n"
    for release, script, expected in (
        # With the buckets in which gradients are averaged.
        ("0.8.0", own, 20.0),
        ("0.7.1", own, 4.0),
        # A file of accelerate's that is not at hand may offload everything.
        ("0.8.0", other, 0.0),
        ("0.8.0", own + other, 0.0),
    ):
        found = planner(release, script=script).run(4)
        assert found is not None
        assert round(bound(found).total / SIZE, 2) == expected


def test_accelerate_may_use_other_memory_on_one_gpu() -> None:
    for launch, certain, may_move in (
        ("llamafactory-cli train", True, False),
        # The settings in the user's cache, if there are some, may offload.
        ("accelerate launch src/train.py", True, True),
        ("accelerate launch --config_file missing.yaml src/train.py", False, False),
    ):
        found = planner(script=f"cd LLaMA-Factory\n{launch} train.yaml\n".encode()).run(1)
        assert found is not None
        assert (bound(found).total > 0, found.may_move) == (certain, may_move)


@each("gpus", [4, 8])
@each("release", ["0.7.1", "0.9.4"])
def test_without_a_script_the_estimate_is_that_of_one_gpu(release: str, gpus: int) -> None:
    found = planner(release, finetuning_type="lora", cutoff_len=2048)
    one, several = found.usual(1), found.usual(gpus)
    assert one is not None
    assert several is not None
    assert estimate(several) == estimate(one)
    assert largest(found, gpus, 40 * GIB) == largest(found, 1, 40 * GIB)
    certain = found.run(gpus)
    assert certain is not None
    assert bound(certain).total < bound(one).total / 2


def test_without_a_script_ddp_adds_its_buckets_to_full_training() -> None:
    """As where a script shows that each GPU has a process."""
    scripted = planner(script=b"llamafactory-cli train train.yaml\n", cutoff_len=512).usual(4)
    alone = planner(cutoff_len=512).usual(4)
    assert scripted is not None
    assert alone is not None
    assert estimate(alone) == estimate(scripted)


def test_what_shards_is_in_the_estimate_too() -> None:
    found = planner(deepspeed=SHIPPED.format(3), cutoff_len=512)
    runs = [run for gpus in (1, 4) if (run := found.usual(gpus)) is not None]
    one, four = (size.likely for run in runs if (size := estimate(run)) is not None)
    assert four < one / 2


def test_the_text_says_what_starts_a_process_for_each() -> None:
    texts = {release: planner(release).usual(4) for release in ("0.7.1", "0.8.0")}
    shown = {release: found.divided.text for release, found in texts.items() if found is not None}
    assert "llamafactory-cli train" in shown["0.8.0"]
    assert "llamafactory-cli" not in shown["0.7.1"]


@each(
    ("config", "expected"),
    [
        # Weights and gradients in 16 bits, twelve bytes of master weights and states.
        ({"deepspeed": {"zero_optimization": {"stage": 1}}}, 2 + 2 + 12 / 8),
        # A share of gradients, and of their copies at the step.
        ({"deepspeed": SHIPPED.format(2)}, 2 + (2 + 12 + 0.99 * 4) / 8),
        ({"deepspeed": SHIPPED.format(3)}, (2 + 2 + 12) / 8),
        ({"deepspeed": {"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}}}}, 2 / 8),
        ({"deepspeed": SHIPPED.format("3_offload")}, 0.0),
        ({"deepspeed": "unknown.json"}, 0.0),
        ({"fsdp": "full_shard"}, 0.0),
    ],
)  # fmt: skip
def test_shares(config: dict[str, Any], expected: float) -> None:
    found = needed(8, **config)
    rest = found.size("reduction") / SIZE
    assert found.total / SIZE - rest == pytest.approx(expected, abs=0.03)


def test_adapters_on_all_linear_modules() -> None:
    # PEFT counts 41,943,040 parameters at rank 16 on all seven matrices of this model.
    assert run(finetuning_type="lora").trained == 41_943_040 // 2
    assert run(finetuning_type="lora", lora_rank=16, lora_target="all").trained == 41_943_040
    two = run(finetuning_type="lora", lora_rank=16, lora_target="q_proj, v_proj")
    assert two.trained == 32 * 16 * ((4096 + 4096) + (4096 + 1024))
    assert run(finetuning_type="lora", additional_target="lm_head").trained > 500_000_000
    assert run(finetuning_type="oft").trained == 0


@pytest.mark.parametrize(
    "config",
    [
        {"adapter_name_or_path": "saves/notes"},
        # Of these, the layers that are added alone.
        {"use_llama_pro": True},
    ],
)
def test_adapters_of_which_the_file_tells_too_little(config: dict[str, Any]) -> None:
    found = run(finetuning_type="lora", packing=True, **config)
    assert (found.trained, found.keeps_layers) == (0, False)


def test_a_second_adapter_is_a_new_one() -> None:
    before = {"adapter_name_or_path": "saves/notes", "create_new_adapter": True}
    assert run(finetuning_type="lora", **before).trained == 41_943_040 // 2


@each(
    ("config", "expected"),
    [
        ({}, 0),
        ({"packing": True}, 2048),
        ({"packing": True, "cutoff_len": 8192, "per_device_train_batch_size": 4}, 8192),
        ({"neat_packing": True}, 2048),
        ({"packing": False}, 0),
        ({"stage": "pt"}, 2048),
        ({"stage": "pt", "packing": False}, 0),
        ({"stage": "dpo", "packing": True}, 0),
        ({"packing": True, "streaming": True}, 0),
        ({"packing": True, "tokenized_path": "tokens"}, 0),
        ({"packing": True, "sequence_parallel_size": 2}, 0),
        ({"packing": True, "sequence_parallel_size": 1}, 2048),
        ({"packing": True, "cutoff_len": "long"}, 0),
    ],
)
def test_tokens_are_certain_where_sequences_are_packed(
    config: dict[str, Any], expected: int
) -> None:
    assert run(**config).tokens == expected


def test_the_length_goes_by_the_release() -> None:
    assert run(1, "0.9.0", packing=True).tokens == 1024


@each(
    ("config", "kept"),
    [
        # The inputs of the layers, what they hold inside, what the last computes again, logits.
        ({}, (True, False, True, True)),
        ({"finetuning_type": "lora"}, (True, False, True, True)),
        ({"disable_gradient_checkpointing": True}, (True, True, False, True)),
        (
            {"disable_gradient_checkpointing": True, "gradient_checkpointing": True},
            (True, False, True, True),
        ),
        ({"enable_liger_kernel": True}, (True, False, True, False)),
        ({"use_dft_loss": True}, (True, False, True, False)),
        ({"use_unsloth": True}, (False, False, False, False)),
        ({"use_unsloth_gc": True}, (False, False, False, True)),
        ({"torch_compile": True}, (True, False, False, False)),
        (
            {"torch_compile": True, "disable_gradient_checkpointing": True},
            (True, True, False, False),
        ),
        ({"torch_compile": True, "torch_compile_backend": "onnxrt"}, (True, False, False, False)),
        ({"fp8": True}, (True, False, False, True)),
        ({"deepspeed": SHIPPED.format(3)}, (True, False, False, True)),
        ({"finetuning_type": "freeze"}, (False, False, False, True)),
    ],
)
def test_what_is_kept_of_tokens(
    config: dict[str, Any], kept: tuple[bool, bool, bool, bool]
) -> None:
    found = run(packing=True, **config)
    assert kept == (
        found.keeps_layers,
        found.keeps_inside,
        found.recomputes_layers,
        found.logit_bytes > 0,
    )


@each(
    ("config", "expected"),
    [
        ({"quantization_bit": 4}, 0.5159),
        ({"quantization_bit": 4, "double_quantization": False}, 0.5625),
        ({"quantization_bit": 8}, 1.0),
        ({"quantization_bit": 3, "quantization_method": "hqq"}, 0.0),
    ],
)
def test_packed_weights(config: dict[str, Any], expected: float) -> None:
    found = run(finetuning_type="lora", **config)
    assert found.packed["linear"] == pytest.approx(expected, abs=1e-4)
    assert found.trained_bytes == 4.0


@each(
    "config",
    [
        {"do_train": False},
        {"do_train": None},
        {"use_kt": True},
        {"tensor_model_parallel_size": 2},
        {"model_name_or_path": "acme/unknown"},
        {"model_name_or_path": 7},
    ],
)
def test_nothing_is_known(config: dict[str, Any]) -> None:
    assert planner(**config).run(1) is None


@each(
    ("config", "claimed"),
    [
        # "Hardware Requirement" of the README: GB for 7 and for 70 billion parameters.
        ({}, (120, 1200)),
        ({"pure_bf16": True}, (60, 600)),
        ({"finetuning_type": "lora"}, (16, 160)),
        ({"finetuning_type": "lora", "quantization_bit": 8}, (10, 80)),
        ({"finetuning_type": "lora", "quantization_bit": 4}, (6, 48)),
    ],
)
def test_never_more_than_the_readme_says(config: dict[str, Any], claimed: tuple[int, int]) -> None:
    models = ("NousResearch/Llama-2-7b-hf", "NousResearch/Llama-2-70b-hf")
    for model, most in zip(models, claimed, strict=True):
        found = needed(model_name_or_path=model, **config).total
        assert 0.5 * most < found / 1e9 <= most


def test_the_estimate_goes_by_the_defaults_of_the_release() -> None:
    new, old = run().usual, run(1, "0.9.0").usual
    assert new is not None
    assert old is not None
    assert (new.tokens, old.tokens) == (8 * 2048, 8 * 1024)
    assert (new.checkpoints, new.logits) == (True, True)
    other = run(disable_gradient_checkpointing=True, enable_liger_kernel=True, cutoff_len=512).usual
    assert other is not None
    assert (other.tokens, other.checkpoints, other.logits) == (4096, False, False)
    for config in ({"stage": "dpo"}, {"use_galore": True}, {"cutoff_len": "long"}):
        assert estimate(run(**config)) is None


def test_what_would_need_less() -> None:
    found = planner(gradient_accumulation_steps=2)
    told = [change.title for change in lighter(found.changes(8), bound(run(8)).total)]
    assert told[0] == f"ZeRO-3 over 8 GPUs (`deepspeed: {SHIPPED.format(3)}`)" or told[0].endswith(
        "`quantization_bit: 4`"
    )
    assert "`pure_bf16: true`" in told
    long: dict[str, Any] = {
        "stage": "pt",
        "cutoff_len": 32768,
        "disable_gradient_checkpointing": True,
    }
    found = planner(**long)
    told = [change.title for change in lighter(found.changes(1), bound(run(**long)).total)]
    assert {"`enable_liger_kernel: true`", "`disable_gradient_checkpointing: false`"} <= set(told)
    older = planner("0.8.3", **long)
    assert "`enable_liger_kernel: true`" not in {one.title for one in older.changes(1)}
    most = largest(planner(finetuning_type="lora"), 1, 80 * GIB)
    assert most.length is not None
    assert most.batch is not None
    assert most.length >= 2048
