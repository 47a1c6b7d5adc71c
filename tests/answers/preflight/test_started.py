"""The files that a script starts."""

from __future__ import annotations

import os
from pathlib import Path

from cfglint.answers.preflight.started import started_parts
from cfglint.source.files.disk import Disk


def test_what_lies_outside_of_the_project_is_not_looked_at(tmp_path: Path) -> None:
    inside = tmp_path / "project"
    (inside / ".git").mkdir(parents=True)
    for folder in (tmp_path, inside):
        (folder / "train.yml").write_text("base_model: a/b\n")
    script = inside / "run.sh"
    script.write_text("axolotl train ../train.yml\naxolotl train train.yml\n")
    parts = [os.path.abspath(one.path) for one in started_parts(str(script), Disk())]
    assert parts == [str(inside / "train.yml")]
