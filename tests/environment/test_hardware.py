"""GPU names as drivers, clouds and people write them, and GPUs that the table lacks."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.environment.building import build_environment
from cfglint.environment.hardware import gpu_count, gpu_facts
from cfglint.environment.pins import TargetError
from cfglint.knowledge import compiled
from cfglint.roles.framework import frameworks, load_framework
from tests.draws import each


def facts(name: str) -> dict[str, Any]:
    return {key: fact.value for key, fact in gpu_facts(name, "x").items()}


@each(
    ("name", "known", "memory"),
    [
        # As nvidia-smi and rocm-smi have them.
        ("NVIDIA H100 80GB HBM3", "h100", 80),
        ("NVIDIA H100 PCIe", "h100", 80),
        ("NVIDIA H100 NVL", "h100nvl", 94),
        ("NVIDIA H200", "h200", 141),
        ("NVIDIA H200 NVL", "h200", 141),
        ("NVIDIA H20", "h20", 96),
        ("NVIDIA H20-3e", "h203e", 141),
        ("NVIDIA H800", "h800", 80),
        ("NVIDIA A800-SXM4-80GB", "a800", 80),
        ("NVIDIA A100-SXM4-40GB", "a100-40gb", 40),
        ("NVIDIA A100-PCIE-40GB", "a100-40gb", 40),
        ("NVIDIA A100 80GB PCIe", "a100", 80),
        ("A100-SXM4-80GB", "a100", 80),
        ("NVIDIA A100-SXM-64GB", "a100-64gb", 64),
        ("NVIDIA GH200 480GB", "gh200", 96),
        ("NVIDIA GH200 144G HBM3e", "gh200-144gb", 144),
        ("NVIDIA B300 SXM6 AC", "b300", 288),
        ("NVIDIA GB200", "gb200", 186),
        ("NVIDIA GB10", "gb10", 128),
        ("NVIDIA A10G", "a10", 24),
        ("NVIDIA L40S", "l40s", 48),
        ("Tesla V100-SXM2-16GB", "v100-16gb", 16),
        ("Tesla V100-SXM2-32GB", "v100", 32),
        ("Tesla V100-FHHL-16GB", "v100-16gb", 16),
        ("Tesla P100-PCIE-16GB", "p100", 16),
        ("Tesla T4", "t4", 16),
        ("NVIDIA GeForce RTX 4090", "rtx4090", 24),
        ("NVIDIA GeForce RTX 3090 Ti", "rtx3090ti", 24),
        ("NVIDIA RTX A6000", "rtxa6000", 48),
        ("NVIDIA RTX 6000 Ada Generation", "rtx6000ada", 48),
        ("NVIDIA RTX 4000 SFF Ada Generation", "rtx4000ada", 20),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtxpro6000", 96),
        ("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "rtxpro6000", 96),
        ("Quadro RTX 6000", "quadrortx6000", 24),
        ("AMD Instinct MI300X OAM", "mi300x", 192),
        # As clouds and schedulers have them.
        ("nvidia-tesla-t4", "t4", 16),
        ("nvidia-h100-80gb", "h100", 80),
        ("nvidia-h100-mega-80gb", "h100", 80),
        ("nvidia-h200-141gb", "h200", 141),
        ("nvidia-rtx-pro-6000", "rtxpro6000", 96),
        ("NVIDIA_A100_80GB", "a100", 80),
        ("A100-80GB:8", "a100", 80),
        ("H100!:4", "h100", 80),
        ("gpu:h100:8", "h100", 80),
        ("RTX6000-Ada", "rtx6000ada", 48),
        # As people have them.
        ("h-100", "h100", 80),
        (" H 100 ", "h100", 80),
        ("4090", "rtx4090", 24),
        ("a6000", "rtxa6000", 48),
        ("4060", "rtx4060", 8),
        ("NVIDIA GeForce RTX 4070 Ti SUPER", "rtx4070tisuper", 16),
        ("NVIDIA GeForce RTX 4070 SUPER", "rtx4070", 12),
        ("5060 ti", "rtx5060ti", 16),
        ("rtx pro 6000", "rtxpro6000", 96),
        ("8x H100", "h100", 80),
        ("8xh100", "h100", 80),
        ("a10080gb", "a100", 80),
        ("a100-40gb", "a100-40gb", 40),
        ("h200141gb", "h200", 141),
        ("h100:96GB", "h100-96gb", 96),
    ],
)
def test_names(name: str, known: str, memory: int) -> None:
    found = facts(name)
    assert (found["gpu"], found["gpu.memory_gb"]) == (known, memory)


@each(
    ("name", "capability", "bf16", "fp8"),
    [
        ("p100", 6.0, False, False),
        ("t4", 7.5, False, False),
        ("a100", 8.0, True, False),
        ("a10", 8.6, True, False),
        ("l4", 8.9, True, True),
        ("h20", 9.0, True, True),
        ("b300", 10.3, True, True),
        ("rtx pro 6000", 12.0, True, True),
        ("dgx spark", 12.1, True, True),
        ("mi210", None, True, False),
        ("mi355x", None, True, True),
    ],
)
def test_what_a_gpu_can_do(name: str, capability: float | None, bf16: bool, fp8: bool) -> None:
    found = facts(name)
    assert found.get("gpu.compute_capability") == capability
    assert (found["gpu.bf16"], found["gpu.fp8"]) == (bf16, fp8)
    assert found["gpu.vendor"] == ("amd" if name.startswith("mi") else "nvidia")


@each(
    ("name", "known", "capability", "memory"),
    [
        ("sm_90:96GB", "sm_90:96GB", 9.0, 96),
        ("sm_103:288gib:8", "sm_103:288GB", 10.3, 288),
        ("SM90a", "sm_90", 9.0, None),
        ("sm_75:11G", "sm_75:11GB", 7.5, 11),
    ],
)
def test_a_gpu_that_is_not_listed(
    name: str, known: str, capability: float, memory: int | None
) -> None:
    found = facts(name)
    assert (found["gpu"], found["gpu.compute_capability"]) == (known, capability)
    assert found.get("gpu.memory_gb") == memory
    assert found["gpu.bf16"] == (capability >= 8)


@each(
    ("name", "words"),
    [
        ("h1000", "Did you mean 'h100'"),
        ("rtx 6000", "'rtxa6000'"),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", "Did you mean 'rtx4090'"),
        ("NVIDIA A100-SXM4-80GB MIG 1g.10gb", "such as sm_90:96GB"),
        ("4090 laptop", "Did you mean 'rtx4090'"),
        ("5081", "Did you mean 'rtx5080'"),
        ("potato", "'potato' is not a GPU that cfglint knows. docs/targets.md lists"),
        ("sm_9", "such as sm_90:96GB"),
        ("sm_90:96GBB", "such as sm_90:96GB"),
        ("x" * 10_000, "such as sm_90:96GB"),
        ("", "such as sm_90:96GB"),
        ("h100:0", "at least 1"),
        ("8x h100:8", "only once"),
    ],
)
def test_unknown(name: str, words: str) -> None:
    with pytest.raises(TargetError) as caught:
        gpu_facts(name, "x")
    assert words in str(caught.value)


@each(("name", "count"), [("h100", None), ("h100:8", 8), ("4x a100", 4), ("sm_90:96GB:2", 2)])
def test_how_many(name: str, count: int | None) -> None:
    assert gpu_count(name) == count
    releases = load_framework(frameworks()[0]).releases
    built = build_environment(releases, gpu=name)
    assert (built.facts["gpus"].value if count else None) == count
    # What is said of the whole run counts.
    assert build_environment(releases, gpus=16, gpu=name).fact("gpus") == 16


def test_every_name_of_the_table_means_one_gpu() -> None:
    table: dict[str, dict[str, Any]] = compiled.load("hardware").GPUS
    names = [name for known, row in table.items() for name in (known, *row["also"])]
    assert len(names) == len(set(names))
    for known, row in table.items():
        for name in (known, *row["also"]):
            assert facts(name)["gpu"] == known
