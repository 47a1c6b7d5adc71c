"""Which of TRL's commands a file is for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.own_starts import own_starts
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import compiled
from cfglint.source.document import Document

#: The commands that train.
COMMANDS = ("sft", "dpo", "grpo", "kto", "reward", "rloo", "distillation")
#: The kind of files for the scripts of methods that no command trains.
OF_OTHERS = "other"
#: The command whose name is part of others, too: `length_reward/config.yaml` may be for `trl grpo`.
_ORDINARY = {"reward"}
_WORDS = lazy_pattern(r"[a-z0-9]+")
#: Methods that a folder or a file is named after and that no command of TRL trains: their scripts
#: have arguments of their own.
OTHERS = frozenset(
    [
        "orpo",
        "cpo",
        "simpo",
        "bco",
        "ppo",
        "gkd",
        "xpo",
        "nash",
        "online",
        "ddpo",
        "alignprop",
        "prm",
        "bon",
        "spin",
        "iterative",
        "raft",
        "mmpo",
        "preference",
    ]
)

#: Words in the names of programs that train nothing: `merge_sft.py` may read the file of a training, too.
_NOT_OF_TRAINING = frozenset(
    {
        *("bench", "benchmark", "convert", "data", "dataset", "datasets", "eval", "evaluate"),
        *("evaluation", "export", "generate", "generation", "infer", "inference", "judge", "label"),
        *("merge", "plot", "precompute", "predict", "prepare", "preprocess", "push", "rollout"),
        *("sample", "score", "serve", "server", "test", "tokenize", "upload", "validate"),
    }
)

#: Keys that the commands have lost and the classes of such methods still have (TRL 0.29.1, 1.16.0):
#: those of PPO, and of BCO, CPO, ORPO and online DPO.
KEPT_BY_OTHERS = frozenset(
    {
        *("cliprange", "kl_coef", "local_rollout_forward_batch_size", "missing_eos_penalty"),
        *("model_adapter_name", "num_mini_batches", "num_ppo_epochs", "num_sample_generations"),
        *("ref_adapter_name", "response_length", "stop_token", "stop_token_id", "total_episodes"),
        *("generate_during_eval", "is_encoder_decoder", "max_density_ratio", "min_density_ratio"),
        *("padding_value", "prompt_sample_size"),
    }
)


def commands_of_classes() -> Mapping[str, str]:
    """The class of TRL that a program calls -> the command that fills it."""
    found: Mapping[str, str] = compiled.load("frameworks").FRAMEWORKS["trl"]["filled_classes"]
    return found


def command_of(document: Document, around: Surroundings) -> str:
    """The command that a file is for, by its launch line, place, keys or program; empty when undecided."""
    launched: set[str] = {line.command for line in around.launches if line.command in COMMANDS}
    if len(launched) == 1:
        return launched.pop()
    candidates = _candidates(document)
    doubted = ""
    for at, words in enumerate(_places(around)):
        if words & OTHERS:
            return ""
        named = words.intersection(COMMANDS)
        if words > named == _ORDINARY and not named <= candidates:
            continue
        if len(named) == 1:
            command = named.pop()
            if doubted:
                # Its folder alone may know better: `grpo/from_sft.yaml`.
                better = at == 1 and _misfits(document, command) < _misfits(document, doubted)
                return command if better else doubted
            if at or command in candidates:
                return command
            doubted = command
    if doubted:
        return doubted
    return candidates.pop() if len(candidates) == 1 else _of_program(around, candidates)


def _of_program(around: Surroundings, candidates: set[str]) -> str:
    """The command that the only program which is started with a file is named after: `src/open_r1/grpo.py`."""
    parsers = compiled.load("frameworks").FRAMEWORKS["trl"]["parsers"]
    programs = {os.path.basename(one.program) for one in own_starts(parsers, around)}
    words: set[str] = set(_WORDS.findall(programs.pop().lower())) if len(programs) == 1 else set()
    named = words.intersection(COMMANDS)
    if len(named) != 1 or not named <= candidates or words & (OTHERS | _NOT_OF_TRAINING):
        return ""
    return named.pop()


def _misfits(document: Document, command: str) -> int:
    """How many keys of a file only other commands have had."""
    known = _commands_by_key()
    names = (entry.name or "" for entry in document.root.entries)
    return sum(name in known and command not in known[name] for name in names)


def is_of_another_method(around: Surroundings) -> bool:
    """Whether a file is in a place named after a method that no command trains."""
    return any(words & OTHERS for words in _places(around))


def _places(around: Surroundings) -> Iterator[set[str]]:
    """The words of a file's name, of its folder, and so on."""
    for place in reversed(re.split(r"[\\/]", around.path.lower())[-4:]):
        yield set(_WORDS.findall(place))


def not_of_all(name: str) -> bool:
    """Whether only some of the commands have had a key."""
    return name in _commands_by_key()


def _candidates(document: Document) -> set[str]:
    """The commands that have all the keys of a file which only some have."""
    candidates = set(COMMANDS)
    knows = _commands_by_key()
    for entry in document.root.entries:
        commands = knows.get(entry.name or "")
        if commands is not None:
            candidates &= commands
    return candidates


@lru_cache(maxsize=1)
def _commands_by_key() -> dict[str, frozenset[str]]:
    """Key -> the commands that have had it, for the keys that not all have had."""
    table: dict[str, frozenset[str]] = compiled.load("trl_below").KINDS
    return table
