"""Settings files: where they are found, what they may say, and how they are refused."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cfglint.engine.settings.file import PerFileIgnores, RuleSeverity
from cfglint.engine.settings.nearest import Settings, SettingsError, SettingsFinder, read_settings
from cfglint.engine.settings.selectors import covers
from cfglint.source.files.disk import Disk


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
        'min-confidence = "high"\nshow-fixes = true\n'
        '[per-file-ignores]\n"old/" = "KEY"\n"*.json" = ["KEY", "DSP"]\n'
        '[severity]\nKEY001 = "note"\n',
    )
    origin = str(path)
    names = ("target", "gpus", "gpu", "select", "ignore", "fail-on", "exclude", "min-confidence")
    assert read_settings(origin, Disk()) == Settings(
        origin=origin,
        target=("axolotl==0.18.0", "trl==0.15.1"),
        gpus=8,
        gpu="h100",
        select=("KEY",),
        ignore=("KEY001",),
        fail_on="warning",
        min_confidence="high",
        exclude=("old/",),
        show_fixes=True,
        per_file_ignores=(
            PerFileIgnores(origin, "old/", ("KEY",)),
            PerFileIgnores(origin, "*.json", ("KEY", "DSP")),
        ),
        severity=(RuleSeverity(origin, "KEY001", "note"),),
        sources=tuple((name, origin) for name in (*names, "show-fixes")),
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
        ("gpus = ", "not valid TOML"),
        ("\x00", "not valid TOML"),
        ("gpuss = 1", "did you mean 'gpus'?"),
        ("color = 1", "expected one of target, as-of, gpus"),
        ("gpus = '8'", "gpus expects a whole number"),
        ("gpus = true", "gpus expects a whole number"),
        ("gpus = 1.5", "gpus expects a whole number"),
        ("gpu = 1", "gpu expects a string"),
        ("target = 1", "target expects a list of strings"),
        ("select = ['KEY', 1]", "select expects a list of strings"),
        ("fail-on = 'fatal'", "fail-on expects one of error, warning, note, never"),
        ("min-confidence = 'sure'", "min-confidence expects one of high, medium, low"),
        ("show-fixes = 1", "show-fixes expects true or false"),
        (
            "severity = 'note'",
            "severity expects a table of rules, each with one of error, warning, note",
        ),
        ("severity = {KEY = 'fatal', DAT = 'note'}", "error, warning, note; KEY has 'fatal'"),
        ("severity = {KEY = ['note']}", "severity expects a table of rules"),
        ("per-file-ignores = ['x']", "per-file-ignores expects a table of patterns"),
        ("per-file-ignores = {x = 1}", "per-file-ignores expects a table of patterns"),
        ("per-file-ignores = {a = 'KEY', x = 1}", "; x has 1"),
        ("per-file-ignores = {'!' = 'KEY'}", "per-file-ignores: '!' is not a valid pattern"),
        ("extend = ['a.toml']", "extend expects a string"),
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
    with pytest.raises(SettingsError, match="not valid TOML"):
        settings_for(tmp_path / "x.yml")
    (tmp_path / "cfglint.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(SettingsError, match="larger than"):
        settings_for(tmp_path / "x.yml")
    write(tmp_path / "p" / "pyproject.toml", "[tool]\ncfglint = 1\n")
    with pytest.raises(SettingsError, match="is not a table"):
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


def test_what_a_file_says_wins_over_what_it_extends(tmp_path: Path) -> None:
    base = write(
        tmp_path / "shared" / "base.toml",
        'gpus = 8\ngpu = "h100"\nignore = ["HPR"]\nexclude = ["old/"]\n'
        'severity = {KEY001 = "note", YML = "warning"}\nper-file-ignores = {"a/" = "KEY"}\n',
    )
    path = write(
        tmp_path / "p" / "cfglint.toml",
        'extend = "../shared/base.toml"\ngpus = 1\nignore = []\n'
        'severity = {KEY001 = "error"}\nper-file-ignores = {"b/" = "KEY"}\n',
    )
    found = settings_for(tmp_path / "p" / "x.yml")
    assert (found.gpus, found.gpu, found.ignore) == (1, "h100", ())
    assert (found.source("gpus"), found.source("gpu")) == (str(path), str(base))
    assert found.extended == (str(base),)
    assert [(one.rule, one.severity, one.origin) for one in found.severity] == [
        ("KEY001", "error", str(path)),
        ("YML", "warning", str(base)),
    ]
    assert [(one.pattern, one.origin) for one in found.per_file_ignores] == [
        ("b/", str(path)),
        ("a/", str(base)),
    ]
    # Patterns count from the file that they stand in.
    assert found.excludes(str(tmp_path / "shared" / "old" / "x.yml"))


def test_a_pyproject_extends_and_is_extended(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.cfglint]\ngpus = 8\nextend = 'more.toml'\n")
    write(tmp_path / "more.toml", "gpu = 'h100'\n")
    write(tmp_path / "a" / "cfglint.toml", "extend = '../pyproject.toml'\n")
    found = settings_for(tmp_path / "a" / "x.yml")
    assert (found.gpus, found.gpu) == (8, "h100")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"cfglint.toml": "extend = 'cfglint.toml'"}, "extends this file again"),
        (
            {"cfglint.toml": "extend = 'b.toml'", "b.toml": "extend = './x/../cfglint.toml'"},
            "b.toml: extend: ",
        ),
        ({"cfglint.toml": "extend = 'none.toml'"}, "none.toml cannot be read"),
        ({"cfglint.toml": "extend = 'cfglint.toml/x.toml'"}, "cannot be read"),
        ({"cfglint.toml": "extend = ''"}, "is not a .toml file"),
        ({"cfglint.toml": "extend = '/dev/zero'"}, "/dev/zero is not a .toml file"),
        ({"cfglint.toml": "extend = 'folder.toml'", "folder.toml/x": ""}, "cannot be read"),
        ({"cfglint.toml": 'extend = "a\\u0000.toml"'}, "cannot be read: not a valid path"),
        (
            {"cfglint.toml": "extend = 'b.toml'", "b.toml": "gpus = '8'"},
            "b.toml: gpus expects a whole",
        ),
        ({"cfglint.toml": "extend = 'b.toml'", "b.toml": "#" * 1_000_001}, "larger than"),
        (
            {"cfglint.toml": "extend = 'pyproject.toml'", "pyproject.toml": "[tool]"},
            "pyproject.toml has no [tool.cfglint]",
        ),
        (
            {
                "cfglint.toml": "extend = '0.toml'",
                **{f"{n}.toml": f"extend = '{n + 1}.toml'" for n in range(20)},
            },
            "more than 10 files in a row",
        ),
    ],
)
def test_extended_files_that_are_refused(tmp_path: Path, files: dict[str, str], words: str) -> None:
    for name, text in files.items():
        write(tmp_path / name, text)
    with pytest.raises(SettingsError) as caught:
        settings_for(tmp_path / "x.yml")
    assert words in str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_nothing_outside_of_the_project_is_read(tmp_path: Path) -> None:
    outside = write(tmp_path / "secrets.toml", "token = 'x'\n")
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "project" / "link.toml").symlink_to(outside)
    for target in ("../secrets.toml", str(outside), "link.toml", "/etc/none.toml"):
        write(tmp_path / "project" / "cfglint.toml", f"extend = '{target}'\n")
        with pytest.raises(SettingsError, match="is outside the project") as caught:
            settings_for(tmp_path / "project" / "x.yml")
        assert "token" not in str(caught.value)
    write(tmp_path / "project" / "a" / "cfglint.toml", "extend = '../base.toml'\n")
    write(tmp_path / "project" / "base.toml", "gpus = 8\n")
    assert settings_for(tmp_path / "project" / "a" / "x.yml").gpus == 8


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes")
    os.mkfifo(tmp_path / "pipe.toml")
    write(tmp_path / "cfglint.toml", "extend = 'pipe.toml'")
    with pytest.raises(SettingsError, match="not a regular file"):
        settings_for(tmp_path / "x.yml")


@pytest.mark.parametrize("setting", ["exclude = ['{}']", "per-file-ignores = {{'{}' = 'KEY'}}"])
def test_no_glob_of_the_settings_makes_a_run_take_long(tmp_path: Path, setting: str) -> None:
    write(tmp_path / "cfglint.toml", setting.format("*a" * 30 + "*b"))
    path = tmp_path / ("a" * 60 + ".yml")
    found = settings_for(path)
    started = time.process_time()
    assert not found.excludes(str(path))
    assert not any(covers(one, str(path)) for one in found.per_file_ignores)
    assert time.process_time() - started < 1


def test_many_globs_are_read_once(tmp_path: Path) -> None:
    """Reading them again for each of 100 files would take ten seconds."""
    names = ", ".join(f"'folder-{n}/*.yml'" for n in range(2_000))
    write(tmp_path / "cfglint.toml", f"exclude = [{names}]")
    started = time.process_time()
    found = settings_for(tmp_path / "a.yml")
    for n in range(100):
        assert not found.excludes(str(tmp_path / f"{n}.yml"))
    assert time.process_time() - started < 5
