"""What programs import, and between when and when a release is by that."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment.project.imports import bounds, imports_below, read
from cfglint.environment.project.projects import Projects
from cfglint.files.disk import Disk
from cfglint.knowledge.releases.table import releases_of

VERSIONS = releases_of("trl").versions
OLD = "from trl import SFTTrainer, DataCollatorForCompletionOnlyLM\n"
NEW = "from trl import GRPOConfig\n"
CONFIG = (
    "model_name_or_path: a/b\ndataset_name: c/d\noutput_dir: out\nper_device_train_batch_size: 1\n"
    "learning_rate: 0.0001\nmax_seq_length: 512\npacking: true\nnum_train_epochs: 1\n"
)


def names(text: str) -> list[str]:
    return [f"{one.name} at {one.place.line}:{one.place.column}" for one in read("a.py", text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (OLD, ["DataCollatorForCompletionOnlyLM at 1:29"]),
        ("from trl import (\n    SFTTrainer,\n    GRPOConfig as G,  # PPOConfig\n)\n", ["GRPOConfig at 3:5"]),
        # May fail, and is taken care of.
        ("try:\n    from trl import GRPOConfig\nexcept ImportError:\n    pass\n", []),
        ("# from trl import GRPOConfig\n", []),
        ("from trl.trainer import GRPOConfig\n", []),
        ("from trlx import GRPOConfig\n", []),
        ("from trl import SFTConfigOfMine\n", []),
    ],
)  # fmt: skip
def test_read(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        (OLD, "<0.20.0"),
        (f"{OLD}from trl import RLOOTrainer\n", ">=0.11.0,<0.20.0"),
        (NEW, ">=0.14.0"),
        ("from trl import SFTTrainer\n", None),
    ],
)
def test_bounds(text: str, spec: str | None) -> None:
    found = bounds("trl", list(read("a.py", text)), VERSIONS)
    assert (found.spec if found else None) == spec


def test_names_of_several_times_bound_nothing() -> None:
    text = "from trl import DataCollatorForCompletionOnlyLM\nfrom trl import CPOTrainer\n"
    assert bounds("trl", list(read("a.py", text)), VERSIONS) is not None
    late = next(n for n, (since, _) in _table().items() if since and since >= "1.0")
    assert bounds("trl", list(read("a.py", f"{text}from trl import {late}\n")), VERSIONS) is None


def _table() -> dict[str, tuple[str | None, str | None]]:
    from cfglint.environment.project.imports import table

    return table()["trl"]


def test_a_copy_in_the_project_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "src" / "trl").mkdir(parents=True)
    (tmp_path / "src" / "train.py").write_text(OLD)
    assert len(imports_below(str(tmp_path), Disk(), deep=True)) == 1
    assert imports_below(str(tmp_path), Disk(), deep=False) == []
    (tmp_path / "src" / "trl" / "__init__.py").write_text("")
    assert imports_below(str(tmp_path), Disk(), deep=True) == []


def test_a_removed_key_of_a_project_that_ends_before_is_nothing(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    config = tmp_path / "recipes" / "sft.yaml"
    config.parent.mkdir()
    config.write_text(CONFIG)

    def severities() -> list[str]:
        found = lint_file(config, framework="trl", min_confidence="low").diagnostics
        return [one.severity for one in found if one.code == "KEY005"]

    # Only the assumption of the newest release speaks against the key.
    assert severities() == ["note"]
    (tmp_path / "train.py").write_text(OLD)
    assert severities() == []
    (tmp_path / "train.py").unlink()
    # What is installed without an upper bound is the newest.
    (tmp_path / "requirements.txt").write_text("trl\n")
    assert severities() == ["warning"]
    (tmp_path / "requirements.txt").unlink()
    (tmp_path / "README.md").write_text(
        "```\npip install \\\n  https://a/b.whl  \n  trl==0.9.6 \\\n```\n"
    )
    assert severities() == []


def test_the_origin_is_the_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(OLD)
    found = Projects(Disk()).for_file(str(tmp_path / "sft.yaml"), "trl")
    assert found is not None
    pin = found.pins["trl"]
    assert pin.origin == "train.py line 1, which imports DataCollatorForCompletionOnlyLM"
    assert (pin.spec, pin.inferred) == ("<0.20.0", True)
