"""What the config of a release of verl has before a command changes it."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import MISSING
from cfglint.frameworks.verl.defaults import choices_of, config_of_release, default_of
from cfglint.roles.framework import load_framework
from tests.draws import each

VERL = load_framework("verl")


def keys(release: str) -> Any:
    return VERL.release_keys(release)


@each(
    ("key", "release", "expected"),
    [
        ("data.train_batch_size", "0.7.0", 1024),
        ("actor_rollout_ref.rollout.n", "0.7.0", 1),
        ("no_such", "0.7.0", MISSING),
        ("data.no_such", "0.7.0", MISSING),
        ("trainer.val_only", "0.3.0.post1", MISSING),
        ("trainer.val_only", "0.7.0", False),
    ],
)
def test_a_default(key: str, release: str, expected: Any) -> None:
    found = default_of(VERL, keys(release), key)
    assert found is expected or found == expected


def test_the_whole_config() -> None:
    for release in ("0.4.0", "0.9.0"):
        tree = config_of_release(VERL, keys(release))
        assert tree["data"]["train_batch_size"] == 1024
        # Whatever is in it is a default, and a section has its keys.
        for section, name in (("trainer", "nnodes"), ("algorithm", "gamma")):
            dotted = f"{section}.{name}"
            assert tree[section][name] == default_of(VERL, keys(release), dotted)
        assert isinstance(tree["actor_rollout_ref"]["actor"]["optim"], dict)
    older, newer = (config_of_release(VERL, keys(one)) for one in ("0.3.0.post1", "0.9.0"))
    assert "val_only" not in older["trainer"]
    assert "val_only" in newer["trainer"]


def test_groups() -> None:
    chosen, options = choices_of("ppo_trainer", keys("0.9.0"))
    assert chosen
    assert all(isinstance(one, list) for one in options.values())
    assert choices_of("ppo_trainer", keys("0.1")) == ({}, {})
    assert choices_of("no_such", keys("0.9.0")) == ({}, {})
