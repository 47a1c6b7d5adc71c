"""Which config a command of verl reads."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.verl.commands import config_of, kind_of_config
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each


def read(command: str) -> Any:
    """Name, folder, file, name as written and program of the config; None without one."""
    document = load_framework("verl").parsing.language.read(SourceText(f"{command}\n"))
    found = config_of(document.root)
    if found is None:
        return None
    return (found.name, found.folder, found.file, found.written, found.program)


PPO = "python3 -m verl.trainer.main_ppo data.a=1 "
OWN = "python3 -m mine.train actor_rollout_ref.a=1 +actor_rollout_ref.b.c=2 "


@each(
    ("command", "expected"),
    [
        (PPO, ("ppo_trainer", "", "", "ppo_trainer", "")),
        ("python3 verl/trainer/main_ppo.py a=1", ("ppo_trainer", "", "", "ppo_trainer", "")),
        (
            "python3 /opt/src/verl/trainer/main_ppo.py a=1",
            ("ppo_trainer", "", "", "ppo_trainer", ""),
        ),
        ("python3 trainer/main_ppo.py a=1", None),
        ("python3 verl.trainer.main_ppo a=1", None),
        (
            "torchrun -m verl.trainer.fsdp_sft_trainer a=1",
            ("sft_trainer", "", "", "sft_trainer", ""),
        ),
        ("python3 -m verl.trainer.main_generation a=1", ("generation", "", "", "generation", "")),
        ("python3 -m mine.train a=1", None),
        (OWN, ("", "", "", "", "mine.train")),
        ("python3 -m mine.train actor_rollout_ref.a=1", None),
        (f"{OWN} --lr 3", None),
        (f"{OWN} --config-name=x", ("", "", "x", "", "mine.train")),
        (f"{OWN} --multirun", ("", "", "", "", "mine.train")),
        (
            "python3 mine/train.py actor_rollout_ref.a=1 ++actor_rollout_ref.b=2",
            ("", "", "", "", "mine/train.py"),
        ),
        (
            f"{PPO} --config-name ppo_megatron_trainer",
            ("ppo_megatron_trainer", "", "", "ppo_megatron_trainer", ""),
        ),
        (
            f"{PPO} --config-name=ppo_megatron_trainer.yaml",
            ("ppo_megatron_trainer", "", "", "ppo_megatron_trainer", ""),
        ),
        (f"{PPO} --config-name=mine", ("", "", "mine", "", "")),
        (f"{PPO} -cn mine -cp conf", ("", "conf", "mine", "", "")),
        (
            f"{PPO} --config-path=./config --config-name=ppo_trainer",
            ("ppo_trainer", "", "", "ppo_trainer", ""),
        ),
        (f"{PPO} --config-path=config", ("ppo_trainer", "", "", "ppo_trainer", "")),
        (f"{PPO} --config-path=/abs/config", ("", "/abs/config", "ppo_trainer", "", "")),
        (f"{PPO} --config-path=$DIR --config-name=x", ("", "", "x", "", "")),
        (f"{PPO} --config-name=$NAME", ("", "", "", "", "")),
        (f"{PPO} --config-dir=conf", ("", "", "", "", "")),
        (f"{PPO} model_engine=megatron", ("ppo_megatron_trainer", "", "", "ppo_trainer", "")),
        (f"{PPO} model_engine=dp", ("ppo_trainer", "", "", "ppo_trainer", "")),
        (
            f"{PPO} --config-name=ppo_megatron_trainer model_engine=megatron",
            ("ppo_megatron_trainer", "", "", "ppo_megatron_trainer", ""),
        ),
        ("echo a", None),
    ],
)
def test_configs(command: str, expected: Any) -> None:
    assert read(command) == expected


def test_kinds() -> None:
    assert kind_of_config("ppo_trainer") == ""
    assert kind_of_config("sft_trainer") == "sft_trainer"
