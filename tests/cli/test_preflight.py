"""`cfglint preflight`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from tests.answers.preflight.test_judging import CONFIG, SETTINGS
from tests.cli.running import run, spawn

DOCS = Path(__file__).resolve().parents[2] / "docs"
BROKEN = CONFIG.replace("max_length", "max_seq_length")
COMMAND = ("accelerate", "launch", "--config_file", "acc.yaml", "train.py", "--config", "x.yaml")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.yaml").write_text(BROKEN)
    (tmp_path / "acc.yaml").write_text(SETTINGS)
    (tmp_path / "train.py").write_text("import mine\n")
    (tmp_path / "requirements.txt").write_text("trl==1.16.0\n")
    return tmp_path


def test_the_page_shows_what_is_printed(here: Path) -> None:
    text = (DOCS / "preflight.md").read_text(encoding="utf-8")
    shown = re.search(r"```console\n\$ cfglint preflight -- [^\n]*\n(.*?)```", text, re.S)
    assert shown is not None
    result = run("preflight", "--", *COMMAND)
    assert (result.code, result.err) == (1, "")
    assert result.out == shown[1]


def test_lines_for_agents() -> None:
    result = run("preflight", "--format", "agent", "--gpu", "h100", "--", *COMMAND)
    lines = result.out.splitlines()
    assert lines[:4] == [
        "run: accelerate launch --config_file acc.yaml train.py --config x.yaml",
        "file: acc.yaml: settings of accelerate",
        "file: train.py: program, it has nothing that cfglint reads",
        "file: x.yaml: TRL, given to train.py",
    ]
    assert lines[4].startswith("checked for: ")
    assert lines[5].startswith("x.yaml:4: KEY005 error: ")
    assert lines[-1] == "verdict: do not start: 1 error"


def test_json() -> None:
    schema = json.loads((DOCS / "json-preflight.schema.json").read_text(encoding="utf-8"))
    for command in (COMMAND, ("ls",), ("trl", "sft", "--config", "no.yaml")):
        result = run("preflight", "--format", "json", "--", *command)
        answer = json.loads(result.out)
        jsonschema.validate(answer, schema)
        assert answer["exit_code"] == result.code
    answer = json.loads(run("preflight", "--format", "json", "--", *COMMAND).out)
    assert [(one["path"], one["framework"]) for one in answer["files"]] == [
        ("command-line.sh", None),
        ("acc.yaml", "accelerate"),
        ("train.py", None),
        ("x.yaml", "TRL"),
    ]
    assert answer["memory"][0]["fit"]["gpus"] == 8


def test_exit_codes(here: Path) -> None:
    assert run("preflight", "x.yaml").code == 1
    assert run("preflight", "--", "ls").code == 2
    (here / "x.yaml").write_text(CONFIG)
    result = run("preflight", "--", *COMMAND)
    assert (result.code, result.out.splitlines()[-1]) == (
        0,
        "Start: no problem was found.",
    )


def test_the_options_behind_the_dashes_are_the_commands_own() -> None:
    result = run("preflight", "--", "trl", "sft", "--help", "--config", "x.yaml", "--", "-h")
    assert result.out.startswith("trl sft --help --config x.yaml -- -h\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "behind `--`"),
        (("x.yaml", "--", "ls"), "behind `--`"),
        (("no.yaml",), "no.yaml: no file"),
        (("--target", "trl==99.0", "x.yaml"), "trl 99.0 is newer"),
    ],
)
def test_what_cannot_be_understood(arguments: tuple[str, ...], message: str) -> None:
    result = run("preflight", *arguments)
    assert (result.code, result.out, message in result.err) == (2, "", True)


def test_a_long_and_hostile_command() -> None:
    result = run("preflight", "--", "trl", "sft", "--config", "\x1b[31m" + "x" * 5000 + ".yaml")
    assert result.code == 1
    assert "\x1b" not in result.out


def test_a_process_of_its_own(here: Path) -> None:
    result = spawn("preflight", "--", *COMMAND, cwd=here)
    assert (result.code, result.err) == (1, "")


def test_a_command_without_dashes_before_it() -> None:
    for words in (("trl", "sft", "--config", "x.yaml"), ("accelerate", "--num_processes", "4")):
        error = run("preflight", *words).err
        assert f"a command is put behind `--`: `cfglint preflight -- {words[0]} …`" in error
    assert "is put behind" not in run("preflight", "--gpuss", "4").err


def test_a_script_that_is_not_there() -> None:
    result = run("preflight", "--format", "agent", "--", "bash", "nosuch.sh")
    assert result.code == 1
    assert result.out.splitlines()[-1] == "verdict: do not start: nosuch.sh: there is no such file"
    assert run("preflight", "--", "bash", "$SCRIPTS/nosuch.sh").code == 2
