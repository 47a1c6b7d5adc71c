"""Scripts that go to another folder before they start a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

COPY = "verl/trainer/config/ppo_trainer.yaml"


def with_copy(root: Path) -> Path:
    """A project that has a copy of verl with a key of its own."""
    (root / ".git").mkdir(parents=True)
    (root / COPY).parent.mkdir(parents=True)
    (root / COPY).write_text("mine:\n  steps: 3\n")
    return root


@pytest.mark.parametrize(
    ("before", "is_copy"),
    [
        ("", True),
        ("cd ..", True),
        ("cd verl", True),
        ("cd /home/me/ours", True),
        ("cd /home/me/ours/verl", True),
        ("cd /somewhere/verl", True),
        ("cd $ROOT", True),
        ("cd /data/Video/RL\ncd -", True),
        ("(cd /data/Video/RL && make)", True),
        ("pushd /data/Video/RL\npopd", True),
        ("cd /data/Video/RL", False),
        ("cd ../../Video/RL", False),
        ("HOME=/data/Video\ncd $HOME/RL || exit 1\ncd scripts", False),
    ],
)
def test_the_copy_of_the_project_is_read_where_the_script_stays(
    tmp_path: Path, before: str, *, is_copy: bool
) -> None:
    root = with_copy(tmp_path / "ours")
    (root / "jobs").mkdir()
    script = root / "jobs" / "run.sh"
    script.write_text(f"{before}\npython3 -m verl.trainer.main_ppo mine.stepz=1\n")
    found = [one.code for one in lint_file(script).diagnostics]
    assert found == (["VRL018"] if is_copy else [])


def test_what_comes_behind_the_command_does_not_count(tmp_path: Path) -> None:
    with_copy(tmp_path)
    script = tmp_path / "run.sh"
    start = "python3 -m verl.trainer.main_ppo mine.stepz=1\n"
    script.write_text(f"A=1\n{start}cd /data/Video/RL\nB=2\nls\n")
    assert [one.code for one in lint_file(script).diagnostics] == ["VRL018"]


def test_a_program_of_the_project_is_what_runs_after_a_clone_was_installed(tmp_path: Path) -> None:
    for folder in (".git", "jobs/translation"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "jobs/translation/run.py").write_text(
        "from dataclasses import dataclass\n"
        "from transformers import HfArgumentParser, Seq2SeqTrainer, Seq2SeqTrainingArguments\n\n"
        "@dataclass\nclass Data:\n    target_lang: str = None\n\n"
        "parser = HfArgumentParser((Data, Seq2SeqTrainingArguments))\n"
        "data, args = parser.parse_args_into_dataclasses()\n"
        "Seq2SeqTrainer(model, args).train()\n"
    )
    script = tmp_path / "jobs/run.sh"
    script.write_text(
        "git clone https://github.com/microsoft/DeepSpeed\ncd DeepSpeed\npip install .\n\n"
        "deepspeed --num_gpus=1 translation/run.py --output_dir out --learning_rate 1e-4"
        " --per_device_train_batch_size 4 --target_lang ro --mine x\n"
    )
    found = lint_file(script).diagnostics
    assert [one.path[-1] for one in found if one.code == "KEY001"] == ["mine"]


@pytest.mark.parametrize(
    ("starting", "is_copy"),
    [
        ("cd /data/Video/RL\nsource jobs/run.sh\n", False),
        # One of the same folder is started so.
        ("cd /data/Video/RL\nbash $HOME/ours/jobs/other.sh\n", False),
        ("cd ..\nsource jobs/run.sh\n", True),
        ("source jobs/run.sh\ncd /data/Video/RL\n", True),
        ("cd /data/Video/RL\npython jobs/else.py\n", True),
    ],
)
def test_a_script_that_another_starts_elsewhere(
    tmp_path: Path, starting: str, *, is_copy: bool
) -> None:
    root = with_copy(tmp_path / "ours")
    (root / "jobs").mkdir()
    script = root / "jobs" / "run.sh"
    script.write_text("python3 -m verl.trainer.main_ppo mine.stepz=1\n")
    (root / "jobs" / "other.sh").write_text("echo\n")
    (root / "jobs" / "start.sh").write_text(starting)
    found = [one.code for one in lint_file(script).diagnostics]
    assert found == (["VRL018"] if is_copy else [])
