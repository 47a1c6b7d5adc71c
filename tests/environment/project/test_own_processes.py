"""How many processes a run has that no config starts."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.environment.project import own_processes
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.for_files import run_of
from cfglint.source.document import Document
from tests.draws import each
from tests.linting import case_in

WORDS = "--model_name_or_path a/b --dataset_name c --output_dir o"
SFT = f"trl/scripts/sft.py {WORDS}\n"
PROGRAM = """\
from trl import SFTConfig, SFTTrainer
args = SFTConfig(output_dir="o")
SFTTrainer(model="a/b", args=args, train_dataset=rows).train()
"""
SETTINGS = {
    "eight.yaml": "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_processes: 8\n"
}


def script(
    text: str, files: Mapping[str, str] = SETTINGS, framework: str = "trl"
) -> tuple[Document, Surroundings]:
    case, source = case_in({".git/HEAD": "", **files}, text, name="run.sh", framework=framework)
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    return language.read(source), case.around


def program(starts: str) -> tuple[Document, Surroundings]:
    files = {".git/HEAD": "", "run.sh": starts, **SETTINGS}
    case, source = case_in(files, PROGRAM, name="train.py", framework="trl_programs")
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    run = run_of(language.read(source))
    assert run is not None
    return run[1], case.around


@each(
    ("text", "count", "is_one"),
    [
        (f"torchrun --nproc_per_node 4 {SFT}", 4, False),
        (f"torchrun --nproc_per_node 4 --nnodes 2 {SFT}", 8, False),
        (f"torchrun --nproc_per_node 1 {SFT}", 1, False),
        (f"torchrun --nproc_per_node $N {SFT}", None, False),
        (f"accelerate launch --num_processes 2 {SFT}", 2, False),
        (f"accelerate launch --config_file eight.yaml {SFT}", 8, False),
        (f"CUDA_VISIBLE_DEVICES=3 accelerate launch {SFT}", 1, True),
        (f"CUDA_VISIBLE_DEVICES=0,1 accelerate launch {SFT}", 2, False),
        (f"CUDA_VISIBLE_DEVICES=0 python {SFT}", None, True),
        (f"python {SFT}", None, False),
        # What a scheduler gives the script.
        (f"#!/bin/bash\n#SBATCH --gres=gpu:4\npython {SFT}", 4, False),
        (f"#!/bin/bash\n#SBATCH --gres=gpu:1\npython {SFT}", 1, True),
    ],
)
def test_a_script(text: str, count: int | None, is_one: bool) -> None:
    document, around = script(text)
    assert own_processes.processes_of(document, around) == count
    assert own_processes.has_one_gpu(document, around) is is_one


@each(
    ("text", "count", "is_one"),
    [
        ("NPROC_PER_NODE=4 swift sft", 4, False),
        ("NPROC_PER_NODE=2 CUDA_VISIBLE_DEVICES=0,1,2,3 swift sft", 2, False),
        # One process that uses all the GPUs that it is shown.
        ("CUDA_VISIBLE_DEVICES=0,1 swift sft", 2, False),
        ("CUDA_VISIBLE_DEVICES=1 swift sft", 1, True),
        ("export CUDA_VISIBLE_DEVICES=0,1,2\nswift sft", 3, False),
        # How many there are on each machine, or which, is not known.
        ("NNODES=2 CUDA_VISIBLE_DEVICES=0,1 swift sft", None, False),
        ("CUDA_VISIBLE_DEVICES=$GPUS swift sft", None, False),
        ("srun CUDA_VISIBLE_DEVICES=0,1 swift sft", None, False),
        ("swift sft", None, False),
    ],
)
def test_a_command_of_its_own(text: str, count: int | None, is_one: bool) -> None:
    document, around = script(f"{text} --model a/b --dataset c\n", framework="swift")
    assert own_processes.processes_of(document, around) == count
    assert own_processes.has_one_gpu(document, around) is is_one


@each(
    ("starts", "count", "is_one"),
    [
        ("torchrun --nproc_per_node 4 train.py\n", 4, False),
        ("torchrun --nproc_per_node 4 --nnodes 2 train.py\n", 8, False),
        ("accelerate launch --config_file eight.yaml train.py\n", 8, False),
        # Several have to agree.
        ("torchrun --nproc_per_node 4 train.py\ntorchrun --nproc_per_node=4 train.py\n", 4, False),
        ("torchrun --nproc_per_node 4 train.py\ntorchrun --nproc_per_node 2 train.py\n", None, False),
        ("CUDA_VISIBLE_DEVICES=1 accelerate launch train.py\n", 1, True),
        (
            "CUDA_VISIBLE_DEVICES=1 accelerate launch train.py\nCUDA_VISIBLE_DEVICES=1,2 accelerate launch train.py\n",
            None,
            False,
        ),
        ("", None, False),
        ("torchrun --nproc_per_node 4 other.py\n", None, False),
    ],
)  # fmt: skip
def test_a_program(starts: str, count: int | None, is_one: bool) -> None:
    document, around = program(starts)
    assert own_processes.processes_of(document, around) == count
    assert own_processes.has_one_gpu(document, around) is is_one


@each(
    ("text", "lines", "elsewhere"),
    [
        (f"trl sft {WORDS}\n", 1, False),
        (f"accelerate launch {SFT}", 1, False),
        (f"trl vllm-serve {WORDS}\n", 0, False),
        (f"accelerate launch other.py\ntrl vllm-serve {WORDS}\n", 0, True),
    ],
)
def test_the_commands_that_train(text: str, lines: int, elsewhere: bool) -> None:
    document, around = script(text)
    found = list(own_processes.training_lines(document, around))
    assert len(found) == lines
    assert all(one.trains for one in found)
    started = own_processes.with_own_command(document, around)
    assert list(started.launches) == found
    assert (started is around) is (not lines)
    assert own_processes.settings_elsewhere(document, around) is elsewhere
