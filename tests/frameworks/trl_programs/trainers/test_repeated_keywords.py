"""Keywords that one call has twice: what Python's compiler refuses, and the parser does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = "from trl import SFTConfig, SFTTrainer\n{}\nSFTTrainer('a/b', args=SFTConfig('out'))\n"


@pytest.mark.parametrize(
    "line",
    [
        "x = SFTConfig(seed=1, seed=1)",
        "print('a', end='', sep='', end='')",
        "def make():\n    return dict(one=dict(a=1, b=2, a=3))",
        "x = SFTConfig(seed=1)\ny = SFTConfig(seed=1)",
        "x = dict(one=dict(a=1), two=dict(a=1), **{'one': 1}, **{'one': 2})",
    ],
)
def test_what_the_compiler_refuses_is_found(line: str, tmp_path: Path) -> None:
    text = PROGRAM.format(line)
    refused = False
    try:
        compile(text, "train.py", "exec")
    except SyntaxError:
        refused = True
    (tmp_path / "train.py").write_text(text)
    result = run(str(tmp_path / "train.py"), "--format", "json", "--select", "TRP770")
    found = [hit for file in json.loads(result.out)["files"] for hit in file["diagnostics"]]
    assert bool(found) == refused
