"""Whole text reports of real runs, without the words of the rules, which are others' business."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.report.building import at, check_snapshot, finding, report, swap

_TWICE = """\
base_model: a/b
datasets:
  - path: data.jsonl
    type: alpaca
output_dir: ./first
learning_rate: 0.0001
output_dir: ./second
"""
_CONDITIONAL = """\
base_model: a/b
datasets:
  - path: data.jsonl
    type: alpaca
val_set_size: 0.05
sample_packing: true
eval_sample_packing: true
flash_attention: true
"""


def skeleton(printed: str) -> str:
    """The report without messages, notes, costs and titles."""
    lines: list[str] = []
    for line in printed.splitlines():
        if re.match(r"  [^ ]", line) and "│" not in line:
            if lines[-1] != "  (message)":
                lines.append("  (message)")
            continue
        line = re.sub(r"(cost|fix|fix by hand): .*", r"\1: …", line)
        lines.append(re.sub(r"(│ *-+) .*", r"\1 …", line))
    return "\n".join(lines) + "\n"


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("twice.yml").write_text(_TWICE, encoding="utf-8")
    Path("conditional.yml").write_text(_CONDITIONAL, encoding="utf-8")


@pytest.mark.usefixtures("_folder")
def test_a_key_written_twice() -> None:
    arguments = ("twice.yml", "--target", "axolotl==0.18.0", "--select", "YML020", "--isolated")
    check_snapshot("end-to-end.txt", skeleton(run(*arguments).out))


@pytest.mark.usefixtures("_folder")
def test_a_finding_that_depends_on_the_build() -> None:
    arguments = ("conditional.yml", "--target", "axolotl==0.4.1", "--select", "PAK001")
    check_snapshot("end-to-end-conditional.txt", skeleton(run(*arguments, "--isolated").out))


def test_a_finding_in_a_file_without_findings_of_its_own_shows_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path("data/dataset_info.json").write_text(
        '{\n  "one": {\n    "file_name": "alpaca_dat.json"\n  }\n}\n', encoding="utf-8"
    )
    Path("data/alpaca_data.json").write_text("[]\n", encoding="utf-8")
    Path("sft.yaml").write_text(
        "stage: sft\ndo_train: true\nmodel_name_or_path: a/b\nfinetuning_type: lora\n"
        "template: llama3\ndataset: one\noutput_dir: out\n",
        encoding="utf-8",
    )
    out = run("--select", "LLF203", ".", "--color", "never").out
    assert "data/dataset_info.json:3:5  error  LLF203" in out
    assert '  3 │     "file_name": "alpaca_dat.json"\n' in out


def test_a_summary_names_the_releases_of_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.yml").write_text(f"{_CONDITIONAL}micro_batch_size: 1\nnum_epochs: 1\n")
    Path("ds.json").write_text('{"zero_optimization": {"stage": 2}, "train_batch_size": 8}')
    out = run(".", "--format", "markdown").out
    last = out.splitlines()[-1]
    assert last.startswith("Checked for ")
    assert "axolotl 0." in last
    assert "deepspeed 0." in last


def test_a_fix_that_repairs_several_findings_is_counted_once() -> None:
    from cfglint.report.run import RunReport

    text = "a: 1\nb: 2\n"
    fix = swap(text, "b: 2\n", "")
    found = [finding(code, at(text, "b"), fixes=(fix,)) for code in ("KEY001", "KEY002")]
    other = finding("KEY003", at(text, "a"), fixes=(swap(text, "a", "c"),))
    unsafe = finding("KEY004", at(text, "1"), fixes=(swap(text, "1", "2", safety="unsafe"),))
    run = RunReport([report("a.yml", text, *found, other, unsafe)], [])
    assert (run.fixable(), run.unsafely_fixable()) == (2, 1)
