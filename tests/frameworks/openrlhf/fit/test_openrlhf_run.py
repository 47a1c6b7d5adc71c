"""What is certain of a run of OpenRLHF, and the same settings written for LLaMA-Factory."""

from __future__ import annotations

from itertools import product as every
from typing import Any

from cfglint.runs.memory.estimate import estimate
from cfglint.runs.memory.planning import Planner
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.terms import bound, sizes
from tests.draws import drawn, each, product
from tests.runs.memory.planners import planner_of, planner_of_script

MODEL = "meta-llama/Meta-Llama-3-8B"
#: Parameters of that model.
SIZE = 8_030_261_248
RELEASE, OLD = "0.11.2", "0.9.5"
MODULE = "deepspeed --num_gpus 8 --module openrlhf.cli."
SFT = f"{MODULE}train_sft --model.model_name_or_path {MODEL} --data.dataset d"
DPO = f"{MODULE}train_dpo --model.model_name_or_path {MODEL} --data.dataset d"
OLDER_SFT = f"{MODULE}train_sft --pretrain {MODEL} --dataset d"
OLDER_DPO = f"{MODULE}train_dpo --pretrain {MODEL} --dataset d"


def planner(text: str, release: str = RELEASE) -> Planner:
    made = planner_of_script("openrlhf", release, f"{text}\n")
    assert made is not None
    return made


def run(text: str, release: str = RELEASE, gpus: int = 8) -> MemoryRun:
    made = planner(text, release)
    found = made.run(gpus)
    assert found is not None, made.obstacle(gpus)
    return found


@each(
    ("text", "release", "gpus", "expected"),
    [
        # Stage 2 where nothing is written: shares of masters, states, gradients and their copy.
        (SFT, RELEASE, 8, 2 + (4 + 8 + 2 + 0.99 * 4) / 8),
        (OLDER_SFT, OLD, 8, 2 + (4 + 8 + 2 + 0.99 * 4) / 8),
        (SFT, RELEASE, 1, 2 + 4 + 8 + 2 + 0.99 * 4),
        (f"{SFT} --ds.zero_stage 1", RELEASE, 8, 2 + 2 + 12 / 8),
        (f"{OLDER_SFT} --zero_stage 1", OLD, 8, 2 + 2 + 12 / 8),
        # States in the memory of the machine.
        (f"{SFT} --ds.adam_offload", RELEASE, 8, 2.0),
        (f"{OLDER_SFT} --adam_offload", OLD, 8, 2.0),
        # A model to compare with, beside an adapter, too.
        (DPO, RELEASE, 8, 2 + 2 + (4 + 8 + 2 + 0.99 * 4) / 8),
        (f"{DPO} --ref.offload", RELEASE, 8, 2 + (4 + 8 + 2 + 0.99 * 4) / 8),
        (f"{DPO} --ref.model_name_or_path {MODEL}", RELEASE, 8, 4 + 17.96 / 8),
        (f"{DPO} --ref.model_name_or_path acme/other", RELEASE, 8, 2 + 17.96 / 8),
        (f"{OLDER_DPO} --lora_rank 1", OLD, 8, 4.0),
        (f"{OLDER_SFT} --lora_rank 1", OLD, 8, 2.0),
        # Of Muon nothing is certain, not even that gradients stay.
        (f"{SFT} --optim muon", RELEASE, 8, 2 + 4 / 8),
    ],
)
def test_bytes_of_a_parameter(text: str, release: str, gpus: int, expected: float) -> None:
    found = run(text, release, gpus)
    buffers = bound(found).size("reduction")
    assert abs((bound(found).total - buffers) / SIZE - expected) < 0.02


def test_stage_3_divides_the_weights() -> None:
    found = run(f"{DPO} --ds.zero_stage 3")
    assert found.shards.weights == 8
    # DeepSpeed's own size of a buffer, as no trainer fills in what is "auto".
    assert found.reduction == 1_000_000_000
    assert run(SFT).reduction == 1_000_000_000
    assert run(f"{SFT} --ds.overlap_comm").reduction == 2_000_000_000


@each(
    ("options", "trained"),
    [
        ("--ds.lora.rank 8", 20_971_520),
        ("--ds.lora.rank 16 --ds.lora.target_modules all-linear", 2 * 20_971_520),
        ("--ds.lora.rank 8 --ds.lora.target_modules q_proj", 8 * 32 * 2 * 4096),
        ("--ds.lora.rank 8 --ds.load_in_4bit", 20_971_520),
        ("--ds.lora.rank -1", 0),
        ("--ds.load_in_4bit", 0),
    ],
)
def test_the_adapter(options: str, trained: int) -> None:
    found = run(f"{SFT} {options}")
    assert found.trained == trained
    assert bool(found.packed) is ("4bit" in options)


@each(
    ("text", "words"),
    [
        (f"{MODULE}train_rm --model.model_name_or_path {MODEL}", "`train_rm` holds is not counted"),
        (
            "python -m openrlhf.cli.train_ppo_ray --actor.num_nodes 1",
            "`train_ppo_ray` holds is not",
        ),
        (f"{SFT} $ARGS", "what `$ARGS` adds to the command"),
        (SFT.replace(MODEL, "$MODEL"), "`model.model_name_or_path` is not known before"),
        (f"{MODULE}train_sft --data.dataset d", "`model.model_name_or_path` names no model"),
    ],
)
def test_why_nothing_is_certain(text: str, words: str) -> None:
    made = planner(text)
    assert made.run(8) is None
    assert words in made.obstacle(8)


@each(
    ("text", "release", "is_estimated"),
    [
        (SFT, RELEASE, True),
        (f"{SFT} --ds.ring_attn_size 2", RELEASE, False),
        (f"{SFT} --ds.tensor_parallel_size 2", RELEASE, False),
        (f"{SFT} --ds.attn_implementation eager", RELEASE, False),
        (f"{SFT} --ds.deepcompile", RELEASE, False),
        (f"{SFT} --optim muon", RELEASE, False),
        (f"{SFT} --ds.adam_offload", RELEASE, False),
        (DPO, RELEASE, False),
        (f"{OLDER_SFT} --flash_attn", "0.8.9", True),
        # Attention was eager without the switch.
        (OLDER_SFT, "0.8.9", False),
        (OLDER_SFT, "0.8.10", True),
    ],
)
def test_the_estimate(text: str, release: str, is_estimated: bool) -> None:
    usual = planner(text, release).usual(8)
    assert usual is not None
    assert (estimate(usual) is not None) is is_estimated


def test_lengths_and_rows() -> None:
    usual = planner(SFT).usual(8)
    assert usual is not None
    assert usual.usual is not None
    assert usual.usual.tokens == 8 * 2048
    changed = planner(SFT).usual(8, length=1024, batch=2)
    assert changed is not None
    assert changed.usual is not None
    assert changed.usual.tokens == 2 * 1024
    kept = run(f"{SFT} --train.batch_size 128 --train.micro_batch_size 16")
    assert not kept.accumulates
    assert run(SFT).accumulates


@each(
    ("text", "release", "expected"),
    [
        (
            SFT,
            RELEASE,
            {
                *("`--train.micro_batch_size 1`", "`--model.gradient_checkpointing_enable`"),
                *("`--ds.zero_stage 3`", "`--data.max_len 1024`", "`--ds.lora.rank 16`"),
                "`--ds.lora.rank 16` with `--ds.load_in_4bit`",
            },
        ),
        (
            OLDER_SFT,
            OLD,
            {
                *("`--micro_train_batch_size 1`", "`--gradient_checkpointing`", "`--zero_stage 3`"),
                *("`--max_len 1024`", "`--lora_rank 16`"),
                "`--lora_rank 16` with `--load_in_4bit`",
            },
        ),
        (f"{SFT} --ds.lora.rank 8", RELEASE, {"`--ds.load_in_4bit`", "`--ds.zero_stage 3`"}),
    ],
)
def test_what_is_proposed(text: str, release: str, expected: set[str]) -> None:
    made = planner(text, release)
    titles = {one.title for choice in made.choices(8) for one in choice}
    assert expected <= titles
    without = titles - expected
    assert not any("with" in title for title in without)
    tried = {one.title for one in made.changes(8)}
    assert {title for title in expected if "max_len" not in title} <= tried


MODELS = (MODEL, "Qwen/Qwen3-8B", "Qwen/Qwen2.5-0.5B", "mistralai/Mistral-7B-v0.3")


@product
def test_as_in_llama_factory() -> None:
    """Settings of DeepSpeed that are the same, with its own Adam: the same bytes."""
    settings = every(MODELS, (1, 2, 3), (0, 8, 64), (False, True), (1, 4, 8), (1, 4), (False, True))
    for model, stage, rank, four_bits, gpus, rows, checkpoints in drawn(settings, 60):
        if four_bits and not rank:
            continue
        words = [
            *(f"{MODULE}train_sft --model.model_name_or_path {model} --data.dataset d",),
            *(f"--ds.zero_stage {stage} --ds.lora.rank {rank}", "--data.max_len 2048"),
            *(f"--train.micro_batch_size {rows}", f"--train.batch_size {rows * gpus * 2}"),
            *(["--ds.load_in_4bit"] if four_bits else []),
            *(["--model.gradient_checkpointing_enable"] if checkpoints else []),
        ]
        config: dict[str, Any] = {
            "model_name_or_path": model,
            "stage": "sft",
            "do_train": True,
            "dataset": "d",
            "template": "default",
            "output_dir": "o",
            "cutoff_len": 2048,
            "per_device_train_batch_size": rows,
            "gradient_accumulation_steps": 2,
            "disable_gradient_checkpointing": not checkpoints,
            **({"finetuning_type": "lora", "lora_rank": rank} if rank else {}),
            **({} if rank else {"finetuning_type": "full", "pure_bf16": True}),
            **({"quantization_bit": 4} if four_bits else {}),
            "deepspeed": {"zero_optimization": {"stage": stage}, "optimizer": {"type": "AdamW"}},
        }
        one = planner(" ".join(words)).usual(gpus)
        other = planner_of("llamafactory", "0.9.4", config).usual(gpus)
        assert one is not None
        assert other is not None
        assert sizes(one) == sizes(other), words
        assert estimate(one) == estimate(other), words
