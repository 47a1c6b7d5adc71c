"""Processes, GPUs and machines out of whole launch files, as a config meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.file_kinds import kind_of
from cfglint.environment.project.machines import World, settle, world
from cfglint.environment.project.projects import Projects
from cfglint.environment.project.stated_versions import Hardware, Place
from cfglint.runs.starts import commands
from cfglint.source.files.disk import Disk
from tests.draws import each

SLURM = "#!/bin/bash\n#SBATCH --nodes={nodes}\n#SBATCH --gres=gpu:a100:8\n"
SKY = "num_nodes: 2\nresources:\n  accelerators: H100:8\nrun: |\n  {run}\n"
TORCHRUN = "torchrun --nproc_per_node {each} --nnodes {nodes} -m axolotl.cli.train train.yml\n"
ACCELERATE = (
    "distributed_type: {kind}\nnum_machines: 1\nnum_processes: {count}\nmixed_precision: bf16\n"
)


def facts(
    root: Path,
    files: dict[str, str],
    config: str = "train.yml",
    shown: tuple[str, ...] = ("gpus", "gpu", "env.nodes"),
) -> dict[str, object]:
    (root / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    project = Projects(Disk()).for_file(str(root / config), "axolotl")
    found = project.hardware(str(root / config)) if project is not None else {}
    return {name: fact.value for name, fact in found.items() if name in shown}


@pytest.mark.parametrize(
    ("files", "gpus", "nodes"),
    [
        # Slurm
        ({"a.sbatch": SLURM.format(nodes=1) + "axolotl train train.yml\n"}, 8, 1),
        ({"a.sbatch": SLURM.format(nodes=2) + "srun axolotl train train.yml\n"}, 16, 2),
        ({"a.slurm": SLURM.format(nodes=2) + "axolotl train train.yml\n"}, None, 2),
        ({"a.slurm": SLURM.format(nodes="2-4") + "srun axolotl train train.yml\n"}, None, None),
        ({"a.slurm": "#SBATCH --gpus-per-node=4\naxolotl train train.yml\n"}, 4, None),
        ({"a.slurm": "#SBATCH -N 2\n#SBATCH -G 16\nsrun axolotl train train.yml\n"}, 16, 2),
        ({"a.slurm": "#SBATCH --gpus=h100:16 --nodes 2\nsrun axolotl train train.yml\n"}, 16, 2),
        (
            {"a.slurm": SLURM.format(nodes=2) + TORCHRUN.format(each=8, nodes="$SLURM_NNODES")},
            16,
            2,
        ),
        ({"a.slurm": SLURM.format(nodes=1) + TORCHRUN.format(each=4, nodes=1)}, 4, 1),
        ({"a.slurm": SLURM.format(nodes=1) + TORCHRUN.format(each=16, nodes=1)}, None, 1),
        ({"a.slurm": "#SBATCH --exclusive --nodes=2 -J x --gres=gpu:4\nsrun axolotl train train.yml\n"}, 8, 2),
        ({"a.slurm": "#SBATCH --ntasks=16 --gpus-per-task=1\nsrun axolotl train train.yml\n"}, 16, None),
        ({"a.slurm": "#SBATCH --ntasks=16 --gpus-per-node=8\nsrun axolotl train train.yml\n"}, None, None),
        # launchers
        ({"run.sh": TORCHRUN.format(each=8, nodes=2)}, 16, 2),
        ({"run.sh": TORCHRUN.format(each="gpu", nodes=2)}, None, 2),
        ({"run.sh": TORCHRUN.format(each=8, nodes="1:4")}, None, None),
        ({"run.sh": TORCHRUN.format(each=8, nodes=1) + TORCHRUN.format(each=4, nodes=1)}, None, 1),
        ({"run.sh": "N=4\n" + TORCHRUN.format(each="$N", nodes=1)}, 4, 1),
        ({"run.sh": "N=4\nN=8\n" + TORCHRUN.format(each="$N", nodes=1)}, None, 1),
        ({"run.sh": "axolotl train train.yml --num-processes 4\n"}, 4, None),
        ({"run.sh": "axolotl train train.yml --num_processes=4\n"}, 4, None),
        ({"run.sh": "axolotl train train.yml -- --num_processes=4 --num_machines 2\n"}, 4, 2),
        (
            {"run.sh": "axolotl train train.yml --launcher torchrun -- --nproc_per_node=4 --nnodes=2\n"},
            8,
            2,
        ),
        ({"run.sh": "deepspeed --num_gpus 4 -m axolotl.cli.train train.yml\n"}, 4, None),
        ({"run.sh": "axolotl preprocess train.yml --num-processes 4\n"}, None, None),
        ({"run.sh": TORCHRUN.format(each=8, nodes=1).replace("train.yml", "other.yml")}, None, None),
        ({"run.sh": TORCHRUN.format(each=8, nodes=1).replace("train.yml", '"$1"')}, 8, 1),
        (
            {"run.sh": TORCHRUN.format(each=8, nodes=1).replace("train.yml", "b.yml") + "axolotl train train.yml\n"},
            None,
            1,
        ),
        # devices
        ({"run.sh": "CUDA_VISIBLE_DEVICES=0,1 axolotl train train.yml\n"}, 2, None),
        ({"run.sh": "export CUDA_VISIBLE_DEVICES=0,1,2\naxolotl train train.yml\n"}, 3, None),
        ({"run.sh": 'CUDA_VISIBLE_DEVICES="" axolotl preprocess train.yml\naxolotl train train.yml\n'}, None, None),
        ({"run.sh": "CUDA_VISIBLE_DEVICES=0 axolotl train train.yml\nCUDA_VISIBLE_DEVICES=0,1 axolotl train train.yml\n"}, None, None),
        ({"run.sh": "CUDA_VISIBLE_DEVICES=2,3 axolotl vllm-serve train.yml\naxolotl train train.yml\n"}, None, None),
        # launchers that start a process for each GPU that they see
        ({"run.sh": "CUDA_VISIBLE_DEVICES=0,1 deepspeed -m axolotl.cli.train train.yml\n"}, 2, None),
        ({"run.sh": "export CUDA_VISIBLE_DEVICES=0,1,2\ndeepspeed -m axolotl.cli.train train.yml\n"}, 3, None),
        ({"run.sh": "CUDA_VISIBLE_DEVICES=0,1 deepspeed --num_gpus 4 -m axolotl.cli.train train.yml\n"}, 4, None),
        ({"run.sh": "CUDA_VISIBLE_DEVICES=0,1 deepspeed --hostfile hosts -m axolotl.cli.train train.yml\n"}, None, None),
        ({"run.sh": "deepspeed --include localhost:0,1,3 -m axolotl.cli.train train.yml\n"}, 3, 1),
        ({"run.sh": "deepspeed --include=a:0,1@b:0,1 -m axolotl.cli.train train.yml\n"}, 4, 2),
        ({"run.sh": "deepspeed --include a@b -m axolotl.cli.train train.yml\n"}, None, 2),
        ({"run.sh": "CUDA_VISIBLE_DEVICES=4,5 torchrun --nproc_per_node gpu -m axolotl.cli.train train.yml\n"}, 2, None),
        ({"run.sh": "CUDA_VISIBLE_DEVICES=$IDS torchrun --nproc_per_node auto -m axolotl.cli.train train.yml\n"}, None, None),
        ({"run.sh": "CUDA_VISIBLE_DEVICES=0,1 accelerate launch -m axolotl.cli.train train.yml\n"}, 2, None),
        ({"run.sh": "export CUDA_VISIBLE_DEVICES=0,1\nCUDA_VISIBLE_DEVICES=$IDS accelerate launch -m axolotl.cli.train train.yml\n"}, 2, None),
        # a script that starts nothing, or something else
        ({"run.sh": "#!/bin/bash\n#SBATCH --gres=gpu:4\n# axolotl train $1\nsleep 9\n"}, None, None),
        ({"run.sh": "#!/bin/bash\n#SBATCH --gres=gpu:4\naxolotl fetch examples\n"}, None, None),
        ({"run.sh": "#!/bin/bash\n#SBATCH --gres=gpu:4\naxolotl train $1\n"}, 4, None),
        ({"run.sh": "docker run -e CUDA_VISIBLE_DEVICES=0,1 image axolotl train train.yml\n"}, 2, None),
        # containers
        ({"run.sh": "docker run --gpus 4 image axolotl train train.yml\n"}, 4, None),
        ({"run.sh": "docker run image train.yml --gpus 2\naxolotl train train.yml\n"}, 2, None),
        ({"run.sh": "docker run --rm \\\n  --gpus '\"device=0,1\"' \\\n  image axolotl train train.yml\n"}, 2, None),
        ({"run.sh": "docker run --gpus all image axolotl train train.yml\n"}, None, None),
        ({"job.json": '{"gpuCount": 2, "dockerArgs": "axolotl train train.yml"}'}, 2, None),
        # clouds
        ({"sky.yaml": SKY.format(run="axolotl train train.yml")}, 16, 2),
        ({"sky.yaml": SKY.format(run="bash train.sh"), "train.sh": "axolotl train train.yml\n"}, 16, 2),
        ({"sky.yaml": SKY.format(run="bash train.sh"), "train.sh": "axolotl train other.yml\n"}, None, None),
        ({"sky.yaml": SKY.format(run="bash train.sh"), "train.sh": TORCHRUN.format(each=4, nodes="$SKYPILOT_NUM_NODES")}, 8, 2),
        ({"modal_app.py": '@f(gpu="H100!:4")\ndef f():\n    run(["axolotl", "train", "train.yml"])\n'}, 4, None),
        # accelerate
        # Nothing launches the config with the neighbour.
        ({"accelerate.yaml": ACCELERATE.format(kind="MULTI_GPU", count=4)}, None, None),
        (
            {
                "accelerate.yaml": ACCELERATE.format(kind="'NO'", count=4),
                "run.sh": "accelerate launch --config_file accelerate.yaml -m axolotl.cli.train train.yml\n",
            },
            1,
            1,
        ),
        ({"accelerate.yaml": ACCELERATE.format(kind="FSDP", count=4), "run.sh": "axolotl train train.yml\n"}, None, None),
        (
            {
                "accelerate.yaml": ACCELERATE.format(kind="FSDP", count=4),
                "run.sh": "torchrun --nproc_per_node=$N -m axolotl.cli.train ${1:-train.yml}\n",
            },
            None,
            None,
        ),
        (
            {
                "conf/fsdp.yaml": ACCELERATE.format(kind="FSDP", count=4),
                "run.sh": "accelerate launch --config_file conf/fsdp.yaml -m axolotl.cli.train train.yml\n",
            },
            4,
            1,
        ),
        (
            {
                "acc.yaml": ACCELERATE.format(kind="'NO'", count=1),
                "run.sh": "accelerate launch --config_file acc.yaml --num_processes 8 -m axolotl.cli.train train.yml\n",
            },
            None,
            None,
        ),
        # Axolotl's own clouds
        ({"cloud.yaml": "provider: modal\ngpu: h100\ngpu_count: 8\n", "run.sh": "axolotl train train.yml --cloud cloud.yaml\n"}, 8, None),
        # continuous integration says nothing about real runs
        ({".github/workflows/t.yml": "run: axolotl train train.yml --num-processes 2\n"}, None, None),
    ],
)  # fmt: skip
def test_hardware(
    tmp_path: Path, files: dict[str, str], gpus: int | None, nodes: int | None
) -> None:
    found = facts(tmp_path, files)
    assert (found.get("gpus"), found.get("env.nodes")) == (gpus, nodes)


def test_scripts_in_a_folder_of_their_own(tmp_path: Path) -> None:
    script = "axolotl train configs/train.yml --num-processes 2\n"
    found = facts(tmp_path, {"scripts/train.sh": script}, "configs/train.yml")
    assert found["gpus"] == 2
    assert "gpus" not in facts(tmp_path, {}, "configs/other.yml")


def test_the_line_of_another_config(tmp_path: Path) -> None:
    script = "torchrun --nproc_per_node 2 -m axolotl.cli.train a.yml\naxolotl train b.yml --num-processes 4\n"
    assert facts(tmp_path, {"run.sh": script}, "a.yml")["gpus"] == 2
    assert facts(tmp_path, {"run.sh": script}, "b.yml")["gpus"] == 4


@pytest.mark.parametrize(
    ("script", "gpus"),
    [
        ("torchrun --nproc_per_node 2 cli.py train lora/a.yml\n", None),
        ("torchrun --nproc_per_node 2 -m axolotl.cli.train lora/train.yml\n", None),
        ("torchrun --nproc_per_node 2 cli.py train full/train.yml\n", 2),
        ("torchrun --nproc_per_node 2 -m axolotl.cli.train $1\n", 2),
        ("CUDA_VISIBLE_DEVICES=0,1 vllm serve models/axolotl\n", None),
        ("export CUDA_VISIBLE_DEVICES=0,1\naxolotl vllm-serve\n", None),
    ],
)
def test_a_script_counts_for_what_it_may_start(
    tmp_path: Path, script: str, gpus: int | None
) -> None:
    found = facts(tmp_path, {"run.sh": "# Axolotl\n" + script}, "full/train.yml")
    assert found.get("gpus") == gpus


def test_the_kind_of_gpu(tmp_path: Path) -> None:
    found = facts(tmp_path, {"a.sbatch": SLURM.format(nodes=1) + "axolotl train train.yml\n"})
    assert found["gpu"] == "a100"


@each("name", ["a.sbatch", "b.slurm", "sft_slurm.sh", "train_8b.sh", "submit.sh"])
def test_names_of_scripts(name: str) -> None:
    assert kind_of(name) == ("launch", 13)


@pytest.mark.parametrize("name", ["install.sh", "setup.sh", "a.slurmx"])
def test_names_of_other_files(name: str) -> None:
    assert (kind_of(name) or ("",))[0] != "launch"


#: What files that a launch line names say.
NAMED: dict[str, list[tuple[str, int]]] = {
    "one.yaml": [("processes", 1), ("nodes", 1)],
    "four.yaml": [("processes", 4)],
    "nodes.yaml": [("nodes", 2)],
    "cloud.yml": [("gpus", 8)],
}
#: A launch line, and what it says: all processes, those of each machine, machines, whether it says
#: anything of processes, and where.
WORLDS: list[tuple[str, tuple[int | None, int | None, int | None, bool, str]]] = [
    ("accelerate launch  -m axolotl.cli.train a.yml\n", (None, None, None, False, "")),
    (
        "accelerate launch --num_processes 4 -m axolotl.cli.train a.yml\n",
        (4, None, None, True, "4"),
    ),
    (
        "accelerate launch --num_processes 4 --num_machines 2 -m axolotl.cli.train a.yml\n",
        (4, None, 2, True, "4"),
    ),
    (
        "accelerate launch --num_processes $N -m axolotl.cli.train a.yml\n",
        (None, None, None, True, "$N"),
    ),
    (
        "accelerate launch --num_processes 0 -m axolotl.cli.train a.yml\n",
        (None, None, None, True, "0"),
    ),
    (
        "accelerate launch --num_processes 123456 -m axolotl.cli.train a.yml\n",
        (None, None, None, True, "123456"),
    ),
    (
        "accelerate launch --num_processes 12345 -m axolotl.cli.train a.yml\n",
        (12345, None, None, True, "12345"),
    ),
    ("accelerate launch --num_machines 2 -m axolotl.cli.train a.yml\n", (None, None, 2, False, "")),
    (
        "accelerate launch --config_file one.yaml -m axolotl.cli.train a.yml\n",
        (1, None, 1, True, "one.yaml"),
    ),
    (
        "accelerate launch --config_file four.yaml -m axolotl.cli.train a.yml\n",
        (4, None, None, True, "four.yaml"),
    ),
    (
        "accelerate launch --config_file four.yaml --num_machines 3 -m axolotl.cli.train a.yml\n",
        (4, None, 3, True, "four.yaml"),
    ),
    (
        "accelerate launch --config_file nodes.yaml -m axolotl.cli.train a.yml\n",
        (None, None, None, False, ""),
    ),
    (
        "accelerate launch --config_file one.yaml --num_processes 4 -m axolotl.cli.train a.yml\n",
        (None, None, None, True, "4"),
    ),
    (
        "accelerate launch --config_file one.yaml --num_processes 1 -m axolotl.cli.train a.yml\n",
        (1, None, None, True, "1"),
    ),
    (
        "accelerate launch --config_file four.yaml --num_processes 2 -m axolotl.cli.train a.yml\n",
        (2, None, None, True, "2"),
    ),
    (
        "accelerate launch --config_file gone.yaml -m axolotl.cli.train a.yml\n",
        (None, None, None, False, ""),
    ),
    (
        "CUDA_VISIBLE_DEVICES=0,1 accelerate launch  -m axolotl.cli.train a.yml\n",
        (2, None, None, True, "a.yml"),
    ),
    (
        "CUDA_VISIBLE_DEVICES=0,0,1 accelerate launch  -m axolotl.cli.train a.yml\n",
        (2, None, None, True, "a.yml"),
    ),
    (
        "CUDA_VISIBLE_DEVICES=0,x accelerate launch  -m axolotl.cli.train a.yml\n",
        (None, None, None, False, ""),
    ),
    (
        "CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_machines 2 -m axolotl.cli.train a.yml\n",
        (None, None, 2, False, ""),
    ),
    (
        "CUDA_VISIBLE_DEVICES=0,1 srun accelerate launch  -m axolotl.cli.train a.yml\n",
        (None, None, None, False, ""),
    ),
    (
        "CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_processes 4 -m axolotl.cli.train a.yml\n",
        (4, None, None, True, "4"),
    ),
    ("torchrun  -m axolotl.cli.train a.yml\n", (None, None, None, False, "")),
    ("torchrun --nproc_per_node 4 -m axolotl.cli.train a.yml\n", (4, 4, None, True, "4")),
    ("torchrun --nproc_per_node 4 --nnodes 2 -m axolotl.cli.train a.yml\n", (8, 4, 2, True, "4")),
    (
        "torchrun --nproc_per_node 4 --nnodes $N -m axolotl.cli.train a.yml\n",
        (None, 4, None, True, "4"),
    ),
    (
        "torchrun --nproc_per_node gpu --nnodes 2 -m axolotl.cli.train a.yml\n",
        (None, None, 2, True, "gpu"),
    ),
    ("torchrun --nnodes 2 -m axolotl.cli.train a.yml\n", (None, None, 2, False, "")),
    ("torchrun --nnodes 1:4 -m axolotl.cli.train a.yml\n", (None, None, None, False, "")),
    ("python -m axolotl.cli.train a.yml\n", (None, None, None, False, "")),
    ("axolotl train a.yml\n", (None, None, None, False, "")),
    ("axolotl train a.yml --cloud cloud.yml\n", (8, None, None, True, "cloud.yml")),
    ("axolotl train a.yml --cloud empty.yml\n", (None, None, None, True, "empty.yml")),
    ("axolotl train a.yml --num-processes 2\n", (2, None, None, True, "2")),
    ("axolotl train a.yml --launcher torchrun -- --nproc_per_node=2\n", (2, 2, None, True, "2")),
    ("axolotl train a.yml --launcher foo\n", (None, None, None, False, "")),
]


@each(("text", "expected"), WORLDS)
def test_processes_of_a_line(
    text: str, expected: tuple[int | None, int | None, int | None, bool, str]
) -> None:
    def named(name: str) -> list[Hardware]:
        return [Hardware(fact, value, Place(name, 1)) for fact, value in NAMED.get(name, [])]

    (line,) = commands.read("/repo/run.sh", text)
    found = world(line, named)
    place = text[found.offset :].split(maxsplit=1)[0] if found.stated else ""
    assert (found.processes, found.each, found.nodes, found.stated, place) == expected


#: What files ask for, what lines that start the config say, whether options elsewhere are of other
#: runs, and what holds in the end.
SETTLED: list[
    tuple[
        list[tuple[str, object]],
        list[tuple[int | None, int | None, int | None, bool]],
        bool,
        dict[str, object],
    ]
] = [
    ([], [], False, {}),
    ([("gpus", 8)], [], False, {"gpus": 8}),
    ([("gpus", 8), ("gpus", 8)], [], False, {"gpus": 8}),
    ([("gpus", 8), ("gpus", 4)], [], False, {}),
    ([("gpu", "a100"), ("gpu", "a100")], [], False, {"gpu": "a100"}),
    ([("gpu", "a100"), ("gpu", "h100")], [], False, {}),
    ([("processes", 4)], [], False, {"gpus": 4}),
    ([("processes", 4)], [], True, {}),
    ([("gpus", 8), ("processes", 4)], [], False, {"gpus": 4}),
    ([("gpus", 4), ("processes", 8)], [], False, {}),
    ([("gpus", 4), ("processes", 4)], [], False, {"gpus": 4}),
    ([("devices", 2)], [], False, {"gpus": 2}),
    ([("devices", 2)], [], True, {"gpus": 2}),
    ([("devices", 2), ("nodes", 2)], [], False, {"nodes": 2}),
    ([("devices", 2), ("nodes", 1)], [], False, {"nodes": 1, "gpus": 2}),
    ([("gpus", 8), ("devices", 2)], [], False, {"gpus": 2}),
    ([("processes", 100000)], [], False, {"gpus": 100000}),
    ([("processes", 100001)], [], False, {}),
    ([("gpus", 0)], [], False, {}),
    ([("nodes", 0)], [], False, {}),
    ([("nodes", 2), ("nodes", 3)], [], False, {}),
    ([("gpus", 8)], [(4, None, None, True)], False, {"gpus": 4}),
    ([("gpus", 8)], [(16, None, None, True)], False, {}),
    ([], [(4, None, None, True), (4, None, None, True)], False, {"gpus": 4}),
    ([], [(4, None, None, True), (8, None, None, True)], False, {}),
    ([("gpus", 8)], [(None, None, None, True)], False, {}),
    ([], [(None, 4, None, True)], False, {}),
    ([("nodes", 2)], [(None, 4, None, True)], False, {"nodes": 2, "gpus": 8}),
    ([("nodes", 2)], [(4, None, 2, True)], False, {"nodes": 2, "gpus": 4}),
    ([("nodes", 2)], [(4, None, 3, True)], False, {"gpus": 4}),
    ([("processes", 4)], [(None, None, 2, False)], False, {"nodes": 2, "gpus": 4}),
    ([("processes", 4)], [(None, None, 2, False)], True, {"nodes": 2}),
    ([("devices", 2)], [(None, None, None, False)], False, {"gpus": 2}),
]


@each(("asked", "said", "ignore_options", "expected"), SETTLED)
def test_what_holds_in_the_end(
    asked: list[tuple[str, object]],
    said: list[tuple[int | None, int | None, int | None, bool]],
    ignore_options: bool,
    expected: dict[str, object],
) -> None:
    place = Place("run.sh", 1)
    found = settle(
        [Hardware(fact, value, place) for fact, value in asked],
        [(World(*row), place) for row in said],
        ignore_options=ignore_options,
    )
    counted = ("processes", "allotted")
    assert {name: one.value for name, one in found.items() if name not in counted} == expected
    assert not (set(counted) & set(found)) or "gpus" in found


def test_processes_and_the_gpus_of_the_job_are_told_apart(tmp_path: Path) -> None:
    slurm = "#SBATCH --gpus=4\naxolotl train train.yml --num-processes 3\n"
    found = facts(tmp_path, {"a.slurm": slurm}, shown=("gpus", "env.processes", "env.gpus"))
    assert found == {"gpus": 3, "env.processes": 3, "env.gpus": 4}
    found = facts(
        tmp_path,
        {"a.slurm": "#SBATCH --gpus=4\naxolotl train train.yml\n"},
        shown=("env.processes",),
    )
    assert found == {}


@pytest.mark.parametrize(
    ("command", "gpus"),
    [
        ("CUDA_VISIBLE_DEVICES=0,1 llamafactory-cli train x.yaml", 2),
        ("CUDA_VISIBLE_DEVICES=0 llamafactory-cli train x.yaml", 1),
        ("export CUDA_VISIBLE_DEVICES=0,1,2\nllamafactory-cli train x.yaml", 3),
        ("CUDA_VISIBLE_DEVICES=0,1 lmf train x.yaml", 2),
        ("CUDA_VISIBLE_DEVICES=0,1,2,3 NPROC_PER_NODE=2 llamafactory-cli train x.yaml", 2),
        ("export FORCE_TORCHRUN=1 \nexport NPROC_PER_NODE=8\nllamafactory-cli train x.yaml", 8),
        ("FORCE_TORCHRUN=1 NNODES=2 NPROC_PER_NODE=4 NODE_RANK=0 llamafactory-cli train x.yaml", 8),
        ("NNODES=2 CUDA_VISIBLE_DEVICES=0,1 llamafactory-cli train x.yaml", 4),
        ("CUDA_VISIBLE_DEVICES=0 NPROC_PER_NODE=4 llamafactory-cli train x.yaml", 1),
        ("FORCE_TORCHRUN=1 NPROC_PER_NODE=$N llamafactory-cli train x.yaml", None),
        ("CUDA_VISIBLE_DEVICES=0,1 USE_RAY=1 llamafactory-cli train x.yaml", None),
        ("CUDA_VISIBLE_DEVICES=0,1 python src/train.py x.yaml", None),
        ("llamafactory-cli train x.yaml", None),
        ("CUDA_VISIBLE_DEVICES=0,1 llamafactory-cli export x.yaml", None),
    ],
)
def test_a_framework_that_starts_torchrun_itself(
    tmp_path: Path, command: str, gpus: int | None
) -> None:
    assert _gpus(tmp_path, command, "llamafactory") == gpus


@pytest.mark.parametrize(
    ("command", "gpus"),
    [
        ("CUDA_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=2 swift sft x.yaml", 2),
        ("NNODES=2 NPROC_PER_NODE=4 swift sft x.yaml", 8),
        # One process, over which `device_map` may spread the model.
        ("CUDA_VISIBLE_DEVICES=0,1 swift sft x.yaml", None),
    ],
)
def test_a_framework_that_starts_torchrun_where_it_is_told_to(
    tmp_path: Path, command: str, gpus: int | None
) -> None:
    assert _gpus(tmp_path, command, "swift") == gpus


def _gpus(root: Path, command: str, framework: str) -> object:
    (root / ".git").mkdir()
    (root / "run.sh").write_text(f"{command}\n", encoding="utf-8")
    config = str(root / "x.yaml")
    project = Projects(Disk()).for_file(config, framework)
    assert project is not None
    found = project.hardware(config).get("gpus")
    return None if found is None else found.value
