"""Why a file that was found is not checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.engine.files_together.not_checked import why_not_checked
from cfglint.source.files.disk import Disk

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
