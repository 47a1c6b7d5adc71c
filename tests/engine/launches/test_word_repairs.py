"""What is wrong with a word of a launch line is repaired in the script that has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.engine.files_together.test_other_files import CONFIG

LF = (
    "model_name_or_path: Qwen/Qwen2.5-0.5B\nstage: sft\ndo_train: true\nfinetuning_type: lora\n"
    "dataset: alpaca_en_demo\ntemplate: qwen\noutput_dir: out\n"
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("train.yml").write_text(CONFIG)
    Path("lf.yaml").write_text(LF)


@pytest.mark.parametrize(
    ("written", "fixed", "options"),
    [
        ("axolotl train train.yml --optimizer=adamw_trch", "--optimizer=adamw_torch", ()),
        ("axolotl train train.yml --optimizer adamw_trch", "--optimizer adamw_torch", ()),
        ("axolotl train train.yml --optimizer 'adamw_trch'", "--optimizer 'adamw_torch'", ()),
        (
            "axolotl train train.yml \\\n  --optimizer adamw_trch \\\n  --seed 3",
            "\\\n  --optimizer adamw_torch \\\n  --seed 3",
            (),
        ),
        ("axolotl train train.yml --micro_batch_size 4", "--micro-batch-size 4", ()),
        (
            "axolotl train train.yml --micro-batch-sise 4",
            "--micro-batch-size 4",
            ("--unsafe-fixes",),
        ),
        (
            "accelerate launch --num_proceses 2 -m axolotl.cli.train train.yml",
            "--num_processes",
            (),
        ),
        (
            "export CUDA_VISIBLE_DEVICE=0\naxolotl train train.yml",
            "CUDA_VISIBLE_DEVICES=0",
            ("--unsafe-fixes",),
        ),
        ("llamafactory-cli train lf.yaml lora_rnk=16", "lora_rank=16", ()),
        ("llamafactory-cli train lf.yaml template=qwenn", "template=qwen", ("--unsafe-fixes",)),
    ],
)
def test_the_word_is_what_changes(written: str, fixed: str, options: tuple[str, ...]) -> None:
    Path("run.sh").write_text(f"{written}\n")
    assert fixed.splitlines()[-1].strip() in run(".", "--diff", *options).out
    assert Path("run.sh").read_text() == f"{written}\n"
    run(".", "--fix", *options)
    assert fixed in Path("run.sh").read_text()
    assert "run.sh" not in run(".", "--diff", *options).out


def test_a_script_that_starts_two_configs_is_fixed_once_for_both() -> None:
    Path("other.yml").write_text(CONFIG)
    line = "axolotl train {} --optimizer=adamw_trch\n"
    Path("run.sh").write_text(line.format("train.yml") + line.format("other.yml"))
    out = run(".", "--diff").out
    assert out.count("+axolotl") == out.count("-axolotl") == 2
    result = run(".", "--fix")
    assert "not written" not in result.out
    assert Path("run.sh").read_text().count("adamw_torch\n") == 2


def test_equal_words_of_two_scripts_are_each_fixed_in_their_own() -> None:
    Path("a.sh").write_text("llamafactory-cli train lf.yaml lora_rnk=16\n")
    Path("b.sh").write_text("# longer\n\nllamafactory-cli train lf.yaml lora_rnk=16\n")
    run(".", "--fix")
    assert Path("a.sh").read_text() == "llamafactory-cli train lf.yaml lora_rank=16\n"
    assert Path("b.sh").read_text().endswith("\nllamafactory-cli train lf.yaml lora_rank=16\n")


def test_the_replacement_is_in_the_reports_and_counts() -> None:
    Path("run.sh").write_text("llamafactory-cli train lf.yaml lora_rnk=16\n")
    report = json.loads(run(".", "--format", "json").out)
    (found,) = [d for file in report["files"] for d in file["diagnostics"] if d["code"] == "KEY001"]
    assert found["fixes"][0]["edits"] == [{"start": 31, "end": 39, "text": "lora_rank"}]
    assert '| replace "llamafactory-cli' in run(".", "--format", "agent").out
    assert "(1 fixable with --fix)" in run(".").out


@pytest.mark.parametrize(
    "line",
    [
        'llamafactory-cli train lf.yaml "lora_rnk=$RANK"',
        "subprocess.run(['llamafactory-cli', 'train', 'lf.yaml', 'lora_rnk=16'])",
    ],
)
def test_what_is_no_plain_word_of_a_script_stays(line: str) -> None:
    Path("run.sh" if "$" in line else "run.py").write_text(f"import subprocess\n{line}\n")
    assert not run(".", "--diff").out


def test_a_named_script_that_only_starts_a_config_has_the_findings_of_its_words() -> None:
    text = "axolotl train train.yml --optimizer=adamw_trch\n"
    Path("run.sh").write_text(text)
    result = run("run.sh", "--format", "concise")
    assert result.code == 1
    assert "run.sh:1:25: error OPT451" in result.out
    assert Path("run.sh").read_text() == text
    run("run.sh", "--fix")
    assert "--optimizer=adamw_torch\n" in Path("run.sh").read_text()
    # Nothing is wrong with the words: the config is what is to be checked.
    nothing = run("run.sh")
    assert nothing.code == 0
    assert "it starts train.yml; check that" in nothing.out
