"""Projects that have a part of a framework's package themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

VERL = (
    "python3 -m verl.trainer.main_ppo +trainer.own_mask=True +actor_rollout_ref.rollout.mode=search "
    "+actor_rollout_ref.rollout.max_search_nums=5 data.train_batch_size=4 "
    "actor_rollout_ref.actor.ppo_mini_batch_size=5 trainer.val_generations_to_log_to_wandb=4{more}\n"
)
OPENRLHF = (
    "deepspeed --module openrlhf.cli.train_sft --pretrain m --dataset d --own_option 1{more}\n"
)
SWIFT = (
    "swift sft --model Qwen/Qwen3-8B --dataset d.jsonl --own_argument 1 --train_type full{more}\n"
)
FACTORY = (
    "llamafactory-cli train --stage sft --do_train --model_name_or_path a/b --dataset c "
    "--template qwen3 --output_dir o --own_option 1{more}\n"
)
#: The command, a module of its package, and the file that shows that the package is whole.
PROJECTS = [
    (VERL, "verl/models/__init__.py", "verl/trainer/config/ppo_trainer.yaml"),
    (OPENRLHF, "openrlhf/models/__init__.py", "openrlhf/cli/train_sft.py"),
    (SWIFT, "swift/trainers/mixin.py", "swift/arguments/sft_args.py"),
    (FACTORY, "src/llamafactory/train/sft.py", "src/llamafactory/hparams/parser.py"),
]


def refused(folder: Path, command: str, *names: str, more: str = "") -> list[str]:
    """The codes of what a release refuses or does not have, in a script of a project with these files."""
    (folder / ".git").mkdir()
    (folder / "scripts").mkdir()
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x:\n" if name.endswith(".yaml") else "")
        top = folder.joinpath(*Path(name).parts[: 2 if name.startswith("src/") else 1])
        (top / "__init__.py").write_text("")
    script = folder / "scripts" / "run.sh"
    script.write_text(command.format(more=more))
    return [one.code for one in lint_file(script).diagnostics if one.severity != "note"]


@pytest.mark.parametrize(("command", "part", "whole"), PROJECTS)
def test_a_part_of_a_package_is_a_fork_of_no_known_release(
    tmp_path: Path, command: str, part: str, whole: str
) -> None:
    for at, names in enumerate(((), (part,), (part, whole))):
        (tmp_path / str(at)).mkdir()
        found = refused(tmp_path / str(at), command, *names)
        assert (found == []) is (names == (part,))


def test_what_holds_for_all_releases_is_said_of_a_part_too(tmp_path: Path) -> None:
    found = refused(tmp_path, VERL, "verl/models/__init__.py", more=" trainer.nnodes 1")
    assert found == ["VRL001"]


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (VERL, ("verl/workers/fsdp_workers.py", "verl/trainer/ppo/core_algos.py")),
        (OPENRLHF, ("openrlhf/trainer/ppo_trainer.py",)),
        (SWIFT, ("swift/trainers/mixin.py",)),
        (FACTORY, ("src/llamafactory/train/sft.py",)),
    ],
)
def test_what_is_to_be_copied_over_a_package_is_a_part_of_it(
    tmp_path: Path, command: str, parts: tuple[str, ...]
) -> None:
    for part in parts:
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / part).write_text("")
    assert refused(tmp_path, command) == []


def test_a_folder_that_is_merely_named_after_a_package_is_none(tmp_path: Path) -> None:
    (tmp_path / "verl" / "rewards").mkdir(parents=True)
    (tmp_path / "verl" / "run.sh").write_text("")
    assert refused(tmp_path, VERL) != []
