"""What is found in programs that build arguments and train nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

DRAFT = """\
from transformers import TrainingArguments


def create_trainer(args, model):
    return None  # to come: Trainer(model=model, args=args)


def main():
    args = TrainingArguments("x", num_cycles=2)
    trainer = create_trainer(args, None)
    # trainer.train()


main()
"""


def severity(folder: Path, program: str, **files: str) -> str:
    """That of an argument which no release has; `other_dot_py` is the file `other.py`."""
    (folder / ".git").mkdir()
    (folder / "first.py").write_text(program)
    for name, text in files.items():
        (folder / name.replace("_dot_", ".")).write_text(text)
    reports = json.loads(run("--format", "json", str(folder)).out)["files"]
    found = [one for file in reports for one in file["diagnostics"]]
    severity: str = next(one["severity"] for one in found if one["code"] == "KEY001")
    return severity


def test_nothing_trains(tmp_path: Path) -> None:
    assert severity(tmp_path, DRAFT, README_dot_md="Run first.py.\n") == "note"


@pytest.mark.parametrize(
    "added",
    [
        "    trainer.train()\n",
        "    Trainer(args=args)\n",
        "    finetune(args)\n",
        "    loss.backward()\n",
        "    start(None, args)\n",
    ],
)
def test_something_trains(tmp_path: Path, added: str) -> None:
    program = f"from own import (\n    start,\n)\n{DRAFT}".replace(
        "\n\n\nmain()", f"\n{added}\n\nmain()"
    )
    assert severity(tmp_path, program) == "error"


def test_without_a_call_left_out_the_rest_may_be_elsewhere(tmp_path: Path) -> None:
    assert severity(tmp_path, DRAFT.replace("    # trainer.train()\n", "")) == "error"


def test_what_others_import_may_train(tmp_path: Path) -> None:
    assert severity(tmp_path, DRAFT, other_dot_py="from first import main\n") == "error"
