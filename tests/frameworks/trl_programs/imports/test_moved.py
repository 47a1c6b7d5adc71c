"""A class of TRL that is elsewhere in the stated release: the import, and the name wherever it is used, change together."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.cli.running import run

USE = 'args = {config}(output_dir="o")\n{trainer}(args=args, model=m, train_dataset=d).train()\n'
ORPO = USE.format(config="ORPOConfig", trainer="ORPOTrainer")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fixed(text: str, release: str) -> str:
    Path("t.py").write_text(text)
    run("t.py", "--fix", "--unsafe-fixes", "--target", f"trl=={release}")
    return Path("t.py").read_text()


@pytest.mark.parametrize(
    ("before", "release", "after"),
    [
        (
            "from trl import ORPOConfig, ORPOTrainer\n",
            "1.16.0",
            "from trl.experimental.orpo import ORPOConfig, ORPOTrainer\n",
        ),
        (
            "from trl import DPOConfig, ORPOConfig, ORPOTrainer\n",
            "0.29.0",
            "from trl import DPOConfig\nfrom trl.experimental.orpo import ORPOConfig, ORPOTrainer\n",
        ),
        # It is at both places, or only at the old one.
        ("from trl import ORPOConfig, ORPOTrainer\n", "0.28.0", ""),
        ("from trl import ORPOConfig, ORPOTrainer\n", "0.20.0", ""),
        # A comment would have to stay.
        ("from trl import (\n    ORPOConfig,  # mine\n    ORPOTrainer,\n)\n", "1.16.0", ""),
    ],
)
def test_the_import_follows(before: str, release: str, after: str) -> None:
    assert fixed(before + ORPO, release) == (after or before) + ORPO


@pytest.mark.parametrize(("alias", "lines"), [("x" * 39, 1), ("x" * 40, 4)])
def test_a_longer_import_is_written_in_brackets(alias: str, lines: int) -> None:
    text = f"from trl import ORPOConfig as {alias}, ORPOTrainer\n"
    new = fixed(text + ORPO.replace("ORPOConfig", alias), "1.16.0")
    assert new.startswith("from trl.experimental.orpo import ")
    imported = new.partition("args = ")[0]
    assert imported.count("\n") == lines
    ast.parse(new)


def test_what_is_nowhere_any_more_stays() -> None:
    text = "from trl import PPOConfig, PPOTrainer\n" + USE.format(
        config="PPOConfig", trainer="PPOTrainer"
    )
    assert fixed(text, "1.16.0") == text
    assert "experimental.ppo" in fixed(text, "1.0.0")


@pytest.mark.parametrize(
    ("release", "home"), [("0.16.0", "trl"), ("0.29.0", "trl.experimental.ppo")]
)
def test_a_renamed_class_is_renamed_with_its_import(release: str, home: str) -> None:
    text = "from trl import PPOv2Config, PPOv2Trainer\n" + USE.format(
        config="PPOv2Config", trainer="PPOv2Trainer"
    )
    new = fixed(text, release)
    assert new.startswith(f"from {home} import PPOConfig, PPOTrainer\n")
    assert "PPOv2" not in new
    ast.parse(new)


def test_migrate_takes_it_as_one_step() -> None:
    Path("t.py").write_text(f"from trl import ORPOConfig, ORPOTrainer\n{ORPO}")
    start = ("--from", "trl==0.20.0", "--from", "transformers==4.53.3")
    run("migrate", "t.py", *start, "--to", "trl==1.16.0", "--write", "--partial")
    assert Path("t.py").read_text().startswith("from trl.experimental.orpo import ORPOConfig")
