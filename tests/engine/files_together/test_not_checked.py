"""Why a file that was found is not checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.engine.files_together.not_checked import missed_by, why_not_checked
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from tests.draws import each

OF_A_PROGRAM = "another program makes settings of it"
DEEPSPEED = b"zero_optimization: {stage: 2}\ntrain_micro_batch_size_per_gpu: 1\n"


@pytest.mark.parametrize(
    ("data", "is_of_a_program"),
    [(DEEPSPEED, True), (b"image: x\nports: [80]\n", False)],
)
def test_settings_that_a_program_makes(tmp_path: Path, data: bytes, is_of_a_program: bool) -> None:
    path = tmp_path / "a.yml"
    path.write_bytes(data)
    assert (why_not_checked(str(path), Disk()) == OF_A_PROGRAM) is is_of_a_program


def test_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.yml"
    path.write_bytes(b"\xff\xfe\x00")
    assert why_not_checked(str(path), Disk()) == "no text that could be a config"


@each(
    ("name", "text", "why"),
    [
        ("a.py", "print(1)\n", "no call of a class that cfglint knows"),
        ("a.ipynb", "{}", "no call of a class that cfglint knows"),
        (
            "a.sh",
            "ls\n",
            "no settings of its own; the options that it gives to a config are checked with that config",
        ),
        ("a.yml", None, "cannot be read: No such file or directory"),
    ],
)
def test_what_a_file_would_need(name: str, text: str | None, why: str) -> None:
    files = InMemory({} if text is None else {name: text.encode()})
    assert why_not_checked(name, files) == why


def test_configs_that_a_search_leaves_out() -> None:
    wide = "base_model: a/b\nlora_r: 8\nsequence_len: 512\nmicro_batch_size: 1\n".encode("utf-16")
    assert missed_by([], InMemory({})) == ""
    files = InMemory(
        {"a.yml": wide, "b.yml": wide, "c.yml": b"a: 1\n", "d.sh": b"ls", "e.yml": b"\xff"}
    )
    one = missed_by(["gone.yml", "d.sh", "c.yml", "e.yml", "a.yml"], files)
    assert one.startswith("a.yml looked like one, and was not checked: ")
    assert one.endswith(" Name it to check it.")
    two = missed_by(["b.yml", "a.yml"], files)
    assert two.startswith("b.yml and 1 more looked like one, and were not checked: ")
    assert two.endswith(" Name them to check them.")
    assert missed_by(["c.yml"] * 50 + ["a.yml"], files) == ""
    assert missed_by(["c.yml"] * 49 + ["a.yml"], files) != ""
