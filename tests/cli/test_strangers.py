"""What a stranger's repository may hold: modules to import, links to files of the user's."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.files import MISSPELT
from tests.cli.running import environment, run, spawn

#: What the command, its server and its workers import.
MODULES = ("cfglint", "click", "json", "pygls", "pyarrow", "sitecustomize", "yaml", "ruamel")
needs_links = pytest.mark.skipif(os.name == "nt", reason="needs links")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "checkout"
    (folder / ".git").mkdir(parents=True)
    (folder / "train.yml").write_text(MISSPELT)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    "words",
    [("train.yml",), ("train.yml", "--fix"), ("check", "--format", "sarif", "."), ("rules", "KEY")],
)
def test_no_module_of_the_folder_is_imported(checkout: Path, words: tuple[str, ...]) -> None:
    trace = checkout.parent / "was-run"
    for name in MODULES:
        if name != "cfglint":  # which `python -m cfglint` finds before any of its code runs
            (checkout / f"{name}.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    result = spawn(*words, cwd=checkout)
    assert result.code in (0, 1), result.err
    assert not trace.exists()


@pytest.mark.parametrize("words", [("train.yml",), ("--version",)])
def test_the_installed_command_imports_nothing_of_the_folder(
    checkout: Path, words: tuple[str, ...]
) -> None:
    command = shutil.which("cfglint", path=os.path.dirname(sys.executable))
    if command is None:
        pytest.skip("the command is not installed")
    import subprocess

    trace = checkout.parent / "was-run"
    for name in MODULES:
        (checkout / f"{name}.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    done = subprocess.run(
        [command, *words], cwd=checkout, env=environment(PYTHONPATH=""), check=False, timeout=60
    )
    assert done.returncode in (0, 1)
    assert not trace.exists()


@needs_links
def test_a_link_out_of_the_repository_is_neither_shown_nor_fixed(checkout: Path) -> None:
    secret = checkout.parent / "private.yml"
    secret.write_text(MISSPELT + "# SECRET_TOKEN=hunter2\n")
    (checkout / "env.yml").symlink_to(secret)
    result = run("env.yml", "--fix")
    assert result.code == 2
    assert "env.yml: cannot be read: it is a link that leads out of the repository" in result.err
    assert "hunter2" not in result.both
    result = run(".", "--fix")
    assert result.code == 0
    assert "env.yml" not in result.both
    assert "hunter2" in secret.read_text()
    assert secret.read_text().startswith(MISSPELT)


@needs_links
def test_a_link_out_of_a_searched_folder_is_left_out_without_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside.yml").write_text(MISSPELT)
    (tmp_path / "unpacked").mkdir()
    (tmp_path / "unpacked/train.yml").symlink_to("../outside.yml")
    (tmp_path / "unpacked-too.yml").write_text(MISSPELT)
    (tmp_path / "unpacked/beside.yml").symlink_to("../unpacked-too.yml")
    monkeypatch.chdir(tmp_path / "unpacked")
    assert run(".").code == 0
    assert run("train.yml").code == 1  # named by the user


@needs_links
@pytest.mark.parametrize(
    "option",
    ["--output=sarif:out.sarif", "--output=out.sarif", "--baseline=out.sarif"],
)
def test_no_report_is_written_through_a_link_out_of_the_repository(
    checkout: Path, option: str
) -> None:
    victim = checkout.parent / "victim"
    victim.write_text("precious\n")
    (checkout / "out.sarif").symlink_to(victim)
    words = ("--write-baseline",) if "baseline" in option else ()
    result = run("train.yml", option, *words)
    assert result.code == 2
    assert "leads out of the repository" in result.err
    assert victim.read_text() == "precious\n"


@needs_links
def test_settings_are_not_read_through_such_a_link(checkout: Path) -> None:
    (checkout.parent / "credentials").write_text("token = 'hunter2'\n")
    (checkout / "cfglint.toml").symlink_to("../credentials")
    assert "token" not in run("train.yml").both
    result = run("train.yml", "--config", "cfglint.toml")
    assert result.code == 2
    assert "token" not in result.both


@needs_links
@pytest.mark.parametrize("command", ["effective", "fit", "migrate"])
def test_other_commands_do_not_read_through_it_either(checkout: Path, command: str) -> None:
    (checkout.parent / "private.yml").write_text("base_model: a/hunter2\nsequence_lenn: 1\n")
    (checkout / "link.yml").symlink_to("../private.yml")
    words = ("--to", "axolotl==0.21.0") if command == "migrate" else ()
    result = run(command, "link.yml", *words)
    assert result.code == 2
    assert "hunter2" not in result.both
