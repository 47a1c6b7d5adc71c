"""The words of a command that starts a config: options that are unknown, unfit, or misunderstood."""

from __future__ import annotations

from cfglint.frameworks.axolotl.checks.launch_line import CHECKS
from cfglint.knowledge.releases.table import releases_of
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

NEWEST = releases_of("axolotl").newest
CONFIG = (
    "base_model: a/b\nmicro_batch_size: 2\nnum_epochs: 1\nlearning_rate: 1e-4\nseed: 3\n"
    "datasets:\n  - path: x\n    type: alpaca\nadapter: lora\nsample_packing: false\n"
)
CODES = codes_of(CHECKS)


def said(command: str, more: str = "", release: str = "0.18.0") -> list[str]:
    """What is found in a script with a command."""
    target = (f"axolotl=={release}",) if release else ()
    return messages(lint_in({"run.sh": f"{command}\n"}, CONFIG + more, select=CODES, target=target))


def fixed(command: str) -> list[tuple[str, str, str]]:
    """The fixes: what each is called, how safe it is, and what becomes of the command."""
    found = lint_in({"run.sh": command}, CONFIG, select=CODES, target=("axolotl==0.18.0",))
    return [
        (
            fix.title,
            fix.safety,
            command[: fix.edits[0].start] + fix.edits[0].text + command[fix.edits[0].end :],
        )
        for one in found
        for fix in one.fixes
    ]


TRAIN = "axolotl train train.yml"
OLDER = "accelerate launch -m axolotl.cli.train train.yml"


@each(
    ("command", "expected"),
    [
        (TRAIN, []),
        (f"{TRAIN} --learning-rate 2e-5 --no-sample-packing", []),
        (
            f"{TRAIN} --learning_rate 2e-5",
            [
                "error: `--learning_rate` is not an option of `axolotl train` in 0.18.0. Write `--learning-rate`, with hyphens."
            ],
        ),
        (
            f"{TRAIN} --lerning-rate=2e-5",
            [
                "error: `--lerning-rate` is not an option of `axolotl train` in 0.18.0. Did you mean `--learning-rate`?"
            ],
        ),
        (
            f"{TRAIN} --nothing-like-it 1",
            ["error: `--nothing-like-it` is not an option of `axolotl train` in 0.18.0."],
        ),
        (
            f"{OLDER} --lerning_rate 2e-5",
            [
                "warning: `--lerning_rate` is not a key of Axolotl, which silently ignores it. Did you mean `--learning-rate`?"
            ],
        ),
        (f"{OLDER} --learning_rate 2e-5", []),
        (
            f"{OLDER} --nothing-like-it=1",
            ["warning: `--nothing-like-it` is not a key of Axolotl, which silently ignores it."],
        ),
        (
            f"{TRAIN} --micro-batch-size two",
            ["error: `--micro-batch-size two`: `micro_batch_size` takes a whole number."],
        ),
        (
            f"{TRAIN} --micro-batch-size=2.5",
            ["error: `--micro-batch-size 2.5`: `micro_batch_size` takes a whole number."],
        ),
        (f"{TRAIN} --micro-batch-size $SIZE", []),
        (f"{TRAIN} --adapter rola", []),
        (
            f"{TRAIN} --wandb-project 3",
            [
                "error: `--wandb-project 3`: `wandb_project` takes text; a number on the command line arrives as a number."
            ],
        ),
        (f"{TRAIN} --val-set-size 2.5", []),
        (
            f"{TRAIN} --sample-packing true",
            ["error: `--sample-packing` takes no value in 0.18.0: write just `--sample-packing`."],
        ),
        (
            f"{TRAIN} --sample-packing=false",
            [
                "error: `--sample-packing` takes no value in 0.18.0: write just `--no-sample-packing`."
            ],
        ),
        (
            f"{TRAIN} --no-sample-packing=0",
            [
                "error: `--no-sample-packing` takes no value in 0.18.0: write just `--no-sample-packing`."
            ],
        ),
        (f"{TRAIN} --learning-rate", ["error: `--learning-rate` needs a value in 0.18.0."]),
        (
            f"{TRAIN} --no-learning-rate",
            [
                "error: `--no-learning-rate` is not an option in 0.18.0: write `--learning-rate false`."
            ],
        ),
        (f"{OLDER} --sample_packing false", []),
        (f"{OLDER} --sample_packing no", []),
        (
            f"{OLDER} --no-sample_packing",
            [
                "warning: `--no-sample_packing` is not a key of Axolotl, which silently ignores it. Did you mean `--sample-packing`?"
            ],
        ),
        (
            f"{TRAIN} --trl-beta 0.1",
            [
                "error: `--trl-beta` is not an option of `axolotl train` in 0.18.0. Did you mean `--rl-beta`?"
            ],
        ),
        (
            "axolotl preprocess train.yml",
            [
                "note: `preprocess` is run, and the config has no `dataset_prepared_path`: the data goes to `last_run_prepared` in the folder that the command is started in. Write it into the config, to a place that the training sees, too."
            ],
        ),
        ("axolotl preprocess train.yml --dataset-prepared-path out", []),
        ("axolotl inference train.yml", []),
        ("axolotl lm-eval train.yml", []),
    ],
)
def test_commands(command: str, expected: list[str]) -> None:
    assert said(command) == expected


@each(
    ("command", "more", "release", "expected"),
    [
        ("axolotl preprocess train.yml", "dataset_prepared_path: x\n", "0.18.0", []),
        ("axolotl preprocess train.yml", "skip_prepare_dataset: true\n", "0.18.0", []),
        (
            f"{TRAIN} --trl-beta 0.1",
            "trl: true\n",
            "0.18.0",
            [
                "error: `--trl-beta` is not an option of `axolotl train` in 0.18.0. Did you mean `--rl-beta`?"
            ],
        ),
        (
            f"{TRAIN} --trl-beta 0.1",
            "trl: some text\n",
            "0.18.0",
            [
                "error: `--trl-beta` is not an option of `axolotl train` in 0.18.0. Did you mean `--rl-beta`?"
            ],
        ),
        (
            f"{TRAIN} --trl-beta 0.1",
            "trl: {beta: 0.2}\n",
            "0.18.0",
            [
                "error: `--trl-beta` is not an option of `axolotl train` in 0.18.0. Did you mean `--rl-beta`?"
            ],
        ),
        (
            TRAIN,
            "",
            "0.4.1",
            [
                "error: `axolotl train` came with 0.6.0; axolotl 0.4.1 does not have it. Write `accelerate launch -m axolotl.cli.train`."
            ],
        ),
        (
            "axolotl preprocess train.yml",
            "dataset_prepared_path: x\n",
            "0.4.1",
            [
                "error: `axolotl preprocess` came with 0.6.0; axolotl 0.4.1 does not have it. Write `python -m axolotl.cli.preprocess`."
            ],
        ),
        (
            "axolotl quantize train.yml",
            "",
            "0.9.0",
            ["error: `axolotl quantize` came with 0.10.0; axolotl 0.9.0 does not have it."],
        ),
        ("axolotl lm-eval train.yml", "", "0.5.0", []),
        (
            f"{TRAIN} --sample-packing true",
            "",
            "",
            [
                f"warning: `--sample-packing` takes no value in {NEWEST}: write just `--sample-packing`."
            ],
        ),
        (
            f"{TRAIN} --lerning-rate 1",
            "",
            "",
            [
                f"warning: `--lerning-rate` is not an option of `axolotl train` in {NEWEST}. Did you mean `--learning-rate`?"
            ],
        ),
        (
            f"{TRAIN} --learning_rate 1",
            "",
            "",
            [
                f"error: `--learning_rate` is not an option of `axolotl train` in {NEWEST}. Write `--learning-rate`, with hyphens."
            ],
        ),
        (f"{TRAIN} --sample-packing true", "", "0.9.0", []),
        (
            f"{TRAIN} --sample-packing no",
            "",
            "0.9.0",
            [
                "error: `--sample-packing no` sets `sample_packing` to true: any non-empty text counts as true; change the config instead."
            ],
        ),
        (
            f"{TRAIN} --sample-packing",
            "",
            "0.9.0",
            ["error: `--sample-packing` needs a value in 0.9.0: `--sample-packing true`."],
        ),
        (
            f"{TRAIN} --no-sample-packing",
            "",
            "0.9.0",
            ["error: `--no-sample-packing` is not an option in 0.9.0: change the config instead."],
        ),
        (
            f"{TRAIN} --no-load-in-8bit",
            "",
            "0.9.0",
            ["error: `--no-load-in-8bit` is not an option in 0.9.0: write `--load-in-8bit false`."],
        ),
    ],
)
def test_releases(command: str, more: str, release: str, expected: list[str]) -> None:
    assert said(command, more, release) == expected


@each(
    ("command", "expected"),
    [
        (
            f"{TRAIN} --learning_rate 2e-5",
            [
                (
                    "Rename it to --learning-rate",
                    "safe",
                    "axolotl train train.yml --learning-rate 2e-5",
                )
            ],
        ),
        (
            f"{TRAIN} --lerning-rate=2e-5",
            [
                (
                    "Rename it to --learning-rate",
                    "unsafe",
                    "axolotl train train.yml --learning-rate=2e-5",
                )
            ],
        ),
        (f"{TRAIN} --nothing-like-it=2e-5", []),
    ],
)
def test_fixes(command: str, expected: list[tuple[str, str, str]]) -> None:
    assert fixed(command) == expected


JOB = "#!/bin/bash\n#SBATCH --nodes={nodes}\n#SBATCH --gres=gpu:8\n{before}srun axolotl train train.yml\n"


@each(
    ("nodes", "before", "expected"),
    [
        (3, "", 0),
        (4, "", 1),
        (4, "export NCCL_SOCKET_IFNAME=eth0\n", 0),
    ],
)
def test_many_machines(nodes: int, before: str, expected: int) -> None:
    job = JOB.format(nodes=nodes, before=before)
    found = lint_in({"job.sbatch": job}, CONFIG, select=CODES, target=("axolotl==0.18.0",))
    assert [one.name for one in found] == ["many-machines-without-network-settings"] * expected
