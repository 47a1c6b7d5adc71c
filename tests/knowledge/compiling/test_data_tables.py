"""Tables of a framework's own are compiled as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.knowledge.compiling.data_tables import data_tables
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.modules import _data_module


def write(folder: Path, **texts: str) -> Path:
    (folder / "data").mkdir()
    for name, text in texts.items():
        (folder / "data" / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def test_each_file_is_a_constant(tmp_path: Path) -> None:
    signatures = {"a.b": ["x", None, 1.5, True]}
    home = write(tmp_path, signatures=json.dumps(signatures), **{"old-names": "[]"})
    (home / "data" / "a-rule.yaml").write_text("code: OWN001\n", encoding="utf-8")
    assert data_tables(home) == {"SIGNATURES": signatures, "OLD_NAMES": []}


def test_they_are_a_module_of_the_framework(tmp_path: Path) -> None:
    ((name, text),) = _data_module(write(tmp_path, sizes='{"small": 1}')).items()
    assert name == f"{tmp_path.name}_data.py"
    constants: dict[str, Any] = {}
    exec(text, constants)
    assert constants["SIZES"] == {"small": 1}


def test_without_files_there_is_no_module(tmp_path: Path) -> None:
    assert _data_module(tmp_path) == {}


@pytest.mark.parametrize(("name", "text"), [("2nd", "{}"), ("sizes", "{")])
def test_what_cannot_be_compiled_is_named(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(RuleFileError, match=f"{name}.json: "):
        data_tables(write(tmp_path, **{name: text}))
