"""Options that choose what is checked and what is shown."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import run

#: An error, a warning and a note.
TEXT = """\
base_model: a/b
datasets: [{path: x.jsonl, type: alpaca}]
micro_batch_size: 2
gradient_accumulation_steps: 2
learning_rate: 0.0002
eval_table_max_new_tokens: 256
sequence_lenn: 1024
my_own_key: 1
warmup_steps: 10
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.yml").write_text(TEXT, encoding="utf-8")


def severities(*options: str) -> set[str]:
    report = json.loads(run("train.yml", "--format", "json", *options).out)
    return {one["severity"] for file in report["files"] for one in file["diagnostics"]}


def test_min_severity() -> None:
    assert severities() == {"error", "warning", "note"}
    assert severities("--min-severity", "warning") == {"error", "warning"}
    assert severities("--min-severity", "error") == {"error"}
    assert severities("--min-severity", "info") == {"error", "warning", "note"}
    Path("cfglint.toml").write_text('min-severity = "error"\n', encoding="utf-8")
    assert severities() == {"error"}
    assert severities("--min-severity", "note") == {"error", "warning", "note"}


def test_what_is_not_reported_fails_nothing_and_is_not_fixed() -> None:
    Path("train.yml").write_text(TEXT.replace("sequence_lenn: 1024\n", ""), encoding="utf-8")
    options = ("--min-severity", "error", "--fail-on", "warning")
    assert run("train.yml", "--fail-on", "warning").code == 1
    assert run("train.yml", *options).code == 0


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (("-q",), ("--quiet",)),
        (("-s", "KEY"), ("--select", "KEY")),
        (("-sKEY",), ("--select", "KEY")),
        (("-o", "json:out.json"), ("--output", "json:out.json")),
        (("-e", "train*"), ("--exclude", "train*")),
    ],
)
def test_short_options(short: tuple[str, ...], long: tuple[str, ...]) -> None:
    one = run(".", *short)
    Path("out.json").unlink(missing_ok=True)
    assert one == run(".", *long)
    assert one.err == ""


def test_quiet_is_one_line() -> None:
    assert run("train.yml", "-q").out == (
        "1 error, 1 warning, 1 note in 1 file (2 fixable with --fix)\n"
    )
    assert run("train.yml", "-q", "-s", "SAV").out == "No problems in 1 file\n"
    assert run("train.yml", "-q", "--fix").out.startswith("Fixed 2 findings; ")
    Path("notes.txt").write_text("x\n", encoding="utf-8")
    assert run("notes.txt", "--detect", "-q").out.count("\n") == 1


def test_extend_select() -> None:
    only = ("--format", "concise", "--select", "SAV")
    assert run("train.yml", *only).out == ""
    assert " KEY001" in run("train.yml", *only, "--extend-select", "KEY001").out
    assert "TYP" not in run("train.yml", *only, "--extend-select", "KEY001").out
    # It overrides a shorter prefix that is ignored.
    out = run("train.yml", "--ignore", "KEY", "--extend-select", "KEY001", "-q").out
    assert out.startswith("1 error, 1 warning in 1 file")


def test_exclude_and_force_exclude() -> None:
    nothing = "No training configs found.\n"
    assert run(".", "--exclude", "train.yml").out == (
        f"{nothing}Left out of the search: 1 (excluded by the settings or an option);"
        " --show-files lists them.\n"
    )
    # A file that is named is checked all the same.
    assert "KEY001" in run("train.yml", "--exclude", "train.yml").out
    assert run("train.yml", "--exclude", "train.yml", "--force-exclude").out == nothing
    settings = Path("cfglint.toml")
    settings.write_text('exclude = ["train.yml"]\n', encoding="utf-8")
    assert "KEY001" in run("train.yml").out
    assert run("train.yml", "--force-exclude").out == nothing
    settings.write_text('exclude = ["train.yml"]\nforce-exclude = true\n', encoding="utf-8")
    assert run("train.yml").out == nothing
    assert run(".", "--exclude", "a[").err.startswith("cfglint: --exclude: 'a['")


def test_an_excluded_standard_input_comes_out_as_it_is() -> None:
    options = ("--stdin-filename", "train.yml", "-e", "train.yml", "--force-exclude", "--fix")
    result = run("-", *options, stdin=TEXT.encode())
    assert (result.code, result.out) == (0, TEXT)


def git(*arguments: str) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *arguments], check=True, capture_output=True)


def test_staged() -> None:
    git("init", "-q")
    assert run(".", "--staged").out == "No training configs are staged.\n"
    git("add", "train.yml")
    assert "KEY001" in run(".", "--staged").out  # before the first commit
    git("commit", "-qm", "x")
    assert run(".", "--staged").out == "No training configs are staged.\n"
    Path("other.yml").write_text(TEXT, encoding="utf-8")
    Path("train.yml").write_text(TEXT + "# changed\n", encoding="utf-8")
    assert run(".", "--staged").out == "No training configs are staged.\n"
    git("add", "train.yml")
    out = run(".", "--staged", "--format", "concise").out
    assert {line.split(":")[0] for line in out.splitlines()} == {"train.yml"}
    assert run(".", "--staged", "--changed-since", "HEAD").err == (
        "cfglint: --staged and --changed-since exclude each other\n"
    )


def test_staged_needs_a_repository(tmp_path: Path) -> None:
    assert run(".", "--staged").err == "cfglint: --staged: not inside a git work tree\n"


def test_verbose_names_the_rules_that_are_undecided() -> None:
    Path("train.yml").write_text(TEXT + "bf16: true\nflash_attention: true\n", encoding="utf-8")
    (line,) = [line for line in run("train.yml").out.splitlines() if "more rule" in line.lower()]
    assert "can be checked" in line
    out = " ".join(run("train.yml", "--verbose").out.split())
    assert "With --gpu NAME also: OPT352 bf16-on-older-gpu" in out


def test_statistics_count_the_findings_own_severities() -> None:
    out = run("train.yml", "--statistics").out
    assert "     1  in 1 file      error   1 fixable     KEY001 unknown-key\n" in out
    assert "     1  in 1 file      warning               KEY001 unknown-key\n" in out
    rows = json.loads(run("train.yml", "--statistics", "--format", "json").out)["rules"]
    row = next(row for row in rows if row["code"] == "KEY001")
    assert (row["severity"], row["findings"]) == ("error", 2)
    assert (row["severities"], row["fixable"]) == ({"error": 1, "warning": 1}, 1)


def test_each_package_is_named_once() -> None:
    for name in ("a.yml", "b.yml"):
        Path(name).write_text(TEXT, encoding="utf-8")
    Path("ds.json").write_text('{"zero_optimization": {"stage": 2}}', encoding="utf-8")
    Path("requirements.txt").write_text("axolotl==0.16.1\ntorch==2.6.0\n", encoding="utf-8")
    out = " ".join(run(".").out.split())
    assert "Checked for axolotl 0.16.1 (requirements.txt line 1), deepspeed " in out
    assert out.count("torch 2.6.0 (requirements.txt") == 1


def test_the_advice_about_own_keys_is_given_once() -> None:
    Path("other.yml").write_text(TEXT.replace("my_own_key", "my_other"), encoding="utf-8")
    out = " ".join(run(".", "--verbose").out.split())
    assert out.count("describe it in a schema of the project") == 1


def test_options_that_say_which_files_need_no_path() -> None:
    git("init", "-q")
    git("add", "train.yml")
    assert run("--staged").out == run(".", "--staged").out
    git("commit", "-qm", "x")
    assert run("--changed-since", "HEAD").out == "No training configs differ from HEAD.\n"
    assert "train.yml: Axolotl\n" in run("--show-files").out
    assert "name a file or a folder" in run("--fix").err


def test_keys_that_only_the_newest_release_refuses_are_named() -> None:
    text = "model_name_or_path: a/b\ndataset_name: a/c\nmax_seq_length: 1\n"
    text += "dataset_batch_size: 2\noutput_dir: out\n"
    Path("sft.yaml").write_text(text, encoding="utf-8")
    out = " ".join(run("sft.yaml").out.split())
    assert (
        "`max_seq_length` and `dataset_batch_size` are not reported, because no file states" in out
    )
    assert "refuses or drops them (--target trl==" in out
    Path("requirements.txt").write_text("trl==0.19.0\n", encoding="utf-8")
    assert "not reported" not in run("sft.yaml").out


def test_what_a_fix_does_not_reach_is_told_apart() -> None:
    """Files that are checked because others name them are not changed before they are named, too."""
    Path("train.yml").write_text(TEXT + "deepspeed: ds.json\n", encoding="utf-8")
    Path("ds.json").write_text('{"zero_optimization": {"stagee": 2}}\n', encoding="utf-8")
    hint = "2 fixable with --fix, 1 more if ds.json is named, too"
    assert hint in run("train.yml").out
    assert run("train.yml", "-q").out.endswith(f"({hint})\n")
    run("train.yml", "--fix")
    assert run("train.yml", "-q").out.endswith("(1 fixable if ds.json is named, too)\n")
    assert "(1 fixable with --fix)" in run("train.yml", "ds.json", "-q").out
    report = json.loads(run("train.yml", "--format", "json").out)
    assert report["summary"]["fixable"] == 0


def test_files_of_a_folder_are_called_as_those_that_they_name() -> None:
    Path("sub").mkdir()
    Path("sub/train.yml").write_text(TEXT + "deepspeed: sub/ds.json\n", encoding="utf-8")
    Path("sub/ds.json").write_text('{"zero_optimization": {"stagee": 2}}\n', encoding="utf-8")
    for folder in (".", "./", "./sub", "sub"):
        out = run(folder, "--format", "concise").out
        assert {line.split(":")[0] for line in out.splitlines()} >= {"sub/train.yml", "sub/ds.json"}
        assert "./" not in out
