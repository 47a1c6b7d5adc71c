"""What is wrong with words that a shell cuts off is reported at once, at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

SWIFT = "swift sft --model Qwen/Qwen2.5-0.5B --dataset a"
VERL = "python3 -m verl.trainer.main_ppo"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(text: str) -> set[str]:
    Path("run.sh").write_text(text)
    lines = run("run.sh", "--format", "concise").out.splitlines()
    rows = [line.split(" ") for line in lines if line.startswith("run.sh:")]
    return {f"{place.split(':')[1]} {code}" for place, _, code, *_ in rows}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f"{SWIFT} \\\n  --output_dir o\n  --learning_rte 1 \\\n  --lora_rank a\n", {"3 LCH814", "3 KEY001", "4 TYP001"}),
        # a comment between the lines, a blank behind the backslash, two cuts
        (f"{VERL} \\\n  data.seed=1 \\\n  # c\n  trainer.nnodesx=3\n", {"4 LCH814", "4 KEY001"}),
        (f"{SWIFT} --output_dir o \\ \n  --learning_rte 1\n", {"2 LCH814", "2 KEY001"}),
        (f"{SWIFT} --output_dir o \\  # c\n  --learning_rte 1\n", {"2 LCH814", "2 KEY001"}),
        (f"{SWIFT}\n  --output_dir o\n  --learning_rte 1\n", {"2 LCH814", "3 LCH814", "3 KEY001"}),
        # in a further command of the script
        (f"{SWIFT}\n{SWIFT}\n  --learning_rte 1\n", {"3 LCH814", "3 KEY001"}),
        (f"{SWIFT} \\\n  --learning_rte 1\n", {"2 KEY001"}),
    ],
)  # fmt: skip
def test_behind_a_cut(text: str, codes: set[str]) -> None:
    assert found(text) >= codes


def test_what_both_halves_have_together() -> None:
    """`--packing` is above the cut, and what does not go with it, below."""
    text = f"{SWIFT} --packing true\n  --attn_impl sdpa\n"
    assert {"2 LCH814", "2 SWF006"} <= found(text)


def test_it_is_repaired_in_one_go() -> None:
    Path("run.sh").write_text(f"{SWIFT}\n  --output_dir o \\\n  --learning_rte 1\n")
    run("run.sh", "--fix")
    expected = f"{SWIFT} \\\n  --output_dir o \\\n  --learning_rate 1\n"
    assert Path("run.sh").read_text() == expected


def test_nothing_reads_these_words_yet() -> None:
    Path("run.sh").write_text(f"{SWIFT} --output_dir o\n  --learning_rte 1\n")
    lines = run("run.sh", "--format", "concise").out.splitlines()
    (line,) = (one for one in lines if "KEY001" in one)
    assert "warning KEY001" in line
    assert "Once the lines are joined: " in line


def test_a_blank_that_the_cut_leaves_behind_is_no_word_of_its_own() -> None:
    script = f"{VERL} data.seed=1 \\  # c\n  trainer.nnodes=3\n"
    assert not any("VRL001" in one for one in found(script))
