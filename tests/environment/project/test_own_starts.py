"""Options of a command that starts a program of the project's own are laid over the file that it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

CONFIG = """\
model_name_or_path: Qwen/Qwen3-0.6B
dataset_name: some/data
output_dir: ./out
reward_funcs: [accuracy]
use_vllm: true
temperature: 0.7
"""
PROGRAM = """\
from trl import GRPOConfig, GRPOTrainer, ModelConfig, ScriptArguments, TrlParser

parser = TrlParser((ScriptArguments, GRPOConfig, ModelConfig))
script_args, training_args, model_args = parser.parse_args_and_config()
"""
HANDBOOK = """\
from alignment import H4ArgumentParser

parser = H4ArgumentParser((ModelArguments, DataArguments, GRPOConfig))
model_args, data_args, training_args = parser.parse()
"""
LINE = "accelerate launch --config_file zero3.yaml src/mine/grpo.py --config recipes/grpo.yaml"


def found(script: str, program: str = PROGRAM) -> tuple[list[str], list[str]]:
    """(codes of the config, codes reported in the script)."""
    for folder in (".git", "recipes", "scripts", "src/mine"):
        Path(folder).mkdir(parents=True)
    Path("recipes/grpo.yaml").write_text(CONFIG)
    Path("src/mine/grpo.py").write_text(program)
    Path("scripts/grpo.sh").write_text(f"{script}\n")
    report = lint_file("recipes/grpo.yaml", target=["trl==0.15.1"])
    own = [one.code for one in report.diagnostics if one.severity != "note"]
    return own, [one.code for other in report.elsewhere for one in other.diagnostics]


@pytest.mark.parametrize(
    ("script", "own"),
    [
        (LINE, ["TRL452"]),
        (f"{LINE} --temperature 1.0", []),
        (f"{LINE} --mine 3 \\\n    --temperature 1.0", []),
        (f"{LINE} --temperature $TEMPERATURE", []),
        (f"{LINE} --temperature=0.9", ["TRL452"]),
        # One of the runs is without.
        (f"{LINE} --temperature 1.0\n{LINE}", ["TRL452"]),
        (f"# {LINE} --temperature 1.0", ["TRL452"]),
        (f"echo {LINE} --temperature 1.0", ["TRL452"]),
        (f"{LINE.replace('recipes/grpo', 'recipes/other')} --temperature 1.0", ["TRL452"]),
        (f"CONFIG=recipes/grpo.yaml\n{LINE.replace('recipes/grpo.yaml', '$CONFIG')} --temperature 1", []),
        ("python -m mine.grpo --config recipes/grpo.yaml --temperature 1.0", []),
        ("python tools/other.py --config recipes/grpo.yaml --temperature 1.0", ["TRL452"]),
        # Not this parser's way.
        ("python src/mine/grpo.py recipes/grpo.yaml --temperature=1.0", ["TRL452"]),
    ],
)  # fmt: skip
def test_options_of_own_programs(
    script: str, own: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert found(script)[0] == own


def test_the_parser_of_the_handbook_takes_the_file_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = "python src/mine/grpo.py recipes/grpo.yaml --temperature=1.0"
    assert "TRL452" not in found(script, HANDBOOK)[0]


def test_what_an_option_causes_is_reported_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own, theirs = found(f"{LINE} --temperature 1.0 --save_strategy sometimes --mine 3")
    assert (own, theirs) == ([], ["TYP002", "TRL281"])


@pytest.mark.parametrize(
    ("options", "program", "theirs"),
    [
        ("--mine 3", PROGRAM, ["TRL281"]),
        ("--mine=3 --learning_rate 1e-6", PROGRAM, ["TRL281"]),
        ("--num_gen 8 --reward-funcs accuracy --model_name_or_path x --no_remove_unused_columns", PROGRAM, []),
        ("$OPTIONS --learning_rate 1e-6", PROGRAM, []),
        # Other releases have it, and which one runs is stated of TRL alone.
        ("--eval_strategy steps --loss_type bnpo", PROGRAM, []),
        ("--mine 3", f"{PROGRAM}print(parser.parse_known_args())\n", []),
        ("--mine 3", PROGRAM.replace("GRPOConfig,", "Mine,"), []),
    ],
)  # fmt: skip
def test_an_option_beside_the_file_that_no_class_has(
    options: str, program: str, theirs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reported = found(f"{LINE} {options}", program)[1]
    assert [code for code in reported if not code.startswith("TRL4")] == theirs


def test_a_page_may_be_about_any_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("README.md").write_text(f"```\n{LINE} --mine 3\n```\n")
    assert found("true")[1] == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("grpo.py", ["TRL452"]),
        ("run_grpo.py", ["TRL452"]),
        ("train.py", []),
        ("orpo_or_grpo.py", []),
        ("grpo_eval.py", []),
        ("precompute_for_grpo.py", []),
    ],
)
def test_the_program_that_a_file_is_started_with_tells_its_command(
    program: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (".git", "recipes", "src"):
        Path(folder).mkdir()
    Path("recipes/small.yaml").write_text(CONFIG)
    Path("src", program).write_text(PROGRAM)
    Path("start.sh").write_text(f"accelerate launch src/{program} --config recipes/small.yaml\n")
    report = lint_file("recipes/small.yaml", target=["trl==0.15.1"])
    assert [one.code for one in report.diagnostics if one.severity != "note"] == expected
