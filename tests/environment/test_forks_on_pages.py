"""Forks of frameworks that a page of a project tells of in words."""

from __future__ import annotations

import time
from pathlib import Path

from cfglint.environment.forks_on_pages import fork_on_pages
from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.knowledge.marks import marks_of
from cfglint.source.files.disk import Disk
from tests.draws import each


def place_in(folder: Path, text: str, framework: str = "llamafactory") -> str:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "README.md").write_text("Nothing of it here.\n")
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs" / "setup.md").write_text(f"# Setup\n{text}\n")
    around = Surroundings(Memory(), Disk(), folder=str(folder / "docs"))
    return fork_on_pages(around, marks_of(framework))


@each(
    ("text", "is_found"),
    [
        ("Uses a forked LLaMA Factory from our own fork", True),
        ("a modified fork of `hiyouga/LLaMA-Factory`", True),
        ("forked from llamafactory", True),
        ("the **LLaMA-Factory** fork of the lab", True),
        ("Fork the LLaMA-Factory repository first", False),
        ("LLaMA-Factory. Our fork of vLLM", False),
        ("from another place than LLaMA-Factory's fork", False),
        ("my-llamafactory-tools fork", False),
        ("LLaMA-Factory forks its workers", False),
    ],
)
def test_what_tells_of_one(tmp_path: Path, text: str, is_found: bool) -> None:
    assert place_in(tmp_path, text) == ("docs/setup.md line 2" if is_found else "")
    assert fork_on_pages(nowhere(), marks_of("llamafactory")) == ""


def test_it_is_of_the_framework_in_question(tmp_path: Path) -> None:
    assert place_in(tmp_path, "our LLaMA-Factory fork", "openrlhf") == ""


def test_a_long_line_takes_no_long_time(tmp_path: Path) -> None:
    begin = time.perf_counter()
    assert place_in(tmp_path, "fork " + "llamafactory from our custom " * 20_000) == ""
    assert time.perf_counter() - begin < 20
