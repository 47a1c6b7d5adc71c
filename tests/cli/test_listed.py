"""Lists of files from another program (a hook), whose names may look like options."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.cli.listed import files_as_paths
from tests.cli.files import CLEAN, FOREIGN, MISSPELT
from tests.cli.running import run


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "name",
    ["-x.yml", "--x.yml", "--output=x.yml", "--config=x.yml", "-h.yml", "--fix.yml", "--gpu=x.yml"],
)
@pytest.mark.parametrize("before", [["--detect"], ["--detect", "--fail-on", "warning"]])
def test_a_name_that_begins_with_a_dash_is_a_file(name: str, before: list[str]) -> None:
    Path(name).write_text(MISSPELT, encoding="utf-8")
    Path("clean.yml").write_text(CLEAN, encoding="utf-8")
    result = run(*before, "--format=concise", "clean.yml", name)
    assert result.code == 1, result.err
    assert result.out.startswith(f"./{name}:10:1: ")
    assert Path(name).read_text(encoding="utf-8") == MISSPELT
    # A person at a terminal means an option.
    assert run("clean.yml", name).code in (0, 2)
    assert sorted(path.name for path in Path().iterdir() if path.name != "x.yml") == sorted(
        ["clean.yml", name]
    )


def test_options_stay_options() -> None:
    for name in ("--detect", "--fix", "-"):
        Path(name).write_text(MISSPELT, encoding="utf-8")
    arguments = ["--detect", "--fix", "-", "--", "-nothing", "--gpus=8", "x.yml"]
    assert files_as_paths(arguments) == arguments


def test_files_of_other_programs_are_not_mentioned() -> None:
    for name, text in FOREIGN.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("train.yml").write_text(MISSPELT, encoding="utf-8")
    result = run("--detect", *FOREIGN, "train.yml")
    assert (result.code, result.err) == (1, "")
    assert not any(name in result.out for name in FOREIGN)
    assert "1 error in 1 file" in result.out
