"""The walk-through in CONTRIBUTING.md works as it is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: What the framework of the rule cannot do without.
_KEPT = frozenset({"tables"})
#: The framework of the rule, and the one whose settings and needs it knows.
_FRAMEWORKS = ("axolotl", "deepspeed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the project."""
    for name in ("src", "rules"):
        ignored = shutil.ignore_patterns("__pycache__", "_compiled", "*.egg-info")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def _thinned(checkout: Path) -> None:
    """Take most rules away, for speed, and the other frameworks."""
    for described in (checkout / "rules").glob("*/framework.yaml"):
        if described.parent.name not in _FRAMEWORKS:
            shutil.rmtree(described.parent)
            shutil.rmtree(checkout / "src" / "cfglint" / "frameworks" / described.parent.name)
    for folder in (checkout / "rules" / "axolotl").iterdir():
        if folder.is_dir() and folder.name not in _KEPT:
            shutil.rmtree(folder)


def _with_fewer_examples(checkout: Path) -> None:
    """Leave every rule one bad and one good example, for speed."""
    for path in (checkout / "rules").glob("*/*/*.yaml"):
        rule = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        bad = [example for example in rule["examples"] if "bad" in example]
        good = [example for example in rule["examples"] if "good" in example]
        text = yaml.dump(
            {**rule, "examples": bad[:1] + good[:1]}, Dumper=yaml.CSafeDumper, sort_keys=False
        )
        path.write_text(text, encoding="utf-8")


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


def _write_rule(checkout: Path) -> tuple[Path, str]:
    (path,) = re.findall(r"here `(rules/[\w./-]+)`", TEXT)
    (rule,) = re.findall(r"^```yaml\n(code: .*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    target = checkout / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(rule, encoding="utf-8")
    return target, rule


def test_the_rule_of_the_walk_through_stands_beside_all_others(checkout: Path) -> None:
    _with_fewer_examples(checkout)
    target, _ = _write_rule(checkout)
    assert (ROOT / target.relative_to(checkout)).parent.is_dir()
    code, said = _cfglint(checkout, "rules", "test")
    assert (code, said.endswith(" 0 problems\n")) == (0, True), said


def test_the_rule_of_the_walk_through_is_counted_and_tested(checkout: Path) -> None:
    _thinned(checkout)
    code, before = _cfglint(checkout, "rules", "test")
    assert (code, before.endswith(" 0 problems\n")) == (0, True), before
    target, rule = _write_rule(checkout)
    code, after = _cfglint(checkout, "rules", "test")
    assert code == 0, after
    assert int(after.split()[0]) == int(before.split()[0]) + 1
    assert _cfglint(checkout, "explain", "SAV999")[0] == 0

    target.write_text(rule.replace("- output_dir: {", "- output_dirs: {"), "utf-8")
    assert _cfglint(checkout, "rules", "test")[0] == 1


def test_the_places_that_it_names_exist() -> None:
    for name in re.findall(r"`((?:src|rules|tools|tests|\.ci)/[\w./-]*)`", TEXT):
        if "output-in-tmp" not in name:
            assert (ROOT / name).exists(), name
