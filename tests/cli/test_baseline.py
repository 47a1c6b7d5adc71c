"""`--baseline` and `--write-baseline`: known findings are not told, new ones fail."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cfglint.roles.framework import load_framework
from tests.cli.files import CLEAN, MISSPELT
from tests.cli.running import run

NAME = ".cfglint-baseline.json"
LISTED = CLEAN.replace("    type: alpaca\n", "    type: alpaca\n    shuffel: 1\n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "a.yml").write_text(MISSPELT, encoding="utf-8")
    (tmp_path / "configs" / "b.yml").write_text(LISTED, encoding="utf-8")
    return tmp_path


def files() -> dict[str, Any]:
    read = json.loads(Path(NAME).read_text(encoding="utf-8"))
    assert read["version"] == 1
    found: dict[str, Any] = read["files"]
    return found


def codes(*arguments: str) -> list[str]:
    found = json.loads(run(*arguments, "--format", "json").out)["files"]
    return [diagnostic["code"] for file in found for diagnostic in file["diagnostics"]]


def test_what_is_written_can_be_read_in_a_review() -> None:
    assert run(".", "--write-baseline").code == 0
    assert Path(NAME).read_text(encoding="utf-8") == (
        '{\n  "version": 1,\n  "files": {\n'
        '    "configs/a.yml": {\n      "KEY001": {\n        "output_dirr": 1\n      }\n    },\n'
        '    "configs/b.yml": {\n      "KEY001": {\n        "datasets[].shuffel": 1\n      }\n    }\n'
        "  }\n}\n"
    )
    before = Path(NAME).read_bytes()
    assert "(0 new, 0 gone)" in run("configs", ".", "--write-baseline").out
    assert Path(NAME).read_bytes() == before


def test_known_findings_are_not_reported_and_do_not_fail() -> None:
    assert run(".").code == 1
    run(".", "--write-baseline")
    result = run(".", "--baseline", NAME)
    assert result.code == 0
    assert "No new problems in 2 files" in result.out
    assert f"2 findings listed in {NAME} not shown." in result.out
    assert codes(".", "--baseline", NAME) == []


def test_how_to_use_it_is_shown_once() -> None:
    hint = f"--baseline {NAME}, or `baseline` in the settings, hides them from now on."
    assert hint in run(".", "--write-baseline").out
    assert hint not in run(".", "--baseline", NAME).out
    assert hint not in run(".", "--baseline", NAME, "--write-baseline").out
    Path("cfglint.toml").write_text(f'baseline = "{NAME}"\n', encoding="utf-8")
    assert hint not in run(".", "--write-baseline").out


def test_paths_count_from_the_baselines_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    run(".", "--write-baseline")
    monkeypatch.chdir("configs")
    assert run("a.yml", "b.yml", "--baseline", f"../{NAME}").code == 0


def test_moved_lines_and_items_stay_known() -> None:
    run(".", "--write-baseline")
    Path("configs/a.yml").write_text("# moved\n\n" + MISSPELT, encoding="utf-8")
    moved = LISTED.replace("datasets:\n", "datasets:\n  - path: x\n    type: alpaca\n")
    Path("configs/b.yml").write_text(moved, encoding="utf-8")
    result = run(".", "--baseline", NAME)
    assert (result.code, "no longer found" in result.out) == (0, False)


def test_new_findings_fail() -> None:
    run(".", "--write-baseline")
    # A second one of the same rule at the same key of another item.
    text = LISTED.replace("sequence_len", "  - path: y\n    shuffel: 1\nsequence_len")
    Path("configs/b.yml").write_text(text, encoding="utf-8")
    result = run(".", "--baseline", NAME, "--format", "json", "--fail-on", "warning")
    (found,) = [
        found
        for file in json.loads(result.out)["files"]
        for found in file["diagnostics"]
        if found["code"] == "KEY001"
    ]
    assert result.code == 1
    assert found["path"] == ["datasets", 1, "shuffel"]


def test_fixed_findings_are_counted_and_removed() -> None:
    run(".", "--write-baseline")
    Path("configs/a.yml").write_text(CLEAN, encoding="utf-8")
    said = f"1 finding in {NAME} no longer found; --write-baseline removes it."
    assert said in run(".", "--baseline", NAME).out
    assert said in run("configs/a.yml", "--baseline", NAME, "--format", "concise").err
    assert "(0 new, 1 gone)" in run(".", "--write-baseline").out
    assert list(files()) == ["configs/b.yml"]
    Path("configs/b.yml").unlink()
    assert said in run(".", "--baseline", NAME, "--statistics").err
    run("configs/a.yml", "--write-baseline")
    assert files() == {}


def test_what_a_run_has_nothing_to_do_with_stays() -> None:
    run(".", "--write-baseline")
    Path("configs/a.yml").write_text(CLEAN, encoding="utf-8")
    assert "no longer found" not in run("configs/b.yml", "--baseline", NAME).out
    run("configs/b.yml", "--write-baseline")
    assert list(files()) == ["configs/a.yml", "configs/b.yml"]
    # Other rules have not been tried.
    assert "no longer found" not in run(".", "--baseline", NAME, "--select", "YML").out


def git(*arguments: str) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *arguments], check=True, capture_output=True)


@pytest.mark.parametrize("option", ["--staged", "--changed-since=HEAD"])
def test_files_that_have_not_changed_keep_their_entries(option: str) -> None:
    run(".", "--write-baseline")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    Path("configs/a.yml").write_text(CLEAN, encoding="utf-8")
    git("add", ".")
    said = f"1 finding in {NAME} no longer found; --write-baseline removes it."
    assert said in run(".", option, "--baseline", NAME, "--statistics").err
    assert "(0 new, 1 gone)" in run(".", option, "--write-baseline").out
    assert list(files()) == ["configs/b.yml"]


@pytest.mark.parametrize("option", ["--staged", "--changed-since=HEAD"])
def test_a_file_that_only_a_changed_config_names_keeps_its_entries(option: str) -> None:
    zero = '{"zero_optimization": {"stage": 3, "contiguous_gradient": true}, "bf16": {"enabled": true}}\n'
    Path("zero.json").write_text(zero, encoding="utf-8")
    Path("configs/a.yml").write_text(CLEAN + "deepspeed: zero.json\n", encoding="utf-8")
    run(".", "--write-baseline")
    before = files()["zero.json"]
    assert before
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    text = CLEAN + "gradient_clipping: 1.0\ndeepspeed: zero.json\noutput_dirr: x\n"
    Path("configs/a.yml").write_text(text, encoding="utf-8")
    git("add", ".")
    assert "no longer found" not in run(".", option, "--baseline", NAME, "--statistics").err
    assert " 0 gone)" in run(".", option, "--write-baseline").out
    assert files()["zero.json"] == before


def test_a_code_that_a_rule_had_counts() -> None:
    former, now = next(iter(load_framework("axolotl").knowledge.renamed.items()))
    rows = {"configs/c.yml": {former: {"k": 1}}}
    Path(NAME).write_text(json.dumps({"version": 1, "files": rows}), encoding="utf-8")
    Path("configs/c.yml").write_text(CLEAN, encoding="utf-8")
    run("configs/a.yml", "--write-baseline")
    assert files()["configs/c.yml"] == {now: {"k": 1}}


def test_a_file_that_is_no_config_any_more_is_gone_from_its_folder() -> None:
    run(".", "--write-baseline")
    Path("configs/a.yml").write_text("services: {}\n", encoding="utf-8")
    assert "1 finding in" in run(".", "--baseline", NAME).out


@pytest.mark.parametrize("option", ["--select=KEY", "--ignore=KEY", "--min-confidence=high"])
def test_a_baseline_is_of_all_rules(option: str) -> None:
    result = run(".", "--write-baseline", option)
    assert (result.code, Path(NAME).exists()) == (2, False)
    assert "needs all rules" in result.err


def test_nothing_is_written_when_a_file_could_not_be_checked() -> None:
    assert run(".", "missing.yml", "--write-baseline").code == 2
    assert not Path(NAME).exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"version": 2, "files": {}}',
        '{"version": 1, "files": []}',
        '{"version": 1, "files": {"a.yml": {"KEY001": 3}}}',
        '{"version": 1, "files": {"a.yml": {"KEY001": {"k": "many"}}}}',
        '{"version": 1, "files": {"a.yml": {"KEY001": {"k": true}}}}',
        '{"version": 1, "files": {"a.yml": {"KEY001": {"k": -1}}}}',
        '{"version": 1, "files": {"a\\u0000.yml": {"KEY001": {"k": 1}}}}',
        "[" * 100_000,
        "\udcff",
    ],
)
@pytest.mark.parametrize("write", [[], ["--write-baseline"]])
def test_a_file_that_is_not_a_baseline_is_an_error(text: str, write: list[str]) -> None:
    Path("other.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    result = run("configs", "--baseline", "other.json", *write)
    assert (result.code, result.err) == (
        2,
        "cfglint: other.json: not a baseline file; --write-baseline creates one\n",
    )


def test_a_missing_baseline_is_an_error() -> None:
    result = run(".", "--baseline", "none.json")
    assert result.code == 2
    assert "none.json: cannot be read" in result.err


def test_reports_for_other_programs_have_new_findings_only() -> None:
    run(".", "--write-baseline")
    run(".", "--baseline", NAME, "--output", "gitlab:out.json")
    assert Path("out.json").read_text(encoding="utf-8") == "[]\n"


def test_a_setting_names_it_and_the_option_wins() -> None:
    Path("cfglint.toml").write_text('baseline = "known.json"\n', encoding="utf-8")
    assert run(".").code == 2
    assert "known.json: cannot be read: " in run(".").err
    assert "; --write-baseline creates one" in run(".").err
    assert run(".", "--write-baseline").code == 0
    assert not Path(NAME).exists()
    assert run(".").code == 0
    assert "2 findings listed in known.json not shown." in run(".").out
    assert codes(".") == []
    assert run("configs/a.yml").out.count("KEY001") == 0
    assert run(".", "--isolated").code == 1
    Path("other.json").write_text('{"version": 1, "files": {}}', encoding="utf-8")
    assert codes(".", "--baseline", "other.json") == ["KEY001", "KEY001"]
    assert 'baseline = "known.json"' in run("settings", "configs/a.yml").out


def test_each_file_has_the_baseline_of_its_settings() -> None:
    Path("configs/cfglint.toml").write_text('baseline = "../known.json"\n', encoding="utf-8")
    Path(".git").mkdir()
    Path("c.yml").write_text(MISSPELT, encoding="utf-8")
    run("configs", "--write-baseline")
    read = json.loads(Path("known.json").read_text(encoding="utf-8"))
    assert list(read["files"]) == ["configs/a.yml", "configs/b.yml"]
    result = run(".")
    assert result.code == 1
    assert "c.yml" in result.out
    assert "configs/a.yml" not in result.out
    assert "2 findings listed in known.json not shown." in result.out
    run(".", "--write-baseline")
    assert list(files()) == ["c.yml"]
    assert json.loads(Path("known.json").read_text(encoding="utf-8")) == read


def test_a_baseline_outside_of_the_project_is_refused() -> None:
    Path(".git").mkdir()
    Path("cfglint.toml").write_text('baseline = "../known.json"\n', encoding="utf-8")
    result = run(".", "--write-baseline")
    assert result.code == 2
    assert "baseline: '../known.json' is outside the project" in result.err
