"""TRL's options on the line that starts one of its commands, in place of a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.trl.commands import COMMANDS
from cfglint.frameworks.trl.serving import SERVE, server_programs
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.class_options import options_of
from cfglint.roles.script_programs import programs_of
from cfglint.source.document import Document
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.shell import Shell, is_frame
from cfglint.source.shell_values import ExpandedWord

if TYPE_CHECKING:
    from cfglint.frameworks.trl.key_policy import TrlKeyPolicy
    from cfglint.roles.framework import Framework

#: Options that take several words although their type is a text, too.
LISTS: Final = frozenset({"debug"})
#: Options that some commands, or some releases, have on by default.
ON: Final = frozenset({"gradient_checkpointing", "save_safetensors"})
#: A command -> the release since which its class leaves `bf16` to itself, so that the option takes a word.
_BF16_IS_OPEN: Final = {
    **dict.fromkeys(("sft", "dpo", "grpo", "kto"), "0.19.0"),
    "rloo": "0.22.0",
    "reward": "0.24.0",
    "distillation": "1.10.0",
}
#: Switches of accelerate's launcher; its other options are in the table of keys.
_SWITCHES: Final = frozenset(
    {
        *("cpu", "debug", "downcast_bf16", "dynamo_use_dynamic", "dynamo_use_fullgraph"),
        *("dynamo_use_regional_compilation", "enable_cpu_affinity", "fp8_use_autocast_during_eval"),
        *("module", "multi_gpu", "no_python", "no_tpu_cluster", "quiet", "same_network", "tpu"),
        *("tpu_cluster", "tpu_use_sudo", "use_deepspeed", "use_fsdp", "use_megatron_lm"),
        "use_parallelism_config",
    }
)
#: TRL's own command, which hands what it does not know to the launcher since a release.
_OWN: Final = "trl"
#: From the first to before the second, the programs throw away what they do not know (TRL 3543); the
#: one of `sft` did so sooner (TRL 3193).
_DROP_WORDS: Final = ("0.22.0", "1.0.0")
_FIRST, _FIRST_DROPS = "sft", "0.18.0"
_HANDS_ON_SINCE: Final = "0.18.0"


def script_language(framework: Framework, release: str) -> Shell:
    """The language of scripts that start a release."""

    def options_for(command: str, program: str, words: Sequence[ExpandedWord]) -> Arguments | None:
        if command not in COMMANDS:
            return None
        return _options(framework, release, command, program.rpartition("/")[2] == _OWN)

    commands, servers = (
        programs_of(framework.name, options_for),
        server_programs(framework, release),
    )
    return Shell(lambda words, at: commands(words, at) or servers(words, at), behind=SERVE)


@lru_cache(maxsize=64)
def _options(framework: Framework, release: str, command: str, own: bool) -> Arguments:
    one = variant(framework, kind=command)
    policy: TrlKeyPolicy = one.key_policy  # type: ignore[assignment]
    keys = policy.keys_of(release)
    found = options_of(one.keys, keys, lists=LISTS, on=ON, nothing=left_open(command, keys))
    arities = dict(found.table)
    of_launcher = {name for name in arities if policy.is_option_of_launcher("", _key(name))}
    for name in of_launcher:
        del arities[name]
    if own and keys.released(_HANDS_ON_SINCE):
        arities |= dict.fromkeys(of_launcher | (_SWITCHES - arities.keys()), "?")
    return Arguments(arities, found.keys, found.off, truths=found.truths)


def left_open(command: str, keys: ReleaseKeys) -> frozenset[str]:
    """The keys that transformers has as a switch, and the class of a command in a release as true, false or nothing."""
    since = _BF16_IS_OPEN.get(command)
    return frozenset({"bf16"} if since is not None and keys.released(since) else ())


def _key(option: str) -> str:
    return option.replace("-", "_")


def starts_itself(document: Document) -> bool:
    """Whether a script starts `trl`, which starts the launcher, and not a program of its package."""
    entry = document.entry(("program",))
    if entry is None:
        return False
    word = document.text[entry.key.start : entry.key.end].strip("\"'")
    return word.rpartition("/")[2] == _OWN


def drops_words(command: str, document: Document, keys: ReleaseKeys) -> bool:
    """Whether the program of a release goes on without words that it does not know."""
    since, end = _DROP_WORDS
    first = _FIRST_DROPS if command == _FIRST else since
    return not starts_itself(document) and keys.released(first) and not keys.released(end)


def is_of_launcher(name: str, policy: TrlKeyPolicy) -> bool:
    """Whether an option is the launcher's, and not one of the classes."""
    key = _key(name)
    return policy.is_option_of_launcher("", key) or (
        key in _SWITCHES and policy.framework.keys.info("", key) is None
    )


def is_left_alone(section: str, name: str) -> bool:
    """Whether an entry of a script is not an option of the classes that a command fills."""
    return not section and (is_frame(name) or _key(name) in _SWITCHES)
