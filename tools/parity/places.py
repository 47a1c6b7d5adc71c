"""Which key a release's first error is about, and whether cfglint points there, too."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from cfglint.frameworks.axolotl.framework import Axolotl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tools.parity.verdicts import Finding, Upstream

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PIECE = re.compile(r"[A-Za-z0-9]+")
_QUOTED = re.compile(r"`([^`]+)`")
#: Names of keys that are ordinary words, too: in a message they say nothing.
_ORDINARY_TEXT = """
    type path name model value target message text data split size mode label labels only when
    train eval test samples source version layers rank dim heads prompt field format max min
    order weight input output key enabled loss train_on rl peft trl length role modules
"""
_ORDINARY = frozenset(_ORDINARY_TEXT.split())
#: What messages call it, and the keys that they mean.
_CALLED = {
    "amp": ("bf16", "fp16", "flash_optimum"),
    "bettertransformer": ("flash_optimum",),
    "deepcompile": ("deepcompile",),
    "dora": ("peft_use_dora",),
    "fsdp": ("fsdp", "fsdp_config"),
    "fsdp2": ("fsdp_config", "fsdp_version"),
    "offload": ("offload_params", "fsdp_offload_params"),
    "fused": ("flash_attn_fuse_qkv", "flash_attn_fuse_mlp"),
    "qat": ("qat",),
    "qlora": ("adapter", "load_in_8bit", "load_in_4bit", "gptq"),
    "relora": ("relora", "relora_steps"),
    "lora": ("adapter",),
    "deepspeed": ("deepspeed",),
    "adapter": ("adapter",),
}


class FirstError(NamedTuple):
    """Where a release's first error is: a path that the file has, or else keys that it names."""

    path: tuple[str | int, ...]
    keys: frozenset[str]

    def to_text(self) -> str:
        """One line: `datasets.0.type`, or `|lora_r,lora_alpha`."""
        path = ".".join(map(str, self.path))
        return f"{path}|{','.join(sorted(self.keys))}" if self.keys else path

    @classmethod
    def from_text(cls, text: str) -> FirstError:
        """Read what `to_text` wrote."""
        path, _, keys = text.partition("|")
        parts = [int(part) if part.isdigit() else part for part in path.split(".") if part]
        return cls(tuple(parts), frozenset(keys.split(",")) - {""})


def first_error(text: str, upstream: Upstream) -> FirstError | None:
    """What the first error is about; None: nobody can tell.

    A validator of the whole file tells the key in its message only; then the keys count that
    the message names, and of these the ones that the file has, if there are any.
    """
    config = _load(text)
    if not isinstance(config, dict):
        return FirstError((), frozenset())  # the file as a whole
    error = upstream.errors[0] if upstream.errors else None
    if error is not None and error["loc"]:
        path, missing = _existing(config, error["loc"])
        if missing and error["type"] == "missing":
            return FirstError(path, frozenset({missing}))
        if path:
            return FirstError(path, _elsewhere(config, error["loc"], missing))
        # of a part that was validated by itself, or of a key that took the place of another
        return FirstError((), _spellings(config, error["loc"]))
    told = _told(error["msg"] if error is not None else upstream.message, config)
    return FirstError((), frozenset(told)) if told else None


def points_at(first: FirstError, found: Iterable[Finding]) -> bool:
    """Whether a rejecting finding is at, relates to or names the key."""
    alarms = [finding for finding in found if finding.says_rejected]
    if not first.path and not first.keys:
        return bool(alarms)
    paths = [path for finding in alarms for path in finding.places]
    if first.path and any(_overlap(first.path, place) for place in paths):
        return True
    named = {word for finding in alarms for word in _named(finding.message)}
    named |= {str(part) for path in paths for part in path}
    return any(name.endswith(key) for key in first.keys for name in named)


def _spellings(config: dict[str, Any], loc: Sequence[Any]) -> frozenset[str]:
    """A location's first name and older names for it that the file has.

    `context_parallel.size` may be written as `context_parallel_size`, and that by its older name.
    """
    names = {str(loc[0]), "_".join(str(part) for part in loc[:2])}
    older = {key for key in config if isinstance(key, str) and _renamed(key) in names}
    return frozenset({str(loc[0])} | (names & config.keys()) | older)


def _elsewhere(config: dict[str, Any], loc: Sequence[Any], missing: str) -> frozenset[str]:
    """Other keys that the value at a location may have come from.

    Axolotl copies `fsdp_version` into `fsdp_config`, `context_parallel_size` into
    `context_parallel`, and there `fsdp_offload_params` to `offload_params`.
    """
    names = {missing, "_".join(str(part) for part in loc[:2])} & config.keys() - {loc[0]}
    section = config[loc[0]]
    if loc[0] == "fsdp_config" and isinstance(section, dict):
        names |= {f"fsdp_{part}" for part in loc[1:2]} & section.keys()
    return frozenset(names)


@lru_cache(maxsize=4096)
def _renamed(key: str) -> str | None:
    """What a key at the top level is called now; None when it is not known or has its name still."""
    info = Axolotl().keys.info("", key)
    return info.rename if info is not None else None


def _told(message: str, config: dict[str, Any]) -> set[str]:
    """The keys that a message is about: those that the file has, else those that there are."""
    words = set(_WORD.findall(message)) - _ORDINARY
    written = set(_names(config))
    told = words & written
    if not told:
        called = [_CALLED.get(word.lower(), ()) for word in _PIECE.findall(message)]
        told = {key for keys in called for key in keys if key in written}
    return told or words & top_level_keys()


def _names(node: Any, depth: int = 20) -> Iterator[str]:
    """The names of keys; a YAML file may contain itself, so only so deep."""
    if depth and isinstance(node, dict):
        for key, value in node.items():
            yield str(key)
            yield from _names(value, depth - 1)
    elif depth and isinstance(node, list):
        for item in node:
            yield from _names(item, depth - 1)


@lru_cache(maxsize=1)
def top_level_keys() -> frozenset[str]:
    """The names of all keys at the top level, of all releases."""
    return frozenset(Axolotl().keys.names(""))


def _load(text: str) -> Any:
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return None


def _existing(config: Any, loc: Iterable[Any]) -> tuple[tuple[Any, ...], str]:
    """The part of a location that the file has, without names of classes; then the first other."""
    path: list[Any] = []
    node, missing = config, ""
    for part in loc:
        if (isinstance(node, dict) and part in node) or (
            isinstance(node, list) and isinstance(part, int) and part < len(node)
        ):
            node = node[part]
            path.append(part)
            missing = ""
        else:
            missing = str(part)
    return tuple(path), missing


def _overlap(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    length = min(len(one), len(other))
    return bool(other) and one[:length] == other[:length]


def _named(message: str) -> set[str]:
    return {word for quoted in _QUOTED.findall(message) for word in _WORD.findall(quoted)}
