"""The config of a run whose trainer checks it, key by key."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.frameworks.verl.known_config import KnownConfig, gpus_of, product
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked
from tests.draws import each
from tests.linting import case_in

PPO = "python3 -m verl.trainer.main_ppo"
MODEL, LIBRARY = "actor_rollout_ref.model.path", "actor_rollout_ref.model.external_lib"


def config(command: str) -> KnownConfig:
    case, source = case_in(
        {}, f"{command}\n", name="run.sh", target=("verl==0.7.0",), framework="verl"
    )
    document = case.framework.language.read(source)
    return KnownConfig(View(document), Asked(case.target, case.around))


@each(
    ("words", "key", "value", "number", "flag", "null"),
    [
        ("a=1", "data.train_batch_size", 1024, 1024, UNKNOWN, False),
        ("data.train_batch_size=8", "data.train_batch_size", 8, 8, UNKNOWN, False),
        ("data.train_batch_size=8.5", "data.train_batch_size", 8.5, UNKNOWN, UNKNOWN, False),
        ("data.train_batch_size=null", "data.train_batch_size", None, UNKNOWN, False, True),
        ("data.train_batch_size=true", "data.train_batch_size", True, UNKNOWN, True, False),
        ("data.train_batch_size=$N", "data.train_batch_size", *[UNKNOWN] * 4),
        ("a=1", "data.no_such", MISSING, UNKNOWN, False, UNKNOWN),
        # What a variable adds to the command may set any key that is not written.
        ("$@", "data.train_batch_size", *[UNKNOWN] * 4),
        ("$@ data.train_batch_size=8", "data.train_batch_size", 8, 8, UNKNOWN, False),
    ],
)
def test_a_key(words: str, key: str, value: Any, number: Any, flag: Any, null: Any) -> None:
    found = config(f"{PPO} {words}")
    seen = found.value(key), found.number(key), found.flag(key), found.is_null(key)
    for one, expected in zip(seen, (value, number, flag, null), strict=True):
        assert one is expected or (one == expected and type(one) is type(expected))


@each(
    ("command", "known", "whole", "own_code"),
    [
        (PPO, True, False, False),
        (f"{PPO} {MODEL}=a/b", True, True, False),
        (f"{PPO} {LIBRARY}=own", True, False, True),
        (f"{PPO} {LIBRARY}=''", True, False, False),
        ("python3 -m verl.trainer.sft_trainer data.seed=1", False, False, False),
        (f"python3 -m own.main_ppo {MODEL}=a/b", False, False, True),
    ],
)
def test_a_run(command: str, known: bool, whole: bool, own_code: bool) -> None:
    found = config(command)
    assert (found.value("data.train_batch_size") is not UNKNOWN) is known
    assert (found.is_whole, found.names_own_code) == (whole, own_code)


@each(
    ("factors", "expected"),
    [
        ((), 1),
        ((2, 3), 6),
        ((0, 3), 0),
        ((2, UNKNOWN), UNKNOWN),
        ((2, None), UNKNOWN),
        ((2, 1.5), UNKNOWN),
    ],
)
def test_products(factors: tuple[Any, ...], expected: Any) -> None:
    assert product(*factors) == expected


@each(
    ("words", "expected"),
    [
        ("", 8),
        ("trainer.nnodes=2", 16),
        ("trainer.n_gpus_per_node=4", 4),
        ("trainer.nnodes=$N", UNKNOWN),
    ],
)
def test_gpus(words: str, expected: Any) -> None:
    assert gpus_of(config(f"{PPO} data.seed=1 {words}")) == expected
