"""`cfglint settings FILE`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def rows(*arguments: str) -> list[list[str]]:
    result = run("settings", *arguments)
    assert (result.code, result.err) == (0, "")
    return [[part.strip() for part in line.split("  ") if part] for line in result.out.splitlines()]


def test_each_setting_with_the_file_that_it_comes_from() -> None:
    write("shared/base.toml", 'gpus = 8\nfail-on = "info"\nseverity = {HPR = "warning"}\n')
    write(
        "runs/cfglint.toml",
        'extend = "../shared/base.toml"\ngpu = "h100"\nexclude = ["old/"]\n'
        'per-file-ignores = {"old/" = "KEY", "*.json" = ["DSP"]}\n',
    )
    assert rows("runs/old/train.yml") == [
        ["Settings for runs/old/train.yml"],
        ["from runs/cfglint.toml, which extends shared/base.toml"],
        ["target: as the project states, else the newest known release", "default"],
        ["gpus = 8", "shared/base.toml"],
        ['gpu = "h100"', "runs/cfglint.toml"],
        ["select: every rule", "default"],
        ["ignore: none", "default"],
        ['fail-on = "note"', "shared/base.toml"],
        ["min-confidence: low, and medium for notes", "default"],
        ["show-fixes: no", "default"],
        ['exclude = ["old/"]', "runs/cfglint.toml"],
        ["rules: only those of cfglint", "default"],
        ["baseline: none", "default"],
        ['per-file-ignores: "old/" = ["KEY"]', "runs/cfglint.toml"],
        ['per-file-ignores: "*.json" = ["DSP"]', "runs/cfglint.toml (does not match this file)"],
        ['severity: HPR = "warning"', "shared/base.toml"],
        ["`exclude` skips it when it is found in a folder."],
    ]
    assert ["`exclude`" in row[0] for row in rows("runs/train.yml")][-1] is False


def test_without_a_settings_file() -> None:
    found = rows("train.yml")
    assert found[1] == ["No settings file applies to it."]
    assert {row[-1] for row in found[2:]} == {"default"}


def test_a_settings_file_by_its_name() -> None:
    write("cfglint.toml", "gpus = 1\n")
    write("other.toml", "gpus = 2\n")
    assert ["gpus = 2", "other.toml"] in rows("x.yml", "--config", "other.toml")


@pytest.mark.parametrize(
    "text",
    ["color = 1", "ignore = 'NOPE'", "gpu = 'potato'", "target = 'x'", "severity = {X = 'note'}"],
)
def test_unusable_content_is_an_error(text: str) -> None:
    write("cfglint.toml", text)
    result = run("settings", "train.yml")
    assert (result.code, result.out) == (2, "")
    assert "cfglint.toml: " in result.err


def test_settings_cannot_steer_a_terminal() -> None:
    write("cfglint.toml", 'exclude = ["\\u001b[31m"]\n[severity]\n')
    assert "\x1b" not in run("settings", "::error::\x1b.yml").out
