"""What is found in modules that nothing imports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

MODULE = '''"""A trainer."""
from transformers.utils import is_peft_available
if is_peft_available():
    from peft import LoraConfig
from trl import SFTConfig


def arguments():
    return SFTConfig(output_dir="out", max_seq_length=1024)
'''


def severities(folder: Path, files: dict[str, str], *paths: str) -> list[str]:
    """The severities of the findings in a module."""
    (folder / ".git").mkdir()
    for one, text in {"parts.py": MODULE, "requirements.txt": "trl==1.9.0\n", **files}.items():
        (folder / one).write_text(text, encoding="utf-8")
    done = run("--format", "json", *(str(folder / path) for path in paths or (".",)))
    found = [one for file in json.loads(done.out)["files"] for one in file["diagnostics"]]
    return [one["severity"] for one in found]


def test_nothing_reaches_it(tmp_path: Path) -> None:
    assert severities(tmp_path, {"README.md": "A training.\n"}) == ["note"]


def test_a_module_that_is_imported_by_its_name_is_another(tmp_path: Path) -> None:
    files = {"train.py": "import importlib\nimportlib.import_module('other')\n"}
    assert severities(tmp_path, files) == ["note"]


@pytest.mark.parametrize(
    ("files", "paths"),
    [
        ({}, ("parts.py",)),
        ({"train.py": "from parts import arguments\n"}, ()),
        ({"run.sh": "python -m parts\n"}, ()),
        ({"parts.py": f"{MODULE}\n\nif __name__ == '__main__':\n    arguments()\n"}, ()),
        ({"parts.py": f"{MODULE}\n\narguments()\n"}, ()),
        ({"parts.py": f"{MODULE}\n\nif __name__ == '__main__':\n    made = arguments()\n"}, ()),
        ({"train.py": "import importlib\nimportlib.import_module(f'{name}')\n"}, ()),
        ({"train.py": "import importlib\nimportlib.import_module(name)\n"}, ()),
    ],
)
def test_something_may_reach_it(
    tmp_path: Path, files: dict[str, str], paths: tuple[str, ...]
) -> None:
    assert severities(tmp_path, files, *paths) == ["error"]


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ('warnings.filterwarnings("ignore")', "note"),
        ("logging.basicConfig(level=10)", "note"),
        ('sys.path.append("..")', "note"),
        ('os.environ.setdefault("WANDB_MODE", "offline")', "note"),
        ('os.system("python train.py")', "error"),
        ("arguments()", "error"),
        ("main.start()", "error"),
    ],
)
def test_setting_up_the_process_starts_nothing(tmp_path: Path, line: str, severity: str) -> None:
    assert severities(tmp_path, {"parts.py": f"{MODULE}\n\n{line}\n"}) == [severity]
