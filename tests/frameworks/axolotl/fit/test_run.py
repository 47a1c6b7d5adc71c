"""What is certain of runs of Axolotl, and what is not."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.runs.memory.estimate import estimate
from cfglint.runs.memory.planning import largest, lighter
from cfglint.runs.memory.run import GIB, Shards
from cfglint.runs.memory.terms import bound
from tests.draws import each
from tests.frameworks.axolotl.fit.planning import BASE, SIZE, needed, per_parameter, planner, run
from tests.runs.memory.planners import planner_of

#: With these, the buffers of DeepSpeed's default settings are not there.
BARE: dict[str, Any] = {"reduce_bucket_size": 0}
#: And with these, the optimizer takes one step for everything.
SMALL: dict[str, Any] = {**BARE, "sub_group_size": 2e9}
BUCKET = 2 * 500_000_000


def zero(stage: int, **section: Any) -> dict[str, Any]:
    return {"deepspeed": {"zero_optimization": {"stage": stage, **section}}}


@each(
    ("gpus", "config", "expected"),
    [
        (1, {}, 8),
        (1, {"bf16": False}, 16),
        (1, {"bf16": False, "fp16": True}, 8),
        (1, {"bf16": "auto"}, 8),
        (1, {"bf16": None}, 8),
        (1, {"optimizer": "adamw_torch"}, 10),
        (8, {}, 10),
        (8, zero(0), 4 + 12 / 8),
        (8, zero(1), 4 + 12 / 8),
        (8, zero(2), 2 + 18 / 8),
        (8, {**zero(2), "optimizer": "adamw_torch"}, 2 + 20 / 8),
        (8, zero(3, **SMALL), 22 / 8),
        (8, {**zero(3, **SMALL), "optimizer": "adamw_torch"}, 24 / 8),
        (8, {"deepspeed": "deepspeed_configs/zero3_bf16.json"}, 16 / 8),
        (8, {"fsdp_config": {"offload_params": False}, "fsdp_version": 1}, 16 / 8),
        (8, {"fsdp_config": {"reshard_after_forward": True}, "fsdp_version": 2}, 8 / 8),
        (8, {"fsdp": ["full_shard", "auto_wrap"]}, 16 / 8),
    ],
)
def test_bytes_a_parameter(gpus: int, config: dict[str, Any], expected: float) -> None:
    assert per_parameter(gpus, **config) == pytest.approx(expected, abs=0.011)


@pytest.mark.parametrize("gpus", [4, 8])
def test_without_a_script_the_estimate_is_that_of_one_gpu(gpus: int) -> None:
    """Of releases whose own command may start one process, in which layers may be spread."""
    found = planner("0.6.0", adapter="lora", lora_r=16, lora_target_linear=True)
    one, several, certain = found.usual(1), found.usual(gpus), found.run(gpus)
    assert one is not None
    assert several is not None
    assert certain is not None
    assert estimate(several) == estimate(one)
    assert largest(found, gpus, 40 * GIB) == largest(found, 1, 40 * GIB)
    assert bound(certain).total < bound(one).total / 2


@pytest.mark.parametrize(
    ("launch", "copied"),
    [
        ("accelerate launch -m axolotl.cli.train train.yaml", True),
        # One process: transformers spreads the layers over the GPUs that it sees.
        ("python -m axolotl.cli.train train.yaml", False),
    ],
)
def test_what_the_estimate_takes_from_a_script(launch: str, copied: bool) -> None:
    script = f"{launch}\n".encode()
    found = planner_of("axolotl", "0.6.0", {**BASE, "adapter": "lora"}, script=script).usual(4)
    assert found is not None
    assert (found.shards.weights == 1) is copied


def test_accelerates_file_shards_a_run_of_axolotl() -> None:
    launch = b"accelerate launch --config_file acc.yaml -m axolotl.cli.train train.yaml\n"
    files = {"acc.yaml": b"distributed_type: FSDP\n"}
    found = planner_of("axolotl", "0.18.0", BASE, script=launch, files=files).run(4)
    assert found is not None
    assert found.shards == Shards(4, 4, 4)


@each(
    "optimizer",
    ["paged_adamw_8bit", "paged_adamw_32bit", "paged_lion_8bit", "adafactor", "galore_adamw"],
)
def test_states_that_are_elsewhere_or_not_known_count_nothing(optimizer: str) -> None:
    assert per_parameter(1, optimizer=optimizer) == 4


@each("optimizer", ["lomo", "galore_adamw_layerwise", "made_up", "optimi_adamw"])
def test_gradients_that_may_not_live_count_nothing(optimizer: str) -> None:
    assert per_parameter(1, optimizer=optimizer) == 2


@each(
    ("optimizer", "expected"),
    [
        ("adamw_bnb_8bit", 2.03125),
        ("adamw_torch_8bit", 2.03125),
        ("adamw_torch_4bit", 1.0625),
        ("ao_adamw_fp8", 2),
        ("lion_8bit", 1.015625),
        ("muon", 2),
    ],
)
def test_small_states(optimizer: str, expected: float) -> None:
    # Before 0.11, embeddings had no other states.
    states = needed(1, "0.10.0", optimizer=optimizer).size("states")
    assert states == int(SIZE * expected)


@each(
    "section",
    [
        {"offload_optimizer": {"device": "cpu"}, "offload_param": {"device": "nvme"}},
        {"cpu_offload": True, "cpu_offload_params": True},
        {"offload_optimizer": {"device": "cpu", "ratio": 0.3}, "offload_param": {"device": "cpu"}},
        {"super_offload": True, "offload_param": {"device": "cpu"}},
        {"zenflow": {"topk_ratio": 0.1}, "zero_quantized_nontrainable_weights": True},
        {"offload_optimizer": "cpu", "offload_param": "cpu"},
    ],
)
def test_deepspeed_offload_in_all_spellings(section: dict[str, Any]) -> None:
    (only,) = needed(8, **zero(3, **section)).terms
    assert (only.name, only.size) == ("reduction", BUCKET)


def test_a_section_without_a_device_offloads_nothing() -> None:
    none = {"offload_optimizer": {"device": "none"}}
    assert needed(8, **zero(3, **none)) == needed(8, **zero(3))


def test_zero2_of_axolotl_offloads() -> None:
    found = needed(8, deepspeed="deepspeed_configs/zero2.json")
    sizes = {term.name: term.size for term in found.terms}
    assert sizes == {"weights": 2 * SIZE, "reduction": 2 * BUCKET}


@each(
    ("stage", "section", "expected"),
    [
        (1, {}, 0),
        (2, {}, BUCKET),
        (2, {"overlap_comm": True}, 2 * BUCKET),
        (2, {"contiguous_gradients": False}, 0),
        (2, {"reduce_bucket_size": "auto"}, 2 * 4096 * 4096),
        (2, {"reduce_bucket_size": 2e8}, 400_000_000),
        (2, {"reduce_bucket_size": "2e8"}, 0),
        (2, {"reduce_bucket_size": True}, 0),
        (2, {"reduce_bucket_size": float("inf")}, 0),
        (3, {}, BUCKET),
        (3, {"overlap_comm": True}, BUCKET),
    ],
)
def test_buffers_that_gradients_are_reduced_in(
    stage: int, section: dict[str, Any], expected: int
) -> None:
    found = run(8, **zero(stage, **section))
    assert found is not None
    assert (found.reduction, found.keeps_reduction) == (expected, stage == 3)


def test_stage_3_steps_in_groups() -> None:
    one = needed(8, **zero(3, sub_group_size=500_000_000)).size("step")
    assert one == pytest.approx(6 * 500_000_000, abs=8)
    assert needed(8, **zero(3, sub_group_size=0)).size("step") == 0
    whole = needed(8, **zero(3, sub_group_size=10**12)).size("step")
    assert whole == pytest.approx(6 * (SIZE - 65 * 4096) / 8, abs=8)


def test_stage_3_keeps_its_gradients() -> None:
    found = run(8, gradient_accumulation_steps=1, **zero(3))
    assert found is not None
    assert found.accumulates


@each(
    "config",
    [
        {"fsdp": "full_shard auto_wrap offload"},
        {"fsdp": ["full_shard", "offload"]},
        {"fsdp_config": {"offload_params": True}},
        {"fsdp_config": {"fsdp_offload_params": True}},
        {"fsdp_config": {"cpu_offload": True}},
        {"deepspeed": "ds.json"},
        {"deepspeed": "deepspeed_configs/zero3_bf16_cpuoffload_all.json"},
        {"deepspeed": {"zero_optimization": {"stage": "3"}}},
        {"deepspeed": {"zero_optimization": True}},
    ],
)
def test_what_may_lie_elsewhere_counts_nothing(config: dict[str, Any]) -> None:
    assert {term.name for term in needed(8, **config).terms} <= {"gathered"}


#: The matrices of a layer of the model.
LAYER = 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336


@each(
    ("gpus", "config", "expected"),
    [
        (8, {"fsdp_config": {"offload_params": True}}, 2 * LAYER),
        (8, {"fsdp": "full_shard auto_wrap offload"}, 2 * LAYER),
        (8, {"fsdp_config": {"auto_wrap_policy": "TRANSFORMER_BASED_WRAP"}}, 2 * LAYER),
        (8, {"fsdp_config": {"transformer_layer_cls_to_wrap": "LlamaDecoderLayer"}}, 2 * LAYER),
        (8, {"fsdp_config": {"fsdp_transformer_layer_cls_to_wrap": ["LlamaMLP"]}}, 0),
        (8, {"fsdp_config": {"transformer_layer_cls_to_wrap": "LlamaDecoderLayer,LlamaMLP"}}, 0),
        (8, {"fsdp_config": {"fsdp_auto_wrap_policy": "SIZE_BASED_WRAP"}}, 0),
        (8, {"fsdp_config": {"reshard_after_forward": True}, "fp8": True}, 0),
        (1, {"fsdp_config": {"reshard_after_forward": True}}, 0),
        (8, {"fsdp_config": {"reshard_after_forward": True}, "tensor_parallel_size": 2}, 0),
        (8, zero(3), 0),
    ],
)
def test_fsdp_gathers_whole_layers(gpus: int, config: dict[str, Any], expected: int) -> None:
    # At the end of a backward pass, as gradients of it are kept.
    found = needed(gpus, "0.20.0", optimizer="adamw_torch_fused", **config)
    assert found.size("gathered") == expected


def test_fsdp_gathers_packed_weights() -> None:
    config = {
        "fsdp_config": {"offload_params": True},
        "adapter": "qlora",
        "load_in_4bit": True,
        "lora_r": 8,
        "lora_target_linear": True,
    }
    packed = needed(8, "0.20.0", **config).size("gathered")
    assert packed == pytest.approx(0.51587 * LAYER, rel=0.001)


@each(
    "config",
    [
        {"max_memory": {0: "20GiB"}},
        {"gpu_memory_limit": 20},
        {"layer_offloading": True},
        {"plugins": ["acme.plugins.Anything"]},
        {"plugins": ["axolotl.integrations.spectrum.SpectrumPlugin"]},
        {"base_model": "acme/llama-3-8b-pruned"},
        {"base_model": "NousResearch/Meta-Llama-3-8B-GPTQ"},
        {"base_model": "./Meta-Llama-3-8B"},
        {"base_model_config": "acme/other"},
        {"type_of_model": "AutoModelForSequenceClassification"},
        {"model_type": "AutoModelForSequenceClassification"},
        {"peft": {"loftq_config": {"loftq_bits": 4}}},
        {"overrides_of_model_config": {"num_hidden_layers": 2}},
    ],
)
def test_silent(config: dict[str, Any]) -> None:
    assert run(1, **config) is None


def test_copies_need_a_process_each() -> None:
    assert per_parameter(8, "0.7.0") == 10
    # Before, a plain start has one process, over whose GPUs the layers are spread.
    assert per_parameter(8, "0.6.0") == 1
    assert per_parameter(8, use_ray=True) == 1
    assert per_parameter(8, device_map="auto") == 1
    assert per_parameter(8, tensor_parallel_size=8) == 1


def test_tensor_parallel_settings_divide() -> None:
    settings = {**zero(1)["deepspeed"], "tensor_parallel": {"autotp_size": 8}}
    assert per_parameter(8, deepspeed=settings) == 2


def test_replicas_of_shards() -> None:
    sharded = {"fsdp_config": {"reshard_after_forward": True}, "fsdp_version": 2}
    assert per_parameter(8, dp_replicate_size=2, **sharded) == 2
    assert per_parameter(8, dp_replicate_size=3, **sharded) == 1


def test_fsdp_keeps_full_precision_with_mixed_precision_alone() -> None:
    sharded = {"fsdp_config": {"reshard_after_forward": True}, "fsdp_version": 1}
    assert per_parameter(8, bf16="full", **sharded) == 1
    assert per_parameter(8, "0.20.0", fsdp_config={"reshard_after_forward": True}) == 1


def test_deepspeed_brings_its_own_optimizer() -> None:
    own = {**zero(3, sub_group_size=0, **BARE)["deepspeed"], "optimizer": {"type": "AdamW"}}
    assert per_parameter(8, deepspeed=own, optimizer="adamw_bnb_8bit") == 2
    other = {**own, "optimizer": {"type": "OneBitAdam"}}
    assert per_parameter(8, deepspeed=other) == round(6 / 8, 2)


def test_master_weights_in_sixteen_bits() -> None:
    section = zero(3, sub_group_size=0, **BARE)["deepspeed"]
    settings = {**section, "bf16": {"bf16_master_weights_and_grads": True}}
    assert per_parameter(8, deepspeed=settings) == round(10 / 8, 2)


@each(
    "config",
    [
        {"unfrozen_parameters": ["lm_head.*"]},
        {"lisa_n_layers": 2},
        {"rl": "ebft"},
        {"load_in_8bit": True},
    ],
)
def test_parts_that_are_trained_are_not_counted(config: dict[str, Any]) -> None:
    found = run(1, **config)
    assert found is not None
    assert found.trained == 0


@each(
    ("config", "expected"),
    [
        ({"lora_target_modules": ["q_proj", "v_proj"]}, 6_815_744),
        ({"lora_target_linear": True}, 41_943_040),
        ({"lora_target_linear": True, "peft_use_dora": True}, 43_319_296),
        ({"lora_target_modules": "model.layers.*"}, 0),
        ({"lora_target_modules": "(a+)+$"}, 0),
        ({"lora_target_modules": r"model.layers.[\d]+.(mlp|self_attn).(q|v)_proj"}, 6_815_744),
        ({"lora_target_modules": r"model.layers.[\d]+.(self_attn).(q|v)_proj"}, 0),
        ({"lora_target_modules": r"model.layers.[\d]+.(mlp|self_attn).(q|v)_proj|.*"}, 0),
        ({"lora_target_linear": True, "lora_rank_pattern": {"q_proj": 8}}, 0),
        ({"lora_target_linear": True, "peft_layers_to_transform": [0]}, 0),
        ({"lora_modules_to_save": ["embed_tokens", "lm_head"]}, 2 * 128256 * 4096),
        ({"lora_r": "16"}, 0),
        ({"adapter": "llama-adapter", "lora_target_linear": True}, 0),
    ],
)
def test_trainables_of_adapters(config: dict[str, Any], expected: int) -> None:
    found = run(1, **{"adapter": "lora", "lora_r": 16, **config})
    assert found is not None
    assert found.trained == expected


@each(
    ("release", "config", "each"),
    [
        # 128 experts in 48 layers, from 2048 numbers to 768 and back.
        ("0.18.0", {"lora_target_parameters": ["gate_up_proj"]}, 2048 + 2 * 768),
        ("0.18.0", {"lora_target_parameters": ["mlp.experts.down_proj"]}, 768 + 2048),
        ("0.18.0", {"lora_target_parameters": ["gate_up_proj", "down_proj"]}, 2 * 2048 + 3 * 768),
        ("0.18.0", {"lora_target_parameters": ["gate.weight"]}, 0),
        # transformers had a module for each expert.
        ("0.13.0", {"lora_target_parameters": ["gate_up_proj"]}, 0),
        ("0.18.0", {"lora_target_parameters": ["gate_up_proj"], "lora_rank_pattern": {"a": 1}}, 0),
    ],
)
def test_adapters_of_fused_experts(release: str, config: dict[str, Any], each: int) -> None:
    config = {"base_model": "Qwen/Qwen3-30B-A3B", "adapter": "lora", "lora_r": 8, **config}
    found = run(1, release, **config)
    assert found is not None
    assert found.trained == 128 * 48 * 8 * each


def test_quantized_weights() -> None:
    embeddings = 2 * 128256 * 4096
    packed = needed(1, adapter="qlora", load_in_4bit=True).size("weights")
    norms = 65 * 4096
    linear = SIZE - embeddings - norms
    assert packed == int(linear * (0.5 + 1 / 64 + 1 / 4096) + 2 * (embeddings + norms))
    eight = needed(1, adapter="lora", load_in_8bit=True).size("weights")
    assert eight == linear + 2 * (embeddings + norms)


@each(
    ("release", "config", "packed"),
    [
        ("0.17.0", {}, True),
        ("0.18.0", {}, False),
        ("0.18.0", {"quantize_moe_experts": True}, True),
        ("0.18.0", {"llama4_linearized_experts": True}, True),
        ("0.18.0", {"trust_remote_code": True}, True),
    ],
)
@each(("bits", "each"), [("load_in_4bit", 0.515), ("load_in_8bit", 1)])
def test_fused_experts_are_not_packed(
    release: str, config: dict[str, Any], packed: bool, bits: str, each: float
) -> None:
    model = {"base_model": "mistralai/Mixtral-8x7B-v0.1", "adapter": "lora", bits: True}
    found = needed(1, release, **model, **config)
    experts = 32 * 8 * 3 * 4096 * 14336
    others = 46_702_792_704 - experts
    assert found.size("weights") == pytest.approx(
        experts * (each if packed else 2) + others * each, rel=0.02
    )


def test_experts_of_models_that_are_not_quantized() -> None:
    whole = needed(1, base_model="mistralai/Mixtral-8x7B-v0.1")
    assert whole.size("weights") == 2 * 46_702_792_704


def test_checkpoints_that_are_quantized() -> None:
    packed = {"base_model": "openai/gpt-oss-20b"}
    assert needed(1, **packed).size("gradients") == 0
    assert needed(1, **packed).size("weights") < 16 * (1 << 30)
    opened = {"model_quantization_config_kwargs": {"dequantize": True}}
    assert needed(1, **packed, **opened).size("weights") == 2 * 20_914_757_184


def test_reference_models() -> None:
    assert needed(1, rl="dpo").size("reference") == 2 * SIZE
    assert needed(1, rl="dpo", precompute_ref_log_probs=True).size("reference") == 0
    assert needed(1, rl="dpo", adapter="lora", lora_r=8).size("reference") == 0
    assert needed(1, rl="orpo").size("reference") == 0


def test_frozen_layers_may_move_with_one_process() -> None:
    def moves(gpus: int, **config: Any) -> bool:
        found = run(gpus, **config)
        assert found is not None
        return found.may_move

    assert moves(1, adapter="lora", lora_r=8)
    assert not moves(1)
    assert not moves(8, adapter="lora", lora_r=8)
    assert not moves(1, adapter="qlora", load_in_4bit=True, lora_r=8)


def test_tokens_where_every_sequence_is_full() -> None:
    packed = {"sample_packing": True, "micro_batch_size": 4}
    found = run(1, **packed)
    assert found is not None
    assert (found.tokens, found.keeps_layers, found.logit_bytes) == (2048, True, 12.0)
    older = run(1, "0.10.0", **packed)
    assert older is not None
    assert older.tokens == 0
    asked = run(1, "0.10.0", pad_to_sequence_len=True, **packed)
    assert asked is not None
    assert asked.tokens == 2048
    rows = run(1, micro_batch_size=4, pad_to_sequence_len=True)
    assert rows is not None
    assert rows.tokens == 8192


@each(
    "config",
    [
        {},
        {"sample_packing": True, "pad_to_sequence_len": False},
        {"sample_packing": True, "rl": "orpo"},
        {"sample_packing": True, "context_parallel_size": 2},
        {"sample_packing": True, "streaming": True},
        {"sample_packing": True, "processor_type": "AutoProcessor"},
        {"sample_packing": True, "sequence_len": "long"},
    ],
)
def test_tokens_that_are_not_certain(config: dict[str, Any]) -> None:
    found = run(1, **config)
    assert found is not None
    assert found.tokens == 0


@each(
    ("config", "layers", "logits"),
    [
        ({"gradient_checkpointing": True}, True, True),
        ({"gradient_checkpointing": "offload"}, False, True),
        ({"activation_offloading": True}, False, True),
        ({"torch_compile": True}, True, False),
        ({"chunked_cross_entropy": True}, True, False),
        ({"plugins": ["axolotl.integrations.liger.LigerPlugin"]}, True, False),
    ],
)
def test_what_is_kept_of_tokens(config: dict[str, Any], layers: bool, logits: bool) -> None:
    found = run(1, sample_packing=True, **config)
    assert found is not None
    assert (found.keeps_layers, found.logit_bytes > 0) == (layers, logits)


@each(
    ("gpus", "release", "config", "expected"),
    [
        (1, "0.18.0", {}, 4),
        (8, "0.18.0", {}, 4),
        (1, "0.18.0", {"load_in_8bit": True}, 4),
        (1, "0.5.0", {}, 4),
        (1, "0.4.1", {}, 2),
        (1, "0.18.0", {"peft_autocast_adapter_dtype": False}, 2),
        (1, "0.18.0", {"lora_modules_to_save": ["lm_head"]}, 2),
        (1, "0.18.0", {"rl": "dpo"}, 2),
        (8, "0.18.0", zero(1), 2),
        (8, "0.18.0", {"fsdp_config": {"reshard_after_forward": True}, "fsdp_version": 2}, 2),
        (1, "0.18.0", {"bf16": False}, 4),
    ],
)
def test_adapters_are_in_full_precision(
    gpus: int, release: str, config: dict[str, Any], expected: int
) -> None:
    found = run(gpus, release, adapter="lora", lora_r=8, lora_target_linear=True, **config)
    assert found is not None
    assert (found.trained_bytes, found.gradient_bytes) == (expected, expected)


@each(
    ("release", "config", "beyond"),
    [
        ("0.18.0", {"optimizer": "adamw_bnb_8bit"}, 8 - 2.03125),
        ("0.18.0", {"optimizer": "adamw_8bit"}, 8 - 2.03125),
        ("0.18.0", {"optimizer": "lion_8bit"}, 4 - 1.015625),
        ("0.10.0", {"optimizer": "adamw_bnb_8bit"}, 0),
        ("0.18.0", {"optimizer": "adamw_bnb_8bit", "embedding_lr": 1e-5}, 0),
        ("0.18.0", {"optimizer": "adamw_torch_8bit"}, 0),
        ("0.18.0", {"optimizer": "paged_adamw_8bit"}, 0),
        ("0.18.0", {"optimizer": "adamw_bnb_8bit", "adapter": "lora", "lora_r": 8}, 0),
    ],
)
def test_states_of_embeddings(release: str, config: dict[str, Any], beyond: float) -> None:
    found = run(1, release, **config)
    assert found is not None
    assert found.embedding_state_bytes == beyond
    sharded = run(8, release, **zero(1), **config)
    assert sharded is not None
    assert sharded.embedding_state_bytes == 0


@each(
    ("config", "expected"),
    [
        ({}, 0),
        ({"trl": {"beta": 0.04}}, 1),
        ({"trl": {"beta": 0}}, 0),
        ({"rl_beta": 0.1}, 1),
        ({"trl": {"beta": 0}, "rl_beta": 0.1}, 0),
        ({"trl": {"beta": 0.04}, "adapter": "lora", "lora_r": 8}, 0),
    ],
)
def test_reference_models_of_grpo(config: dict[str, Any], expected: int) -> None:
    found = run(1, rl="grpo", **config)
    assert found is not None
    assert found.references == expected


@each(
    ("trl", "config", "expected"),
    [
        ({}, {}, 1),
        ({}, {"adapter": "lora", "lora_r": 8}, 1),
        ({}, {"vllm": {"tensor_parallel_size": 4}}, 0.25),
        ({}, {"vllm": {"tensor_parallel_size": "auto"}}, 0),
        ({"vllm_enable_sleep_mode": True}, {}, 0),
        ({"vllm_mode": "server"}, {}, 0),
        ({"use_vllm": False}, {}, 0),
        ({}, {"rl": "dpo"}, 0),
        ({}, {"adapter": "qlora", "lora_r": 8, "load_in_4bit": True}, 0),
    ],
)
def test_vllm_in_the_same_process(
    trl: dict[str, Any], config: dict[str, Any], expected: float
) -> None:
    asked = {"use_vllm": True, "vllm_mode": "colocate", **trl}
    values = {"rl": "grpo", "trl": asked, **config}
    found = run(8, **values)
    assert found is not None
    assert found.generators == expected
    size = needed(8, **{**zero(3), **values}).size("generator")
    assert size == int(2 * SIZE * expected)


@each(
    ("config", "expected"),
    [
        ({}, True),
        ({"gradient_checkpointing": False}, True),
        ({"gradient_checkpointing": True}, False),
        ({"activation_offloading": True}, False),
        ({"tiled_mlp": True}, False),
        ({"torch_compile": True}, True),
        ({"torch_compile": True, "torch_compile_backend": "inductor"}, True),
        ({"torch_compile": True, "torch_compile_backend": "tensorrt"}, False),
        ({"plugins": ["axolotl.integrations.liger.LigerPlugin"]}, True),
        ({"plugins": ["axolotl.integrations.kernels.KernelsPlugin"]}, False),
        ({"use_kernels": True}, False),
        ({"fp8": True}, False),
        ({"adapter": "lora", "lora_r": 8, "lora_target_linear": True}, True),
        ({"adapter": "lora", "lora_r": 8, "lora_target_modules": ["v_proj"]}, True),
        ({"adapter": "lora", "lora_r": 8, "lora_modules_to_save": ["lm_head"]}, False),
        ({"unfrozen_parameters": ["lm_head.*"]}, False),
        ({"fsdp_config": {"activation_checkpointing": True}, "fsdp_version": 2}, False),
        ({"fsdp_config": {"reshard_after_forward": True}, "fsdp_version": 2}, True),
        (zero(1), False),
    ],
)
def test_what_layers_compute_is_kept_without_checkpointing(
    config: dict[str, Any], expected: bool
) -> None:
    found = run(8, sample_packing=True, **config)
    assert found is not None
    assert found.keeps_inside is expected
    assert found.compiled is config.get("torch_compile", False)


@each(
    ("config", "expected"),
    [
        ({}, True),
        ({"adapter": "lora", "lora_r": 8, "lora_target_linear": True}, True),
        ({"adapter": "lora", "lora_r": 8, "lora_modules_to_save": ["lm_head"]}, False),
        # The compiler may compute in another order.
        ({"torch_compile": True}, False),
        ({"unsloth_lora_mlp": True}, False),
        ({"activation_offloading": True}, False),
        ({"gradient_checkpointing": "offload"}, False),
        ({"gradient_checkpointing": False}, False),
        (zero(1), False),
    ],
)
def test_what_a_checkpointed_layer_recomputes(config: dict[str, Any], expected: bool) -> None:
    found = run(8, sample_packing=True, **{"gradient_checkpointing": True, **config})
    assert found is not None
    assert found.recomputes_layers is expected


def test_an_adapter_that_is_trained_on_has_a_rank_of_its_own() -> None:
    config = {"adapter": "lora", "lora_r": 8, "lora_target_linear": True}
    other = {**config, "lora_model_dir": "out/checkpoint-100"}
    assert needed(1, **config).size("adapter") > needed(1, **other).size("adapter") == 0
    assert needed(1, **config).size("weights") == needed(1, **other).size("weights")


def test_deepspeed_steps_what_decays_at_once() -> None:
    """Llama has 65 norms of 4096 numbers, which are in a group of their own."""
    decays = SIZE - 65 * 4096
    assert needed(8, **zero(2)).size("step") == int(4 * decays // 8)
    assert needed(8, **zero(2), embedding_lr=1e-5).size("step") == 0
    assert needed(8, **zero(2), bf16=False).size("step") == 0


def test_activations_of_layers_on_several_gpus() -> None:
    packed = {"sample_packing": True, "pad_to_sequence_len": True}
    one = needed(1, "0.6.0", **packed, adapter="lora", lora_r=8)
    split = needed(8, "0.6.0", **packed, adapter="lora", lora_r=8)
    for name in ("layers", "logits"):
        assert split.size(name) == one.size(name) // 8 > 0
    settings = {**zero(1)["deepspeed"], "tensor_parallel": {"autotp_size": 8}}
    divided = run(8, deepspeed=settings, sample_packing=True)
    assert divided is not None
    assert divided.shards.layers == 8


def test_checkpointing_is_a_remedy() -> None:
    config = {"sample_packing": True, "adapter": "lora", "lora_r": 8, "lora_target_linear": True}
    title = "`gradient_checkpointing: true`"
    total = needed(1, **config).total
    (change,) = (one for one in lighter(planner(**config).changes(1), total) if one.title == title)
    assert change.bound == needed(1, **config, gradient_checkpointing=True)
    already = planner(**config, gradient_checkpointing=True).changes(1)
    assert title not in {one.title for one in already}


@each(
    ("config", "helps"),
    [
        ({"load_in_4bit": True}, True),
        ({"load_in_8bit": True}, True),
        ({}, False),
        ({"load_in_4bit": True, "lora_target_linear": True}, False),
        ({"load_in_4bit": True, "base_model": "Qwen/Qwen3-8B"}, False),
    ],
)
def test_packing_experts_is_a_remedy(config: dict[str, Any], helps: bool) -> None:
    config = {"base_model": "Qwen/Qwen3-30B-A3B", "adapter": "lora", "lora_r": 8, **config}
    total = needed(1, **config).total
    found = {change.title for change in lighter(planner(**config).changes(1), total)}
    assert ("`quantize_moe_experts: true`" in found) == helps
