"""What a notebook installs by itself, and what it then is judged by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment.project.project import Project
from cfglint.environment.project.projects import Projects
from cfglint.environment.project.readers import notebooks
from cfglint.source.files.disk import Disk
from tests.draws import each
from tests.environment.project.telling import told


def notebook(*cells: str) -> str:
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    said = {"cell_type": "markdown", "source": ["!pip install peft==0.1.0"]}
    return json.dumps({"cells": [said, *made]}, indent=1)


def project(folder: Path, *cells: str, framework: str = "trl_programs") -> Project:
    (folder / ".git").mkdir(exist_ok=True)
    path = folder / "a.ipynb"
    path.write_text(notebook(*cells))
    found = Projects(Disk()).for_file(str(path), framework)
    assert found is not None
    return found


def test_what_is_read() -> None:
    text = notebook(
        "import trl\n# !pip install trl==0.1.0\nx = 'pip install trl==0.2.0'\n",
        "!pip install -q \\\n  trl==0.17.0 'peft>=0.15' # accelerate\n%pip install \"torch\"\n",
        "%%bash\npip install transformers==4.50.0 || pip install transformers==4.51.0\n",
    )
    source = notebooks.read("a.ipynb", text)
    assert source is not None
    assert told(source.statements, text) == [
        "trl ==0.17.0 at 21:8 trl==0.17.0",
        "peft range >=0.15 at 21:21 peft>=0.15",
        "torch at 22:21 torch",
        "transformers ==4.50.0 conditional at 29:18 transformers==4.50.0",
        "transformers ==4.51.0 conditional at 29:54 transformers==4.51.0",
    ]
    assert notebooks.read("a.ipynb", notebook("!pip install wandb\nimport trl")) is None


@each(
    ("command", "complete"),
    [
        ("%pip install trl", True),
        ("!pip install -U transformers --pre", True),
        ("!uv pip install peft torch==2.6.0", True),
        ("!pip install torch==2.6.0", False),
        ("!pip install trl -r requirements.txt", False),
        ("!pip install trl \\\n  -qr requirements.txt", False),
        ("!pip install --requirement=a.txt trl", False),
        ("!pip install trl -e .", False),
        ("!pip install '.[train]' trl", False),
        ("!pip install trl\n!uv sync", False),
    ],
)
def test_whether_the_files_around_it_count(command: str, complete: bool) -> None:
    source = notebooks.read("a.ipynb", notebook(command))
    assert source is not None
    assert source.complete is complete


@pytest.mark.parametrize(
    ("command", "pins"),
    [
        ("%pip install trl transformers", {}),
        ("%pip install trl==0.17.0", {"trl": "0.17.0"}),
        (
            "!pip install trl==0.9.2\n!pip install --force-reinstall git+https://github.com/huggingface/trl",
            {},
        ),
        ("%pip install torch", {"transformers": "4.38.0", "trl": "0.8.0"}),
        (
            "%pip install trl==0.9.2 -r requirements.txt",
            {"transformers": "4.38.0", "torch": "2.1.0", "trl": "0.9.2"},
        ),
        ("%pip install -U wandb", {"transformers": "4.38.0", "torch": "2.1.0", "trl": "0.8.0"}),
        (
            "!pip install torch==2.2.0\n!pip install torch==2.3.0",
            {"transformers": "4.38.0", "trl": "0.8.0"},
        ),
    ],
)
@pytest.mark.parametrize("framework", ["trl_programs", "trl"])
def test_what_counts(framework: str, command: str, pins: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("transformers==4.38.0\ntorch==2.1.0\ntrl==0.8.0\n")
    found = project(tmp_path, command, framework=framework).pins
    assert {name: str(pin) for name, pin in found.items()} == pins


def test_other_programs_tell_no_release_of_what_it_installs(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text("from trl import DataCollatorForCompletionOnlyLM\n")
    assert "trl" not in project(tmp_path, "%pip install trl").pins
    assert "trl" in project(tmp_path, "%pip install torch").pins
    own = "from trl import setup_chat_format\n"
    assert project(tmp_path, "%pip install trl\n" + own).pins["trl"].spec == "<0.26.0"


def test_the_newest_is_asked_for(tmp_path: Path) -> None:
    assert project(tmp_path, "%pip install transformers").wants_newest("transformers")


def test_a_notebook_is_judged_by_what_it_installs(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("transformers==4.38.0\ntrl\n")
    call = (
        "from transformers import TrainingArguments\nTrainingArguments('x', eval_strategy='no')\n"
    )
    for name, text in {
        "own.ipynb": notebook("%pip install torch transformers trl\n", call),
        "older.ipynb": notebook("!pip install transformers==4.40.0\n", call),
        "other.ipynb": notebook(call),
        "program.py": call,
    }.items():
        (tmp_path / name).write_text(text)

    def codes(name: str) -> list[tuple[str, bool]]:
        found = lint_file(str(tmp_path / name)).diagnostics
        return [(one.code, "4.40.0 (" in one.message) for one in found]

    assert codes("own.ipynb") == []
    assert codes("older.ipynb") == [("KEY006", True)]
    assert codes("other.ipynb") == codes("program.py") == [("KEY006", False)]


def test_a_list_that_the_notebook_writes_is_not_the_project_s(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("transformers==4.40.0\n")
    install = "!pip install trl==0.15.2\n!pip install -r vllm.txt\n"
    assert "transformers" in project(tmp_path, install).pins
    written = 'with open("vllm.txt", "wb") as file:\n    file.write(b"")\n'
    assert "transformers" not in project(tmp_path, written + install).pins
