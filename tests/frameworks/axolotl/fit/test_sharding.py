"""Who divides what among four GPUs: weights, gradients, states, and what layers compute."""

from __future__ import annotations

from typing import Any

from cfglint.runs.memory.run import MemoryRun
from tests.draws import each
from tests.frameworks.axolotl.fit.planning import BASE
from tests.runs.memory.planners import planner_of

Shares = tuple[int, int, int, int]
WHOLE, SPREAD, NOWHERE = (1, 1, 1, 1), (4, 4, 4, 4), (0, 0, 0, 1)
MODULE = "-m axolotl.cli.train train.yaml"


def shares(run: MemoryRun | None) -> Shares:
    assert run is not None
    found = run.shards
    return found.weights, found.gradients, found.states, found.layers


def divided(
    config: dict[str, Any], script: str = "", release: str = "0.18.0", gpus: int = 4
) -> tuple[Shares, Shares]:
    """Over how many GPUs each part certainly is divided at most, and how it usually is."""
    planner = planner_of("axolotl", release, {**BASE, **config}, script=script.encode())
    return shares(planner.run(gpus)), shares(planner.usual(gpus))


@each(
    ("script", "release", "certain", "usual"),
    [
        # `axolotl train` starts a process for each GPU, and so do launchers.
        ("", "0.18.0", WHOLE, WHOLE),
        ("", "0.7.0", WHOLE, WHOLE),
        ("", "0.6.0", SPREAD, WHOLE),
        ("axolotl train train.yaml", "0.18.0", WHOLE, WHOLE),
        ("axolotl preprocess train.yaml", "0.18.0", WHOLE, WHOLE),
        (f"accelerate launch {MODULE}", "0.18.0", WHOLE, WHOLE),
        (f"accelerate launch {MODULE}", "0.6.0", WHOLE, WHOLE),
        (f"torchrun --nproc_per_node 4 {MODULE}", "0.18.0", WHOLE, WHOLE),
        ("deepspeed --module axolotl.cli.train train.yaml", "0.18.0", WHOLE, WHOLE),
        # One process may spread the layers.
        (f"torchrun --nproc_per_node 1 {MODULE}", "0.18.0", SPREAD, WHOLE),
        ("axolotl train train.yaml --num-processes=1", "0.18.0", SPREAD, WHOLE),
        ("axolotl train train.yaml -- --num_processes 1", "0.18.0", SPREAD, WHOLE),
        (f"python {MODULE}", "0.18.0", SPREAD, SPREAD),
        (f"axolotl train train.yaml\npython {MODULE}", "0.18.0", SPREAD, SPREAD),
    ],
)
def test_what_starts_a_run(script: str, release: str, certain: Shares, usual: Shares) -> None:
    assert divided({}, script, release) == (certain, usual)


@each(
    ("config", "expected"),
    [
        ({"tensor_parallel_size": 1}, WHOLE),
        ({"tensor_parallel_size": 2}, SPREAD),
        ({"dp_shard_size": 2}, SPREAD),
        ({"expert_parallel_size": 2}, SPREAD),
        ({"device_map": "auto"}, SPREAD),
        # The files that come with Axolotl need not be there.
        ({"deepspeed": "deepspeed_configs/zero1.json"}, (1, 1, 4, 1)),
        ({"deepspeed": "deepspeed_configs/zero2_torch_compile.json"}, (1, 0, 0, 1)),
        ({"deepspeed": "deepspeed_configs/zero3.json"}, (4, 4, 4, 1)),
        ({"deepspeed": "deepspeed_configs/zero3_bf16.json"}, (4, 4, 4, 1)),
        ({"deepspeed": "deepspeed_configs/zero3_bf16_cpuoffload_params.json"}, (0, 4, 4, 1)),
        ({"deepspeed": "deepspeed_configs/zero3_bf16_cpuoffload_all.json"}, NOWHERE),
        ({"deepspeed": "own/other.json"}, NOWHERE),
        ({"deepspeed": "deepspeed_configs/zero1.json", "tensor_parallel_size": 2}, SPREAD),
        # FSDP, with every way to write that a switch is off.
        ({"fsdp": ["full_shard"]}, (4, 4, 4, 1)),
        ({"fsdp": ["full_shard", "offload"]}, NOWHERE),
        ({"fsdp_config": {"offload_params": True}}, NOWHERE),
        ({"fsdp_config": {"cpu_offload": "yes"}}, NOWHERE),
        ({"fsdp_config": {"fsdp_offload_params": "true"}}, NOWHERE),
        ({"fsdp_config": {"offload_params": False}}, (4, 4, 4, 1)),
        ({"fsdp_config": {"offload_params": "false"}}, (4, 4, 4, 1)),
        ({"fsdp_config": {"offload_params": "no"}}, (4, 4, 4, 1)),
        ({"fsdp_config": {"offload_params": 0}}, (4, 4, 4, 1)),
        ({"fsdp_config": {"fsdp_offload_params": "off"}}, (4, 4, 4, 1)),
        ({"fsdp_config": {"version": 2}, "dp_replicate_size": 2}, (2, 2, 2, 1)),
        ({"fsdp_config": {"version": 2}, "dp_replicate_size": 3}, (4, 4, 4, 1)),
    ],
)
def test_what_the_config_divides(config: dict[str, Any], expected: Shares) -> None:
    assert divided(config) == (expected, expected)


def test_ray_starts_the_processes() -> None:
    assert divided({"use_ray": True}) == (SPREAD, WHOLE)


def test_one_gpu_has_everything() -> None:
    assert divided({}, gpus=1) == (WHOLE, WHOLE)
    assert divided({"tensor_parallel_size": 2}, gpus=1) == (WHOLE, WHOLE)
