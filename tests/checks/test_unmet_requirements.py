"""Requirements with names of Python's own library."""

from __future__ import annotations

from pathlib import Path

from cfglint import lint_file
from tests.draws import each
from tests.linting import lint_in

PROGRAM = "from trl import SFTTrainer\nSFTTrainer('facebook/opt-350m').train()\n"


def found(requirements: str, more: dict[str, str] | None = None) -> list[str]:
    told = lint_in(
        {".git/HEAD": "", "requirements.txt": requirements, **(more or {})},
        PROGRAM,
        name="train.py",
        framework="trl_programs",
        select=["ENV703"],
    )
    return [one.message.split("`")[1] for one in told]


@each(
    ("requirements", "expected"),
    [
        ("trl\nlogging>=0.5.1.2\n", ["logging>=0.5.1.2"]),
        ("trl\nlogging >= 0.5.1.2  # for the log\n", ["logging>=0.5.1.2"]),
        ("trl\r\nJSON\r\n", ["JSON"]),
        ("trl\nos\nsys\n", ["os"]),
        ("trl\ndataclasses==0.8\n", ["dataclasses==0.8"]),
        ("--extra-index-url https://download.pytorch.org/whl/cu121\ntrl\njson\n", ["json"]),
        # There are releases that pip can take.
        ("trl\nlogging\n", []),
        ("trl\nlogging<0.5\n", []),
        ("trl\ndataclasses\n", []),
        ("trl\ndataclasses>=0.6\n", []),
        # Other packages, and what another index may have.
        ("trl\njson5\njsonlines\nos-sys\nlogging-tools==9\n", []),
        ("-i https://pypi.example.com/simple\ntrl\njson\n", []),
        ("--find-links wheels\ntrl\njson\n", []),
        # No requirement for any Python of today; a list of conda's.
        ("trl\ndataclasses==0.8; python_version < '3.7'\n", []),
        ("trl\ndataclasses=0.8=pyhc8e2a94_3\n", []),
        ("trl\n# json\n", []),
    ],
)
def test_names_of_the_library(requirements: str, expected: list[str]) -> None:
    assert found(requirements) == expected


@each(("python", "expected"), [("3.6.15\n", 0), ("3.10\n", 1)])
def test_a_project_for_python_36_can_have_dataclasses(
    tmp_path: Path, python: str, expected: int
) -> None:
    (tmp_path / ".git").mkdir(exist_ok=True)
    (tmp_path / "requirements.txt").write_text("trl\ndataclasses==0.8\n", encoding="utf-8")
    (tmp_path / ".python-version").write_text(python, encoding="utf-8")
    (tmp_path / "train.py").write_text(PROGRAM, encoding="utf-8")
    told = lint_file(tmp_path / "train.py", select=["ENV703"]).elsewhere
    assert len(told) == expected


def test_the_message_says_what_there_is() -> None:
    told = lint_in(
        {".git/HEAD": "", "requirements.txt": "trl\ndataclasses==0.8\n"},
        PROGRAM,
        name="train.py",
        framework="trl_programs",
        select=["ENV703"],
    )
    assert "PyPI has 0.6 at most for later Pythons than 3.6" in told[0].message
