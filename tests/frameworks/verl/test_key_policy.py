"""What becomes of a key of verl's config."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in, messages

BASE = "python3 -m verl.trainer.main_ppo data.train_files=a "


def said(words: str, release: str = "0.5.0", files: Mapping[str, str] = {}) -> list[str]:
    target = (f"verl=={release}",) if release else ()
    text = BASE + words
    found = lint_in(
        files, text, name="run.sh", framework="verl", select=("KEY", "TYP"), target=target
    )
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("\n", []),
        (
            "trainer.total_epoch=1\n",
            [
                "error: No release of verl has a key `total_epoch` in `trainer`; verl refuses the command. Did you mean `total_epochs`?"
            ],
        ),
        (
            "trainer.nothing_like_it=1\n",
            [
                "error: No release of verl since 0.3.0.post1 has a key `nothing_like_it` in `trainer`; verl refuses the command."
            ],
        ),
        ("+trainer.nothing_like_it=1\n", []),
        ("hydra.run.dir=x\n", []),
        ("actor_rollout_ref.actor.ppo_micro_batch_size=1\n", []),
        (
            "actor_rollout_ref.rollout.tensor_model_parallel_sizes=1\n",
            [
                "error: No release of verl has a key `tensor_model_parallel_sizes` in `actor_rollout_ref.rollout`; verl refuses the command. Did you mean `tensor_model_parallel_size`?"
            ],
        ),
        (
            "rollout.tensor_model_parallel_size=1\n",
            [
                "error: No release of verl since 0.3.0.post1 has a key `rollout` at the top level; verl refuses the command."
            ],
        ),
        (
            "data.max_promt_length=1\n",
            [
                "error: No release of verl has a key `max_promt_length` in `data`; verl refuses the command. Did you mean `max_prompt_length`?"
            ],
        ),
        ("actor_rollout_ref.actor.optim.lr=x\n", []),
        ("trainer.n_gpus_per_node=two\n", []),
        ("algorithm.adv_estimator=gea\n", []),
        ("data.train_batch_size=1.5\n", []),
        (
            "a.b=1 a.c=2 trainer.x=1 trainer.y=2 trainer.z=3 trainer.w=4\n",
            [
                "error: No release of verl since 0.3.0.post1 has a key `a` at the top level; verl refuses the command.",
                "error: No release of verl since 0.3.0.post1 has a key `x` in `trainer`; verl refuses the command.",
                "error: No release of verl since 0.3.0.post1 has a key `y` in `trainer`; verl refuses the command.",
                "error: No release of verl since 0.3.0.post1 has a key `z` in `trainer`; verl refuses the command.",
                "error: No release of verl since 0.3.0.post1 has a key `w` in `trainer`; verl refuses the command.",
            ],
        ),
    ],
)
def test_keys(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "release", "expected"),
    [
        (
            "trainer.total_epoch=1\n",
            "",
            [
                "error: No release of verl has a key `total_epoch` in `trainer`; verl refuses the command. Did you mean `total_epochs`?"
            ],
        ),
        ("trainer.device=cuda\n", "0.3.0", []),
        ("actor_rollout_ref.actor.checkpoint.contents=[model]\n", "0.3.0", []),
        (
            "actor_rollout_ref.actor.checkpoint.contents=[model]\n",
            "0.5.0",
            [
                "error: `actor_rollout_ref.actor.checkpoint.contents` was removed in verl 0.4.1; verl refuses the command. Use `actor_rollout_ref.actor.checkpoint.save_contents`."
            ],
        ),
        (
            "a.b=1 a.c=2 trainer.x=1 trainer.y=2 trainer.z=3 trainer.w=4\n",
            "",
            [
                "note: No release of verl since 0.3.0.post1 has a key `a` at the top level; the command seems to start a fork, which may have keys of its own. The same applies to `x`, `y`, `z` and `w`."
            ],
        ),
    ],
)
def test_releases(words: str, release: str, expected: list[str]) -> None:
    assert said(words, release) == expected
