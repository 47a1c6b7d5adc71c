"""The walk-through in CONTRIBUTING.md works as it is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cfglint.knowledge.compiling.examples import prepare
from cfglint.knowledge.compiling.loading import load_rules
from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.source.text import SourceText
from tests.linting import lint
from tests.shipped import shipped_rules

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: What the framework of the rule cannot do without.
_KEPT = frozenset({"tables"})
#: The framework of the rule, and those whose settings it knows.
_FRAMEWORKS = ("axolotl", "deepspeed", "accelerate")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the project."""
    for name in ("src", "rules"):
        ignored = shutil.ignore_patterns("__pycache__", "_compiled", "*.egg-info")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def _thinned(checkout: Path) -> None:
    """Take most rules away, for speed, and the other frameworks with the shared rules that only they have."""
    left = {rule.code for name in _FRAMEWORKS for rule in load_knowledge(name).all_rules()}
    kept = {file.path for file in load_rules(checkout / "rules") if file.rule.code in left}
    for path in (checkout / "rules" / "shared").glob("*/*.yaml"):
        if path not in kept:
            path.unlink()
    for described in (checkout / "rules").glob("*/framework.yaml"):
        if described.parent.name not in _FRAMEWORKS:
            shutil.rmtree(described.parent)
            shutil.rmtree(checkout / "src" / "cfglint" / "frameworks" / described.parent.name)
    for folder in (checkout / "rules" / "axolotl").iterdir():
        if folder.is_dir() and folder.name not in _KEPT:
            shutil.rmtree(folder)


def _cfglint(checkout: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "cfglint", *arguments],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout / "src"), "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def _write_rule(checkout: Path) -> Path:
    (path,) = re.findall(r"here `(rules/[\w./-]+)`", TEXT)
    (rule,) = re.findall(r"^```yaml\n(code: .*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    target: Path = checkout / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(rule, encoding="utf-8")
    return target


def test_the_rule_of_the_walk_through_stands_beside_all_others(tmp_path: Path) -> None:
    """Its code and name are free, and no other rule finds an error in its examples."""
    target = _write_rule(tmp_path)
    assert (ROOT / target.relative_to(tmp_path)).parent.is_dir()
    for name in ("framework.yaml", "bases.yaml"):
        shutil.copy(ROOT / "rules" / "axolotl" / name, tmp_path / "rules" / "axolotl")
    [file] = load_rules(tmp_path / "rules")
    taken = {label for rule, _ in shipped_rules() for label in (rule.code, rule.name)}
    assert taken.isdisjoint((file.rule.code, file.rule.name))
    for example in file.rule.examples:
        found = lint(SourceText.from_bytes(prepare(example).data).text)
        assert [(one.code, one.message) for one in found if one.severity == "error"] == []


@pytest.mark.doors
def test_the_rule_of_the_walk_through_is_counted_and_tested(checkout: Path) -> None:
    _thinned(checkout)
    others = len(list((checkout / "rules").glob("*/*/*.yaml")))
    _write_rule(checkout)
    assert _cfglint(checkout, "rules", "test") == (0, f"{others + 1} rules, 0 problems\n")
    assert _cfglint(checkout, "explain", "SAV999")[0] == 0


def test_the_places_that_it_names_exist() -> None:
    for name in re.findall(r"`((?:src|rules|tools|tests|\.ci)/[\w./-]*)`", TEXT):
        if "output-in-tmp" not in name:
            assert (ROOT / name).exists(), name
