"""What the first lines of a program install."""

from __future__ import annotations

import pytest

from cfglint.environment.project.readers.program_heads import read

BLOCK = (
    '# /// script\n# requires-python = ">=3.10"\n# dependencies = [\n#     "trl[vllm]==0.18.0",\n'
    "#     'peft',\n# ]\n# ///\nimport trl\n"
)


def listed(text: str, *, by_uv: bool = False) -> list[tuple[str, str | None, int]]:
    """(package, release, line)."""
    found = read("train.py", text, by_uv=by_uv)
    rows = () if found is None else found.statements
    return [(one.package, one.version, one.place.line) for one in rows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# pip install trl==0.18.0\nimport trl\n", [("trl", "0.18.0", 1)]),
        ("#!pip install -q trl peft==0.9.0\r\n", [("trl", None, 1), ("peft", "0.9.0", 1)]),
        ('"""A run."""\n\n# %pip install -U "trl==0.18.0"\n', [("trl", "0.18.0", 3)]),
        (
            "# python -m pip install trl\n# uv pip install peft\n",
            [("trl", None, 1), ("peft", None, 2)],
        ),
        ("# uv add trl\n", [("trl", None, 1)]),
        # Below the first statement, in a sentence, and in a text.
        ("import trl\n# pip install trl\n", []),
        ("# Run pip install trl first.\n", []),
        ('"""\npip install trl\n"""\n', []),
        ("# pip install flask\n", []),
        # What it installs itself; a command that is commented out was run before.
        (
            'import os\nos.system("pip install trl==0.8.6 peft -q")\n',
            [("trl", "0.8.6", 2), ("peft", None, 2)],
        ),
        ("import os\n# os.system('pip install \"trl==0.8.6\"')\n", [("trl", "0.8.6", 2)]),
        ('os.system("pip install " + name)\n', []),
        ('print("pip install trl==0.8.6")\n', []),
        (
            "import subprocess, sys\n"
            'subprocess.check_call(\n    [sys.executable, "-m", "pip", "install", "-q", "trl==0.8.6"]\n)\n',
            [("trl", "0.8.6", 3)],
        ),
        ('run([sys.executable, "-m", "pip", "install", name])\n', []),
        ('# pip install trl==0.9.6\nos.system("pip install trl==0.8.6")\n', [("trl", "0.9.6", 1)]),
        (BLOCK, []),
        (f"#!/usr/bin/env -S uv run\n{BLOCK}", [("trl", "0.18.0", 5), ("peft", None, 6)]),
    ],
)
def test_commands(text: str, expected: list[tuple[str, str | None, int]]) -> None:
    assert listed(text) == expected


def test_the_block_counts_for_a_program_that_uv_runs() -> None:
    assert listed(BLOCK, by_uv=True) == [("trl", "0.18.0", 4), ("peft", None, 5)]
    assert listed(BLOCK.replace("dependencies", "others"), by_uv=True) == []
