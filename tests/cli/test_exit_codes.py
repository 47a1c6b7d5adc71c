"""Exit code 0, 1 or 2, for every way to each."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.files import CLEAN, FOREIGN, MISSPELT, NOTED, TWICE, WARNED
from tests.cli.running import run, spawn

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "clean.yml": CLEAN,
        "misspelt.yml": MISSPELT,
        "twice.yml": TWICE,
        "warned.yml": WARNED,
        "noted.yml": NOTED,
        "broken.yml": "base_model: [",
        "compose.yml": FOREIGN["compose.yml"],
        "good/clean.yml": CLEAN,
        "bad/misspelt.yml": MISSPELT,
        "none/readme.md": "text",
        "settled/cfglint.toml": 'fail-on = "warning"\n',
        "settled/warned.yml": WARNED,
        "wrong/cfglint.toml": "color = 1\n",
        "wrong/misspelt.yml": MISSPELT,
        "no.toml": "a = [",
    }
    for name, text in texts.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(text.encode("utf-8"))


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (0, "clean.yml"),
        (0, "check clean.yml"),
        (0, "warned.yml"),
        (0, "noted.yml"),
        (0, "warned.yml --fail-on error"),
        (0, "noted.yml --fail-on warning"),
        (0, "good"),
        (0, "none"),
        (0, "compose.yml --detect"),
        (0, "misspelt.yml --ignore KEY001"),
        (0, "misspelt.yml --ignore unknown-key"),
        (0, "misspelt.yml --ignore KEY,PAK"),
        (0, "misspelt.yml --select YML --select PAK"),
        (0, "misspelt.yml --fix"),
        (1, "twice.yml --unsafe-fixes --fail-on warning"),
        (0, "twice.yml --fix --unsafe-fixes"),
        (0, "clean.yml --diff"),
        (0, "twice.yml --diff --ignore ALL"),
        (0, "--help"),
        (0, "-h"),
        (0, ""),
        (0, "check --help"),
        (0, "--version"),
        (0, "-V"),
        (0, "explain KEY001"),
        (0, "explain key001"),
        (0, "explain unknown-key"),
        (0, "rules"),
        (0, "rules --format json"),
        (0, "rules --schema"),
        (0, "settled/warned.yml --isolated"),
        (0, "settled/warned.yml --fail-on error"),
        (0, "-- clean.yml"),
        (1, "misspelt.yml"),
        (1, "check misspelt.yml"),
        (1, "clean.yml misspelt.yml"),
        (1, "twice.yml --fail-on warning"),
        (0, "twice.yml"),
        (1, "twice.yml --fix --fail-on warning"),
        (1, "broken.yml"),
        (1, "broken.yml --fix --unsafe-fixes"),
        (1, "warned.yml --fail-on warning"),
        (1, "warned.yml --fail-on note"),
        (1, "noted.yml --fail-on note"),
        (1, "noted.yml --fail-on info"),
        (1, "settled/warned.yml"),
        (1, "settled"),
        (1, "bad"),
        (2, "."),
        (1, "misspelt.yml --diff"),
        (1, "misspelt.yml --diff --fail-on error"),
        (1, "misspelt.yml --statistics"),
        (1, "misspelt.yml --output out.txt"),
        (1, "misspelt.yml --format json"),
        (1, "misspelt.yml --format github"),
        (1, "misspelt.yml --format concise"),
        (1, "misspelt.yml --format markdown"),
        (1, "misspelt.yml --target axolotl==0.18.0 --gpus 8 --gpu h100"),
        (1, "--select KEY misspelt.yml"),
        (1, "-- misspelt.yml"),
        (1, "check -- misspelt.yml"),
        (2, "check"),
        (2, "--fix"),
        (2, "missing.yml"),
        (2, "clean.yml missing.yml"),
        (2, "missing/folder/"),
        (2, "clean.yml --format xml"),
        (0, "misspelt.yml --fail-on never"),
        (0, "misspelt.yml --exit-zero"),
        (0, "misspelt.yml --exit-zero --diff"),
        (0, "misspelt.yml --exit-zero --fail-on info"),
        (1, "misspelt.yml --fail-on never --diff"),
        (0, "misspelt.yml --add-ignores"),
        (1, "misspelt.yml --add-ignores --diff"),
        (2, "misspelt.yml --add-ignores --fix"),
        (2, "missing.yml --exit-zero"),
        (2, "wrong/misspelt.yml --exit-zero"),
        (2, "misspelt.yml --severity KEY001"),
        (2, "misspelt.yml --per-file-ignores KEY"),
        (2, "clean.yml --gpus none"),
        (2, "clean.yml --gpus 0"),
        (2, "clean.yml --gpus -1"),
        (2, "clean.yml --gpu potato"),
        (2, "clean.yml --target axolotl"),
        (2, "clean.yml --target axolotl==x"),
        (2, "clean.yml --target nothing==1"),
        (2, "clean.yml --select NOPE"),
        (2, "clean.yml --ignore no-such-rule"),
        (2, "clean.yml --nope"),
        (2, "clean.yml --color blue"),
        (2, "clean.yml --config missing.toml"),
        (2, "clean.yml --config no.toml"),
        (2, "clean.yml --config good"),
        (2, "clean.yml --output good"),
        (2, "clean.yml --output missing/out.txt"),
        (0, "clean.yml --output sarif:out.sarif --output junit:out.xml"),
        (1, "misspelt.yml --output sarif:out.sarif"),
        (2, "clean.yml --output sarf:out.sarif"),
        (2, "clean.yml --output sarif:"),
        (2, "clean.yml --output sarif:missing/out.sarif"),
        (2, "clean.yml --target"),
        (2, "wrong/misspelt.yml"),
        (2, "wrong"),
        (2, "explain"),
        (2, "explain NOPE"),
        (0, "explain KEY001 KEY002"),
        (0, "explain KEY"),
        (0, "rules KEY"),
        (0, "rules --search hang"),
        (0, "settings clean.yml"),
        (2, "settings wrong/misspelt.yml"),
        (0, "settings"),
        (2, "compose.yml"),
        (2, "clean.yml compose.yml"),
        (2, "compose.yml --exit-zero"),
        (1, "compose.yml --framework axolotl --fail-on warning"),
        (2, "rules nope"),
        (2, "rules --format xml"),
        (2, "rules test missing"),
        (2, "rules test clean.yml"),
    ],
)
def test_exit_code(code: int, line: str) -> None:
    result = run(*line.split())
    assert result.code == code, result.both
    assert "Traceback" not in result.both
    if code == 2:
        assert result.err
        assert len(result.err.splitlines()) <= 5


@pytest.mark.parametrize(
    ("code", "arguments"), [(0, ["clean.yml"]), (1, ["misspelt.yml"]), (2, ["missing.yml"])]
)
def test_exit_code_of_a_process(code: int, arguments: list[str]) -> None:
    result = spawn(*arguments)
    assert result.code == code
    assert "Traceback" not in result.both


def test_wrong_settings_of_one_folder_do_not_hide_the_findings_of_others() -> None:
    result = run(".")
    assert result.code == 2
    assert "wrong" in result.err
    assert "unknown setting 'color'" in result.err
    assert "misspelt.yml:10:1" in result.out.replace("./", "")


def test_a_misspelt_command_is_no_file() -> None:
    result = run("chek", ".")
    assert (result.code, result.out) == (2, "")
    assert result.err == "cfglint: chek: no such command, file or folder; did you mean check?\n"
    Path("chek").mkdir()
    assert "did you mean" not in run("chek").err
    assert "nowhere: no such file or folder" in run("nowhere").err


def test_a_missing_file_does_not_hide_the_findings_of_others() -> None:
    result = run("misspelt.yml", "missing.yml", "twice.yml")
    assert result.code == 2
    assert result.err == "cfglint: missing.yml: no such file or folder\n"
    assert "misspelt.yml:10:1" in result.out
    assert "twice.yml:10:1" in result.out


def test_a_fix_is_reported_even_when_another_file_is_missing() -> None:
    result = run("misspelt.yml", "missing.yml", "--fix")
    assert result.code == 2
    was_fixed = Path("misspelt.yml").read_text(encoding="utf-8") == CLEAN
    assert was_fixed == ("Fixed 1 finding" in result.out)


def test_a_run_that_failed_does_not_say_that_there_are_no_configs() -> None:
    result = run("wrong/misspelt.yml")
    assert "No training configs found" not in result.both


def test_an_unreadable_file(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def refuse(path: str, flags: int) -> int:
        if path == "twice.yml":
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    monkeypatch.setattr("os.open", refuse)
    result = run("twice.yml", "misspelt.yml")
    assert result.code == 2
    assert result.err == "cfglint: twice.yml: cannot be read: Permission denied\n"
    assert "misspelt.yml:10:1" in result.out


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permissions() -> None:
    Path("twice.yml").chmod(0)
    result = run("twice.yml")
    assert result.code == 2
    assert result.err == "cfglint: twice.yml: cannot be read: Permission denied\n"


@posix
def test_things_that_are_no_files() -> None:
    os.mkfifo("pipe.yml")
    Path("dangling.yml").symlink_to("nowhere")
    Path("loop.yml").symlink_to("loop.yml")
    for name in ("pipe.yml", "dangling.yml", "loop.yml"):
        result = run(name)
        assert result.code == 2
        assert result.err.startswith(f"cfglint: {name}: ")
    # In a folder they are passed over.
    assert run(".", "--isolated").code == 1


def test_a_file_that_links_to_another_is_checked_once() -> None:
    Path("link.yml").symlink_to("misspelt.yml")
    result = run("misspelt.yml", "link.yml", "./misspelt.yml", "--format", "concise")
    assert len(result.out.splitlines()) == 1


@pytest.mark.parametrize("name", ["x" * 250 + ".yml", "y/" * 2000 + "x.yml", "é" * 200 + ".yml"])
def test_names_that_are_too_long(name: str) -> None:
    result = run(name)
    assert result.code == 2
    assert "Traceback" not in result.err


@posix
def test_the_longest_name_is_checked_and_fixed() -> None:
    name = "x" * 251 + ".yml"
    Path(name).write_text(MISSPELT, encoding="utf-8")
    assert run(name).code == 1
    assert run(name, "--fix").code == 0
    assert Path(name).read_text(encoding="utf-8") == CLEAN
    deep = Path("d" * 200, "e" * 200, "f" * 200)
    deep.mkdir(parents=True)
    (deep / "x.yml").write_text(MISSPELT, encoding="utf-8")
    assert run(deep, "--fix").code == 0


def test_too_large() -> None:
    Path("large.yml").write_text(CLEAN + "# x\n" * 300_000, encoding="utf-8")
    result = run("large.yml", "--format", "concise")
    assert (result.code, result.out.count("YML009")) == (1, 1)
    assert run("large.yml", "--detect").code == 0


def test_a_folder_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    os.makedirs("runs/secret")
    Path("runs/train.yml").write_text(CLEAN, encoding="utf-8")
    scandir = os.scandir

    def guarded(path: str) -> Any:
        if os.path.basename(path) == "secret":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    result = run("runs")
    assert (result.code, result.err) == (
        2,
        "cfglint: runs/secret: cannot be read: Permission denied\n",
    )
    assert "No problems in 1 file" in result.out
    result = run("runs/secret")
    assert (result.code, result.out) == (2, "")
    assert result.err == "cfglint: runs/secret: cannot be read: Permission denied\n"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is open to the superuser"
)
def test_what_permissions_forbid() -> None:
    os.makedirs("runs/secret")
    Path("runs/secret/train.yml").write_text(CLEAN, encoding="utf-8")
    os.chmod("runs/secret", 0)
    try:
        for path in ("runs", "runs/secret", "runs/secret/train.yml"):
            result = run(path)
            assert result.code == 2
            assert "cannot be read: Permission denied" in result.err
    finally:
        os.chmod("runs/secret", 0o700)


@pytest.mark.parametrize(
    "output", ["misspelt.yml", "./misspelt.yml", "sarif:misspelt.yml", "settled/cfglint.toml"]
)
def test_a_report_takes_the_place_of_no_input(output: str) -> None:
    before = Path(output.rpartition(":")[2]).read_bytes()
    result = run("misspelt.yml", "settled/warned.yml", "--output", output)
    assert result.code == 2
    assert "this file is an input" in result.err
    assert Path(output.rpartition(":")[2]).read_bytes() == before
    assert run("misspelt.yml", "--output", "report.txt").code == 1


def test_a_report_takes_the_place_of_no_input_that_is_left_out() -> None:
    before = Path("compose.yml").read_bytes()
    assert run("compose.yml", "--detect", "--output", "compose.yml").code == 2
    assert Path("compose.yml").read_bytes() == before


@posix
def test_a_report_takes_the_place_of_no_input_by_a_link() -> None:
    Path("report.txt").symlink_to("misspelt.yml")
    assert run(".", "--output", "report.txt").code == 2
    assert Path("misspelt.yml").read_text() == MISSPELT


def test_a_fix_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from cfglint.fixes import writing

    refused = writing.WriteResult(False, "It could not be written: No space left on device.")
    monkeypatch.setattr(writing, "write_file", lambda *_: refused)
    result = run("misspelt.yml", "--fix", "--fail-on", "never")
    assert result.code == 2
    assert "not written: It could not be written" in result.out
    assert run("misspelt.yml", "--fix", "--exit-zero").code == 2


@pytest.mark.parametrize(("word", "meant"), [("fits", "fit"), ("explan", "explain")])
def test_a_misspelt_command(
    word: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(word, "x.yml")
    assert result.code == 2
    assert f"cfglint: {word}: no such command, file or folder; did you mean {meant}?" in result.err
    # What is there is a path, and so is what has a suffix.
    (tmp_path / word).mkdir()
    assert run(word).code == 0
    assert "no such file or folder" in run(f"{word}.yml").err
