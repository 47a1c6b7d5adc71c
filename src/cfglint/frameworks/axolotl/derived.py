"""Values that follow from several keys of an Axolotl config, for rules to ask about."""

from __future__ import annotations

import re

from cfglint.base.logic import MISSING, UNKNOWN, plain
from cfglint.base.type_names import Any
from cfglint.environment.environment import Environment
from cfglint.knowledge.rules.index.triggers import has_value, is_true
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked, Derived
from cfglint.source.values import to_python

#: In Axolotl's order: the first flag that is set wins.
_ATTENTION_FLAGS = (
    ("xformers_attention", "xformers"),
    ("sage_attention", "sage"),
    ("flex_attention", "flex_attention"),
    ("flash_attention", "flash_attention_2"),
    ("sdp_attention", "sdpa"),
    ("s2_attention", "s2"),
    ("eager_attention", "eager"),
)
#: What templates have in the place of a value: `{{ name }}`, `<your dataset>`, `your_name`. The
#: tokens of a tokenizer, such as `<|im_end|>` and `<unk>`, are not among it.
_PLACEHOLDER = (
    r"\{\{(?:(?!\{\{).)*\}\}|<[^<>|]*\b(?:your|insert|path|name|dataset|model)\b[^<>|]*>"
    r"|(?<![a-z0-9])your[-_ ][a-z]|(?<![a-z])(?:replace|change|fill)[-_ ]?(?:me|this|in)(?![a-z])"
)
#: Characters of a value that are searched for one.
_LOOKED_AT = 80
#: The release from which `fsdp_config` without a version means FSDP2.
FSDP2_DEFAULT_SINCE = "0.20.0"
#: The first release that reads `attn_implementation`, and `fsdp_version` outside its section.
NAMED_BACKEND_SINCE = "0.12.0"


def _is_before(target: Environment, release: str) -> bool:
    """Whether every release that the target may be is older than one."""
    if target.foreign_version is not None or not target.candidates:
        return False
    return target.candidates < 1 << target.releases.versions.index(release)


def attention_backend(view: View, asked: Asked, _assume: bool) -> Any:
    """The attention implementation after the older boolean flags are taken into account."""
    chosen = plain(view.value(("attn_implementation",)))
    if chosen is not None and not _is_before(asked.environment, NAMED_BACKEND_SINCE):
        return chosen
    for flag, backend in _ATTENTION_FLAGS:
        if plain(view.value((flag,))) is True:
            return backend
    return None


def fsdp_version(view: View, asked: Asked, assume: bool) -> Any:
    """1 or 2; None when the file does not use FSDP. The default changed in 0.20.0."""
    sharded = plain(view.value(("fsdp",))) or plain(view.value(("fsdp_config",)))
    if not sharded:
        return None
    for path in (("fsdp_version",), ("fsdp_config", "fsdp_version"), ("fsdp_config", "version")):
        if len(path) == 1 and _is_before(asked.environment, NAMED_BACKEND_SINCE):
            continue
        written = plain(view.value(path))
        if isinstance(written, int):
            return written
    target = asked.environment
    if target.foreign_version is not None:
        return UNKNOWN
    first = target.releases.versions.index(FSDP2_DEFAULT_SINCE)
    candidates = target.candidates
    if assume:
        candidates = 1 << (candidates.bit_length() - 1)
    older = candidates & ((1 << first) - 1)
    if not older:
        return 2
    return 1 if older == candidates else UNKNOWN


def zero_stage(view: View, asked: Asked, _assume: bool) -> Any:
    """DeepSpeed's ZeRO stage as its file or the file's name tells it; None without DeepSpeed."""
    config = plain(view.value(("deepspeed",)))
    if not config:
        return None
    if isinstance(config, dict):
        section = config.get("zero_optimization")
        stage = section.get("stage") if isinstance(section, dict) else None
        return stage if isinstance(stage, int) else UNKNOWN
    if asked.around.folder is not None:
        from cfglint.frameworks.axolotl.deepspeed_files import stage_of

        stated = stage_of(config, asked.around)
        if stated is not None:
            return stated
    match = re.search(r"(?:zero|stage|ds_?z)[-_]?([0-3])", str(config), re.IGNORECASE)
    return int(match.group(1)) if match else UNKNOWN


def group_batch_size(view: View, _asked: Asked, _assume: bool) -> Any:
    """Rows that one GPU works through for one optimizer step."""
    micro = plain(view.value(("micro_batch_size",)))
    steps = plain(view.value(("gradient_accumulation_steps",)))
    if isinstance(micro, int) and isinstance(steps, int):
        return micro * steps
    return MISSING


def placeholder(view: View, _asked: Asked, _assume: bool) -> Any:
    """The first value that is a placeholder, to be filled in; None without one."""
    waiting = [to_python(view.document.root)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += reversed(value.values())
        elif isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, str) and re.search(_PLACEHOLDER, value[:_LOOKED_AT], re.IGNORECASE):
            return value[:_LOOKED_AT]
    return None


DERIVED: dict[str, Derived] = {
    "attention_backend": Derived(
        attention_backend,
        frozenset(map(is_true, ("attn_implementation", *(flag for flag, _ in _ATTENTION_FLAGS)))),
    ),
    "fsdp_version": Derived(
        fsdp_version, frozenset({is_true("fsdp"), is_true("fsdp_config")}), "axolotl"
    ),
    "zero_stage": Derived(zero_stage, frozenset({is_true("deepspeed")})),
    "placeholder": Derived(placeholder, frozenset({has_value("base_model")})),
    "group_batch_size": Derived(group_batch_size, frozenset({has_value("micro_batch_size")})),
}
