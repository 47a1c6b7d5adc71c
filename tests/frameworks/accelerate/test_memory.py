"""How accelerate divides what it starts, by its file and the options of the command."""

from __future__ import annotations

from cfglint.frameworks.accelerate.memory import division_by
from cfglint.runs.memory.planning import Planner
from cfglint.runs.memory.run import Shards
from tests.draws import each
from tests.linting import case_in
from tests.runs.memory.planners import planner_of

CONFIG = {
    "model_name_or_path": "NousResearch/Meta-Llama-3-8B",
    "dataset_name": "trl-lib/Capybara",
    "output_dir": "out",
    "dtype": "bfloat16",
}
LAUNCH = "accelerate launch {} -m trl.scripts.sft --config sft.yaml"
OFFLOAD = "{zero_stage: 3, offload_param_device: cpu, offload_optimizer_device: cpu}"
SHARE, COPY, NOWHERE = Shards(4, 4, 4), Shards(), Shards(0, 0, 0)


def planner(script: str, acc: str = "", **files: bytes) -> Planner:
    others = {"acc.yaml": acc.encode(), "ds.json": b'{"zero_optimization": {"stage": 2}}', **files}
    return planner_of("trl", "1.9.0", CONFIG, "sft.yaml", script=script.encode(), files=others)


def shards(script: str, acc: str = "", *, usual: bool = False) -> Shards:
    found = planner(script, acc)
    run = found.usual(4) if usual else found.run(4)
    assert run is not None
    return run.shards


@each(
    ("file", "expected"),
    [
        ("distributed_type: MULTI_GPU", COPY),
        ("distributed_type: 'NO'", COPY),
        ("num_processes: 4", COPY),
        ("distributed_type: FSDP", SHARE),
        ("distributed_type: FSDP\nfsdp_config: {fsdp_offload_params: true}", NOWHERE),
        ("distributed_type: FSDP\nfsdp_config: {fsdp_sharding_strategy: 3}", COPY),
        ("distributed_type: FSDP\nfsdp_config: {fsdp_sharding_strategy: SHARD_GRAD_OP}", SHARE),
        ("distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 3}", Shards(4, 4, 4)),
        ("distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 1}", Shards(1, 1, 4)),
        ("distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: '3'}", Shards(4, 4, 4)),
        ("distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 4}", NOWHERE),
        ("distributed_type: DEEPSPEED", Shards(1, 4, 4)),
        (f"distributed_type: DEEPSPEED\ndeepspeed_config: {OFFLOAD}", NOWHERE),
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config: {deepspeed_config_file: ds.json}",
            Shards(1, 4, 4),
        ),
        ("distributed_type: MEGATRON_LM", NOWHERE),
        ("distributed_type: {a: 1}", NOWHERE),
        ("deepspeed_config: 3\ndistributed_type: DEEPSPEED", Shards(1, 4, 4)),
        ("- a", NOWHERE),
        ("a: [", NOWHERE),
    ],
)
def test_a_file_that_the_command_names(file: str, expected: Shards) -> None:
    assert shards(LAUNCH.format("--config_file acc.yaml"), file) == expected


@each(
    ("options", "expected"),
    [
        ("--use_deepspeed --zero_stage 3", Shards(4, 4, 4)),
        ("--use-deepspeed --zero-stage=1", Shards(1, 1, 4)),
        ("--use_fsdp", SHARE),
        ("--use_fsdp --fsdp_offload_params true", NOWHERE),
        ("--multi_gpu --num_processes 4", COPY),
        ("--config_file acc.yaml --use_deepspeed", Shards(1, 4, 4)),
        ("--config_file $CONFIG", NOWHERE),
        ("--config_file missing.yaml", NOWHERE),
    ],
)
def test_options_of_the_command(options: str, expected: Shards) -> None:
    assert shards(LAUNCH.format(options), "distributed_type: MULTI_GPU") == expected


@each(
    ("name", "expected"),
    [("zero3", Shards(4, 4, 4)), ("fsdp2", SHARE), ("multi_gpu", COPY), ("mine", NOWHERE)],
)
def test_the_files_of_the_package(name: str, expected: Shards) -> None:
    assert shards(f"trl sft --config sft.yaml --accelerate_config {name}") == expected


def test_without_a_file_only_a_share_is_certain_but_a_copy_is_usual() -> None:
    for script in (LAUNCH.format(""), "trl sft --config sft.yaml"):
        assert shards(script) == Shards(4, 4, 4, 4)
        assert shards(script, usual=True) == COPY


def test_weights_that_stay_for_the_backward_pass_count_in_the_estimate() -> None:
    file = "distributed_type: FSDP\nfsdp_config: {fsdp_sharding_strategy: SHARD_GRAD_OP}"
    assert shards(LAUNCH.format("--config_file acc.yaml"), file, usual=True) == Shards(1, 4, 4)


def test_scripts_that_disagree_decide_nothing() -> None:
    both = f"{LAUNCH.format('--use_fsdp')}\n{LAUNCH.format('--multi_gpu')}"
    found = planner(both).run(4)
    assert found is not None
    assert found.shards == NOWHERE
    assert "different settings" in found.divided.text


PROGRAM = """\
from trl import SFTConfig, SFTTrainer
args = SFTConfig(output_dir="o")
SFTTrainer(model="a/b", args=args, train_dataset=rows).train()
"""


@each(
    ("starts", "expected"),
    [
        ("", None),
        ("accelerate launch --use_fsdp train.py\n", SHARE),
        ("accelerate launch --multi_gpu train.py\n", COPY),
        # Another launcher has no settings of accelerate, so it decides nothing beside one that has.
        ("torchrun --nproc_per_node 4 train.py\n", None),
        ("torchrun --nproc_per_node 4 train.py\naccelerate launch --use_fsdp train.py\n", SHARE),
        (
            "accelerate launch --use_fsdp train.py\naccelerate launch --multi_gpu train.py\n",
            NOWHERE,
        ),
        ("accelerate launch --use_fsdp other.py\n", None),
    ],
)
def test_commands_that_start_a_program(starts: str, expected: Shards | None) -> None:
    files = {".git/HEAD": "", "run.sh": starts}
    case, _ = case_in(files, PROGRAM, name="train.py", framework="trl_programs")
    found = division_by(4, case.around, usual=False)
    assert (found and found.shards) == expected
