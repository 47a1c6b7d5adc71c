"""What programs import, and between when and when a release is by that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment.project.imports import bounds, imports_below, read
from cfglint.environment.project.projects import Projects
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import releases_of
from cfglint.source.files.disk import Disk
from tests.draws import each

VERSIONS = releases_of("trl").versions
OLD = "from trl import SFTTrainer, DataCollatorForCompletionOnlyLM\n"
NEW = "from trl import GRPOConfig\n"
CONFIG = (
    "model_name_or_path: a/b\ndataset_name: c/d\noutput_dir: out\nper_device_train_batch_size: 1\n"
    "learning_rate: 0.0001\nmax_seq_length: 512\npacking: true\nnum_train_epochs: 1\n"
)


def names(text: str) -> list[str]:
    return [f"{one.name} at {one.place.line}:{one.place.column}" for one in read("a.py", text)]


@each(
    ("text", "found"),
    [
        (OLD, ["DataCollatorForCompletionOnlyLM at 1:29"]),
        ("from trl import (\n    SFTTrainer,\n    GRPOConfig as G,  # PPOConfig\n)\n", ["GRPOConfig at 3:5"]),
        # May fail, and is taken care of.
        ("try:\n    from trl import GRPOConfig\nexcept ImportError:\n    pass\n", []),
        ("# from trl import GRPOConfig\n", []),
        ("from trl.trainer import GRPOConfig\n", ["trainer.GRPOConfig at 1:25"]),
        # A module that came with a release tells it, whatever is imported from it.
        ("from trl.trainer.grpo_trainer import x, y\n", ["trainer.grpo_trainer at 1:38", "trainer.grpo_trainer at 1:41"]),
        ("from trl.no.module import GRPOConfig\n", []),
        ("from trlx import GRPOConfig\n", []),
        ("from trl import SFTConfigOfMine\n", []),
    ],
)  # fmt: skip
def test_read(text: str, found: list[str]) -> None:
    assert names(text) == found


@each(
    ("text", "spec"),
    [
        (OLD, "<0.20.0"),
        (f"{OLD}from trl import RLOOTrainer\n", ">=0.11.0,<0.20.0"),
        (NEW, ">=0.14.0"),
        # Of several, the ones that tell most.
        (f"{OLD}from trl import PPOv2Config\n", ">=0.11.0,<0.13.0"),
        (f"from trl import PPOv2Config\n{OLD}", ">=0.11.0,<0.13.0"),
        (f"{NEW}from trl import RLOOTrainer\n", ">=0.14.0"),
        (f"from trl import RLOOTrainer\n{NEW}", ">=0.14.0"),
        ("from trl import SFTTrainer\n", None),
    ],
)
def test_bounds(text: str, spec: str | None) -> None:
    assert bounded(text) == spec


def bounded(*texts: str, package: str = "trl", among: str = "") -> str | None:
    """The bounds by the imports of programs in several folders, as a config in the last one has them."""
    found = [one for n, text in enumerate(texts) for one in read(f"{n}/a.py", text)]
    versions = tuple(v for v in releases_of(package).versions if within(v, among))
    known = bounds(package, found, versions, f"{len(texts) - 1}")
    return known.spec if known else None


def test_each_place_is_as_long_as_the_name() -> None:
    lengths = [one.place.length for one in read("a.py", f"{OLD}{NEW}")]
    assert lengths == [len("DataCollatorForCompletionOnlyLM"), len("GRPOConfig")]


def test_transformers() -> None:
    old, new = "from transformers import AdamW\n", "from transformers import Qwen3ForCausalLM\n"
    assert bounded(old, package="transformers") == "<4.50.0"
    assert bounded(new, package="transformers") == ">=4.51.0"
    flash = "from transformers.models.llama.modeling_llama import LlamaFlashAttention2\n"
    assert bounded(flash, package="transformers") == "<4.48.0"
    # No class, but the name that all releases resolve to one.
    fast = "from transformers import BertTokenizerFast\n"
    assert bounded(fast, package="transformers") is None


def test_what_is_stated_outweighs_imports() -> None:
    assert bounded(NEW, among=">=0.13") == ">=0.14.0"
    assert bounded(NEW, among="<0.13") is None


def test_programs_of_several_times() -> None:
    late = "from trl import DistillationTrainer\n"
    assert bounded(OLD + late) is None
    # Those beside the config count then.
    assert bounded(OLD, late) == ">=1.10.0"
    assert bounded(late, OLD) == "<0.20.0"


def test_notebooks(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["import os\n", OLD, 'print("a")']}
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell]}, indent=1))
    found = imports_below(str(tmp_path), Disk(), deep=False)
    assert [(one.name, one.place.line) for one in found] == [("DataCollatorForCompletionOnlyLM", 7)]


def test_a_copy_in_the_project_is_no_package(tmp_path: Path) -> None:
    for name in ("src/trl", "old"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "old" / "train.py").write_text(NEW)
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


PROGRAM = """\
from transformers import AdamW, Trainer, TrainingArguments

args = TrainingArguments(output_dir="out", {keyword})
"""


def test_a_program_is_judged_by_the_newest_release_that_has_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    program = tmp_path / "train.py"

    def found(keyword: str) -> list[str]:
        program.write_text(PROGRAM.format(keyword=keyword))
        return [one.code for one in lint_file(program).diagnostics if one.code.startswith("KEY")]

    # Removed in transformers 5, which has no AdamW.
    assert found("overwrite_output_dir=True") == []
    assert found("evaluation_stategy='no'") == ["KEY001"]


def test_a_key_that_some_release_reads_which_the_imports_leave_open(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    program = tmp_path / "train.py"

    def severities(name: str, keyword: str = "evaluation_strategy='epoch'") -> list[str]:
        text = PROGRAM.replace("AdamW", name).format(keyword=keyword)
        program.write_text(text)
        found = lint_file(program, min_confidence="low").diagnostics
        return [one.severity for one in found if one.code == "KEY005"]

    # Removed in 4.51; nothing but the assumption of the newest release speaks against it.
    assert severities("AutoTokenizer") == ["note"]
    # Gone in 5.0, so that the program runs with 4.36 to 4.57; some of them read the key.
    assert severities("AutoModelForVision2Seq") == []
    # With 4.51 and later alone, none does.
    assert severities("AutoModelForVision2Seq, Qwen3ForCausalLM") == ["note"]
    (tmp_path / "requirements.txt").write_text("transformers>=4.40\n")
    assert severities("AutoTokenizer") == ["warning"]
    assert severities("AutoModelForVision2Seq") == []


def test_what_another_program_imports_does_not_bind_one_whose_release_is_stated(
    tmp_path: Path,
) -> None:
    (tmp_path / ".git").mkdir()
    program, other = tmp_path / "train.py", tmp_path / "other.py"
    program.write_text(
        PROGRAM.replace("AdamW", "AutoTokenizer").format(keyword="evaluation_strategy='no'")
    )
    other.write_text("from transformers import AutoModelForVision2Seq\n")

    def found() -> list[str]:
        return [one.severity for one in lint_file(program).diagnostics if one.code == "KEY005"]

    assert found() == []
    # Who installs what the file asks for gets a release that refuses the call, and one that the other program lacks.
    (tmp_path / "requirements.txt").write_text("transformers>=4.40\n")
    assert found() == ["warning"]
    other.unlink()
    assert found() == ["warning"]


def test_what_is_of_other_projects_tells_no_release(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "third_party" / "x").mkdir(parents=True)
    (tmp_path / "third_party" / "x" / "train.py").write_text(OLD)
    assert imports_below(str(tmp_path), Disk(), deep=True) == []
    (tmp_path / "train.py").write_text(OLD)
    assert imports_below(str(tmp_path), Disk(), deep=True) != []
    # A copy of the package is one, wherever it lies.
    (tmp_path / "third_party" / "trl").mkdir()
    (tmp_path / "third_party" / "trl" / "__init__.py").write_text("")
    assert [one.package for one in imports_below(str(tmp_path), Disk(), deep=True)] == []


@pytest.mark.parametrize(
    ("stated", "text", "spec", "origin"),
    [
        # What a file states outweighs an import that says no more.
        (">=0.14.0", NEW, ">=0.14.0", "requirements.txt line 1"),
        (">=1.2", NEW, ">=1.2", "requirements.txt line 1"),
        ("<0.19", OLD, "<0.19", "requirements.txt line 1"),
        # One that says more stands beside it, and a bound is told once.
        (">=0.7.10", NEW, ">=0.14.0", "train.py line 1, which imports GRPOConfig"),
        (">=0.7.10,<1.0", NEW, "<1.0,>=0.14.0", "train.py line 1, which imports GRPOConfig"),
        (
            ">=0.7,<0.28,!=0.19.1",
            OLD,
            ">=0.7,!=0.19.1,<0.20.0",
            "train.py line 1, which imports DataCollatorForCompletionOnlyLM",
        ),
    ],
)
def test_a_stated_range_and_what_imports_tell(
    tmp_path: Path, stated: str, text: str, spec: str, origin: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(f"trl{stated}\n")
    (tmp_path / "train.py").write_text(text)
    config = tmp_path / "sft.yaml"
    config.write_text(CONFIG)
    pin = lint_file(config, framework="trl").target.pins["trl"]
    assert pin.spec == spec
    assert pin.origin.replace("\\", "/").endswith(f"/{origin}")


@pytest.mark.parametrize(("name", "found"), [("modular_mine.py", 1), ("other_mine.py", 2)])
def test_what_a_model_is_written_from_is_imported_by_no_run(
    name: str, found: int, tmp_path: Path
) -> None:
    (tmp_path / "modeling_mine.py").write_text(OLD)
    (tmp_path / name).write_text(NEW)
    assert len(imports_below(str(tmp_path), Disk(), deep=False)) == found
