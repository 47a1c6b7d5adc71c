"""What is certain of a run of ms-swift, in bytes of a parameter and in known numbers."""

from __future__ import annotations

from typing import Any

from cfglint.runs.memory.estimate import estimate
from cfglint.runs.memory.run import GIB, MemoryRun
from cfglint.runs.memory.terms import bound
from tests.draws import each
from tests.frameworks.swift.fit.planned import (
    ALONE,
    HEAD,
    MODEL,
    OLD,
    RELEASE,
    SIZE,
    of_script,
    planner,
    run,
)

EIGHT = "NPROC_PER_NODE=8 swift sft train.yaml\n"
SFT = f"swift sft --model {MODEL} --tuner_type full --dataset d --torch_dtype bfloat16"
ZERO2, ZERO3 = 2e8, 4096 * 4096


def per_parameter(gpus: int, release: str = RELEASE, /, **config: Any) -> float:
    return round(bound(run(gpus, release, **config)).total / SIZE, 2)


@each(
    ("gpus", "config", "expected"),
    [
        # Everything in 16 bits, as it is loaded: weights, gradients, two states.
        (1, {}, 8.0),
        (1, {"torch_dtype": "-"}, 8.0),
        (1, {"torch_dtype": "float16"}, 8.0),
        (1, {"torch_dtype": "float32"}, 16.0),
        (1, {"optim": "adamw_torch"}, 10.0),
        (1, {"optim": "adamw_8bit"}, 6.03),
        (1, {"optim": "paged_adamw_8bit"}, 4.0),
        # Of ms-swift's own optimizers nothing is certain, nor when they drop gradients.
        (1, {"use_galore": True}, 2.0),
        (1, {"optimizer": "muon"}, 2.0),
        (1, {"optimizer": "multimodal"}, 8.0),
        # Which parameters are trained is not counted.
        (1, {"freeze_parameters_ratio": 0.5}, 2.0),
        (1, {"freeze_parameters": ["model.embed_tokens"]}, 2.0),
        (1, {"callbacks": ["lisa"]}, 2.0),
        (1, {"quant_method": "bnb", "quant_bits": 8}, 1.13),
        # Bits alone quantize nothing.
        (1, {"quant_bits": 8}, 8.0),
        (1, {"tuner_type": "reft"}, 2.0),
    ],
)
def test_bytes_of_a_parameter(gpus: int, config: dict[str, Any], expected: float) -> None:
    assert per_parameter(gpus, **config) == expected


@each(
    ("release", "config", "expected"),
    [
        ("4.0.0", {"tuner_type": "-", "train_type": "full"}, 8.0),
        ("3.8.0", {"tuner_type": "-", "train_type": "full"}, 8.0),
        # An adapter is trained where nothing is written.
        ("3.8.0", {"tuner_type": "-", "lora_rank": 1}, 2.01),
        # The default is torch's Adam, which copies at its step.
        (OLD, {"dtype": "bf16"}, 10.0),
        # Up to 2.6, 16 bits without the range of 32 became 32 where everything is trained.
        (OLD, {"dtype": "fp16", "optim": "adamw_torch_fused"}, 16.0),
        (OLD, {"sft_type": "lora", "dtype": "fp16", "lora_rank": 1}, 2.0),
        (OLD, {"sft_type": "lora", "quantization_bit": 8, "lora_rank": 1}, 1.13),
        (OLD, {"sft_type": "lora", "quantization_bit": 2, "lora_rank": 1}, 0.48),
    ],
)
def test_releases(release: str, config: dict[str, Any], expected: float) -> None:
    assert per_parameter(1, release, **config) == expected


def adapter_of(release: str = RELEASE, /, **config: Any) -> MemoryRun:
    key = "sft_type" if release == OLD else "tuner_type"
    return run(1, release, **{key: "lora", **config})


def test_the_adapter() -> None:
    # All matrices but the head, as PEFT counts them for this model with rank 8.
    assert adapter_of().trained == 20_971_520
    assert adapter_of(lora_rank=16).trained == 2 * 20_971_520
    assert adapter_of(target_modules=["all-linear"]).trained == 20_971_520
    queries = 8 * 32 * (2 * 4096)
    assert adapter_of(target_modules=["q_proj"]).trained == queries
    assert adapter_of(target_modules="q_proj").trained == queries
    pattern = r"model.layers.[\d]+.(mlp|self_attn).(q|down)_proj"
    down = 8 * 32 * (14_336 + 4096)
    assert adapter_of(target_regex=pattern).trained == queries + down
    assert adapter_of(target_modules=["q_proj"], modules_to_save=["lm_head"]).trained == (
        queries + HEAD
    )
    # Its own default up to 2.6: queries, keys and values.
    values = 2 * 8 * 32 * (4096 + 1024)
    assert adapter_of(OLD).trained == queries + values
    assert adapter_of(OLD, target_modules=["ALL"]).trained == 20_971_520
    assert adapter_of(OLD, lora_target_modules=["q_proj,k_proj"]).trained == queries + values // 2


@each(
    ("config", "expected"),
    [
        # PEFT has an adapter in 32 bits, unless it is told otherwise.
        ({}, 4.0),
        ({"lora_dtype": "bfloat16"}, 2.0),
        ({"lora_dtype": "float32"}, 4.0),
        ({"tuner_backend": "unsloth"}, 2.0),
        # A copy of a module has the precision of the module.
        ({"modules_to_save": ["lm_head"]}, 2.0),
        # DeepSpeed has the model in 16 bits, and a copy of what is trained in 32.
        ({"deepspeed": "zero2"}, 2.0),
    ],
)
def test_bytes_of_an_adapter(config: dict[str, Any], expected: float) -> None:
    assert adapter_of(**config).trained_bytes == expected


@each(
    "config",
    [
        {"adapters": ["output/checkpoint-9"]},
        {"resume_from_checkpoint": "output/checkpoint-9"},
        {"tuner_type": "adalora"},
        {"lora_rank": 0},
    ],
)
def test_of_some_adapters_nothing_is_certain(config: dict[str, Any]) -> None:
    found = adapter_of(**config)
    assert found.trained == 0
    assert found.usual is None


@each(
    ("text", "gpus", "weights", "way"),
    [
        # One process, which spreads its layers over all that it sees: there is one copy.
        (SFT, 4, 4, "one process"),
        (f"CUDA_VISIBLE_DEVICES=0,1,2,3 {SFT}", 4, 4, "one process"),
        (f"python swift/cli/sft.py {SFT[10:]}", 4, 4, "one process"),
        (f"NPROC_PER_NODE=4 {SFT}", 4, 1, "a whole copy"),
        (f"NPROC_PER_NODE=4 CUDA_VISIBLE_DEVICES=0,1,2,3 {SFT}", 4, 1, "a whole copy"),
        # Each process has two of the four GPUs.
        (f"NPROC_PER_NODE=2 CUDA_VISIBLE_DEVICES=0,1,2,3 {SFT}", 2, 2, "2 processes"),
        (
            f"SWIFT_SINGLE_DEVICE_MODE=1 NPROC_PER_NODE=2 CUDA_VISIBLE_DEVICES=0,1,2,3 {SFT}",
            2,
            1,
            "a whole copy",
        ),
        (f"torchrun --nproc_per_node 4 swift/cli/sft.py {SFT[10:]}", 4, 1, "a whole copy"),
        (f"NPROC_PER_NODE=4 {SFT} --deepspeed zero2", 4, 1, "ZeRO stage 2"),
        (f"NPROC_PER_NODE=4 {SFT} --deepspeed zero3", 4, 4, "ZeRO stage 3"),
        (f"NPROC_PER_NODE=4 {SFT} --deepspeed zero3_offload", 4, 0, "ZeRO stage 3"),
        (
            "NPROC_PER_NODE=4 " + SFT + """ --deepspeed '{"zero_optimization": {"stage": 3}}'""",
            4,
            4,
            "ZeRO stage 3",
        ),
        (f"NPROC_PER_NODE=4 {SFT} --deepspeed ds.json", 4, 4, "ZeRO stage 3"),
        (f"NPROC_PER_NODE=4 {SFT} --deepspeed missing.json", 4, 0, "DeepSpeed settings"),
        (
            f"NPROC_PER_NODE=4 {SFT} --deepspeed zero2 --deepspeed_autotp_size 2",
            4,
            4,
            "ZeRO stage 2",
        ),
        (f"NPROC_PER_NODE=4 {SFT} --fsdp fsdp2", 4, 4, "FSDP2"),
        (f"NPROC_PER_NODE=4 {SFT} --fsdp fsdp.json", 4, 0, "FSDP"),
        (f"NPROC_PER_NODE=4 {SFT} --fsdp missing.json", 4, 0, "settings of FSDP"),
        # How many processes there are is not known.
        (f"NPROC_PER_NODE=$N {SFT}", 4, 4, "one process may"),
        (f"NNODES=2 {SFT}", 4, 4, "one process may"),
        (f"srun {SFT}", 4, 4, "one process may"),
    ],
)
def test_what_divides_it(text: str, gpus: int, weights: int, way: str) -> None:
    files = {
        "ds.json": b'{"zero_optimization": {"stage": 3}}',
        "fsdp.json": b'{"fsdp": "full_shard auto_wrap offload", "fsdp_config": {}}',
    }
    made = of_script(text + "\n", files=files)
    assert made is not None
    found = made.run(gpus)
    assert found is not None
    assert found.shards.weights == weights
    assert way in found.divided.text


def test_fsdp_before_its_presets_is_not_counted() -> None:
    for release, weights in (("3.11.0", 0), ("3.12.0", 4)):
        assert (
            run(4, release, fsdp="fsdp2", tuner_type="-", train_type="full").shards.weights
            == weights
        )


@each(
    ("text", "gpus", "expected"),
    [
        # What does not fit may be laid on further GPUs, or in the machine's memory.
        (SFT, 1, True),
        (f"CUDA_VISIBLE_DEVICES=3 {SFT}", 1, False),
        (f"CUDA_VISIBLE_DEVICES=0,1 {SFT}", 2, True),
        (f"NPROC_PER_NODE=2 {SFT}", 2, True),
        (f"NPROC_PER_NODE=2 CUDA_VISIBLE_DEVICES=0,1 {SFT}", 2, False),
        (f"NPROC_PER_NODE=8 {SFT}", 8, False),
        (f"NPROC_PER_NODE=2 {SFT} --deepspeed zero2", 2, False),
    ],
)
def test_where_parts_may_move(text: str, gpus: int, expected: bool) -> None:
    made = of_script(text + "\n")
    assert made is not None
    found = made.run(gpus)
    assert found is not None
    assert found.may_move is expected


def test_the_processes_that_a_file_sets() -> None:
    starts = "swift sft train.yaml\n"
    alone, several = (
        planner(starts=starts, **more) for more in ({}, {"ENV": {"NPROC_PER_NODE": 4}})
    )
    for made, weights in ((alone, 4), (several, 1)):
        found = made.run(4)
        assert found is not None
        assert found.shards.weights == weights


def test_without_a_command_a_copy_for_each_process_is_usual() -> None:
    made = planner(starts="")
    certain, usual = made.run(4), made.usual(4)
    assert certain is not None
    assert usual is not None
    assert (certain.shards.weights, usual.shards.weights) == (4, 1)
    assert "`NPROC_PER_NODE` starts a process for each" in usual.divided.text


@each(
    ("config", "expected"),
    [
        # Weights, gradients, states, and the buckets in which gradients are averaged.
        ({}, 10.0),
        # Shares of 4 bytes of masters and 8 of states, and a share of the gradients with its copy.
        ({"deepspeed": "zero2"}, 2 + (4 + 8 + 2 + 0.99 * 4) / 8),
        ({"deepspeed": "zero3"}, (2 + 4 + 8 + 2 + 0.99 * 6 * 1e9 * 8 / SIZE) / 8),
        ({"deepspeed": "zero1"}, 2 + 2 + 12 / 8),
    ],
)
def test_shares(config: dict[str, Any], expected: float) -> None:
    found = run(8, starts=EIGHT, **config)
    size = bound(found).total - (found.reduction if found.keeps_reduction else 0)
    assert abs(size / SIZE - expected) < 0.02


@each(
    ("release", "name", "buffers"),
    [
        (RELEASE, "zero2", 2 * ZERO2),
        ("3.2.2", "zero2", 2 * ZERO2),
        # Two took turns.
        ("3.1.1", "zero2", 4 * ZERO2),
        (OLD, "default-zero2", 4 * ZERO2),
        (OLD, "zero2-offload", 4 * ZERO2),
        (RELEASE, "zero3", 2 * ZERO3),
        (OLD, "default-zero3", 2 * ZERO3),
    ],
)
def test_the_settings_that_come_with_it(release: str, name: str, buffers: float) -> None:
    full = {"tuner_type": "-", "train_type": "full"} if release.startswith("3.") else {}
    assert run(8, release, deepspeed=name, starts=EIGHT, **full).reduction == buffers


def test_offloaded_states() -> None:
    assert run(8, OLD, deepspeed="zero3-offload", starts=EIGHT).shards.states == 8
    assert run(8, deepspeed="zero3_offload", starts=EIGHT).shards.states == 0


@each(
    ("config", "references"),
    [
        ({}, 1),
        ({"rlhf_type": "kto"}, 1),
        ({"rlhf_type": "orpo"}, 0),
        ({"rlhf_type": "simpo"}, 0),
        ({"rlhf_type": "cpo"}, 0),
        ({"rlhf_type": "rm"}, 0),
        ({"rlhf_type": "grpo"}, 1),
        ({"rlhf_type": "grpo", "beta": 0.0}, 0),
        # The model without its adapter is what is compared with.
        ({"tuner_type": "lora"}, 0),
        ({"ref_model": MODEL}, 1),
        # The sizes of another one are not known.
        ({"ref_model": "acme/other"}, 0),
    ],
)
def test_the_model_to_compare_with(config: dict[str, Any], references: int) -> None:
    starts = "CUDA_VISIBLE_DEVICES=0 swift rlhf train.yaml\n"
    found = run(starts=starts, **config)
    assert found.references == references
    assert found.usual is None


@each(
    ("config", "expected"),
    [
        ({"use_vllm": True, "vllm_mode": "colocate"}, 1.0),
        ({"use_vllm": True, "vllm_mode": "colocate", "vllm_tensor_parallel_size": 4}, 0.25),
        ({"use_vllm": True, "vllm_mode": "colocate", "sleep_level": 1}, 0.0),
        ({"use_vllm": True, "vllm_mode": "server"}, 0.0),
        ({"use_vllm": True, "vllm_mode": "colocate", "vllm_quantization": "bitsandbytes"}, 0.0),
        ({}, 0.0),
    ],
)
def test_vllm_in_the_same_process(config: dict[str, Any], expected: float) -> None:
    starts = "CUDA_VISIBLE_DEVICES=0 swift rlhf train.yaml\n"
    assert run(starts=starts, rlhf_type="grpo", **config).generators == expected


def test_a_reward_model_has_another_head() -> None:
    starts = "CUDA_VISIBLE_DEVICES=0 swift rlhf train.yaml\n"
    assert run(starts=starts, rlhf_type="rm").trained == SIZE - HEAD
    assert run(task_type="seq_cls").trained == SIZE - HEAD
    assert run(task_type="generative_reranker").trained == SIZE


@each(
    ("starts", "config", "words"),
    [
        ("swift rlhf train.yaml", {"rlhf_type": "ppo"}, "a value model and a reward model"),
        ("swift rlhf train.yaml", {"rlhf_type": "gkd"}, "a teacher"),
        ("megatron sft train.yaml", {}, "Megatron divides"),
        ("megatron pt train.yaml", {}, "Megatron divides"),
        ("", {"micro_batch_size": 2}, "Megatron divides"),
        ("swift infer train.yaml", {}, "`swift infer` does not train"),
        ("", {"tuner_type": "-", "learning_rate": "-"}, "not known which command"),
        ("", {"model": "acme/unknown"}, "not in cfglint's table"),
        ("", {"model": "-"}, "`model` names no model"),
        ("", {"device_map": "auto"}, "`device_map` may put parts"),
        ("", {"max_memory": "{0: '20GB'}"}, "`max_memory` may put parts"),
    ],
)
def test_why_nothing_is_certain(starts: str, config: dict[str, Any], words: str) -> None:
    made = planner(starts=starts + "\n", **config)
    assert made.run(1) is None
    assert words in made.obstacle(1)


@each(
    ("text", "words"),
    [
        ("swift export --model a/b --quant_bits 4\n" + SFT, "`swift export`, the first command"),
        ("megatron sft --mcore_model m --dataset d", "Megatron divides"),
        ("swift sft --model $MODEL --tuner_type lora --dataset d", "`model` is not known before"),
        (f"{SFT} $ARGS", "what `$ARGS` adds to the command is known only when the run starts"),
    ],
)
def test_why_nothing_is_certain_of_a_script(text: str, words: str) -> None:
    made = of_script(text + "\n")
    assert made is not None
    assert made.run(1) is None
    assert words in made.obstacle(1)


@each(
    ("name", "known"),
    [("qwen2_5-7b-instruct", True), ("qwen2-7b", True), ("llama3-8b", False), ("acme", False)],
)
def test_a_name_of_its_own_list(name: str, known: bool) -> None:
    made = planner(OLD, model_id_or_path="-", model_type=name)
    assert (made.run(1) is not None) is known
    assert known or f"the sizes of `model_type: {name}` are not known" in made.obstacle(1)


def test_older_commands_are_a_method() -> None:
    words = f"--model_id_or_path {MODEL} --sft_type full --dataset d"
    for command, references in (("dpo", 1), ("orpo", 0), ("simpo", 0), ("rlhf", 1)):
        made = of_script(f"CUDA_VISIBLE_DEVICES=0 swift {command} {words}\n", OLD)
        assert made is not None
        found = made.run(1)
        assert found is not None
        assert found.references == references


LORA: dict[str, Any] = {"tuner_type": "lora", "max_length": 2048}


def likely(release: str = RELEASE, /, **config: Any) -> float | None:
    made = planner(release, **config).usual(1)
    found = None if made is None else estimate(made)
    return None if found is None else round(found.likely / GIB, 1)


def test_the_estimate() -> None:
    usual = likely(**LORA)
    assert usual is not None
    packed = {**LORA, "packing": True, "attn_impl": "flash_attn"}
    assert likely(**packed) == usual
    longer = likely(**{**packed, "packing_length": 4096})
    assert longer is not None
    assert longer > usual
    assert likely(**{**LORA, "max_length": 4096}) == longer
    assert likely(**{**LORA, "per_device_train_batch_size": 2}) == longer
    fused = likely(**LORA, use_liger_kernel=True)
    assert fused is not None
    assert fused < usual
    # A loss of its own needs the logits.
    for own in (
        {"enable_dft_loss": True},
        {"loss_scale": "hermes"},
        {"loss_type": "cross_entropy"},
    ):
        assert likely(**LORA, use_liger_kernel=True, **own) == usual
    assert likely(**LORA, use_liger_kernel=True, loss_scale="last_round") == fused
    kept = likely(**LORA, gradient_checkpointing=False)
    assert kept is not None
    assert kept > usual


def test_the_lengths_and_batches_of_older_releases() -> None:
    older = {"sft_type": "lora"}
    assert likely(OLD, **older) == likely(OLD, **older, max_length=2048)
    assert likely(OLD, **older, batch_size=2) == likely(OLD, **older, max_length=4096)
    assert likely(OLD, **older, per_device_train_batch_size=2, batch_size=1) == likely(
        OLD, **older, batch_size=2
    )


@each(
    "config",
    [
        {},
        {**LORA, "max_length": "-"},
        {**LORA, "attn_impl": "eager"},
        {**LORA, "torch_compile": True},
        {**LORA, "sequence_parallel_size": 2},
        {**LORA, "callbacks": ["activation_cpu_offload"]},
        {**LORA, "quant_method": "bnb", "quant_bits": 8},
        {**LORA, "quant_method": "hqq", "quant_bits": 4},
        {**LORA, "use_galore": True},
        {**LORA, "task_type": "embedding"},
        {**LORA, "model": "Qwen/Qwen2.5-VL-7B-Instruct"},
    ],
)
def test_without_an_estimate(config: dict[str, Any]) -> None:
    assert planner(**config).run(1) is not None
    assert likely(**config) is None


def test_a_model_with_images() -> None:
    """The language model counts, and what is trained of it."""
    name = "Qwen/Qwen2.5-VL-7B-Instruct"
    lora = run(model=name, tuner_type="lora")
    assert lora.shape.partial
    assert lora.trained == 20_185_088
    assert run(model=name, tuner_type="lora", freeze_llm=True).trained == 0
    assert run(model=name).trained == lora.shape.parameters
    assert run(model=name, freeze_llm=True).trained == 0


@each(
    ("release", "config", "gpus", "expected"),
    [
        # So many steps that sixteen rows come together.
        (RELEASE, {}, 1, True),
        (RELEASE, {}, 16, False),
        (RELEASE, {"per_device_train_batch_size": 16}, 1, False),
        (RELEASE, {"gradient_accumulation_steps": 1}, 1, False),
        ("3.2.0", {"tuner_type": "-", "train_type": "full"}, 1, False),
        ("3.2.2", {"tuner_type": "-", "train_type": "full"}, 1, True),
        (OLD, {}, 1, True),
    ],
)
def test_gradients_are_kept_from_pass_to_pass(
    release: str, config: dict[str, Any], gpus: int, expected: bool
) -> None:
    starts = f"NPROC_PER_NODE={gpus} CUDA_VISIBLE_DEVICES={','.join(map(str, range(gpus)))} swift sft train.yaml\n"
    assert run(gpus, release, starts=starts, **config).accumulates is expected


def test_a_script_alone() -> None:
    made = of_script(
        f"CUDA_VISIBLE_DEVICES=0 swift sft --model {MODEL} --train_type lora --dataset d --torch_dtype bfloat16"
        " --quant_method bnb --quant_bits 4 --gradient_checkpointing false --max_length 1024"
        " --per_device_train_batch_size 4 --target_modules q_proj v_proj\n",
        "3.8.0",
    )
    config = {
        "tuner_type": "-",
        "train_type": "lora",
        "quant_method": "bnb",
        "quant_bits": 4,
        "gradient_checkpointing": False,
        "max_length": 1024,
        "per_device_train_batch_size": 4,
        "target_modules": ["q_proj", "v_proj"],
    }
    other = planner("3.8.0", starts=ALONE, **config)
    assert made is not None
    assert made.run(1) == other.run(1)
    assert made.usual(1) == other.usual(1)
