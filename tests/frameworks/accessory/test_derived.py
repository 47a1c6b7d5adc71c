"""What follows from several settings: processes, parts and sizes of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cfglint.frameworks.accessory.derived import DERIVED
from tests.draws import each
from tests.frameworks.deriving import derived

BASE = ""


def values(names: str, text: str, release: str = "", files: Mapping[str, str] = {}) -> list[Any]:
    target = (f"llama2-accessory=={release}",) if release else ()
    return derived(
        DERIVED,
        names.split(),
        BASE + text,
        framework="accessory",
        name="run.sh",
        target=target,
        files=files,
    )


@each(
    ("names", "text", "expected"),
    [
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o \n",
            [8, 1, False, "missing", "unknown", "unknown", "unknown", "unknown", False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama_peft --data_config c.yaml --output_dir o \n",
            [8, 1, True, "missing", "unknown", "unknown", "unknown", "unknown", False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type mixtral --data_config c.yaml --output_dir o \n",
            [8, 1, False, "unknown", "unknown", "unknown", "unknown", "unknown", False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type mine --data_config c.yaml --output_dir o \n",
            [
                8,
                1,
                "unknown",
                "unknown",
                "unknown",
                "unknown",
                "unknown",
                "unknown",
                False,
                "finetune",
            ],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --model_parallel_size 2\n",
            [8, 2, False, "missing", "unknown", "unknown", "unknown", "unknown", False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --model_parallel_size 16\n",
            [8, 8, False, "missing", "unknown", "unknown", "unknown", "unknown", False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --model_parallel_size x\n",
            [
                8,
                "unknown",
                False,
                "missing",
                "unknown",
                "unknown",
                "unknown",
                "unknown",
                False,
                "finetune",
            ],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --llama_config p.json\n",
            [8, 1, False, "missing", "unknown", "unknown", "unknown", "unknown", False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type mixtral --data_config c.yaml --output_dir o --llama_config m.json\n",
            [8, 1, False, "unknown", "unknown", "unknown", "unknown", "unknown", False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --llama_config none.json\n",
            [8, 1, False, "missing", "unknown", "unknown", "unknown", "unknown", False, "finetune"],
        ),
        (
            "world_size",
            "torchrun --nproc_per_node 8 --nnodes 2 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o \n",
            [16],
        ),
        (
            "world_size",
            "torchrun --nproc_per_node 8 --nnodes $N main_finetune.py --llama_type llama --data_config c.yaml --output_dir o \n",
            ["unknown"],
        ),
        (
            "world_size",
            "torchrun --nproc_per_node gpu main_finetune.py --llama_type llama --data_config c.yaml --output_dir o \n",
            ["unknown"],
        ),
        (
            "world_size kind",
            "torchrun main_pretrain.py --llama_type llama --data_config c.yaml --output_dir o \n",
            ["unknown", "pretrain"],
        ),
        (
            "epochs lr batch_size quant dialog save_interval precision",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --epochs 3 --dialog --batch_size 4\n",
            [3, 0.001, 4, False, True, 1, "bf16"],
        ),
        (
            "epochs lr batch_size quant dialog save_interval precision",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --epochs $E --quant\n",
            ["unknown", 0.001, 16, True, False, 1, "bf16"],
        ),
    ],
)
def test_values(names: str, text: str, expected: Sequence[Any]) -> None:
    assert values(names, text) == expected


@each(
    ("names", "text", "release", "files", "expected"),
    [
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --llama_config p.json\n",
            "",
            {"p.json": '{"dim": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 32000}'},
            [8, 1, False, "missing", 32, "missing", 54, 90, False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o --llama_config p.json --model_parallel_size 8\n",
            "",
            {
                "p.json": '{"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 32000}'
            },
            [8, 8, False, "missing", 32, 8, "missing", "missing", False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type mixtral --data_config c.yaml --output_dir o --llama_config p.json\n",
            "",
            {
                "p.json": '{"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "moe": {"num_experts": 4}}'
            },
            [8, 1, False, 4, 32, 8, 219, 365, False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type mixtral --data_config c.yaml --output_dir o --llama_config p.json\n",
            "",
            {"p.json": '{"dim": 4096, "moe": {}}'},
            [8, 1, False, 8, 32, "missing", 432, 720, False, "finetune"],
        ),
        (
            "world_size parts adapter experts heads kv_heads optimizer_gb rate_for_10_minutes own_timeout kind",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama_peft --data_config c.yaml --output_dir o --llama_config p.json\n",
            "",
            {"p.json": '{"dim": 4096, "n_layers": 32, "n_heads": 32}'},
            [8, 1, True, "missing", 32, "missing", "missing", "missing", False, "finetune"],
        ),
        (
            "own_timeout",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o \n",
            "",
            {
                "accessory/util/misc.py": "dist.init_process_group(backend='nccl', timeout=timedelta(hours=2))\n"
            },
            [True],
        ),
        (
            "own_timeout",
            "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --data_config c.yaml --output_dir o \n",
            "",
            {"util/misc.py": "dist.init_process_group(backend='nccl')\n"},
            [False],
        ),
    ],
)
def test_releases_and_projects(
    names: str, text: str, release: str, files: Mapping[str, str], expected: Sequence[Any]
) -> None:
    assert values(names, text, release, files) == expected
