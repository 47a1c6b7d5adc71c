"""Findings that stand in another file than the config, in every output format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import lint_file, lint_text
from tests.cli.running import run

CONFIG = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 1
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.00001
output_dir: ./out
"""
REQUIREMENTS = "# what we need\naxolotl==0.9.2\ntransformers==4.46.1\n"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("configs").mkdir()
    Path("configs/a.yml").write_text(CONFIG)
    Path("configs/b.yml").write_text(CONFIG)
    Path("requirements.txt").write_text(REQUIREMENTS)
    return tmp_path


def test_the_other_file_is_a_file_of_the_report() -> None:
    result = run("configs/a.yml", "--select", "ENV", "--format", "json")
    assert result.code == 1
    report = json.loads(result.out)
    own, other = report["files"]
    assert (own["path"], own["diagnostics"]) == ("configs/a.yml", [])
    assert (other["path"], other["framework"]) == ("requirements.txt", None)
    (found,) = other["diagnostics"]
    assert found["code"] == "ENV500"
    assert found["range"]["start"] == {"line": 3, "column": 1, "offset": 30}
    assert found["range"]["end"] == {"line": 3, "column": 21, "offset": 50}
    assert report["summary"]["error"] == 1


def test_text_shows_the_line_of_the_other_file() -> None:
    result = run("configs/a.yml", "--select", "ENV")
    assert result.out.startswith("requirements.txt:3:1  error  ENV500 pin-against-release\n")
    assert "  3 │ transformers==4.46.1\n    │ ^^^^^^^^^^^^^^^^^^^^\n" in result.out
    assert "hecked for axolotl 0.9.2 (requirements.txt line 2)" in result.out


@pytest.mark.parametrize(
    ("format_", "start"),
    [
        ("concise", "requirements.txt:3:1: error ENV500 "),
        ("github", "::error file=requirements.txt,line=3,endLine=3,col=1,endColumn=21,"),
    ],
)
def test_line_formats(format_: str, start: str) -> None:
    assert run("configs/a.yml", "--select", "ENV", "--format", format_).out.startswith(start)


def test_markdown() -> None:
    assert (
        "requirements.txt:3" in run("configs/a.yml", "--select", "ENV", "--format", "markdown").out
    )


def test_two_configs_find_it_once() -> None:
    result = run("configs", "--select", "ENV", "--format", "concise")
    assert result.out.count("ENV500") == 1


def test_the_whole_path_when_the_config_was_named_so(project: Path) -> None:
    result = run(project / "configs" / "a.yml", "--select", "ENV", "--format", "concise")
    assert result.out.startswith(f"{project / 'requirements.txt'}:3:1:")


@pytest.mark.parametrize(
    ("requirements", "config"),
    [
        (REQUIREMENTS.replace("4.46.1", "4.46.1  # cfglint: ignore[ENV500] tried it"), CONFIG),
        (
            REQUIREMENTS.replace("# what", "# cfglint: ignore-file[pin-against-release] what"),
            CONFIG,
        ),
        (REQUIREMENTS, "# cfglint: ignore-file[ENV500] tried it\n" + CONFIG),
    ],
)
def test_comments_silence_it(requirements: str, config: str) -> None:
    Path("requirements.txt").write_text(requirements)
    Path("configs/a.yml").write_text(config)
    result = run("configs/a.yml", "--select", "ENV,CFG")
    assert (result.code, "ENV500" in result.out) == (0, False)
    assert "1 finding suppressed" in result.out


def test_a_comment_on_the_same_line_of_the_config_does_not() -> None:
    lines = CONFIG.splitlines()
    lines[2] += "  # cfglint: ignore[ENV500] this is no requirement"
    Path("configs/a.yml").write_text("\n".join(lines) + "\n")
    assert "ENV500" in run("configs/a.yml", "--select", "ENV").out


def test_isolated_looks_at_nothing() -> None:
    result = run("configs/a.yml", "--select", "ENV", "--isolated")
    assert result.code == 0
    assert "the newest known" in result.out


def test_fixing_goes_on() -> None:
    Path("configs/a.yml").write_text(CONFIG.replace("output_dir", "output_dirr"))
    result = run("configs/a.yml", "--select", "ENV,KEY", "--fix")
    assert Path("configs/a.yml").read_text() == CONFIG
    assert "requirements.txt:3:1  error  ENV500" in result.out
    assert Path("requirements.txt").read_text() == REQUIREMENTS


def test_from_python() -> None:
    report = lint_file("configs/a.yml", select=["ENV"])
    assert report.diagnostics == ()
    (other,) = report.elsewhere
    assert (other.path, [d.code for d in other.diagnostics]) == ("requirements.txt", ["ENV500"])
    assert lint_text(CONFIG, select=["ENV"]).elsewhere == ()


def test_hostile_names_and_contents_are_shown_escaped() -> None:
    Path("requirements.txt").write_text("axolotl==0.9.2\ntransformers==4.46.1+\x1b[31m\u202e\n")
    result = run("configs/a.yml", "--select", "ENV")
    assert "\x1b" not in result.out
    assert "\u202e" not in result.out
