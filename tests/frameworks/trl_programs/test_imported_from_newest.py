"""Names that the release which pip chooses does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

PROGRAM = "from trl import CPOTrainer\nCPOTrainer('facebook/opt-350m').train()\n"


@pytest.mark.parametrize(
    ("python", "is_reported"), [("3.12\n", True), ("3.9\n", False), ("3.8\n", False)]
)
def test_the_newest_is_one_for_the_python(tmp_path: Path, python: str, is_reported: bool) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl\n", encoding="utf-8")
    (tmp_path / ".python-version").write_text(python, encoding="utf-8")
    program = tmp_path / "train.py"
    program.write_text(PROGRAM, encoding="utf-8")
    codes = [one.code for one in lint_file(program).diagnostics]
    assert codes == (["TRP772"] if is_reported else [])


@pytest.mark.parametrize(
    ("line", "requirements", "said"),
    [
        ("from datasets import load_metric", "datasets\n", "`datasets` without an upper bound"),
        ("from datasets import load_metric", "datasets>=2.0\n", "installs 5."),
        (
            "import datasets\ndatasets.load_metric('f1')",
            "datasets\n",
            "`datasets.load_metric` fails",
        ),
        ("from datasets import load_metric", "datasets<3\n", ""),
        ("from datasets import load_metric", "datasets\nnumpy==1.26.4\n", "datasets<3.0.0"),
        ("from datasets import load_metric", "datasets\npyarrow<15\n", ""),
        ("from datasets import load_metric", "datasets\ntransformers==4.40.0\n", ""),
        ("from datasets import load_metric", "torch==2.1.0\ndatasets\n", "datasets<3.0.0"),
        # Nothing asks for it but what the newest TRL, or transformers, needs.
        ("from datasets import load_metric", "trl\n", "`trl` without an upper bound"),
        ("from huggingface_hub import HfFolder", "transformers\n", "huggingface-hub 2."),
        ("from huggingface_hub import HfFolder", "transformers<5\n", ""),
        ("from huggingface_hub import HfFolder", "transformers\nhuggingface_hub<1\n", ""),
        ("from huggingface_hub import HfFolder", "numpy\n", ""),
    ],
)
def test_names_of_other_packages(tmp_path: Path, line: str, requirements: str, said: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(requirements, encoding="utf-8")
    program = tmp_path / "train.py"
    text = "from transformers import Trainer\n" + line + "\nTrainer(model=model)\n"
    program.write_text(text, encoding="utf-8")
    found = [one.message for one in lint_file(program).diagnostics if one.code == "TRP772"]
    assert len(found) == bool(said)
    assert all(said in one for one in found)
