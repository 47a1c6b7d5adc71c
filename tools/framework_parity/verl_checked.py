"""Commands of verl: what its own checks say of their configs, and what cfglint says.

    python -m tools.framework_parity.verl_checked generate --count 500 --seed 1 --release 0.8.0 FOLDER
    python -m tools.framework_parity.verl_checked judge FOLDER --checkout CHECKOUT --python PYTHON --out ROWS.jsonl
    python -m tools.framework_parity.verl_checked compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json

`generate` writes scripts that a release takes, with up to three words changed of those that its checks read. `judge` lets
Hydra compose them, and gives the configs to `validate_config` and to the dataclasses of the release, in a Python that has
`hydra-core`; it also takes the scripts that `tools.framework_parity.verl own` writes. Ours is the output of
`cfglint --format json --target verl==RELEASE FOLDER`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cfglint.frameworks.for_files import variant
from cfglint.frameworks.verl.defaults import config_of_release
from cfglint.roles.framework import load_framework
from tools.framework_parity import folders
from tools.framework_parity.verdicts import compare, read_ours, read_theirs, report
from tools.framework_parity.verl import blamed, row_of

_ROOT = Path(__file__).parents[2]
_ACTOR, _ROLLOUT = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
_REF, _MODEL = "actor_rollout_ref.ref", "actor_rollout_ref.model"
_WHOLE = ("1", "2", "3", "4", "8", "16", "24", "64", "100", "256", "512", "1000")
_FLAG = ("True", "False", "false")
_FEW = ("0", "1", "2", "4", "8")
#: The words that a release needs at least, as far as it has their keys.
_BASE = {
    f"{_ACTOR}.ppo_micro_batch_size_per_gpu": "4",
    f"{_ROLLOUT}.log_prob_micro_batch_size_per_gpu": "4",
    f"{_REF}.log_prob_micro_batch_size_per_gpu": "4",
    "critic.ppo_micro_batch_size_per_gpu": "4",
    f"{_ROLLOUT}.name": "vllm",
    f"{_MODEL}.path": "Qwen/Qwen3-8B",
}
#: What the checks read, and what is tried for it.
_VALUES: dict[str, tuple[str, ...]] = {
    "data.train_batch_size": _WHOLE,
    "trainer.n_gpus_per_node": ("1", "2", "4", "6", "7", "8"),
    "trainer.nnodes": ("1", "2", "3"),
    "algorithm.adv_estimator": ("gae", "grpo", "rloo", "remax", "opo", "gpg"),
    "algorithm.use_kl_in_reward": _FLAG,
    f"{_ACTOR}.use_kl_loss": _FLAG,
    f"{_ACTOR}.use_dynamic_bsz": _FLAG,
    f"{_ACTOR}.ppo_mini_batch_size": _WHOLE,
    f"{_ACTOR}.ppo_micro_batch_size": (*_WHOLE, "null", "null"),
    f"{_ACTOR}.ppo_micro_batch_size_per_gpu": (*_WHOLE, "null", "null"),
    f"{_ACTOR}.ulysses_sequence_parallel_size": _FEW,
    f"{_ACTOR}.loss_agg_mode": (
        *("token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm"),
        *("token-sum", "mean"),
    ),
    f"{_ACTOR}.strategy": ("fsdp", "fsdp2"),
    f"{_ACTOR}.optim.lr_scheduler_type": ("constant", "cosine", "linear"),
    f"{_ACTOR}.optim.warmup_style": ("constant", "cosine", "linear", "null"),
    f"{_ACTOR}.router_replay.mode": ("disabled", "R2", "R3", "r2"),
    f"{_ACTOR}.megatron.tensor_model_parallel_size": _FEW[1:],
    f"{_ACTOR}.megatron.pipeline_model_parallel_size": _FEW[1:],
    f"{_ACTOR}.megatron.context_parallel_size": _FEW[1:],
    f"{_ACTOR}.megatron.dtype": ("bfloat16", "float16", "float32"),
    f"{_REF}.log_prob_micro_batch_size": (*_WHOLE, "null"),
    f"{_REF}.log_prob_micro_batch_size_per_gpu": (*_WHOLE, "null", "null"),
    f"{_REF}.ulysses_sequence_parallel_size": _FEW,
    f"{_MODEL}.use_remove_padding": _FLAG,
    f"{_MODEL}.lora_rank": ("0", "8", "64", "512", "513", "1024"),
    f"{_MODEL}.lora.rank": ("0", "8", "512", "1024"),
    f"{_MODEL}.lora.merge": _FLAG,
    f"{_ROLLOUT}.name": ("vllm", "sglang", "trtllm", "hf"),
    f"{_ROLLOUT}.mode": ("sync", "async", "other"),
    f"{_ROLLOUT}.n": ("1", "2", "4", "5", "8"),
    f"{_ROLLOUT}.temperature": ("0", "1.0", "0.0", "0.7", "-1"),
    f"{_ROLLOUT}.val_kwargs.do_sample": _FLAG,
    f"{_ROLLOUT}.log_prob_micro_batch_size": (*_WHOLE, "null"),
    f"{_ROLLOUT}.log_prob_micro_batch_size_per_gpu": (*_WHOLE, "null", "null"),
    f"{_ROLLOUT}.expert_parallel_size": _FEW,
    f"{_ROLLOUT}.data_parallel_size": _FEW[1:],
    f"{_ROLLOUT}.tensor_model_parallel_size": _FEW[1:],
    f"{_ROLLOUT}.pipeline_model_parallel_size": _FEW[1:3],
    f"{_ROLLOUT}.moe_tensor_parallel_size": _FEW[1:4],
    f"{_ROLLOUT}.disaggregation.enabled": _FLAG,
    f"{_ROLLOUT}.multi_turn.enable": _FLAG,
    f"{_ROLLOUT}.multi_turn.tool_config_path": ("tools.yaml", "null"),
    f"{_ROLLOUT}.multi_turn.interaction_config_path": ("talk.yaml", "null"),
    "critic.enable": ("True", "False", "null"),
    "critic.strategy": ("fsdp", "fsdp2"),
    "critic.use_dynamic_bsz": _FLAG,
    "critic.ppo_mini_batch_size": _WHOLE,
    "critic.ppo_micro_batch_size": (*_WHOLE, "null"),
    "critic.ppo_micro_batch_size_per_gpu": (*_WHOLE, "null", "null"),
    "critic.ulysses_sequence_parallel_size": _FEW,
    "critic.model.use_remove_padding": _FLAG,
    "critic.optim.lr_scheduler_type": ("constant", "cosine", "linear"),
    "reward_model.enable": _FLAG,
    "reward_model.use_dynamic_bsz": _FLAG,
    "reward_model.use_reward_loop": _FLAG,
    "reward_model.micro_batch_size": ("4", "null"),
    "reward_model.micro_batch_size_per_gpu": ("4", "null"),
}
#: Sections that releases make objects of, to which a key may be added.
_SECTIONS = (_ACTOR, _ROLLOUT, _MODEL, "critic", f"{_ACTOR}.optim", f"{_ROLLOUT}.agent", "trainer")
_ADDED = ("my_note", "use_liger", "path", "extra_args")
_CONFIGS = ("ppo_trainer", "ppo_trainer", "ppo_trainer", "ppo_megatron_trainer")
#: What ends only when the workers start.
_LATER = frozenset(
    f"VRL{number:03}" for number in (57, 58, 59, *range(61, 64), *range(65, 78), *range(700, 800))
)
#: The keys in an error of a dataclass, or of OmegaConf.
_ARGUMENT = re.compile(r"unexpected keyword argument '(\w+)'|Key '(\w+)' not in ")


def generate(count: int, seed: int, release: str) -> Iterator[tuple[str, str, list[str]]]:
    """Scripts (name, text, keys that were changed)."""
    chance = random.Random(seed)
    for number in range(count):
        config = chance.choice(_CONFIGS)
        keys = _known(config, release) or _known("ppo_trainer", release)
        is_main = config == "ppo_trainer" or not _known(config, release)
        words = {name: value for name, value in _BASE.items() if name in keys}
        changed = chance.sample([name for name in _VALUES if name in keys], chance.randint(0, 5))
        words.update((name, chance.choice(_VALUES[name])) for name in changed)
        added = []
        if chance.random() < 0.12:
            added = [f"{chance.choice(_SECTIONS)}.{chance.choice(_ADDED)}"]
        rows = [f"{name}={value}" for name, value in words.items()]
        rows += [f"+{name}=1" for name in added if name not in keys]
        chance.shuffle(rows)
        named = [] if is_main else [f"--config-name={config}.yaml"]
        quoted = " \\\n    ".join(shlex.quote(word) for word in [*named, *rows])
        text = f"#!/bin/bash\npython3 -m verl.trainer.main_ppo \\\n    {quoted}\n"
        yield f"{number:05d}.sh", text, [*changed, *added]


def _known(config: str, release: str) -> set[str]:
    """The keys that a config has in a release."""
    kind = "" if config == "ppo_trainer" else config
    framework = variant(load_framework("verl"), kind=kind, language="shell")
    keys = framework.release_keys(release)
    if not keys.has_section(""):
        return set()
    return set(_leaves(config_of_release(framework, keys), ""))


def _leaves(tree: dict[str, Any], above: str) -> Iterator[str]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}"


def judge(folder: Path, checkout: Path, python: str) -> Iterator[dict[str, Any]]:
    """What the checks of a checkout say of each script that starts `main_ppo`."""
    rows, names = [], []
    for path in sorted(folder.glob("*.sh")):
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        _, _, module, *words = shlex.split(text, comments=True)
        row = row_of(module, words, checkout) if module == "verl.trainer.main_ppo" else None
        if row is not None:
            rows.append(row)
            names.append(path.name)
    done = subprocess.run(
        [python, "-m", "tools.framework_parity.worker.verl_checks"],
        input=json.dumps(rows),
        capture_output=True,
        check=True,
        text=True,
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
    )
    for name, answer in zip(names, json.loads(done.stdout), strict=True):
        yield {"file": name, "ok": not answer["error"], **answer}


def _read_keys(rows: Path) -> dict[str, list[str]]:
    """Name of a script -> the keys that the check which refuses it had read; they are to blame, changed or not."""
    answers = map(json.loads, rows.read_text(encoding="utf-8").splitlines())
    return {answer["file"]: answer["keys"] for answer in answers if answer.get("keys")}


def _to_blame(reason: str, changes: list[str]) -> list[str]:
    match = _ARGUMENT.search(reason)
    name = (match[1] or match[2]) if match is not None else ""
    named = [key for key in changes if key.rpartition(".")[2] == name]
    return named or blamed(reason, changes)


def main(arguments: list[str] | None = None) -> int:
    """The command; `compare` ends with 1 when cfglint refuses what a release takes."""
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.verl_checked")
    commands = parser.add_subparsers(dest="command", required=True)
    make, ask, check = (commands.add_parser(name) for name in ("generate", "judge", "compare"))
    for command in (make, ask, check):
        command.add_argument("folder", type=Path)
    make.add_argument("--count", type=int, default=500)
    make.add_argument("--seed", type=int, default=1)
    make.add_argument("--release", required=True)
    ask.add_argument("--checkout", type=Path, required=True)
    ask.add_argument("--python", required=True)
    ask.add_argument("--out", type=Path, required=True)
    check.add_argument("--theirs", type=Path, required=True)
    check.add_argument("--ours", type=Path, required=True)
    check.add_argument("--show", type=int, default=10)
    given = parser.parse_args(arguments)
    if given.command == "generate":
        folders.write(given.folder, generate(given.count, given.seed, given.release))
        return 0
    if given.command == "judge":
        rows = judge(given.folder, given.checkout.resolve(), given.python)
        given.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return 0
    theirs, ours = read_theirs(given.theirs), read_ours(given.ours, _LATER)
    changes = folders.changes(given.folder)
    read = _read_keys(given.theirs)
    keys = {
        name: read.get(name) or _to_blame(one.reason, changes.get(name, []))
        for name, one in theirs.items()
    }
    result = compare(theirs, ours, keys)
    print(report(result, given.show), end="")
    return 1 if result.wrongly_refused else 0


if __name__ == "__main__":
    sys.exit(main())
