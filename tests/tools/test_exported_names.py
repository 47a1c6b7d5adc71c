"""The names that a package exports, read from the tags of a clone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tools.trl_release.names import exports, main, table

LAZY = """
from typing import TYPE_CHECKING
_import_structure = {"core": ["set_seed"], "trainer": ["SFTTrainer"]}
_import_structure["trainer"].extend(["OldTrainer"])
if TYPE_CHECKING:
    from .core import set_seed
    from .trainer import OldTrainer as Renamed
"""


def test_exports() -> None:
    assert exports(LAZY) == {"set_seed", "SFTTrainer", "OldTrainer", "Renamed"}


def test_table() -> None:
    exported = {
        "0.9.0": {"always", "old", "twice"},
        "0.10.0": {"always", "new"},
        "0.11.0": {"always", "new", "twice", "brief"},
        "0.12.0": {"always", "new"},
    }
    assert table(exported) == {
        "brief": ["0.11.0", "0.12.0"],
        "new": ["0.10.0", None],
        "old": [None, "0.10.0"],
    }


def test_command(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (clone / "pkg").mkdir(parents=True)

    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", "-C", str(clone), *who, *words], check=True, capture_output=True)

    git("init", "-q")
    for version, names in (("v0.8.0", "A, B"), ("v0.9.0", "A, C"), ("v0.1.0", "X")):
        (clone / "pkg" / "__init__.py").write_text(f"from .m import {names}\n", encoding="utf-8")
        git("add", "-A")
        git("commit", "-qm", version)
        git("tag", version)
    out = tmp_path / "names.json"
    assert main([str(clone), str(out), "--package", "pkg"]) == 0
    assert json.loads(out.read_text("utf-8")) == {
        "pkg": {"B": [None, "0.9.0"], "C": ["0.9.0", None]}
    }
