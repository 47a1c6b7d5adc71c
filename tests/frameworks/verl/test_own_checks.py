"""Checks that a project's own copy of verl has, or has dropped."""

from __future__ import annotations

from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.frameworks.verl.own_checks import is_dropped, is_idle
from cfglint.source.files.memory import InMemory
from tests.draws import each

TRAINER, ACTOR = "verl/trainer/ppo/ray_trainer.py", "verl/workers/config/actor.py"
SIZES = "        assert config.data.train_batch_size >= config.actor_rollout_ref.actor.ppo_mini_batch_size\n"
GUARDED = """\
        if self.use_reference_policy:
            # reference: log_prob_micro_batch_size
            check_mutually_exclusive(
                config.actor_rollout_ref.ref.log_prob_micro_batch_size,
"""


def around(files: dict[str, str], folder: str | None = "/p") -> Surroundings:
    contents = {f"/p/{name}": text.encode() for name, text in {".git/HEAD": "", **files}.items()}
    return Surroundings(Memory(), InMemory(contents), "/p/run.sh", folder)


@each(
    ("code", "files", "expected"),
    [
        ("VRL010", {TRAINER: SIZES}, False),
        ("VRL010", {TRAINER: "pass\n"}, True),
        # It may be in another of its files, but not in a comment.
        ("VRL010", {TRAINER: "pass\n", ACTOR: SIZES}, False),
        ("VRL010", {TRAINER: f"#{SIZES}"}, True),
        ("VRL010", {f"a-verl/{TRAINER}": "pass\n"}, True),
        ("VRL010", {f"a-verl/{TRAINER}": "pass\n", f"a-verl/{ACTOR}": SIZES}, False),
        ("VRL073", {TRAINER: "if config.val_only:\n"}, False),
        # No copy, two copies, a rule that no check is known of.
        ("VRL010", {}, False),
        ("VRL010", {"verl/other.py": ""}, False),
        ("VRL010", {f"b-verl/{TRAINER}": "pass\n", f"a-verl/{TRAINER}": "pass\n"}, False),
        ("VRL001", {TRAINER: "pass\n"}, False),
        # What is too long to be read may have it.
        ("VRL010", {TRAINER: "pass\n", ACTOR: "x\n" * 200_001}, False),
        ("VRL010", {TRAINER: "pass\n", ACTOR: "x\n" * 190_000}, True),
    ],
)
def test_what_is_dropped(code: str, files: dict[str, str], expected: bool) -> None:
    assert is_dropped(code, around(files)) is expected


@each(
    ("code", "text", "words", "expected"),
    [
        ("VRL026", GUARDED, "a=1", True),
        ("VRL031", GUARDED, "a=1", True),
        ("VRL030", GUARDED, "a=1", False),
        ("VRL026", GUARDED, "algorithm.use_kl_in_reward=True", False),
        ("VRL026", GUARDED, "actor.use_kl_loss='true'", False),
        ("VRL026", GUARDED, "actor.use_kl_loss=False", True),
        ("VRL026", GUARDED.replace("if self", "if not self"), "a=1", False),
        ("VRL026", GUARDED.replace("ref.log", "rollout.log"), "a=1", False),
    ],
)
def test_what_is_idle(code: str, text: str, words: str, expected: bool) -> None:
    assert is_idle(code, words, around({TRAINER: f"class Trainer:\n{text}"})) is expected


def test_nothing_is_known_without_a_folder() -> None:
    for there in (nowhere(), around({TRAINER: GUARDED}, None)):
        assert not is_dropped("VRL010", there)
        assert not is_idle("VRL026", "", there)
