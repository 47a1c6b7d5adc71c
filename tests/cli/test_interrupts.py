"""Ctrl-C: what was found is printed, files are whole, no traceback, exit code 130."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cfglint.engine.runner import Runner
from tests.cli.files import CLEAN, MISSPELT
from tests.cli.running import environment, run

#: Starts the command as `python -m` and the installed script do; an import is interrupted.
_PROGRAM = """\
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
sys.argv = ["cfglint", *{arguments!r}]
if {installed}:
    from cfglint.__main__ import script
    sys.exit(script())
import runpy
runpy.run_module("cfglint", run_name="__main__", alter_sys=True)
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(6):
        Path(f"{number}.yml").write_text(MISSPELT, encoding="utf-8")


@pytest.mark.parametrize("installed", [False, True])
@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("cfglint.cli", ["0.yml"]),
        ("cfglint.cli.options", ["0.yml"]),
        ("cfglint.cli.checking", ["0.yml"]),
        ("cfglint.engine.runner", ["0.yml"]),
        ("yaml", ["0.yml"]),
        ("cfglint.knowledge._compiled.axolotl_words", ["0.yml"]),
        ("cfglint.report.formats.text", ["0.yml"]),
        ("cfglint.cli.group", ["--help"]),
        ("cfglint.cli.explain", ["explain", "KEY001"]),
        ("click", ["rules"]),
    ],
)
def test_while_modules_are_imported(module: str, arguments: list[str], installed: bool) -> None:
    program = _PROGRAM.format(module=module, arguments=arguments, installed=installed)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "Aborted" not in done.stderr
    assert done.returncode == 130


def test_the_installed_command_starts_there() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'cfglint = "cfglint.__main__:script"' in project


def interrupt_at(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check, calls = Runner.check_file, iter(range(100))

    def interrupted(self: Runner, path: str, *, named: bool) -> Any:
        if next(calls) == number:
            raise KeyboardInterrupt
        return check(self, path, named=named)

    monkeypatch.setattr(Runner, "check_file", interrupted)


def test_what_was_found_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at(4, monkeypatch)
    result = run(".", "--format", "concise")
    assert result.code == 130
    assert [line[:5] for line in result.out.splitlines()] == [f"{n}.yml" for n in range(4)]
    assert result.err == "cfglint: interrupted; 4 of 6 files were checked\n"


def test_a_report_for_programs_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at(2, monkeypatch)
    result = run(".", "--format", "json", "--output", "report.json")
    assert (result.code, result.out) == (130, "")
    assert json.loads(Path("report.json").read_text("utf-8"))["summary"]["files"] == 2


def test_what_was_not_checked_is_not_gone_from_the_baseline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run(".", "--write-baseline", "--baseline", "known.json")
    said = "no longer found"
    with monkeypatch.context() as patch:
        interrupt_at(4, patch)
        result = run(".", "--baseline", "known.json")
    assert result.code == 130
    assert said not in result.both
    Path("5.yml").unlink()
    assert said in run(".", "--baseline", "known.json").both


def test_before_anything_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at(0, monkeypatch)
    result = run(".")
    assert (result.code, result.out) == (130, "")
    assert result.err == "cfglint: interrupted; 0 of 6 files were checked\n"


def test_while_folders_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_path: str) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "scandir", interrupted)
    result = run(".")
    assert (result.code, result.out) == (130, "")


def test_while_the_report_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("cfglint.report.formats.concise.render", interrupted)
    assert run(".", "--format", "concise").code == 130


@pytest.mark.parametrize("moment", ["fsync", "replace", "fchmod"])
def test_while_a_file_is_repaired(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter(range(100))
    real = getattr(os, moment)

    def interrupted(*arguments: Any, **named: Any) -> Any:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments, **named)

    monkeypatch.setattr(os, moment, interrupted)
    result = run(".", "--fix")
    assert result.code == 130
    texts = [Path(f"{number}.yml").read_text(encoding="utf-8") for number in range(6)]
    assert set(texts) == {CLEAN, MISSPELT}
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []
    fixed = texts.count(CLEAN)
    assert f"Fixed {fixed} finding" in result.out or fixed == len(texts)
