"""GPUs, machines and processes, as a single launch file asks for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.readers import launch
from tests.draws import each
from tests.environment.project.telling import hardware


@each(
    ("name", "text", "gpus", "gpu"),
    [
        ("sky.yaml", "resources:\n  accelerators: H100:8\n", 8, "H100"),
        ("sky.yaml", "num_nodes: 2\nresources:\n  accelerators: {H100: 8}\n", 16, "H100"),
        ("sky.yaml", "resources:\n  accelerators: H100\n", 1, "H100"),
        ("sky.yaml", "resources:\n  accelerators: tpu-v4:8\n", 8, None),
        ("sky.yaml", "resources:\n  # accelerators: H100:8\n", None, None),
        ("sky.yaml", "accelerators: {H100: 8, A100: 8}\n", None, None),
        ("modal_train.py", '@app.function(gpu="A100:4")\n', 4, "A100"),
        ("modal_train.py", '@app.function(gpu="A100-80GB")\n', 1, "A100-80GB"),
        ("modal_train.py", "@app.function(gpu=modal.gpu.H100(count=2))\n", 2, "H100"),
        ("modal_train.py", 'a(gpu="A100:4")\nb(gpu="T4")\n', None, None),
        ("job.yaml", 'limits:\n  nvidia.com/gpu: "8"\n', 8, None),
        ("train.sh", "torchrun --nproc_per_node=8 --nnodes 2 -m axolotl.cli.train x.yml\n", 16, None),
        ("train.sh", "accelerate launch --num_processes 4 -m axolotl.cli.train\n", 4, None),
        ("train.sh", "axolotl train x.yml\n", None, None),
        ("train.sh", "torchrun --nnodes $N --nproc_per_node 8 -m axolotl.cli.train\n", None, None),
        ("train.sh", "srun torchrun --nproc_per_node 8 -m axolotl.cli.train\n", None, None),
        ("job.yaml", "replicas: 4\nlimits:\n  nvidia.com/gpu: 8\n", None, None),
        ("accelerate.yaml", "distributed_type: FSDP\nnum_machines: 1\nnum_processes: 8\n", 8, None),
        ("accelerate.yaml", "num_processes: 8\n", None, None),
        ("compose.yml", "devices:\n  - driver: nvidia\n    count: 2\n    capabilities: [gpu]\n", 2, None),
        ("compose.yml", 'device_ids: ["0", "3"]\n', 2, None),
    ],
)  # fmt: skip
def test_launch_files(name: str, text: str, gpus: int | None, gpu: str | None) -> None:
    found = {one.fact: one.value for one in launch.read(name, text)}
    count = found["processes"] if "processes" in found else found.get("gpus")
    assert (count, found.get("gpu")) == (gpus, gpu)


@given(st.text("gpu:=acelrtos \n{}[]0189\"'#.-", max_size=120), st.sampled_from(["a.py", "a.yml"]))
def test_any_launch_file(text: str, name: str) -> None:
    launch.read(name, text)


#: What a file asks for, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "a.py",
        '# gpu="T4"\nx(gpu="A100:4")\n',
        ['gpu A100 at 2:3 gpu="A100:4")', 'gpus 4 at 2:3 gpu="A100:4")'],
    ),
    ("a.sh", 'x(gpu="A100:4")\n', []),
    (
        "a.py",
        "x(gpu=gpu.H100(count=2), y=1)\n",
        [
            "gpu H100 at 1:3 gpu=gpu.H100(count=2), y=1)",
            "gpus 2 at 1:3 gpu=gpu.H100(count=2), y=1)",
        ],
    ),
    ("a.py", "x(gpu='B9:2')\n", ["gpus 2 at 1:3 gpu='B9:2')"]),
    ("a.py", 'x(gpu="H100!:8")\n@clustered(2)\n', []),
    (
        "sky.yaml",
        "num_nodes: 2\nresources:\n  accelerators: {H100: 8}\n",
        [
            "gpu H100 at 3:3 accelerators: {H100: 8}",
            "gpus 16 at 3:3 accelerators: {H100: 8}",
            "nodes 2 at 1:1 num_nodes: 2",
        ],
    ),
    (
        "sky.yaml",
        "resources:\n  accelerators: 'A100:4'\n",
        ["gpu A100 at 2:3 accelerators: 'A100:4'", "gpus 4 at 2:3 accelerators: 'A100:4'"],
    ),
    ("sky.yaml", "num_nodes: 3\n", ["nodes 3 at 1:1 num_nodes: 3"]),
    ("j.yaml", '  nvidia.com/gpu: "8"\n  amd.com/gpu: 8\n', ['gpus 8 at 1:3 nvidia.com/gpu: "8"']),
    ("j.yaml", "nvidia.com/gpu: 8\nnvidia.com/gpu: 4\n", ["gpus None at 1:1 nvidia.com/gpu: 8"]),
    ("j.json", '{"gpu_count": 4}', ['gpus 4 at 1:3 gpu_count": 4}']),
    ("j.yaml", "parallelism: 2\nnvidia.com/gpu: 8\n", []),
    ("j.yaml", "replicas: 1\nnvidia.com/gpu: 8\n", ["gpus 8 at 2:1 nvidia.com/gpu: 8"]),
    (
        "c.yml",
        "devices:\n  - driver: nvidia\n    count: 2\n    capabilities: [gpu]\n",
        ["gpus 2 at 3:5 count: 2"],
    ),
    ("c.yml", "devices:\n  - count: 2\n", []),
    ("c.yml", "device_ids: ['0', '3', '5']\n", ["gpus 3 at 1:1 device_ids: ['0', '3', '5']"]),
    ("r.sh", "docker run --gpus 4 x\n", ["gpus 4 at 1:12 --gpus 4 x"]),
    (
        "r.sh",
        "docker run --gpus '\"device=0,1\"' x\n",
        ["gpus 2 at 1:12 --gpus '\"device=0,1\"' x"],
    ),
    ("r.sh", "docker run --gpus all x\n", []),
    ("r.sh", "podman run --gpus=2", ["gpus 2 at 1:12 --gpus=2"]),
    (
        "r.sh",
        "docker run \\\n  --gpus count=3 \\\n x\ndocker run x --gpus 3\n",
        ["gpus 3 at 2:3 --gpus count=3 \\"],
    ),
    (
        "r.sh",
        "export CUDA_VISIBLE_DEVICES=0,1,1\n",
        ["devices 2 at 1:1 export CUDA_VISIBLE_DEVICES=0,1,1"],
    ),
    ("r.sh", "CUDA_VISIBLE_DEVICES=0,1 x\n", []),
    (
        "r.yml",
        'CUDA_VISIBLE_DEVICES: "0,1,2"\n',
        ['devices 3 at 1:1 CUDA_VISIBLE_DEVICES: "0,1,2"'],
    ),
    (
        "r.sh",
        "docker run -e CUDA_VISIBLE_DEVICES=3 x\n",
        ["devices 1 at 1:12 -e CUDA_VISIBLE_DEVICES=3 x"],
    ),
    (
        "r.sh",
        "torchrun --nproc_per_node=8 --nnodes 2 x\n",
        ["nodes 2 at 1:29 --nnodes 2 x", "processes 16 at 1:10 --nproc_per_node=8 --nnodes 2 x"],
    ),
    ("r.sh", "torchrun --nproc-per-node 8 x\n", ["processes 8 at 1:10 --nproc-per-node 8 x"]),
    (
        "r.sh",
        'torchrun \\\n  --nnodes "2" \\\n  --nproc_per_node 4 \\\n  x\n',
        ["processes None at 3:3 --nproc_per_node 4 \\"],
    ),
    (
        "r.sh",
        "a --nnodes 2\nb --nproc_per_node 4\n",
        ["nodes 2 at 1:3 --nnodes 2", "processes 4 at 2:3 --nproc_per_node 4"],
    ),
    (
        "r.sh",
        "accelerate launch --num_machines 2 --num_processes 16 x\n",
        [
            "nodes 2 at 1:19 --num_machines 2 --num_processes 16 x",
            "processes 16 at 1:36 --num_processes 16 x",
        ],
    ),
    (
        "r.sh",
        "deepspeed --num_gpus 4 --num_nodes $N x\n",
        ["processes None at 1:11 --num_gpus 4 --num_nodes $N x"],
    ),
    ("r.sh", "x --nproc_per_node 0\n", ["processes None at 1:3 --nproc_per_node 0"]),
    (
        "r.sh",
        "torchrun --nnodes 2 \\\r\n --nproc_per_node 4 \\\r\n x\r\n",
        ["nodes 2 at 1:10 --nnodes 2 \\", "processes 8 at 2:2 --nproc_per_node 4 \\"],
    ),
    ("r.sh", "\\\n--nproc_per_node 4", ["processes 4 at 2:1 --nproc_per_node 4"]),
    (
        "r.sh",
        "--nproc_per_node 4 \\\n--nnodes 2",
        ["nodes 2 at 2:1 --nnodes 2", "processes 8 at 1:1 --nproc_per_node 4 \\"],
    ),
    (
        "r.sh",
        "x\n--nnodes 3 --nproc_per_node 4\ny --nnodes 5",
        [
            "nodes None at 2:1 --nnodes 3 --nproc_per_node 4",
            "processes 12 at 2:12 --nproc_per_node 4",
        ],
    ),
    ("r.sh", "srun torchrun --nproc_per_node 8 x\nexport CUDA_VISIBLE_DEVICES=0\n", []),
    ("j.py", 'mpirun\nx(gpu="A100:4")', ['gpu A100 at 2:3 gpu="A100:4")']),
    (
        "r.sh",
        "#SBATCH --nodes=2\n#SBATCH --gpus-per-node=4\nsrun x\n",
        ["gpus 8 at 2:9 --gpus-per-node=4", "nodes 2 at 1:9 --nodes=2"],
    ),
    (
        "r.sh",
        "#SBATCH --nodes=2\n#SBATCH --gres=gpu:a100:4\nx --num_processes 8\n",
        [
            "gpu a100 at 2:9 --gres=gpu:a100:4",
            "nodes 2 at 1:9 --nodes=2",
            "processes 8 at 3:3 --num_processes 8",
        ],
    ),
    (
        "r.sh",
        "#SBATCH --nodes=1\n#SBATCH -G 4\nx\n",
        ["gpus 4 at 2:9 -G 4", "nodes 1 at 1:9 --nodes=1"],
    ),
    ("r.sh", "#SBATCH --gpus=4\nnvidia.com/gpu: 8\n", ["gpus None at 1:9 --gpus=4"]),
    (
        "a.yaml",
        "distributed_type: MULTI_GPU\nnum_machines: 2\nnum_processes: 16\n",
        ["nodes 2 at 2:1 num_machines: 2", "processes 16 at 3:1 num_processes: 16"],
    ),
    (
        "a.yaml",
        "distributed_type: 'NO'\nnum_processes: 4\n",
        ["processes 1 at 2:1 num_processes: 4"],
    ),
    (
        "a.yaml",
        "num_processes: 4\nnum_machines: 2\n",
        ["nodes 2 at 2:1 num_machines: 2", "processes 4 at 1:1 num_processes: 4"],
    ),
]


@each(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert hardware(launch.read(name, text), text) == expected


@pytest.mark.parametrize(("width", "gpus"), [(300, [2]), (410, [])])
def test_the_count_of_devices_is_near_the_command(width: int, gpus: list[int]) -> None:
    text = f"x: gpu\ndevices:\n{'#' * width}\n  - count: 2\n"
    assert [one.value for one in launch.read("compose.yml", text)] == gpus


@pytest.mark.parametrize(("lines", "nodes"), [(100, 2), (1_500, None)])
def test_a_command_of_many_lines(lines: int, nodes: int | None) -> None:
    between = "  -x \\\n" * lines
    for text in (
        f"torchrun --nnodes 2 \\\n{between}--nproc_per_node 4\n",
        f"torchrun --nproc_per_node 4 \\\n{between}--nnodes 2\n",
    ):
        found = {one.fact: one.value for one in launch.read("run.sh", text)}
        assert found["processes"] == (8 if nodes else 4)
