"""What verl computes from a config, for rules to ask about."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.verl.derived import DERIVED
from tests.draws import each
from tests.frameworks.deriving import derived

PPO = "python3 -m verl.trainer.main_ppo"
ACTOR, ROLLOUT = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
BATCH = f"data.train_batch_size=100 {ROLLOUT}.n=5 trainer.n_gpus_per_node=8 trainer.nnodes=2"


def values(names: str, text: str, release: str = "0.7.0") -> list[Any]:
    target = (f"verl=={release}",) if release else ()
    return derived(
        DERIVED, names.split(), f"{text}\n", framework="verl", name="run.sh", target=target
    )


@each(
    ("words", "expected"),
    [
        (BATCH, [16, 500, 100, 4]),
        (BATCH.replace("nodes=2", "nodes=$N"), ["unknown", 500, 100, "unknown"]),
        (BATCH.replace("n=5", "n=$N"), [16, "unknown", 100, "unknown"]),
        (BATCH.replace("size=100", "size=true"), [16, "unknown", "unknown", "unknown"]),
        (BATCH.replace("nodes=2", "nodes=0"), [0, 500, 100, "unknown"]),
        # Only micro batches of a fixed size are looked at, and not those of Megatron.
        (f"{BATCH} {ACTOR}.use_dynamic_bsz=True", [16, 500, 100, "missing"]),
        (f"{BATCH} {ACTOR}.use_dynamic_bsz=$X", [16, 500, 100, "unknown"]),
        (f"{BATCH} {ACTOR}.strategy=megatron", [16, 500, 100, "missing"]),
        (f"{BATCH} {ACTOR}.strategy=$X", [16, 500, 100, "unknown"]),
    ],
)
def test_the_answers_of_a_step(words: str, expected: list[Any]) -> None:
    assert values("gpus batch_rows train_batch batch_left_over", f"{PPO} {words}") == expected


@each(
    ("words", "release", "expected"),
    [
        (f"{ACTOR}.use_dynamic_bsz=True", "0.7.0", "missing"),
        # Up to 0.5, the size of micro batches did not matter.
        (f"{ACTOR}.use_dynamic_bsz=True", "0.5.0", 4),
        (f"{ACTOR}.use_dynamic_bsz=$X", "0.5.0", 4),
        (f"{ACTOR}.strategy=megatron", "0.5.0", "missing"),
        (f"{ACTOR}.strategy=megatron", "0.4.0", "missing"),
        # And before 0.4, the strategy did not, as far as it is known.
        (f"{ACTOR}.strategy=megatron", "0.3.0.post1", 4),
        (f"{ACTOR}.strategy=$X", "0.3.0.post1", "unknown"),
    ],
)
def test_what_is_left_over_by_releases(words: str, release: str, expected: Any) -> None:
    assert values("batch_left_over", f"{PPO} {BATCH} {words}", release) == [expected]


@each(
    ("command", "release", "expected"),
    [
        (PPO, "0.7.0", ["unknown", ""]),
        ("python3 -m verl.trainer.fsdp_sft_trainer", "0.4.0", [True, "`verl.trainer.sft_trainer`"]),
        ("python3 -m verl.trainer.sft_trainer", "0.4.0", [False, ""]),
        ("python3 -m verl.trainer.main_generation", "0.4.0", [True, "main_generation_server`"]),
        (PPO, "", ["unknown", ""]),
        ("python3 -m verl.trainer.sft_trainer", "", ["unknown", ""]),
        ("python3 -m recipe.own.main", "0.7.0", ["unknown", ""]),
    ],
)
def test_programs_of_releases(command: str, release: str, expected: list[Any]) -> None:
    has, successor = values("has_program successor", f"{command} data.seed=1", release)
    assert has == expected[0]
    assert expected[1] in successor
    assert bool(successor) is bool(expected[1])


@each(
    ("command", "expected"),
    [
        (PPO, False),
        (f"{PPO} actor_rollout_ref.model.external_lib=own.models", True),
        (f"{PPO} actor_rollout_ref.model.external_lib=null", False),
        (f"{PPO} $@", False),
    ],
)
def test_whether_own_code_is_named(command: str, expected: bool) -> None:
    assert values("names_own_code", f"{command} data.seed=1") == [expected]


@each(
    ("words", "expected"),
    [
        (f"{ACTOR}.ppo_mini_batch_size=64", [64, True]),
        (f"{ACTOR}.ppo_mini_batch_size=64 {ACTOR}.use_dynamic_bsz=True", [64, False]),
        (f"{ACTOR}.ppo_mini_batch_size=6.5 {ACTOR}.use_dynamic_bsz=$X", ["unknown", "unknown"]),
        # What else a variable adds to the command is not known.
        ("$@", ["unknown", "unknown"]),
        (f"$@ {ACTOR}.ppo_mini_batch_size=64", [64, "unknown"]),
    ],
)
def test_batches_of_the_actor(words: str, expected: list[Any]) -> None:
    assert values("mini_batch fixed_batches", f"{PPO} {words}") == expected


def test_the_optimizer_depends_on_the_engine() -> None:
    fsdp, megatron = (
        values("actor_optimizer", f"{PPO} {words}")[0]
        for words in ("data.seed=1", "--config-name=ppo_megatron_trainer")
    )
    assert "FSDP" in fsdp
    assert fsdp != megatron


def test_nothing_is_known_of_a_program_whose_config_is_not_checked() -> None:
    command = f"python3 -m verl.trainer.sft_trainer {BATCH}"
    assert values("gpus batch_rows fixed_batches", command) == ["unknown"] * 3
