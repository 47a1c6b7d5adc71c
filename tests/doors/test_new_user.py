"""The tests that hold what new users met are there."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from cfglint.roles.framework import frameworks, load_framework
from tests.doors.new_user import EVERY, Met

ROOT = Path(__file__).resolve().parents[2]


@cache
def named_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


@cache
def codes() -> frozenset[str]:
    return frozenset(
        rule.code for name in frameworks() for rule in load_framework(name).knowledge.all_rules()
    )


@pytest.mark.parametrize("met", EVERY, ids=lambda met: re.sub(r"\W+", "-", met.what)[:60])
def test_what_holds_it_is_there(met: Met) -> None:
    assert bool(met.held) != bool(met.why_not), "tests, or a reason for none"
    for held in met.held:
        if held.startswith("rule:"):
            assert held.removeprefix("rule:") in codes()
            continue
        file, _, name = held.partition("::")
        assert name in named_in(file), held


def test_each_is_there_once_and_a_reason_is_a_sentence() -> None:
    assert len({met.what for met in EVERY}) == len(EVERY)
    for met in EVERY:
        assert not met.why_not or re.fullmatch(r"[A-Z].*\.", met.why_not), met.what


def test_what_the_guides_let_one_build_is_ignored() -> None:
    made = ["playground/index.html", "site/index.html", "editors/vscode/cfglint.vsix"]
    made += ["editors/vscode/out/extension.js", "editors/vscode/bundled/libs/x.py"]
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", *made],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 128:
        pytest.skip("not a repository")
    assert done.stdout.split() == made
