"""Launch lines: which commands are found, what belongs to them, what is none."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.readers import launch
from cfglint.runs.starts import commands
from cfglint.runs.starts.start import Start, Word
from tests.draws import drawn, each, product


def read(text: str) -> list[Start]:
    return commands.read("/repo/train.sh", text)


def one(text: str) -> Start:
    found = read(text)
    assert len(found) == 1
    return found[0]


def texts(words: tuple[Word, ...]) -> list[str]:
    return [word.text for word in words]


@each(
    ("text", "launcher", "command", "config"),
    [
        ("axolotl train x.yml", "accelerate", "train", "x.yml"),
        ("axolotl train --launcher torchrun x.yml", "torchrun", "train", "x.yml"),
        ("axolotl train x.yml --no-accelerate", "python", "train", "x.yml"),
        ("axolotl merge-lora x.yaml", "accelerate", "merge-lora", "x.yaml"),
        ('CLI="${CLI:-axolotl}"\n"$CLI" train x.yml', "accelerate", "train", "x.yml"),
        ("CLI=axolotl\n${CLI} train x.yml", "accelerate", "train", "x.yml"),
        ("/opt/bin/axolotl train ./a/x.yml", "accelerate", "train", "./a/x.yml"),
        ("accelerate launch -m axolotl.cli.train x.yml", "accelerate", "train", "x.yml"),
        ("accelerate launch scripts/finetune.py x.yml", "accelerate", "train", "x.yml"),
        ("torchrun -m axolotl.cli.evaluate x.yml", "torchrun", "evaluate", "x.yml"),
        ("python3 -m torch.distributed.run -m axolotl.cli.train x.yml", "torchrun", "train", "x.yml"),
        ("python -m axolotl.cli.preprocess x.yml", "python", "preprocess", "x.yml"),
        ("llamafactory-cli train x.yaml", "", "train", "x.yaml"),
        ("lmf train x.yaml", "", "train", "x.yaml"),
        ("python -m llamafactory.cli train x.yaml", "", "train", "x.yaml"),
        ("python src/llamafactory/cli.py train x.yaml", "", "train", "x.yaml"),
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
        ("(axolotl train x.yml)", "accelerate", "train", "x.yml"),
        ("(cd a && torchrun -m axolotl.cli.train x.yml) 2>&1 | tee log", "torchrun", "train", "x.yml"),
        ("(echo start; (axolotl train x.yml --no-accelerate))", "python", "train", "x.yml"),
        ("case $1 in\n  a) axolotl train x.yml ;;\nesac", "accelerate", "train", "x.yml"),
        ("main() { axolotl train x.yml; }", "accelerate", "train", "x.yml"),
    ],
)  # fmt: skip
def test_commands(text: str, launcher: str, command: str, config: str) -> None:
    line = one(text)
    assert (line.launcher, line.command, line.config.text) == (launcher, command, config)
    assert "$" in text or text[line.config.start : line.config.end] == config


@each(
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
        '(print("run axolotl train x.yml"))',
        "(echo axolotl train x.yml)",
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


@each(
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


#: What is read of a text: launcher, command and config; `?` follows what holds an unknown variable,
#: and what is written otherwise than it is read stands in backticks.
TOLD: list[tuple[str, list[str]]] = [
    ("x # axolotl train a.yml\n", []),
    ("x#axolotl; axolotl train a.yml\n", ["accelerate train a.yml, own, at 11"]),
    ("  # x\naxolotl train a.yml # b.yml\n", ["accelerate train a.yml, own, at 6"]),
    (
        'A=b\naxolotl train $A.yml ${A}/c "$A d" \'$A\' $B ${B:-c} $(x y) "$(x)"\n',
        [
            'accelerate train b.yml, own, words: b/c b d $A $B? ${B:-c}? $(x y)? $(x)?, `${A}/c`, `"$A d"`, `\'$A\'`, `"$(x)"`, `$A.yml`, at 4'
        ],
    ),
    (
        "A=b; B=c\naxolotl train a.yml $A $B\n",
        ["accelerate train a.yml, own, words: $A? $B?, at 9"],
    ),
    (
        "export A='b c' # x\naxolotl train a.yml $A\n",
        ["accelerate train a.yml, own, words: b c, environment: A=b c, `$A`, `$A`, at 19"],
    ),
    ("A+=b\naxolotl train a.yml $A\n", ["accelerate train a.yml, own, words: $A?, at 5"]),
    ("read A\nA=1\naxolotl train a.yml $A\n", ["accelerate train a.yml, own, words: $A?, at 11"]),
    (
        'run(["axolotl", \'train\', f"{x}.yml", "a.yml", name, "--seed", 3])\n',
        ["accelerate train {x}.yml?, own, words: a.yml name? --seed 3?, at 6"],
    ),
    ('["axolotl", "train", "a.yml",]\n', ["accelerate train a.yml, own, at 2"]),
    ('["axolotl", "train", "a.yml"\n', []),
    ('x = "axolotl train a.yml"\n', ["accelerate train a.yml, own, at 5"]),
    ('["axolotl train", "a.yml"]\n', []),
    ('"axolotl" train a.yml\n', ["accelerate train a.yml, own, at 1"]),
    ("'axolotl", []),
    (
        'c:\n  - python\n  - -m\n  - axolotl.cli.train\n  - \'a.yml\'\n  - "$X"\n  - "\'"\n- b\n',
        ["python train a.yml, words: $X? ', at 25"],
    ),
    ("c:\n  - x\n- axolotl\n- train\n- a.yml", ["accelerate train a.yml, own, at 11"]),
    ("- axolotl\n- train\n# x\n- a.yml\n", []),
    ("-  axolotl\n-  train\n-  a b.yml\n", ["accelerate train a b.yml, own, at 3"]),
    ("- axolotl train a.yml\n- b\n", ["accelerate train a.yml, own, at 2"]),
    (
        "cd x; A=1 B=$C axolotl train a.yml > b; c\n",
        ["accelerate train a.yml, own, environment: A=1, at 15"],
    ),
    ("a | axolotl train a.yml && b\n", ["accelerate train a.yml, own, at 4"]),
    ("`axolotl train a.yml`\n", ["accelerate train a.yml, own, at 1"]),
    (
        "axolotl train a.yml; axolotl train b.yml; axolotl train a.yml\n",
        [
            "accelerate train a.yml, own, at 0",
            "accelerate train b.yml, own, at 21",
            "accelerate train a.yml, own, at 42",
        ],
    ),
    (
        "axolotl tr\\ain a\\ b.yml 'c d'e\"f\"\n",
        ["accelerate train a b.yml, own, words: c def, `'c d'e\"f\"`, `a\\ b.yml`, at 0"],
    ),
    ("axolotl train a.yml #b --c\n", ["accelerate train a.yml, own, at 0"]),
    ("axolotl train a.yml b#c\n", ["accelerate train a.yml, own, words: b#c, at 0"]),
    ("bash -c 'axolotl train a.yml; x'\n", ["accelerate train a.yml, own, at 9"]),
    ("ssh h \"bash -c 'axolotl train a.yml'\"\n", ["accelerate train a.yml, own, at 16"]),
    ("Echo 'axolotl train a.yml'\n", []),
    ("print('axolotl train a.yml')\n", []),
    ("x='axolotl train a.yml'\n", ["accelerate train a.yml, own, at 3"]),
    (
        "accelerate launch --config_file c.yaml --num_processes=2 -m axolotl.cli.train a.yml --x\n",
        [
            "accelerate train a.yml, before: --config_file c.yaml --num_processes=2, words: --x, at 60"
        ],
    ),
    ("accelerate launch -m axolotl.cli.preprocess a.yml\n", ["accelerate preprocess a.yml, at 21"]),
    ("python -m axolotl.cli.merge_lora a.yml\n", ["python merge-lora a.yml, at 10"]),
    ("python --module axolotl.cli.train a.yml\n", ["python train a.yml, at 16"]),
    ("python axolotl.cli.train a.yml\n", []),
    ("axolotl.cli.train a.yml\n", []),
    ("-m axolotl.cli.train a.yml\n", ["python train a.yml, at 3"]),
    ("python3.11 -u -m axolotl.cli.train a.yml\n", ["python train a.yml, at 17"]),
    (
        "A=1 nohup python x/scripts/finetune.py a.yml -- b\n",
        ["python train a.yml, words: -- b, environment: A=1, at 19"],
    ),
    (
        "/usr/bin/torchrun --nproc_per_node 2 -m axolotl.cli.train a.yml\n",
        ["torchrun train a.yml, before: --nproc_per_node 2, at 40"],
    ),
    ("torchrun x.py; python -m axolotl.cli.nothing a.yml\n", []),
    ("mpirun -n 2 python -m axolotl.cli.train a.yml\n", ["python train a.yml, copied, at 22"]),
    ("srun --a axolotl train a.yml\n", ["accelerate train a.yml, own, copied, at 9"]),
    (
        "axolotl train --cloud c.yml a.YAML\n",
        ["accelerate train a.YAML, own, words: --cloud c.yml, at 0"],
    ),
    ("axolotl train -a.yml b.yml\n", ["accelerate train b.yml, own, words: -a.yml, at 0"]),
    ("axolotl train --sweep s.yml\n", []),
    (
        "axolotl train --a.yml=x b.yaml c.yml\n",
        ["accelerate train b.yaml, own, words: --a.yml=x c.yml, at 0"],
    ),
    (
        "axolotl train a.yml -- --nproc_per_node 2\n",
        ["accelerate train a.yml, own, handed: --nproc_per_node 2, at 0"],
    ),
    ("axolotl train -- a.yml\n", []),
    (
        "axolotl train a.yml --no-accelerate --launcher torchrun\n",
        ["python train a.yml, own, words: --no-accelerate --launcher torchrun, at 0"],
    ),
    (
        "axolotl train --launcher=torchrun a.yml\n",
        ["torchrun train a.yml, own, words: --launcher=torchrun, at 0"],
    ),
    ("axolotl train a.yml --launcher\n", ["accelerate train a.yml, own, words: --launcher, at 0"]),
    (
        "axolotl train a.yml \\\n  --b \\\r\n  --c\nd\n",
        ["accelerate train a.yml, own, words: --b --c, at 0"],
    ),
    ("x \\\naxolotl train a.yml\n", ["accelerate train a.yml, own, at 4"]),
    ("\\\naxolotl train a.yml\n", ["accelerate train a.yml, own, at 2"]),
    ("axolotl\ttrain\ta.yml\r\n", ["accelerate train a.yml, own, at 0"]),
    ("axolotl train <a.yml\n", []),
    (
        'axolotl train "a.yml" "--b"\n',
        ['accelerate train a.yml, own, words: --b, `"--b"`, `"a.yml"`, at 0'],
    ),
    ("die axolotl train a.yml\n", []),
    ("axolotl train x/$Y.yml\n", ["accelerate train x/$Y.yml?, own, at 0"]),
]


def told(text: str) -> Iterator[str]:
    for line in read(text):
        parts = [f"{line.launcher} {line.command} {shown(line.config)}"]
        parts += [name for name in ("own", "copied") if getattr(line, name)]
        for name in ("before", "words", "handed"):
            words = getattr(line, name)
            if words:
                parts.append(f"{name}: {' '.join(map(shown, words))}")
        if line.environment:
            parts.append("environment: " + " ".join(f"{a}={b}" for a, b in line.environment))
        for word in (*line.before, *line.words, *line.handed, line.config):
            if text[word.start : word.end] != word.text:
                parts.append(f"`{text[word.start : word.end]}`")
        yield ", ".join((*parts, f"at {line.at}"))


def shown(word: Word) -> str:
    return f"{word.text}{'?' if word.open else ''}"


@each(("text", "expected"), TOLD)
def test_what_is_read_from_a_file(text: str, expected: list[str]) -> None:
    assert list(told(text)) == expected


@pytest.mark.parametrize(("length", "is_open"), [(300, False), (301, True)])
def test_long_values_of_variables(length: int, is_open: bool) -> None:
    line = one(f"A={'b' * length}\naxolotl train a.yml $A\n")
    assert line.words[0].open is is_open


@each(
    ("text", "names", "value"),
    [
        (
            "accelerate launch --num-processes=2 --num_processes 3 -m axolotl.cli.train a.yml --num_processes 4\n",
            ("num_processes",),
            ("3", False),
        ),
        (
            "accelerate launch --num_processes=$N -m axolotl.cli.train a.yml\n",
            ("num_processes",),
            ("$N", True),
        ),
        ("accelerate launch -m axolotl.cli.train a.yml\n", ("num_processes",), None),
        ("axolotl train a.yml --num_processes\n", ("num_processes",), None),
        (
            "axolotl train a.yml --num_processes 2 -- --num_processes 3\n",
            ("num_processes",),
            ("3", False),
        ),
        ("axolotl train a.yml --num_processes 2 -- --x\n", ("x", "num_processes"), ("2", False)),
        ("axolotl train a.yml num_processes=2\n", ("num_processes",), None),
        ("axolotl train a.yml -num_processes 2\n", ("num_processes",), None),
    ],
)
def test_options(text: str, names: tuple[str, ...], value: tuple[str, bool] | None) -> None:
    found = one(text).option(*names)
    assert (found and (found.text, found.open)) == value
    assert found is None or text[found.start : found.end] == found.text


def test_what_is_handed_on_may_hold_two_dashes() -> None:
    line = one("axolotl train a.yml --b -- --c -- --d")
    assert (texts(line.words), texts(line.handed)) == (["--b"], ["--c", "--", "--d"])


def test_a_command_has_a_limit() -> None:
    assert len(one("axolotl train a.yml" + " b" * 390).words) == 390
    assert read("axolotl train a.yml" + " b" * 410) == []
    assert len(one("- axolotl\n- train\n- a.yml\n" + "- b\n" * 90).words) == 90
    assert len(one("- axolotl\n- train\n- a.yml\n" + "- b\n" * 190).words) == 117
    assert read("- x\n" * 70 + "- axolotl\n- train\n- a.yml\n") != []
    assert len(read("axolotl train a.yml\n" * 60)) == 50


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


@product
@each("number", drawn(range(len(HOSTILE)), 5))
def test_hostile_texts_take_no_time(number: int) -> None:
    text = HOSTILE[number]
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


@each(
    ("text", "configs"),
    [
        ("CFG=${1:-a/x.yml}\naxolotl train $CFG", ["a/x.yml"]),
        ('CFG="${CFG:-x.yml}"\naxolotl train "$CFG" --seed 1', ["x.yml"]),
        (': "${CFG:=x.yml}"\naxolotl train "$CFG"', ["x.yml"]),
        ("axolotl train ${1:-x.yml}", ["x.yml"]),
        ('axolotl train "${1:-x.yml}"', ["x.yml"]),
        ('CMD=(axolotl train)\n"${CMD[@]}" x.yml', ["x.yml"]),
        ("CMD=(\n  axolotl train x.yml  # this\n)\n${CMD[@]}", ["x.yml"]),
        ('AX="accelerate launch -m axolotl.cli.train"\n$AX x.yml', ["x.yml"]),
        ('for s in a b; do\n  axolotl train "c/$s.yml"\ndone', ["c/a.yml", "c/b.yml"]),
        ("for c in a.yml b.yml; do axolotl train $c --seed 1; done", ["a.yml", "b.yml"]),
        ('F=(a.yml b.yml)\nfor c in "${F[@]}"; do axolotl train $c; done', ["a.yml", "b.yml"]),
        ("for c in a/*.yml; do axolotl train $c; done", ["a/*.yml"]),
        ('CMD="axolotl train x.yml"\n$CMD', ["x.yml"]),
        ('CMD="axolotl train x.yml"\n$CMD --seed 1', ["x.yml", "x.yml"]),
        # It is set again, by what is not known.
        ("CFG=${1:-x.yml}\nCFG=$(pick)\naxolotl train $CFG --config", []),
        ("for s in $ALL; do axolotl train c/$s.yml; done", ["c/$s.yml"]),
    ],
)
def test_what_variables_start(text: str, configs: list[str]) -> None:
    assert [start.config.text for start in read(text)] == configs


def test_a_pattern_of_names_is_open() -> None:
    assert one("for c in a/*.yml; do axolotl train $c; done").config.open
    assert not one("CFG=${1:-x.yml}\naxolotl train $CFG").config.open


def test_words_of_a_list_are_words_of_the_command() -> None:
    text = 'O=(--seed 1 "--lr=$LR" \'a\')\naxolotl train x.yml "${O[@]}"'
    assert texts(one(text).words) == ["--seed", "1", "--lr=$LR", "a"]
    assert [word.open for word in one(text).words] == [False, False, True, False]
    unknown = 'O=(--seed "1 2")\naxolotl train x.yml "${O[@]}"'
    assert texts(one(unknown).words) == ["${O[@]}"]


def test_a_loop_without_an_end_takes_no_time() -> None:
    begin = time.process_time()
    read("for x in " * 20_000 + "axolotl train $x.yml" + "A=(" * 20_000)
    assert time.process_time() - begin < 2
