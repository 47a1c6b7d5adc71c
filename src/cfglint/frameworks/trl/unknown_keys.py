"""What becomes of a key that a command of TRL does not know.

Up to 0.17 the script of the command reads the file alone. From 0.18 on (`sft`) and from 0.29 on (the others) the
command `trl` reads it first, and what it does not know becomes an option of accelerate's launcher, which refuses
what it does not know either. Before 1.0 `trl` knows the keys of all its commands at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import Final
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable

#: The first release whose parser drops what it does not know (TRL 2412).
_DROPS: Final = "0.13.0"
#: From the first on, it refuses that again, save where the caller takes it over (TRL 3543); TRL's own scripts do from
#: the second on.
_SCRIPTS_REFUSE: Final = ("0.19.0", "0.22.0")
#: The command whose script has never refused it since then, and from when on `trl` hands its keys to the launcher.
_FIRST: Final = ("sft", "0.18.0")
#: From when on it does so for every command.
_HANDS_ON: Final = "0.29.0"
#: The first release that looks at the keys of the one command only.
_ALONE: Final = "1.0.0"
#: Command -> the first release in which `trl` has it, of the commands that accept others' keys.
_COMMANDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sft", "dpo", "grpo", "kto"), _FIRST[1]),
    "rloo": "0.22.0",
    "reward": "0.24.0",
}
#: Keys of `trl vllm-serve` that no command which trains has had all along.
_OF_SERVER: Final = frozenset(
    {
        *("model", "revision", "tensor_parallel_size", "data_parallel_size", "host", "port"),
        *("gpu_memory_utilization", "dtype", "max_model_len", "enable_prefix_caching"),
        *("enforce_eager", "kv_cache_dtype", "vllm_model_impl"),
    }
)
#: Options of the launcher that transformers no longer has under the same names.
_OF_BOTH: Final = frozenset(
    {"fsdp_min_num_params", "fsdp_transformer_layer_cls_to_wrap", "tp_size"}
)


def is_dropped(command: str, name: str, keys: ReleaseKeys, *, of_launcher: bool) -> bool:
    """Whether a release goes on without a key that its command does not have.

    Args:
        command: whose keys `keys` are; empty when unknown.
        of_launcher: whether it is an option of the launcher in some release.
    """
    first, since = _FIRST
    if keys.released(since if command == first else _HANDS_ON):
        if of_launcher or keys.released(_ALONE):
            return name in _OF_BOTH
        return name in _OF_BOTH or name in _OF_SERVER or _of_another(command, name, keys)
    if not keys.released(_DROPS):
        return False
    start, end = _SCRIPTS_REFUSE
    return command == first or not keys.released(start) or keys.released(end)


def is_dropped_by_parser(keys: ReleaseKeys) -> bool:
    """Whether a release's parser goes on without a key that no class has, where its caller does not ask for it."""
    return keys.released(_DROPS) and not keys.released(_SCRIPTS_REFUSE[0])


def _of_another(command: str, name: str, keys: ReleaseKeys) -> bool:
    """Whether another command of the release has a key."""
    for other, since in _COMMANDS.items():
        if other == command or not keys.released(since):
            continue
        info = KeyTable(compiled.load(f"trl_{other}_keys")).info("", name)
        if info is None or not keys.released(info.since):
            continue
        if info.removed is None or not keys.released(info.removed):
            return True
    return False
