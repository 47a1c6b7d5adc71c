"""What a program imports, against the releases that are stated."""

from __future__ import annotations

from pathlib import Path

from cfglint import Linter
from cfglint.source.files.disk import Disk
from tests.draws import each

PROGRAM = """\
{}
from trl import SFTTrainer
SFTTrainer("facebook/opt-350m", args=args).train()
"""


def found(text: str, *target: str, path: str = "train.py") -> list[str]:
    linter = Linter(target=list(target), settings=False, select=["TRP650", "TRP655", "TRP657"])
    return [f"{one.code} {one.start.line}" for one in linter.lint(text, path).diagnostics]


@each(
    ("line", "release", "missing"),
    [
        ("from trl import SFTConfig", "0.8.6", True),
        ("from trl import SFTConfig", "0.9.2", False),
        ("from trl import DataCollatorForCompletionOnlyLM", "0.19.1", False),
        ("from trl import DataCollatorForCompletionOnlyLM", "0.20.0", True),
        ("from trl.core import logprobs_from_logits", "0.14.0", True),
        ("from trl.core import logprobs_from_logits", "0.13.0", False),
        ("if True:\n    from trl import SFTConfig", "0.8.6", False),
        ("'''\nfrom trl import SFTConfig\n'''", "0.8.6", False),
        ("import unsloth\nfrom trl import SFTConfig", "0.8.6", False),
        ("import trl\nargs = trl.SFTConfig()", "0.8.6", True),
        ("import trl\nargs = trl.SFTConfig()", "0.9.2", False),
        ("import trl as t\nt.DataCollatorForCompletionOnlyLM()", "0.20.0", True),
        # A module of that name may have been imported by another one.
        ("import trl\nargs = trl.experimental", "0.8.6", False),
        ("import unsloth, trl\nargs = trl.SFTConfig()", "0.8.6", False),
    ],
)
def test_the_stated_release_decides(line: str, release: str, missing: bool) -> None:
    codes = [one.split()[0] for one in found(PROGRAM.format(line), f"trl=={release}")]
    assert codes == (["TRP650"] if missing else [])


def test_nothing_is_said_without_a_stated_release() -> None:
    assert not found(PROGRAM.format("from trl import DataCollatorForCompletionOnlyLM"))


def test_a_range_of_which_no_release_has_the_name(tmp_path: Path) -> None:
    text = PROGRAM.format("from trl import DataCollatorForCompletionOnlyLM")
    program = tmp_path / "train.py"
    program.write_text(text, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("trl>=0.20,<0.25\n", encoding="utf-8")
    linter = Linter(settings=False, select=["TRP650"], files=Disk())
    assert [one.code for one in linter.lint_file(str(program)).diagnostics] == ["TRP650"]


@each(
    ("line", "target", "said"),
    [
        ("from peft import prepare_model_for_int8_training", "peft==0.10.0", "peft 0.10.0 does"),
        ("from peft import prepare_model_for_int8_training", "peft==0.9.0", ""),
        ("from datasets import load_metric", "datasets==3.0.0", "datasets 3.0.0 does"),
        # TRL 0.20 needs datasets 3.0.
        ("from datasets import load_metric", "trl==0.20.0", "(which trl 0.20.0 asks for) does"),
        ("from datasets import load_metric", "trl==0.12.0", ""),
        ("from huggingface_hub import HfFolder", "transformers==5.0.0", "(which transformers"),
        ("from huggingface_hub import HfFolder", "transformers==4.57.1", ""),
        ("from swift.plugin import ORM", "ms-swift==4.0.0", "ms-swift 4.0.0 does"),
        ("from accelerate.utils import is_tpu_available", "accelerate==1.0.0", "accelerate 1.0.0"),
        ("import datasets\nfrom os import load_metric", "datasets==3.0.0", ""),
    ],
)
def test_names_of_other_packages(line: str, target: str, said: str) -> None:
    linter = Linter(target=[target], settings=False, select=["TRP650"])
    text = "from transformers import Trainer\n" + line + "\nTrainer(model=model)\n"
    messages = [one.message for one in linter.lint(text, "train.py").diagnostics]
    assert len(messages) == bool(said)
    assert all(said in one for one in messages)


@each(
    ("asked", "missing"),
    [("datasets>=2.14,<2.20", False), ("datasets>=2.20.1", False), ("datasets>=3,<4", True)],
)
def test_a_range_of_another_package(tmp_path: Path, asked: str, missing: bool) -> None:
    program = tmp_path / "train.py"
    program.write_text(PROGRAM.format("from datasets import load_metric"), encoding="utf-8")
    (tmp_path / "requirements.txt").write_text(f"trl\n{asked}\n", encoding="utf-8")
    linter = Linter(settings=False, select=["TRP650"], files=Disk())
    found = [one.code for one in linter.lint_file(str(program)).diagnostics]
    assert found == (["TRP650"] if missing else [])


def test_a_module_of_the_project(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(PROGRAM.format("from datasets import load_metric"), encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("trl\ndatasets==3.0.0\n", encoding="utf-8")
    (tmp_path / "datasets.py").write_text("def load_metric(): pass\n", encoding="utf-8")
    linter = Linter(settings=False, select=["TRP650"], files=Disk())
    assert not linter.lint_file(str(program)).diagnostics


@each(
    ("peft", "transformers", "broken"),
    [
        ("0.17.1", "5.0.0", True),
        ("0.16.0", "5.2.0", True),
        ("0.18.1", "5.0.0", False),
        ("0.17.1", "4.57.1", False),
    ],
)
def test_releases_that_cannot_be_imported_together(
    peft: str, transformers: str, broken: bool
) -> None:
    text = PROGRAM.format("from peft import LoraConfig")
    expected = ["TRP655 1"] if broken else []
    assert found(text, f"peft=={peft}", f"transformers=={transformers}") == expected


def test_the_class_decides_which_modules_run() -> None:
    text = "from trl import {0}\n{0}('m', args=args)\n"
    target = ("trl==0.15.2", "transformers==5.0.0")
    assert found(text.format("DPOTrainer"), *target) == ["TRP655 1"]
    assert not found(text.format("SFTTrainer"), *target)


def test_older_trainers_hand_over_the_tokenizer() -> None:
    text = PROGRAM.format("")
    assert found(text, "trl==0.11.4", "transformers==5.0.0") == ["TRP657 3"]
    assert not found(text, "trl==0.12.2", "transformers==5.0.0")
    assert not found(text, "trl==0.11.4", "transformers==4.57.1")


def test_what_takes_the_place_of_a_removed_name() -> None:
    for target, word in (("trl==1.16.0", "clone_chat_template"), ("trl==0.25.1", "")):
        linter = Linter(target=[target], settings=False, select=["TRP650"])
        text = PROGRAM.format("from trl import setup_chat_format")
        messages = [one.message for one in linter.lint(text, "train.py").diagnostics]
        assert len(messages) == bool(word)
        assert all(f"`{word}` takes its place" in one for one in messages)
