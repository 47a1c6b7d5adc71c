"""Programs, notebooks and logs that grow in one respect."""

from __future__ import annotations

import json
from collections.abc import Callable

from tools.growth.inputs import AXOLOTL, Case, Make

_HEAD = "from trl import SFTConfig\nSFTConfig('out', max_seq_length=1)\n"
Grow = Callable[[int], str]

#: Name, size, and a text behind a call that is checked.
_PROGRAMS: tuple[tuple[str, int, Grow], ...] = (
    ("calls", 50, lambda n: "SFTConfig('out', max_seq_length=1)\n" * n),
    ("keywords", 50, lambda n: "SFTConfig('out'" + "".join(f", k{i}=1" for i in range(n)) + ")\n"),
    ("misspelt keywords", 20, lambda n: "SFTConfig('out'" + "".join(f", max_lenght{i}=1" for i in range(n)) + ")\n"),
    ("constants", 200, lambda n: "".join(f"A{i} = {i}\nSFTConfig('out', seed=A{i})\n" for i in range(n))),
    ("constants of constants", 200, lambda n: "A0 = 1\n" + "".join(f"A{i + 1} = A{i}\n" for i in range(n)) + f"SFTConfig('out', seed=A{n})\n"),
    ("functions", 200, lambda n: "".join(f"def f{i}():\n    SFTConfig('out', seed={i})\n" for i in range(n))),
    ("imports", 200, lambda n: "".join(f"from trl import SFTConfig as C{i}\n" for i in range(n))),
    ("lines that call nothing", 400, lambda n: "a = b + 1\n" * n),
    ("sums", 20, lambda n: f"SFTConfig('out', seed={'1 + ' * n}1)\n"),
    ("brackets", 20, lambda n: f"SFTConfig('out', report_to={'[' * n}{']' * n})\n"),
    ("a long text", 4000, lambda n: f"SFTConfig('out', run_name='{'a' * n}')\n"),
    ("texts joined", 400, lambda n: "SFTConfig('out', run_name=" + '"a" ' * n + ")\n"),
    ("comments", 1000, lambda n: "# SFTConfig(x=1)\n" * n),
    ("signs of Jupyter", 400, lambda n: "%time x\n!pip install trl\n" * n),
    ("what is open", 1000, lambda n: "SFTConfig(" * n),
    ("quotes", 1000, lambda n: "x = " + "'" * n),
)  # fmt: skip

_COMMAND = "'llamafactory-cli', 'train', '--stage', 'sft', '--learning_rte', x"
#: The same for programs that start others.
_STARTED: tuple[tuple[str, int, Grow], ...] = (
    ("words of a command", 60, lambda n: f"run([{_COMMAND}" + "".join(f", '--k{i}', 'v'" for i in range(n)) + "])\n"),
    ("commands", 20, lambda n: f"run([{_COMMAND}])\n" * n),
    ("lists of other things", 200, lambda n: "x = ['a', 'b', y]\n" * n + f"run([{_COMMAND}])\n"),
    ("words that are added", 40, lambda n: f"c = [{_COMMAND}]\n" + "c += ['--seed', str(x)]\n" * n),
    ("words that a branch adds", 40, lambda n: f"c = [{_COMMAND}]\n" + "if x:\n    c.append('--do_train')\n" * n),
    ("lists that are followed", 100, lambda n: "".join(f"c{i} = ['a', x]\nif x:\n    c{i}.append(y)\n" for i in range(n))),
    ("a text for a shell", 60, lambda n: "os.system('llamafactory-cli train --stage sft" + " --seed 1" * n + "')\n"),
    ("texts joined", 60, lambda n: "os.system(f'llamafactory-cli train --stage sft ' " + "f'--seed {x} ' " * n + ")\n"),
    ("names of names", 40, lambda n: "".join(f"A{i} = f'{{A{i + 1}}}{{A{i + 1}}}'\n" for i in range(n)) + "run(['llamafactory-cli', 'train', A0])\n"),
)  # fmt: skip

_LOGS: tuple[tuple[str, int, Grow], ...] = (
    ("steps", 1000, lambda n: "{'loss': 1.0, 'epoch': 0.1}\n" * n),
    ("short lines", 4000, lambda n: "a\n" * n),
    ("errors", 400, lambda n: "".join(f"ValueError: x{i}\n" for i in range(n))),
    ("one error again and again", 400, lambda n: "ValueError: x\n" * n),
    ("errors of ranks", 400, lambda n: "".join(f"[rank{i}]: KeyError: {i}\n" for i in range(n))),
    ("frames", 400, lambda n: "Traceback (most recent call last):\n" + '  File "a.py", line 1, in f\n' * n),
    ("tracebacks", 400, lambda n: "Traceback (most recent call last):\n" * n),
    ("versions", 400, lambda n: "trl==0.24.0 torch 2.6.0 " * n),
    ("commands", 100, lambda n: "".join(f"axolotl train c{i}.yml\n" for i in range(n))),
    ("words of a command", 1000, lambda n: "accelerate launch " * n),
    ("progress", 2000, lambda n: " 1%|# | 1/10\r" * n),
    ("colors", 2000, lambda n: "\x1b[31m" * n),
    ("what a color begins with", 4000, lambda n: "\x1b[" * n),
    ("frames of rich", 2000, lambda n: "│ " * n),
    ("a long line", 8000, lambda n: "ValueError: " + "a" * n),
    ("usage", 2000, lambda n: "a." * n + ": error: x\n"),
    ("dotted names", 2000, lambda n: "a." * n + "Error\n"),
)  # fmt: skip


def _program(grow: Grow) -> Make:
    return lambda n: {"train.py": _HEAD + grow(n)}


def _starting(grow: Grow) -> Make:
    return lambda n: {"go.py": "import os\nfrom subprocess import run\n" + grow(n)}


def _beside_starting(count: int) -> dict[str, str]:
    """A config that the commands of a program start."""
    command = "run(['axolotl', 'train', 'train.yml', '--seed', x])\n"
    return {"train.yml": AXOLOTL, "go.py": "from subprocess import run\n" + command * count}


def _notebook(grow: Grow) -> Make:
    return lambda n: {"train.ipynb": _cells([_HEAD, grow(n)])}


def _log(grow: Grow) -> Make:
    return lambda n: {"run.log": "KeyError: 'x'\n" + grow(n)}


def _cells(codes: list[str]) -> str:
    cells = [{"cell_type": "code", "source": code.splitlines(keepends=True)} for code in codes]
    return json.dumps({"cells": cells}, indent=1)


def _fed(count: int) -> dict[str, str]:
    """Calls that one section of a file gives many keywords."""
    load = 'import yaml\nfrom trl import SFTConfig\nc = yaml.safe_load(open("own.yaml"))\n'
    section = "".join(f"  key_{number}: 1\n" for number in range(count))
    return {
        "train.py": load + 'SFTConfig(**c["training"])\n' * count,
        "own.yaml": f"training:\n{section}",
    }


def _fed_values(count: int) -> dict[str, str]:
    """A call that gets each keyword from a file that the program changes, too."""
    load = 'import yaml\nfrom trl import SFTConfig\nc = yaml.safe_load(open("own.yaml"))\n'
    changes = "".join(f'c["other_{number}"] = 1\n' for number in range(count))
    keywords = ", ".join(f'key_{number}=c["key_{number}"]' for number in range(count))
    section = "".join(f"key_{number}: 1\n" for number in range(count))
    return {"train.py": f"{load}{changes}SFTConfig({keywords})\n", "own.yaml": section}


def run_files() -> list[Case]:
    """All of them."""
    return [
        *(Case(f"program: {name}", "train.py", size, _program(g)) for name, size, g in _PROGRAMS),
        *(
            Case(f"program that starts others: {name}", "go.py", size, _starting(g))
            for name, size, g in _STARTED
        ),
        Case("program that starts others: a config", "train.yml", 40, _beside_starting),
        *(
            Case(f"notebook: {name}", "train.ipynb", size, _notebook(g))
            for name, size, g in _PROGRAMS
        ),
        Case("notebook: cells", "train.ipynb", 50, lambda n: {"train.ipynb": _cells([_HEAD] * n)}),
        Case("program: calls that a section is given to", "train.py", 40, _fed),
        Case("program: values from a file", "train.py", 100, _fed_values),
        *(
            Case(f"log: {name}", "run.log", size, _log(grow), ("diagnose", "run.log"))
            for name, size, grow in _LOGS
        ),
    ]
