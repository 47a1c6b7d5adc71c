"""What a batch script asks Slurm for."""

from __future__ import annotations

from cfglint.environment.project.readers import slurm
from tests.draws import each
from tests.environment.project.telling import hardware

#: Directives, what they ask for, and where they say it.
TOLD: list[tuple[str, list[str]]] = [
    (
        "#SBATCH --nodes=2 --gpus-per-node=4\n",
        ["nodes 2 at 1:9 --nodes=2 --gpus-per-node=4", "gpus 8 at 1:19 --gpus-per-node=4"],
    ),
    (
        "#SBATCH -N 2\n#SBATCH --gres=gpu:a100:4(S:0-1),nvme:1\n",
        [
            "nodes 2 at 1:9 -N 2",
            "gpu a100 at 2:9 --gres=gpu:a100:4(S:0-1),nvme:1",
            "gpus 8 at 2:9 --gres=gpu:a100:4(S:0-1),nvme:1",
        ],
    ),
    ("#SBATCH --gres=gpu\n", ["gpus 1 at 1:9 --gres=gpu"]),
    (
        "#SBATCH --gres=gpu:a100\n",
        ["gpu a100 at 1:9 --gres=gpu:a100", "gpus 1 at 1:9 --gres=gpu:a100"],
    ),
    ("#SBATCH --gres=gpu:4\n", ["gpus 4 at 1:9 --gres=gpu:4"]),
    ("#SBATCH --gres=nvme:1\n", []),
    ("#SBATCH --gres=gpu:a:1,gpu:b:2\n", []),
    (
        "#SBATCH --gpus=h100:16\n",
        ["gpu h100 at 1:9 --gpus=h100:16", "gpus 16 at 1:9 --gpus=h100:16"],
    ),
    ("#SBATCH --gpus h100\n", []),
    ("#SBATCH -G 4  # x\n", ["gpus 4 at 1:9 -G 4  # x"]),
    ("#SBATCH --ntasks=8 --gpus-per-task=1\n", ["gpus 8 at 1:20 --gpus-per-task=1"]),
    ("#SBATCH --ntasks=x --gpus-per-task=1\n", []),
    (
        "#SBATCH --nodes=2 --ntasks-per-node=4 --gpus-per-task=2\n",
        [
            "nodes 2 at 1:9 --nodes=2 --ntasks-per-node=4 --gpus-per-task=2",
            "gpus 16 at 1:39 --gpus-per-task=2",
        ],
    ),
    ("#SBATCH --nodes=2-4 --ntasks-per-node=4 --gpus-per-task=2\n", []),
    ("#SBATCH --ntasks-per-node=x --gpus-per-task=2\n", []),
    ("#SBATCH --gpus-per-task=2\n", ["gpus 2 at 1:9 --gpus-per-task=2"]),
    (
        "#SBATCH --nodes=2-2 --gpus-per-node=1\n",
        ["nodes 2 at 1:9 --nodes=2-2 --gpus-per-node=1", "gpus 2 at 1:21 --gpus-per-node=1"],
    ),
    ("#SBATCH --nodes=1-2-3 --gpus-per-node=1\n", []),
    ("#SBATCH --ntasks=4 --gpus-per-node=1\n", []),
    ("#SBATCH --ntasks=1 --gpus-per-node=2\n", ["gpus 2 at 1:20 --gpus-per-node=2"]),
    ("#SBATCH --nodes=12345\n", []),
    ("#SBATCH --nodes=1\n#SBATCH --nodes=3\n", ["nodes 3 at 2:9 --nodes=3"]),
    ("  #SBATCH --nodes=1\n", []),
    ("#SBATCH --exclusive\t--nodes 4\n", ["nodes 4 at 1:21 --nodes 4"]),
    ("#SBATCH --gpus=a100:2,b:1\n", []),
    (
        "#SBATCH --gpus-per-node=v100:4\n",
        ["gpu v100 at 1:9 --gpus-per-node=v100:4", "gpus 4 at 1:9 --gpus-per-node=v100:4"],
    ),
]


@each(("text", "expected"), TOLD)
def test_what_is_read_from_a_file(text: str, expected: list[str]) -> None:
    assert hardware(slurm.read("job.sh", text), text) == expected
