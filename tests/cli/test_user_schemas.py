"""Schemas that settings name, from the command line: findings, formats, errors, what they declare."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.files import CLEAN
from tests.cli.running import run

SETTINGS = '[[schemas]]\nschema = "schemas/plugin.json"\nat = "throttle"\n'
PLUGIN: dict[str, Any] = {
    "properties": {"queue": {"type": "string"}, "watts": {"type": "integer", "maximum": 700}},
    "required": ["queue"],
    "additionalProperties": False,
}
WRONG = CLEAN + "throttle:\n  watts: 7000\n  wats: 1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in (".git", "schemas", "configs"):
        (tmp_path / name).mkdir()
    write("cfglint.toml", SETTINGS)
    write("schemas/plugin.json", PLUGIN)
    write("configs/a.yml", WRONG)
    return tmp_path


def write(path: str, contents: Any) -> None:
    text = contents if isinstance(contents, str) else json.dumps(contents)
    Path(path).write_text(text, encoding="utf-8")


def found(*arguments: str) -> list[tuple[str, int, str]]:
    """(code, line, severity) of each finding."""
    report = json.loads(run(*(arguments or ("configs/a.yml",)), "--format", "json").out)
    return [
        (one["code"], one["range"]["start"]["line"], one["severity"])
        for file in report["files"]
        for one in file["diagnostics"]
    ]


def test_each_violation_is_reported_at_its_line() -> None:
    lines = WRONG.splitlines()
    at = [lines.index(text) + 1 for text in ("throttle:", "  watts: 7000", "  wats: 1")]
    assert found() == [
        ("SCH002", at[0], "error"),
        ("SCH001", at[1], "error"),
        ("SCH003", at[2], "error"),
    ]
    assert run("configs/a.yml").code == 1


def test_what_a_schema_declares_is_no_unknown_key() -> None:
    assert found("configs/a.yml", "--isolated") == [
        ("KEY001", len(CLEAN.splitlines()) + 1, "warning")
    ]
    write("schemas/plugin.json", {})
    assert found() == []
    write("configs/a.yml", WRONG.replace("throttle", "throtle"))
    assert [code for code, *_ in found()] == ["KEY001"]


def test_a_key_that_the_framework_refuses_stays_one() -> None:
    write("cfglint.toml", '[[schemas]]\nschema = "schemas/plugin.json"\n')
    write("schemas/plugin.json", {"properties": {"own": {}}})
    write(
        "ds.json", '{"train_batch_size": 8, "zero_optimization": {"stage": 2, "own": 1}, "own": 2}'
    )
    assert [code for code, *_ in found("ds.json", "--isolated") if code == "KEY001"] == [
        "KEY001"
    ] * 2
    write(
        "schemas/plugin.json",
        {"properties": {"own": {}, "zero_optimization": {"properties": {"own": {}}}}},
    )
    kept = [row for row in found("ds.json") if row[0] == "KEY001"]
    assert [severity for *_, severity in kept] == ["error"]


@pytest.mark.parametrize("silence", ["SCH", "SCH001", "schema-violation"])
def test_comments_silence_it(silence: str) -> None:
    write(
        "configs/a.yml", WRONG.replace("watts: 7000", f"watts: 7000  # cfglint: ignore[{silence}]")
    )
    assert [code for code, *_ in found()] == ["SCH002", "SCH003"]


def test_options_and_settings_treat_it_like_any_rule() -> None:
    assert found("configs/a.yml", "--ignore", "SCH") == []
    assert [code for code, *_ in found("configs/a.yml", "--select", "SCH003")] == ["SCH003"]
    write(
        "cfglint.toml",
        SETTINGS + '[severity]\nSCH = "note"\n[per-file-ignores]\n"*.yml" = ["SCH003"]\n',
    )
    assert [(code, severity) for code, _, severity in found()] == [
        ("SCH002", "note"),
        ("SCH001", "note"),
    ]
    assert run("configs/a.yml").code == 0
    assert "SCH001" in run("explain", "SCH001").out


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ('files = ["configs/"]', ["configs/a.yml"]),
        ('files = ["*.yml", "!configs/*"]', ["b.yml"]),
        ('files = "/b.yml"', ["b.yml"]),
        ('framework = "axolotl"', ["b.yml", "configs/a.yml"]),
        ('framework = ["trl", "deepspeed"]', []),
    ],
)
def test_which_files_it_is_for(line: str, files: list[str]) -> None:
    write("b.yml", WRONG)
    write("cfglint.toml", SETTINGS + line + "\n")
    report = json.loads(run(".", "--select", "SCH", "--format", "json").out)
    assert [
        file["path"].removeprefix("./") for file in report["files"] if file["diagnostics"]
    ] == files


def test_several_schemas_and_those_of_extended_settings() -> None:
    write("schemas/house.json", {"required": ["seed"]})
    write("base.toml", '[[schemas]]\nschema = "schemas/house.json"\n')
    write("cfglint.toml", 'extend = "base.toml"\n' + SETTINGS)
    assert [code for code, *_ in found()] == ["SCH002", "SCH002", "SCH001", "SCH003"]


def test_values_of_the_launch_line_and_sections_of_other_frameworks_are_left_alone() -> None:
    write("cfglint.toml", '[[schemas]]\nschema = "schemas/plugin.json"\n')
    write("schemas/plugin.json", {"required": ["base_model"]})
    write("configs/a.yml", CLEAN + "deepspeed:\n  zero_optimization:\n    stage: 2\n")
    assert "SCH002" not in [code for code, *_ in found()]


@pytest.mark.parametrize(
    "format_", ["text", "concise", "github", "markdown", "sarif", "gitlab", "junit"]
)
def test_every_format_tells_it(format_: str) -> None:
    assert "schemas/plugin.json" in run("configs/a.yml", "--format", format_).out


def test_what_a_schema_says_is_untrusted() -> None:
    write(
        "schemas/plugin.json",
        {"description": "\x1b[31m\nred \u202e" + "x" * 5000, "required": ["queue"]},
    )
    out = run("configs/a.yml").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert len(out) < 4000


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("schemas = 1", "schemas expects a list of tables, each with the file of a schema"),
        ("[schemas]\nschema = 'x.json'", "schemas expects a list of tables"),
        ("[[schemas]]\n", "schemas expects a list of tables, each with the file of a schema"),
        ("[[schemas]]\nschema = 1", "schemas: schema expects a string"),
        ("[[schemas]]\nschema = '../x.json'", "schemas: '../x.json' is outside the project"),
        (
            "[[schemas]]\nschema = '/etc/passwd'",
            "schemas: '/etc/passwd' is outside the project",
        ),
        (
            "[[schemas]]\nschema = 'x.json'\nfile = 'a'",
            "schemas: unknown setting 'file'; did you mean 'files'?",
        ),
        ("[[schemas]]\nschema = 'x.json'\nfiles = [1]", "schemas: files expects a list of strings"),
        (
            "[[schemas]]\nschema = 'x.json'\nfiles = '!'",
            "schemas: files: '!' is not a valid pattern",
        ),
        (
            "[[schemas]]\nschema = 'x.json'\nat = 'a..b'",
            "schemas: at expects a key such as plugin or datasets[].plugin",
        ),
        ("[[schemas]]\nschema = 'x.json'\nat = 'a[0]'", "schemas: at expects a key such as"),
        (
            "[[schemas]]\nschema = 'gone.json'",
            "gone.json: cannot be read: No such file or directory",
        ),
        (
            SETTINGS + "framework = 'axolotle'",
            "schemas: unknown framework 'axolotle'; expected one of ",
        ),
    ],
)
def test_settings_that_cannot_be_used(settings: str, said: str) -> None:
    write("cfglint.toml", settings)
    result = run("configs/a.yml")
    assert result.code == 2
    assert said in result.err
    assert run("settings", "configs/a.yml").code == 2


def test_a_schema_that_cannot_be_used_is_reported_once() -> None:
    write(
        "schemas/plugin.json", '{\n "properties": {"a": {"$ref": "https://example.com/x.json"}}\n}'
    )
    for number in range(3):
        write(f"configs/{number}.yml", WRONG)
    result = run("configs")
    assert result.code == 2
    assert (
        result.err.count("schemas/plugin.json:2: $ref: 'https://example.com/x.json' is not a file")
        == 1
    )


def test_it_is_shown_among_the_settings() -> None:
    write("cfglint.toml", SETTINGS + 'files = ["old/"]\n')
    out = run("settings", "configs/a.yml").out
    assert 'schemas: "schemas/plugin.json", files = ["old/"], at = "throttle"' in out
    assert "(does not match this file)" in out


def test_the_schema_of_the_settings_has_it() -> None:
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(
        json.loads(run("schema", "--settings", "--draft", "2020-12").out)
    )
    entry = {"schema": "x.json", "files": "a", "framework": ["trl"], "at": "x"}
    assert validator.is_valid({"schemas": [entry], "baseline": "b.json"})
    assert not validator.is_valid({"schemas": [{**entry, "path": 1}]})
    assert not validator.is_valid({"schemas": [{"at": "x"}]})


def test_jsonschema_is_imported_only_for_them() -> None:
    def imported() -> bool:
        command = [sys.executable, "-X", "importtime", "-m", "cfglint", "configs/a.yml"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "configs/a.yml" in done.stdout
        return "jsonschema" in done.stderr or "referencing" in done.stderr

    assert imported()
    write("cfglint.toml", "gpus = 1\n")
    assert not imported()
    write("cfglint.toml", SETTINGS + 'files = ["other/"]\n')
    assert not imported()


def test_of_a_schema_on_one_line_only_the_place_is_shown() -> None:
    write("schemas/plugin.json", {"title": "x" * 5000, "required": ["queue"]})
    out = run("configs/a.yml").out
    assert 'related: schemas/plugin.json:1: "required": ["queue"]… (' in out
    assert "xxxx" not in out
