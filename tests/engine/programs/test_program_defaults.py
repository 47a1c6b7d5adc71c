"""Keywords that have a value as long as nobody gives the program another one."""

from __future__ import annotations

from pathlib import Path

from cfglint import Linter
from cfglint.diagnostic import Diagnostic
from tests.cli.running import run

OLD = ["trl==0.24.0", "transformers==4.57.1"]
HEAD = "import argparse\nfrom trl import SFTConfig\np = argparse.ArgumentParser()\n"


def findings(option: str, call: str) -> list[Diagnostic]:
    text = f"{HEAD}p.add_argument({option})\na = p.parse_args()\n{call}\n"
    return list(Linter(target=OLD, settings=False).lint(text, "train.py").diagnostics)


def test_what_is_wrong_with_a_default_is_a_warning_at_the_keyword() -> None:
    (found,) = findings("'--warm', type=int, default=-5", "SFTConfig('out', warmup_steps=a.warm)")
    assert (found.code, found.severity, found.own_severity) == ("TRL040", "warning", "error")
    assert found.message.endswith("so by default: `--warm` may be given another value.")
    assert "`warmup_steps: -5`" in found.message
    assert [one.note for one in found.related] == ["the default of `--warm`"]
    assert found.start is not None
    assert (found.start.line, found.fixes) == (6, ())


def test_what_is_wrong_without_the_default_stays_an_error() -> None:
    call = "SFTConfig('out', max_sq=a.warm, optim='x', warmup_steps=a.warm)"
    found = {one.code: one for one in findings("'--warm', type=int, default=-5", call)}
    assert found["KEY001"].severity == found["TYP002"].severity == "error"
    assert "by default" not in found["KEY001"].message + found["TYP002"].message
    assert found["TRL040"].severity == "warning"


def test_a_default_that_is_right_says_nothing() -> None:
    assert findings("'--warm', type=int, default=5", "SFTConfig('out', warmup_steps=a.warm)") == []
    # What a note tells is no reason to look at a default.
    assert findings("'--warm', type=int", "SFTConfig('out', seed=a.warm)") == []


def test_a_script_that_gives_the_option_replaces_the_default(tmp_path: Path) -> None:
    text = f"{HEAD}p.add_argument('--warm_up', default=-5)\na = p.parse_args()\nSFTConfig('out', warmup_steps=a.warm_up)\n"
    (tmp_path / "train.py").write_text(text)
    options = ["--target", OLD[0], "--target", OLD[1], "--format", "concise", str(tmp_path)]
    for script, told in (
        ("python train.py\n", True),
        ("python other.py --warm-up 3\n", True),
        ("python train.py --warm-up 3\n", False),
        ("python -m train --warm_up=3\n", False),
    ):
        (tmp_path / "run.sh").write_text(script)
        assert ("TRL040" in run(*options).out) is told, script
