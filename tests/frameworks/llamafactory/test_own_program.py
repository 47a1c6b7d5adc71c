"""The program of a project that a script starts instead of LLaMA-Factory's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.frameworks.for_files import for_path
from cfglint.frameworks.llamafactory.own_program import (
    has_extended,
    is_of_its_own,
    seems_forked,
)
from cfglint.roles.framework import load_framework
from cfglint.source.files.memory import InMemory
from cfglint.source.text import SourceText
from tests.draws import each

SCRIPT = "python src/train.py --stage sft --model_name_or_path a/b --output_dir o"


def around(files: dict[str, str], script: str = SCRIPT, *, pinned: bool = False) -> Any:
    """A script in the folder of a project."""
    project = {f"p/{name}": text.encode() for name, text in files.items()}
    framework = for_path(load_framework("llamafactory"), "p/run.sh")
    known: dict[str, bool] = {}
    return SimpleNamespace(
        document=framework.language.read(SourceText(script + "\n")),
        around=Surroundings(Memory(), InMemory({"p/.git/HEAD": b"", **project}), folder="p"),
        target=SimpleNamespace(pins={"llamafactory": 1} if pinned else {}),
        once=lambda key, make: known.setdefault(key, make()),
    )


USUAL = "import os\nfrom llamafactory.train.tuner import run_exp\n"


@each(
    ("files", "extended", "own"),
    [
        ({}, False, False),
        ({"src/train.py": USUAL}, False, False),
        ({"src/train.py": "from llamafactory.train import tuner\nimport sys\n"}, False, False),
        ({"src/train.py": USUAL + "import torch\n"}, True, False),
        ({"src/train.py": "from llmtuner import run_exp\n"}, True, False),
        ({"src/train.py": "import torch\n"}, True, True),
        ({"src/train.py": "import torch.nn as nn\nfrom .own import x\n"}, True, True),
        # A module of the project imports it for the program.
        (
            {"src/train.py": "from own import x\n", "src/own.py": "import llamafactory.train\n"},
            *(True, False),
        ),
        ({"src/train.py": "from own import x\n", "src/own.py": "import torch\n"}, True, True),
        # What cannot be parsed, and what imports nothing, says nothing.
        ({"src/train.py": "import (\n"}, False, False),
        ({"src/train.py": "x = 1\n"}, False, False),
        ({"src/other.py": "import torch\n"}, False, False),
    ],
)
def test_what_a_program_imports(files: dict[str, str], extended: bool, own: bool) -> None:
    context = around(files)
    assert has_extended(context) is extended
    assert is_of_its_own(context) is own


def test_a_program_without_a_folder() -> None:
    context = around({})
    context.around = Surroundings(Memory(), InMemory({}), folder=None)
    assert not has_extended(context)
    assert not is_of_its_own(context)


@each(
    ("script", "pinned", "expected"),
    [
        (SCRIPT, False, False),
        (f"{SCRIPT} --own_a 1 --own_b 2", False, False),
        (f"{SCRIPT} --own_a 1 --own_b 2 --own_c 3", False, True),
        (f"{SCRIPT} --own_a 1 --own_b 2 --own_c 3", True, False),
    ],
)
def test_a_fork(script: str, pinned: bool, expected: bool) -> None:
    framework = for_path(load_framework("llamafactory"), "p/run.sh")
    assert seems_forked(framework, around({}, script, pinned=pinned)) is expected
