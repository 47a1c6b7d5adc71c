"""Projects with a copy of verl: its configs and its checks decide, and not those of a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

COMMAND = "python3 -m verl.trainer.main_ppo \\\n    {words}\n"
CONFIG = "verl/trainer/config/ppo_trainer.yaml"
TRAINER = "verl/trainer/ppo/ray_trainer.py"
OWN = "mine:\n  steps: 3\ndata:\n  train_batch_size: 1024\ntrainer:\n  own_setting: 1\n"
CHECKED = (
    "assert config.data.train_batch_size >= config.actor_rollout_ref.actor.ppo_mini_batch_size"
)


def lint(path: Path) -> list[str]:
    """The codes of the findings about a file."""
    return [one.code for one in lint_file(path).diagnostics]


def codes(root: Path, script: str, words: str, files: dict[str, str]) -> list[str]:
    """The codes of the findings about a script of a project."""
    (root / ".git").mkdir()
    for name, text in {**files, script: COMMAND.format(words=words)}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return lint(root / script)


@pytest.mark.parametrize("folder", ["", "verl/", "verl-agent/", "VERL-mine/"])
@pytest.mark.parametrize("script", ["run.sh", "scripts/train/run.sh"])
def test_config_of_a_copy(tmp_path: Path, folder: str, script: str) -> None:
    files = {f"{folder}{CONFIG}": OWN}
    words = "mine.steps=4 trainer.own_setting=2 data.train_batch_size=8"
    assert codes(tmp_path, script, words, files) == []


def test_key_that_a_copy_does_not_have(tmp_path: Path) -> None:
    found = codes(tmp_path, "scripts/run.sh", "mine.step=4", {f"verl/{CONFIG}": OWN})
    assert found == ["VRL018"]


def test_a_clone_beside_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    other = tmp_path / "verl" / CONFIG
    other.parent.mkdir(parents=True)
    other.write_text(OWN)
    script = tmp_path / "project" / "run.sh"
    script.parent.mkdir()
    script.write_text(COMMAND.format(words="mine.steps=4"))
    assert "VRL018" not in lint(script)


def test_two_copies_decide_nothing(tmp_path: Path) -> None:
    files = {f"verl-a/{CONFIG}": OWN, f"verl-b/{CONFIG}": OWN}
    assert codes(tmp_path, "run.sh", "mine.steps=4", files) != []


@pytest.mark.parametrize(
    ("trainer", "found"),
    [
        (CHECKED, ["VRL010"]),
        (f"# {CHECKED}\n", []),
        ("def fit(self): ...\n", []),
        ("if train_batch_size < self.ppo_mini_batch_size: raise ValueError\n", ["VRL010"]),
    ],
)
def test_check_that_a_copy_dropped(tmp_path: Path, trainer: str, found: list[str]) -> None:
    own = "data: {train_batch_size: 8}\nactor_rollout_ref: {actor: {ppo_mini_batch_size: 4, use_dynamic_bsz: false}}\n"
    files = {f"verl/{CONFIG}": own, f"verl/{TRAINER}": trainer}
    words = "data.train_batch_size=8 actor_rollout_ref.actor.ppo_mini_batch_size=16"
    assert codes(tmp_path, "run.sh", words, files) == found


def test_parent_in_a_package(tmp_path: Path) -> None:
    own = "defaults:\n  - manager@place.of.manager\n  - _self_\nmine: 1\n"
    files = {CONFIG: own, "verl/trainer/config/manager.yaml": "name: naive\n"}
    assert codes(tmp_path, "run.sh", "place.of.manager.name=x mine=2", files) == []
    assert lint(tmp_path / "run.sh") == []


def test_command_without_a_word(tmp_path: Path) -> None:
    assert codes(tmp_path, "run.sh", "", {}) == []


SIZES = (
    "actor_rollout_ref.model.path=Qwen/Qwen3-8B actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2"
    " actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=2 critic.ppo_micro_batch_size_per_gpu=2"
    " actor_rollout_ref.rollout.name=vllm {more}"
)
UNGUARDED = (
    'def check(self):\n        raise ValueError("Please set at least one of")\n'
    "        check_mutually_exclusive(config.actor_rollout_ref.ref.log_prob_micro_batch_size,\n"
)
GUARDED = (
    'def check(self):\n        raise ValueError("Please set at least one of")\n'
    "        if self.use_reference_policy:\n            # reference\n"
    "            check_mutually_exclusive(config.actor_rollout_ref.ref.log_prob_micro_batch_size,\n"
)


@pytest.mark.parametrize(
    ("source", "kl", "expected"),
    [
        (UNGUARDED, "False", ["VRL026"]),
        (GUARDED, "False", []),
        (GUARDED, "True", ["VRL026"]),
        (GUARDED, "$KL", []),
    ],
)
def test_a_copy_examines_the_reference_model_of_runs_that_have_one(
    tmp_path: Path, source: str, kl: str, expected: list[str]
) -> None:
    files = {f"verl/{TRAINER}": source, "verl/verl/version/version": "0.3.0.post1\n"}
    words = SIZES.format(more=f"actor_rollout_ref.actor.use_kl_loss={kl}")
    found = codes(tmp_path, "run.sh", words, files)
    assert [code for code in found if code == "VRL026"] == expected


def test_a_copy_some_folders_below(tmp_path: Path) -> None:
    home = "examples/deep/project"
    files = {f"{home}/{CONFIG}": OWN, f"{home}/verl/__init__.py": ""}
    words = "mine.steps=4 trainer.own_setting=2 mine.step=1"
    assert codes(tmp_path, "examples/run.sh", words, files) == ["VRL018"]


def test_of_two_copies_below_neither_decides(tmp_path: Path) -> None:
    files = {f"examples/{one}/x/{CONFIG}": OWN for one in "ab"}
    files |= {f"examples/{one}/x/verl/__init__.py": "" for one in "ab"}
    found = codes(tmp_path, "examples/run.sh", "mine.steps=4", files)
    assert "VRL018" not in found


@pytest.mark.parametrize(
    ("trainer", "found"),
    [
        (
            'raise ValueError("tool_config_path must be set when enabling multi_turn with tool")\n',
            True,
        ),
        ("def fit(self): ...\n", False),
    ],
)
def test_turns_without_tools_in_a_copy(trainer: str, found: bool, tmp_path: Path) -> None:
    words = "algorithm.adv_estimator=grpo actor_rollout_ref.rollout.multi_turn.enable=True"
    files = {TRAINER: trainer, "requirements.txt": "verl==0.4.1\n"}
    assert ("VRL052" in codes(tmp_path, "run.sh", words, files)) is found


@pytest.mark.parametrize(
    ("program", "found"),
    [
        ('# @hydra.main(config_name="sft")\np.add_argument("--settings", type=str)\n', False),
        ('p.add_argument("--settings", type=str)\n', True),
        ('# @hydra.main(config_name="sft")\np.add_argument("--setting", type=str)\n', True),
    ],
)
def test_an_option_of_a_program_in_place_of_one_of_hydras(
    program: str, found: bool, tmp_path: Path
) -> None:
    words = "--settings=sft.yaml"
    assert ("VRL001" in codes(tmp_path, "run.sh", words, {"main.py": program})) is found
