"""Launch lines: which commands are found, what belongs to them, what is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project import launch, launch_commands


def read(text: str) -> list[launch_commands.LaunchLine]:
    return launch_commands.read("/repo/train.sh", text)


def one(text: str) -> launch_commands.LaunchLine:
    found = read(text)
    assert len(found) == 1
    return found[0]


def texts(words: tuple[launch_commands.Word, ...]) -> list[str]:
    return [word.text for word in words]


@pytest.mark.parametrize(
    ("text", "launcher", "command", "config"),
    [
        ("axolotl train x.yml", "accelerate", "train", "x.yml"),
        ("axolotl train --launcher torchrun x.yml", "torchrun", "train", "x.yml"),
        ("axolotl train x.yml --no-accelerate", "python", "train", "x.yml"),
        ("axolotl merge-lora x.yaml", "accelerate", "merge-lora", "x.yaml"),
        ("/opt/bin/axolotl train ./a/x.yml", "accelerate", "train", "./a/x.yml"),
        ("accelerate launch -m axolotl.cli.train x.yml", "accelerate", "train", "x.yml"),
        ("accelerate launch scripts/finetune.py x.yml", "accelerate", "train", "x.yml"),
        ("torchrun -m axolotl.cli.evaluate x.yml", "torchrun", "evaluate", "x.yml"),
        ("python3 -m torch.distributed.run -m axolotl.cli.train x.yml", "torchrun", "train", "x.yml"),
        ("python -m axolotl.cli.preprocess x.yml", "python", "preprocess", "x.yml"),
        ("deepspeed --num_gpus 2 -m axolotl.cli.train x.yml", "deepspeed", "train", "x.yml"),
        ("cd /w && exec axolotl train x.yml 2>&1 | tee log", "accelerate", "train", "x.yml"),
        ("run: axolotl train x.yml", "accelerate", "train", "x.yml"),
        ('CMD ["axolotl", "train", "x.yml"]', "accelerate", "train", "x.yml"),
        ("subprocess.run(['axolotl', 'train', 'x.yml'])", "accelerate", "train", "x.yml"),
        ("run(\n  ['axolotl',\n   'train',\n   'x.yml'],\n)", "accelerate", "train", "x.yml"),
        ('bash -c "cd /w; axolotl train x.yml"', "accelerate", "train", "x.yml"),
        ("axolotl \\\n  train \\\n  x.yml", "accelerate", "train", "x.yml"),
        ("command:\n  - axolotl\n  - train\n  - x.yml\n  - --seed\n", "accelerate", "train", "x.yml"),
        ("args:\n- accelerate\n- launch\n- -m\n- 'axolotl.cli.train'\n- \"x.yml\"", "accelerate", "train", "x.yml"),
        ("C=a/x.yml\naxolotl train $C", "accelerate", "train", "a/x.yml"),
        ('D=a\naxolotl train "${D}/x.yml"', "accelerate", "train", "a/x.yml"),
        ("axolotl train --sweep s.yml x.yml", "accelerate", "train", "x.yml"),
    ],
)  # fmt: skip
def test_commands(text: str, launcher: str, command: str, config: str) -> None:
    line = one(text)
    assert (line.launcher, line.command, line.config.text) == (launcher, command, config)
    assert "$" in text or text[line.config.start : line.config.end] == config


@pytest.mark.parametrize(
    "text",
    [
        "# axolotl train x.yml",
        "pip install axolotl",
        "axolotl fetch examples",
        "axolotl train",
        "echo axolotl train x.yml",
        'echo "axolotl train x.yml"',
        'log "starting axolotl train x.yml --seed 3"',
        'print("run axolotl train x.yml")',
        "cd axolotl train x.yml.bak",
        "myaxolotl train x.yml",
        "import axolotl.cli.train",
        "axolotl; train x.yml",
        "- axolotl\n- torch\n- train\n- x.yml",
        "- axolotl",
    ],
)
def test_what_is_no_command(text: str) -> None:
    assert read(text) == []


def test_the_parts_of_a_line() -> None:
    line = one(
        "CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_processes=2 -m axolotl.cli.train "
        "x.yml --debug --seed 3 > log"
    )
    assert line.environment == (("CUDA_VISIBLE_DEVICES", "0,1"),)
    assert texts(line.before) == ["--num_processes=2"]
    assert texts(line.words) == ["--debug", "--seed", "3"]
    option = line.option("num_processes")
    assert option is not None
    assert option.text == "2"
    handed = one("axolotl train x.yml --seed 3 -- --nproc-per-node 4")
    assert (texts(handed.words), texts(handed.handed)) == (
        ["--seed", "3"],
        ["--nproc-per-node", "4"],
    )
    four = handed.option("nproc_per_node")
    assert four is not None
    assert four.text == "4"
    assert one("srun torchrun -m axolotl.cli.train x.yml").copied


@pytest.mark.parametrize(
    ("text", "value", "is_open"),
    [
        ("S=3\naxolotl train x.yml --seed $S", "3", False),
        ("S=3\nS=4\naxolotl train x.yml --seed $S", "$S", True),
        ("for S in 1 2; do axolotl train x.yml --seed $S; done", "$S", True),
        ("S=$(date +%s)\naxolotl train x.yml --seed ${S}", "${S}", True),
        ("axolotl train x.yml --seed ${S:-3}", "${S:-3}", True),
        ("axolotl train x.yml --seed '$S'", "$S", False),
        ('axolotl train x.yml --seed "a b"', "a b", False),
    ],
)
def test_values(text: str, value: str, is_open: bool) -> None:
    word = one(text).words[1]
    assert (word.text, word.open) == (value, is_open)


@pytest.mark.parametrize(
    ("written", "config", "named"),
    [
        ("x.yml", "/repo/x.yml", True),
        ("./configs/x.yml", "/repo/configs/x.yml", True),
        ("../configs/x.yml", "/repo/configs/x.yml", True),
        ("other/x.yml", "/repo/configs/x.yml", False),
        ("x.yml", "/repo/configs/x.yml", True),
        ("/workspace/configs/x.yml", "/repo/configs/x.yml", True),
        ("/workspace/x.yml", "/repo/x.yml", True),
        ("/workspace/x.yml", "/repo/configs/x.yml", False),
        ("y.yml", "/repo/x.yml", False),
        ("$1.yml", "/repo/x.yml", False),
    ],
)
def test_which_config_is_named(written: str, config: str, named: bool) -> None:
    assert launch_commands.names(one(f"axolotl train {written}"), config) is named


HOSTILE = [
    "axolotl train " * 20_000 + "x.yml",
    '"' * 50_000 + " axolotl train x.yml",
    "axolotl train x.yml " + "\\\n" * 50_000,
    "\\\n" * 50_000 + "axolotl train x.yml",
    "axolotl\n" * 50_000,
    '["axolotl",' * 20_000,
    "A=1\n" * 50_000 + "axolotl train x.yml",
    "$(" * 50_000 + " axolotl train x.yml",
    "${" * 50_000 + " axolotl train x.yml",
    "docker run " * 20_000 + "--gpus",
    "#SBATCH " + "--nodes " * 50_000,
    "#SBATCH --nodes=2\n" * 20_000,
    "--nproc_per_node 8 \\\n" * 20_000,
    "CUDA_VISIBLE_DEVICES=" + "0," * 50_000,
    "accelerators: " + " " * 50_000 + "x",
    "- axolotl\n" * 50_000,
    "'a'" * 300_000 + " axolotl train x.yml" * 50,
    "x" * 1_500_000 + "\n" + "\\\n" * 3_000 + "axolotl train x.yml\n" * 50,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_take_no_time(text: str) -> None:
    start = time.process_time()
    read(text)
    launch.read("/repo/train.sh", text)
    assert time.process_time() - start < 2


_PIECES = st.sampled_from(
    [
        "axolotl", " ", "train", "x.yml", "--", "--a", "=", "'", '"', "\\", "\n", "$", "{", "}", "(", ")",
        "[", "]", ",", "#", ";", "A=1", "-m", "axolotl.cli.train", "accelerate launch", "é", "\0",
    ]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_any_text_can_be_read(text: str) -> None:
    for line in read(text):
        for word in (*line.words, *line.before, *line.handed, line.config):
            assert 0 <= word.start <= word.end <= len(text)
    launch.read("/repo/train.sh", text)
