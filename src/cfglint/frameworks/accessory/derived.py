"""Values that follow from the options of a script, for rules to ask about.

A script that does not tell an option (it is computed, or given to it) leaves the value unknown, and
rules that depend on it stay silent.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any
from cfglint.frameworks.accessory.files import model_settings
from cfglint.frameworks.accessory.models import (
    ADAPTERS,
    FIELDS,
    defaults_of,
    heads_key,
    kv_heads_key,
    parameters,
)
from cfglint.frameworks.accessory.options import kind_of, launcher_value, value_of, whole
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked, Derived
from cfglint.source.files.nearby import read, search

#: Options about which rules ask: `derived epochs` is what the program gets, its default included.
_OPTIONS = (
    *("accum_iter", "batch_size", "clip_grad", "data_config", "data_meta_path", "dialog"),
    *("epochs", "image_transform", "llama_type", "lr", "lr_decay_iters", "min_lr"),
    *("model_parallel_size", "only_save_trainable", "output_dir", "precision"),
    *("pretrained_path", "quant", "resume", "save_freq", "save_interval"),
    *("save_iteration_interval", "warmup_epochs", "warmup_iters"),
)
#: AdamW keeps two numbers of four bytes for each one that is trained.
_BYTES_OF_OPTIMIZER = 8
_GROUP = lazy_pattern(r"init_process_group\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_MAX_SOURCE = 200_000
#: Where the process group is made.
_SETUP = ("accessory/util/misc.py", "util/misc.py")


def _option(name: str) -> Callable[[View, Asked, bool], Any]:
    def value(view: View, _asked: Asked, _assume: bool) -> Any:
        found = value_of(view.document.root, name)
        return MISSING if found is None else found

    return value


def world_size(view: View, _asked: Asked, _assume: bool) -> Any:
    """How many processes the launcher starts on all machines."""
    root = view.document.root
    each = _count(launcher_value(root, "nproc_per_node"), UNKNOWN)
    machines = _count(launcher_value(root, "nnodes"), 1)
    return each * machines if isinstance(each, int) and isinstance(machines, int) else UNKNOWN


def parts(view: View, asked: Asked, assume: bool) -> Any:
    """Into how many parts the model is cut: no more than there are processes, where that is known."""
    asked_for = value_of(view.document.root, "model_parallel_size")
    world = world_size(view, asked, assume)
    known = isinstance(asked_for, int) and isinstance(world, int)
    return min(asked_for, world) if known else asked_for


def _count(text: Any, absent: Any) -> Any:
    if text is None:
        return absent
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 6:
        return int(text)
    return UNKNOWN


def _size(key_of: Callable[[str], str | None]) -> Callable[[View, Asked, bool], Any]:
    """What the model's JSON files say of a size."""

    def size(view: View, asked: Asked, _assume: bool) -> Any:
        root = view.document.root
        llama_type = value_of(root, "llama_type")
        given = model_settings(root, asked.around)
        if given is None or llama_type not in FIELDS:
            return UNKNOWN
        key = key_of(llama_type)
        found = whole({**defaults_of(llama_type), **given}.get(key or ""))
        return MISSING if found is None else found

    return size


def _experts(view: View, asked: Asked, _assume: bool) -> Any:
    """How many experts each layer of a Mixtral has."""
    llama_type = value_of(view.document.root, "llama_type")
    given = model_settings(view.document.root, asked.around)
    if llama_type not in ("mixtral", "mixtral_peft"):
        return MISSING if llama_type in FIELDS else UNKNOWN
    moe = given.get("moe") if given is not None else None
    found = whole(moe.get("num_experts", 8)) if isinstance(moe, dict) else None
    return UNKNOWN if found is None else found


def adapter(view: View, _asked: Asked, _assume: bool) -> Any:
    """Whether the model trains adapters alone; unknown for a model of the project's own."""
    llama_type = value_of(view.document.root, "llama_type")
    return llama_type in ADAPTERS if llama_type in FIELDS else UNKNOWN


def optimizer_gb(view: View, asked: Asked, _assume: bool) -> Any:
    """Gigabytes of optimizer state that the first ranks write while all others wait."""
    root = view.document.root
    llama_type = value_of(root, "llama_type")
    given = model_settings(root, asked.around)
    if llama_type not in FIELDS or given is None:
        return UNKNOWN
    if llama_type in ADAPTERS or given.get("trainable_mode", "mm_stage2") != "mm_stage2":
        return MISSING
    world = world_size(view, asked, _assume)
    parallel = value_of(root, "model_parallel_size")
    if isinstance(world, int) and isinstance(parallel, int) and world <= parallel:
        return MISSING  # no rank waits: each one writes
    count = parameters(llama_type, given)
    return UNKNOWN if count is None else round(count * _BYTES_OF_OPTIMIZER / 1e9)


def _rate(seconds: int) -> Callable[[View, Asked, bool], Any]:
    def rate(view: View, asked: Asked, assume: bool) -> Any:
        size = optimizer_gb(view, asked, assume)
        return round(size * 1000 / seconds) if isinstance(size, int) else size

    return rate


def own_timeout(view: View, asked: Asked, _assume: bool) -> Any:
    """Whether the project's sources give the process group a timeout; false when unknown."""
    folder, files = asked.around.folder, asked.around.files
    if folder is None:
        return False
    for name in _SETUP:
        for path in search(name, folder, files).found:
            contents = read(path, _MAX_SOURCE, files)
            if contents is not None:
                calls = _GROUP.findall(contents.source.text)
                return any("timeout" in call for call in calls)
    return False


def kind(view: View, _asked: Asked, _assume: bool) -> Any:
    """Which of the programs a script starts: `finetune` or `pretrain`."""
    return kind_of(view.document.root) or MISSING


_NEEDS = frozenset({has_value("program")})
DERIVED = {
    name: Derived(function, _NEEDS)
    for name, function in {
        **{name: _option(name) for name in _OPTIONS},
        "adapter": adapter,
        "experts": _experts,
        "heads": _size(heads_key),
        "kind": kind,
        "kv_heads": _size(kv_heads_key),
        "optimizer_gb": optimizer_gb,
        "own_timeout": own_timeout,
        "parts": parts,
        "rate_for_10_minutes": _rate(600),
        "rate_for_30_minutes": _rate(1800),
        "world_size": world_size,
    }.items()
}
