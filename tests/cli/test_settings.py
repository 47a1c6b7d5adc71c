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
        ["as-of: today", "default"],
        ["gpus = 8", "shared/base.toml"],
        ['gpu = "h100"', "runs/cfglint.toml"],
        ["select: every rule", "default"],
        ["extend-select: none", "default"],
        ["ignore: none", "default"],
        ["preview: no", "default"],
        ['fail-on = "note"', "shared/base.toml"],
        ["min-severity: note", "default"],
        ["min-confidence: low, and medium for notes", "default"],
        ["show-fixes: no", "default"],
        ['exclude = ["old/"]', "runs/cfglint.toml"],
        ["force-exclude: no", "default"],
        ["rules: only those of cfglint", "default"],
        ["baseline: none", "default"],
        ['per-file-ignores: "old/" = ["KEY"]', "runs/cfglint.toml"],
        ['per-file-ignores: "*.json" = ["DSP"]', "runs/cfglint.toml (does not match this file)"],
        ['severity: HPR = "warning"', "shared/base.toml"],
        ["`exclude` skips it when it is found in a folder."],
        ["Checked for"],
        ["axolotl 0.21.0", "the newest known (assumed)"],
        ["gpus 8", "base.toml (stated)"],
        ["gpu h100", "cfglint.toml (stated)"],
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


def test_what_a_file_is_checked_for_and_what_was_outweighed() -> None:
    Path(".git").mkdir()
    write("requirements.txt", "axolotl==0.9.2\ntorch==2.6.0\n")
    write("Dockerfile", "FROM axolotlai/axolotl:0.12.2\n")
    write("run.sh", "axolotl train $1 --num_processes 4\n")
    write("uv.lock", '[[package]]\nname = "peft"\nversion = "0.1.0"\n')
    write("train.yml", "base_model: a/b\nmicro_batch_size: 1\n")
    expected = [
        ["Checked for"],
        ["axolotl 0.9.2", "requirements.txt line 1 (stated)"],
        ["torch 2.6.0", "requirements.txt line 2 (stated)"],
    ]
    lost = [
        ["not used: uv.lock", "uv.lock (an environment without axolotl)"],
        ["not used: axolotl 0.12.2", "Dockerfile line 1 (outweighed by requirements.txt line 1)"],
    ]
    weak = ["gpus 4", "run.sh line 1 (weak: it does not name the file)"]
    for arguments in (["train.yml"], []):
        found = rows(*arguments)
        start = found.index(["Checked for"])
        assert found[start : start + 3] == expected
        assert weak in found[start:]
        assert all(row in found[start:] for row in lost)


def test_the_framework_is_that_of_the_text() -> None:
    write("requirements.txt", "trl==0.9.6\n")
    write("sft.yaml", "model_name_or_path: a\ndataset_name: b\nmax_seq_length: 1\npacking: true\n")
    assert ["trl 0.9.6", "requirements.txt line 1 (stated)"] in rows("sft.yaml")


def test_the_release_of_a_lower_package_that_keys_are_judged_by() -> None:
    write("requirements.txt", "trl==0.17.0\n")
    write("sft.yaml", "model_name_or_path: a\ndataset_name: b\nmax_length: 1\npacking: true\n")
    row = ["transformers 4.51.3", "as it goes with trl 0.17.0; none is stated (assumed)"]
    assert row in rows("sft.yaml")


TRAIN = "base_model: a/b\ndatasets:\n  - {path: a/c, type: alpaca}\nlearning_rate: 1.0e-4\nmicro_batch_size: 1\nsmth: 1\n"


def codes(*options: str) -> list[str]:
    """Severity and code of what is found with options of a check, and the exit code."""
    done = run("train.yml", "--format", "concise", *options)
    found = [" ".join(line.split()[1:3]) for line in done.out.splitlines() if line.count(":") > 2]
    return [*found, str(done.code)]


def test_single_settings_replace_those_of_the_file() -> None:
    write("train.yml", TRAIN)
    write("cfglint.toml", 'select = ["KEY"]\n[severity]\nKEY001 = "warning"\n')
    usual = codes()
    assert usual == ["warning KEY001", "0"]
    assert codes("--config", 'fail-on = "warning"') == [*usual[:-1], "1"]
    assert codes("--config", 'severity = {KEY001 = "error"}') == ["error KEY001", "1"]
    assert codes("--config", 'select = ["HPR999"]')[-1] == "2"
    assert codes("--config", 'per-file-ignores = {"train.yml" = ["KEY"]}') == ["0"]
    assert codes("--config", 'ignore = ["KEY"]', "--config", 'fail-on = "note"') == ["0"]
    write("other.toml", 'fail-on = "warning"\nselect = ["KEY"]\n')
    assert codes("--config", "other.toml", "--config", 'severity = {KEY = "warning"}')[-1] == "1"
    assert codes("--isolated", "--config", 'ignore = ["ALL"]') == ["0"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["fail = 1"], "--config fail = 1: unknown setting 'fail'; did you mean 'fail-on'?"),
        (['gpus = "x"'], '--config gpus = "x": gpus expects a whole number'),
        (["gpus = "], "--config gpus = : not valid TOML"),
        (["a.toml", "b.toml"], "--config b.toml: a.toml is named already"),
    ],
)
def test_single_settings_that_are_wrong(given: list[str], message: str) -> None:
    write("train.yml", TRAIN)
    write("a.toml", "")
    write("b.toml", "")
    done = run("train.yml", *(word for one in given for word in ("--config", one)))
    assert done.code == 2
    assert message in done.err
