"""Words of a command that what it calls does not have."""

from __future__ import annotations

from cfglint.runs.starts.called import framework_called, unknown_in, unknown_words
from tests.draws import each


@each(
    ("command", "text"),
    [
        (
            "llamafactory-cli trian x.yaml",
            "`trian` is not a command of `llamafactory-cli` (did you mean `train`?)",
        ),
        (
            "env A=1 srun -N 2 axolotl trian x.yml",
            "`trian` is not a command of `axolotl` (did you mean `train`?)",
        ),
        ("/opt/bin/trl sfft", "`sfft` is not a command of `trl` (did you mean `sft`?)"),
        (
            "llamafactory-cli configs/x.yaml",
            "`configs/x.yaml` is not a command of `llamafactory-cli`; a command comes before the file",
        ),
        (
            "accelerate lanch x.py",
            "`lanch` is not a command of `accelerate` (did you mean `launch`?)",
        ),
        (
            "accelerate launch --num_proceses 8 train.py",
            "`accelerate launch` has no option `--num_proceses` (did you mean `--num_processes`?)",
        ),
        (
            "uv run accelerate launch --multi_gpu --config_fil=a.yaml train.py",
            "`accelerate launch` has no option `--config_fil` (did you mean `--config_file`?)",
        ),
        (
            "torchrun --standalone --nproc-per-nodes 2 train.py",
            "`torchrun` has no option `--nproc-per-nodes` (did you mean `--nproc_per_node`?)",
        ),
    ],
)
def test_what_certainly_fails(command: str, text: str) -> None:
    (found,) = unknown_words(command.split())
    assert (found.text, found.fails) == (text, True)


@each(
    ("command", "text"),
    [
        ("axolotl bake x.yml", "`bake` is not a command of `axolotl` that cfglint knows"),
        ("trl --config x.yaml", "`trl` is given no command before `--config`"),
        (
            "accelerate launch --brand_new 1 train.py",
            "`accelerate launch` has no option `--brand_new` that cfglint knows",
        ),
        (
            "torchrun --standalone -m axolotl.cli.trian x.yml",
            "there is no module `axolotl.cli.trian` (did you mean `axolotl.cli.train`?)",
        ),
        (
            "llamafactory train x.yaml",
            "`llamafactory` is not a command that cfglint knows (did you mean `llamafactory-cli`?)",
        ),
        (
            "acelerate launch x.py",
            "`acelerate` is not a command that cfglint knows (did you mean `accelerate`?)",
        ),
    ],
)
def test_what_may_fail(command: str, text: str) -> None:
    (found,) = unknown_words(command.split())
    assert (found.text, found.fails) == (text, False)


@each(
    "command",
    [
        "axolotl train x.yml --any-option 1",
        "trl",
        "accelerate config",
        # Whatever follows the program is its own.
        "accelerate launch --num-processes 8 --mixed_precision=bf16 train.py --num_proceses 8",
        "accelerate launch -m trl.scripts.sft --config x.yaml",
        "accelerate launch --fsdp_version 2 -q --use_fsdp -m mine.trian --x 1",
        # It may be shortened.
        "torchrun --nproc 2 --rdzv_end a:1 train.py",
        "deepspeed --num_gpu 2 train.py",
        # The name of an environment, of a folder, of a package.
        "conda run -n axolotl python train.py",
        "python -u train.py axolotl trian",
        "python -m trl.scripts.mine",
        "bash run.sh",
        # Packages that install no command of such a name.
        "openrlhf train x.yaml",
        "ms-swift sft x.yaml",
        "transformers x",
        "",
    ],
)
def test_what_is_right_or_not_known(command: str) -> None:
    assert unknown_words(command.split()) == ()


@each(
    ("script", "text", "fails"),
    [
        ("axolotl trian a.yml", "`trian` is not a command of `axolotl`", True),
        ("RUN=${RUN:-axolotl}\n$RUN trian a.yml --x 2", "`trian` is not a command", True),
        ("if [ $A ]; then srun llamafactory-cli trian x.yaml; fi", "(did you mean `train`?)", True),
        ("accelerate lanch x.py", "(did you mean `launch`?)", True),
        (
            'for x in 1 2; do accelerate launch --num_processes "$N" --machin_rank 1 x.py; done',
            "has no option `--machin_rank`",
            True,
        ),
        ("python -m axolotl.cli.trian x.yml", "(did you mean `axolotl.cli.train`?)", False),
    ],
)
def test_a_slip_in_a_script(script: str, text: str, fails: bool) -> None:
    (found,) = unknown_in(f"#!/bin/bash\n{script}\n")
    assert (text in found.text, found.fails) == (True, fails)


@each(
    "script",
    [
        "axolotl train a.yml",
        # Which it is shows when it runs.
        'axolotl "$1" a.yml',
        "accelerate launch $OPTIONS --num_proceses 2 x.py",
        # What a command has beside the training, and what is none.
        "axolotl --version; llamafactory-cli bake",
        "echo axolotl training",
        "# axolotl trian a.yml",
        "cat <<EOF\naxolotl training of a model\nEOF",
        "git clone axolotl training",
        # A name of the script's own.
        'axolotl() { docker run axolotl "$@"; }\naxolotl trian a.yml',
        "function axolotl {\n :\n}\naxolotl trian a.yml",
        'alias axolotl="docker run axolotl"\naxolotl trian a.yml',
    ],
)
def test_no_slip_in_a_script(script: str) -> None:
    assert unknown_in(f"{script}\n") == ()


def test_programs_of_frameworks() -> None:
    known = {"axolotl": "axolotl", "accelerate": "accelerate", "llamafactory-cli": "llamafactory"}
    assert {name: framework_called(name) for name in known} == known
    assert framework_called("git") is None
