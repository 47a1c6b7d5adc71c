"""Requirements with markers for several Pythons, and what extras ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.finder import Finder
from cfglint.environment.project.project import Project
from cfglint.source.files.disk import Disk

LINES = (
    "llamafactory==0.9.3\n"
    "transformers{old}; python_version < '3.10'\n"
    "transformers{new}; python_version >= '3.10'\n"
)


def transformers(folder: Path, **files: str) -> str | None:
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    finder = Finder(Disk())
    pin = Project(finder.sources(str(folder)), finder, "llamafactory").pins.get("transformers")
    return None if pin is None else pin.version or pin.spec


@pytest.mark.parametrize(
    ("python", "expected"),
    [
        ("", "<=4.57.1"),
        (">=3.9", "<=4.57.1"),
        (">=3.11", "<=4.57.1"),
        (">=3.8,<3.10", "<=4.56.2"),
        ("==3.9.*", "<=4.56.2"),
    ],
)
def test_the_lines_of_the_python_that_is_stated_or_usual(
    tmp_path: Path, python: str, expected: str
) -> None:
    wanted = f'requires-python = "{python}"\n' if python else ""
    found = transformers(
        tmp_path,
        requirements_txt=LINES.format(old="<=4.56.2", new="<=4.57.1"),
        pyproject_toml=f'[project]\nname = "a"\n{wanted}dependencies = ["trl"]\n',
    )
    assert found == expected


def test_versions_for_each_python(tmp_path: Path) -> None:
    text = LINES.format(old="==4.56.2", new="==4.57.1")
    assert transformers(tmp_path, requirements_txt=text) == "4.57.1"


def test_what_an_extra_asks_for_is_not_what_is_asked_for_in_any_case(tmp_path: Path) -> None:
    setup = 'extra_require = {\n    "sglang": ["sglang[srt]>=0.4.5", "transformers==4.51.1"],\n}\n'
    text = "llamafactory==0.9.3\ntransformers<=4.57.1\n"
    assert transformers(tmp_path, requirements_txt=text, setup_py=setup) == "<=4.57.1"
