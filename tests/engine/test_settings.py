"""Settings files: where they are found, what they may say, and how they are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.engine.settings import Settings, SettingsError, SettingsFinder, read_settings
from cfglint.files.disk import Disk


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def settings_for(path: Path) -> Settings:
    return SettingsFinder().for_file(str(path))


def test_everything_that_can_be_set(tmp_path: Path) -> None:
    path = write(
        tmp_path / "cfglint.toml",
        'target = ["axolotl==0.18.0", "trl==0.15.1"]\ngpus = 8\ngpu = "h100"\nselect = "KEY"\n'
        'ignore = ["KEY001"]\nfail-on = "warning"\nexclude = ["old/"]\n'
        'min-confidence = "high"\n',
    )
    assert read_settings(str(path), Disk()) == Settings(
        origin=str(path),
        target=("axolotl==0.18.0", "trl==0.15.1"),
        gpus=8,
        gpu="h100",
        select=("KEY",),
        ignore=("KEY001",),
        fail_on="warning",
        min_confidence="high",
        exclude=("old/",),
    )


def test_the_nearest_file_counts_alone(tmp_path: Path) -> None:
    write(tmp_path / "cfglint.toml", "gpus = 1\nignore = ['KEY']\n")
    write(tmp_path / "a" / "pyproject.toml", "[tool.cfglint]\ngpus = 2\n")
    write(tmp_path / "a" / "b" / "pyproject.toml", "[tool.other]\nx = 1\n")
    write(tmp_path / "a" / "c" / "pyproject.toml", "[tool.cfglint]\ngpus = 3\n")
    write(tmp_path / "a" / "c" / "cfglint.toml", "gpus = 4\n")
    assert settings_for(tmp_path / "x.yml").gpus == 1
    assert settings_for(tmp_path / "a" / "x.yml").gpus == 2
    assert settings_for(tmp_path / "a" / "x.yml").ignore == ()
    assert settings_for(tmp_path / "a" / "b" / "x.yml").gpus == 2
    assert settings_for(tmp_path / "a" / "c" / "x.yml").gpus == 4


def test_mentions_are_no_settings(tmp_path: Path) -> None:
    write(tmp_path / "cfglint.toml", "gpus = 1\n")
    write(tmp_path / "a" / "pyproject.toml", "# cfglint\n[project]\nname = 'cfglint'\n[tool]\n")
    assert settings_for(tmp_path / "a" / "x.yml").gpus == 1


def test_isolated_and_named(tmp_path: Path) -> None:
    path = write(tmp_path / "cfglint.toml", "gpus = 1\n")
    other = write(tmp_path / "other.toml", "gpus = 2\n")
    assert SettingsFinder(isolated=True).for_file(str(tmp_path / "x.yml")) == Settings()
    finder = SettingsFinder(config=str(other))
    assert finder.for_file(str(path)).gpus == 2
    empty = write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n")
    assert read_settings(str(empty), Disk()) == Settings(origin=str(empty))


def test_empty_file_ends_the_search(tmp_path: Path) -> None:
    write(tmp_path / "cfglint.toml", "gpus = 1\n")
    write(tmp_path / "a" / "cfglint.toml", "")
    assert settings_for(tmp_path / "a" / "x.yml").gpus is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gpus = ", "is no TOML"),
        ("\x00", "is no TOML"),
        ("gpuss = 1", "did you mean 'gpus'?"),
        ("colour = 1", "there are target, gpus"),
        ("gpus = '8'", "gpus is a whole number"),
        ("gpus = true", "gpus is a whole number"),
        ("gpus = 1.5", "gpus is a whole number"),
        ("gpu = 1", "gpu is a string"),
        ("target = 1", "target is a list of strings"),
        ("select = ['KEY', 1]", "select is a list of strings"),
        ("fail-on = 'fatal'", "fail-on is one of error, warning, note"),
        ("min-confidence = 'sure'", "min-confidence is one of high, medium, low"),
        ("fail_on = 'error'", "did you mean 'fail-on'?"),
        ("a = " + "[" * 5000 + "]" * 5000, None),
    ],
)
def test_refused(tmp_path: Path, text: str, words: str | None) -> None:
    path = write(tmp_path / "cfglint.toml", text)
    with pytest.raises(SettingsError) as caught:
        settings_for(tmp_path / "x.yml")
    assert str(caught.value).startswith(f"{path}: ")
    if words is not None:
        assert words in str(caught.value)


def test_info_is_another_name_of_note(tmp_path: Path) -> None:
    write(tmp_path / "cfglint.toml", 'fail-on = "info"')
    assert settings_for(tmp_path / "x.yml").fail_on == "note"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings(str(tmp_path / "none.toml"), Disk())
    (tmp_path / "cfglint.toml").write_bytes(b"gpu = '\xff'\n")
    with pytest.raises(SettingsError, match="is no TOML"):
        settings_for(tmp_path / "x.yml")
    (tmp_path / "cfglint.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(SettingsError, match="larger than"):
        settings_for(tmp_path / "x.yml")
    write(tmp_path / "p" / "pyproject.toml", "[tool]\ncfglint = 1\n")
    with pytest.raises(SettingsError, match="is no table"):
        settings_for(tmp_path / "p" / "x.yml")


def test_exclude_is_relative_to_the_settings_file(tmp_path: Path) -> None:
    write(
        tmp_path / "cfglint.toml", "exclude = ['old/', '*.bak.yml', '!old/kept.yml', '/top.yml']\n"
    )
    found = settings_for(tmp_path / "x.yml")
    assert found.excludes(str(tmp_path / "old" / "x.yml"))
    assert found.excludes(str(tmp_path / "deep" / "x.bak.yml"))
    assert found.excludes(str(tmp_path / "top.yml"))
    assert not found.excludes(str(tmp_path / "deep" / "top.yml"))
    assert not found.excludes(str(tmp_path / "x.yml"))
    assert not Settings().excludes("x.yml")
