"""Steps of migrations that are more than another name: arithmetic, several keys, plugins."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from cfglint.base.type_names import Any
from cfglint.checks.context import Check, CheckContext, Hit, Repair
from cfglint.fixes.actions import Action, AppendItem, DeleteKey, RenameKey, SetValue
from cfglint.source.document import Entry, Mapping, Path
from cfglint.source.values import to_python

_PREFIX = "fsdp_"
#: What goes by the prefix in releases that ask for it, and by nothing else in later ones.
_UNPREFIXED = frozenset(
    {
        *("activation_checkpointing", "auto_wrap_policy", "backward_prefetch"),
        *("cpu_ram_efficient_loading", "forward_prefetch", "min_num_params", "offload_params"),
        *("reshard_after_forward", "sharding_strategy", "state_dict_type", "sync_module_states"),
        *("transformer_layer_cls_to_wrap", "use_orig_params"),
    }
)
_SECTION = "fsdp_config"
#: Words of the list `fsdp` -> what says the same in `fsdp_config`.
_WORDS: dict[str, tuple[str, Any] | None] = {
    "full_shard": None,  # FSDP2's default
    "shard_grad_op": ("reshard_after_forward", False),
    "auto_wrap": ("auto_wrap_policy", "TRANSFORMER_BASED_WRAP"),
    "offload": ("offload_params", True),
}
_FSDP2 = (
    "FSDP2 shards and stores weights differently: compare the memory and the first losses, and"
    " do not resume from a checkpoint of the older run."
)
_LIGER = "axolotl.integrations.liger.LigerPlugin"
_CCE = "axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin"
#: Key -> the plugin with the same kernel, and the switch for it.
_KERNELS = {
    "unsloth_cross_entropy_loss": (_CCE, "cut_cross_entropy"),
    "unsloth_rms_norm": (_LIGER, "liger_rms_norm"),
    "unsloth_rope": (_LIGER, "liger_rope"),
}
_OLD_FOLDER = re.compile(
    r"(?:\./)?deepspeed/(zero[123](?:_bf16)?(?:_cpuoffload_(?:all|params))?\.json)"
)


def fsdp_prefixes(ctx: CheckContext) -> Iterator[Hit]:
    """Options of `fsdp_config` with a prefix that the target cuts off."""
    yield from _renamed(
        ctx,
        lambda name: (
            name.removeprefix(_PREFIX)
            if name.startswith(_PREFIX) and name != "fsdp_version"
            else None
        ),
    )


def fsdp_without_prefixes(ctx: CheckContext) -> Iterator[Hit]:
    """Options of `fsdp_config` that the target reads with a prefix only."""
    yield from _renamed(ctx, lambda name: _PREFIX + name if name in _UNPREFIXED else None)


def _renamed(ctx: CheckContext, other: Any) -> Iterator[Hit]:
    section = ctx.document.node((_SECTION,))
    if not isinstance(section, Mapping):
        return
    entries: list[Entry] = []
    actions: list[Action] = []
    for entry in section.entries:
        new = other(entry.name) if entry.name is not None else None
        if new is None or entry.is_merge:
            continue
        path: Path = (_SECTION, entry.name or "")
        taken = section.lookup.get(new)
        if taken is None:
            actions.append(RenameKey(path, new))
        elif to_python(taken.value) == to_python(entry.value):
            actions.append(DeleteKey(path))
        else:
            continue
        entries.append(entry)
    if entries:
        names = ", ".join(f"`{entry.name}`" for entry in entries)
        repair = Repair("Use the names of this release", "safe", tuple(actions))
        first = (_SECTION, entries[0].name or "")
        yield Hit(first, entries[0].key.span, {"names": names}, repairs=(repair,))


def fsdp_list(ctx: CheckContext) -> Iterator[Hit]:
    """The list `fsdp`, whose words are options of `fsdp_config` now."""
    entry = ctx.document.entry(("fsdp",))
    value = to_python(entry.value) if entry is not None else None
    words = value.split() if isinstance(value, str) else value
    if entry is None or not isinstance(words, list) or not words:
        return
    repairs: tuple[Repair, ...] = ()
    section = ctx.document.node((_SECTION,))
    written = set(section.lookup) if isinstance(section, Mapping) else set()
    beside_deepspeed = bool(ctx.value("deepspeed"))
    if all(isinstance(word, str) and word in _WORDS for word in words) and not beside_deepspeed:
        options = dict(option for word in words if (option := _WORDS[word]) is not None)
        new = {
            name: value for name, value in options.items() if not written & {name, _PREFIX + name}
        }
        if "full_shard" in words and not new and not written:
            new = {
                "reshard_after_forward": True
            }  # FSDP is on only where the section says something
        actions: list[Action] = [SetValue((_SECTION, name), value) for name, value in new.items()]
        if not isinstance(section, Mapping) or not section.entries:
            actions = [SetValue((_SECTION,), new)] if new else []
        actions.append(DeleteKey(("fsdp",)))
        repairs = (Repair("Write it as fsdp_config", "unsafe", tuple(actions), look_at=_FSDP2),)
    shown = ", ".join(str(word) for word in words)
    yield Hit(("fsdp",), entry.key.span, {"words": shown}, repairs=repairs)


def batch_size_apart(ctx: CheckContext) -> Iterator[Hit]:
    """`batch_size`, which is `micro_batch_size` times the steps that are accumulated."""
    entry = ctx.document.entry(("batch_size",))
    total, micro = ctx.value("batch_size"), ctx.value("micro_batch_size")
    if entry is None or not _counts(total, micro) or ctx.value("gradient_accumulation_steps"):
        return
    steps = total // micro
    if steps < 1:
        return
    exact = steps * micro == total
    actions: tuple[Action, ...]
    if ctx.document.entry(("gradient_accumulation_steps",)) is not None:
        actions = (SetValue(("gradient_accumulation_steps",), steps), DeleteKey(("batch_size",)))
    else:
        actions = (
            RenameKey(("batch_size",), "gradient_accumulation_steps"),
            SetValue(("gradient_accumulation_steps",), steps),
        )
    title = f"Write gradient_accumulation_steps: {steps}"
    look = f"{total} is not a multiple of {micro}; the run has used steps of {steps * micro} rows."
    repair = Repair(title, "safe" if exact else "unsafe", actions, look_at="" if exact else look)
    params = {"total": total, "micro": micro, "steps": steps}
    yield Hit(("batch_size",), entry.span, params, repairs=(repair,))


def group_fits_batch(ctx: CheckContext) -> Iterator[Hit]:
    """GRPO groups that the answers of one step cannot hold: the fewest steps that do."""
    entry = ctx.document.entry(("trl", "num_generations"))
    group: Any = to_python(entry.value) if entry is not None else None
    if entry is None or ctx.value("rl") != "grpo" or not _counts(group) or group < 2:
        return
    if ctx.value("trl", "generation_batch_size") is not None:
        return
    micro = ctx.value("micro_batch_size") or 1
    steps = ctx.value("gradient_accumulation_steps") or 1
    if not _counts(micro, steps) or (micro * steps) % group == 0:
        return
    gpus = ctx.target.fact("gpus") if ctx.since("0.21.0") else 1
    if not isinstance(gpus, int) or (micro * steps * gpus) % group == 0:
        return
    rows = group // math.gcd(group, micro * gpus)
    fitting = math.ceil(steps / rows) * rows
    at: Path = ("gradient_accumulation_steps",)
    look = (
        f"Each step has {micro * fitting * gpus} answers instead of {micro * steps * gpus}: the"
        " learning rate and the number of steps may have to follow."
    )
    repair = Repair(
        f"Write gradient_accumulation_steps: {fitting}",
        "unsafe",
        (SetValue(at, fitting),),
        look_at=look,
    )
    params = {"group": group, "rows": micro * steps * gpus, "steps": fitting}
    yield Hit(("trl", "num_generations"), entry.span, params, repairs=(repair,))


def early_stopping_schedule(ctx: CheckContext) -> Iterator[Hit]:
    """Early stopping without the two intervals that it asks for: those of the schedule, in parts.

    A number below 1 is a part of the whole run, and Axolotl itself turns `evals_per_epoch` into
    one, after it has looked for the intervals.
    """
    entry = ctx.document.entry(("early_stopping_patience",))
    epochs = ctx.value("num_epochs")
    held_back = ctx.value("test_datasets") or ctx.value("val_set_size")
    if entry is None or not ctx.value("early_stopping_patience") or not held_back:
        return
    if not _counts(epochs) or (ctx.value("max_steps") or 0) > 0:
        return
    often = []
    actions: list[Action] = []
    for what, per_epoch in (("eval", "evals_per_epoch"), ("save", "saves_per_epoch")):
        interval, strategy = f"{what}_steps", f"{what}_strategy"
        times = ctx.value(per_epoch) or 1
        if ctx.value(interval) or ctx.value(strategy) not in (None, "epoch"):
            return
        if not _counts(times) or times * epochs < 2:
            return
        often.append(times)
        actions.append(SetValue((interval,), 1 / (times * epochs)))
        gone = [key for key in (per_epoch, strategy) if ctx.value(key) is not None]
        actions += [DeleteKey((key,)) for key in gone]
    evaluations, saves = often
    if (1 / (saves * epochs)) % (1 / (evaluations * epochs)) != 0:
        return  # Axolotl asks for an evaluation at each checkpoint
    times = f"{evaluations} and {saves} times" if often != [1, 1] else "once each"
    repair = Repair("Write the intervals as parts of the run", "safe", tuple(actions))
    params = {"times": times, "epochs": epochs}
    yield Hit(("early_stopping_patience",), entry.span, params, repairs=(repair,))


def unsloth_kernels(ctx: CheckContext) -> Iterator[Hit]:
    """Kernels of Unsloth that the target no longer has, and that plugins have in another form."""
    for key, (plugin, switch) in _KERNELS.items():
        entry = ctx.document.entry((key,))
        if entry is None or to_python(entry.value) is not True:
            continue
        actions: list[Action] = [DeleteKey((key,))]
        if ctx.document.entry((switch,)) is None:
            actions = [RenameKey((key,), switch)]
        if plugin.rpartition(".")[2] not in ctx.plugins:
            actions.append(AppendItem(("plugins",), plugin))
        name = plugin.rpartition(".")[2]
        look = f"{name} computes the same result differently, and its package has to be installed."
        repair = Repair(f"Use {switch} of {name}", "unsafe", tuple(actions), look_at=look)
        yield Hit((key,), entry.span, {"key": key, "switch": switch}, repairs=(repair,))


def deepspeed_folder(ctx: CheckContext) -> Iterator[Hit]:
    """A DeepSpeed file of Axolotl's by the name of the folder that it was in first."""
    entry = ctx.document.entry(("deepspeed",))
    value = ctx.value("deepspeed")
    match = _OLD_FOLDER.fullmatch(value) if isinstance(value, str) else None
    if entry is None or match is None:
        return
    new = f"deepspeed_configs/{match.group(1)}"
    repair = Repair(
        f"Write {new}",
        "unsafe",
        (SetValue(("deepspeed",), new),),
        look_at="Is there a folder `deepspeed` of your own with this file in it? Then keep the name.",
    )
    yield Hit(("deepspeed",), entry.span, {"value": value, "new": new}, repairs=(repair,))


def cache_steps(ctx: CheckContext) -> Iterator[Hit]:
    """`gc_steps`, which two keys say since it did two things."""
    entry = ctx.document.entry(("gc_steps",))
    steps = ctx.value("gc_steps")
    if entry is None or not isinstance(steps, int) or isinstance(steps, bool):
        return
    newer = ("torch_empty_cache_steps", "gc_collect_steps")
    if ctx.value("use_ray") or any(ctx.document.entry((key,)) is not None for key in newer):
        return
    actions: tuple[Action, ...] = (RenameKey(("gc_steps",), "gc_collect_steps"),)
    if steps > 0:
        actions = (*actions, SetValue(("torch_empty_cache_steps",), steps))
    repair = Repair("Use the keys that replace it", "safe", actions)
    yield Hit(("gc_steps",), entry.span, {}, repairs=(repair,))


def cache_steps_together(ctx: CheckContext) -> Iterator[Hit]:
    """The two keys that came of `gc_steps`, where the target has that one alone."""
    entry = ctx.document.entry(("gc_collect_steps",))
    steps = ctx.value("gc_collect_steps")
    if entry is None or type(steps) is not int or ctx.document.entry(("gc_steps",)) is not None:
        return
    emptied = ("torch_empty_cache_steps",)
    other = ctx.value(*emptied)
    if other != (steps if steps > 0 else None):
        return  # the older key has one number for both
    actions: list[Action] = [RenameKey(("gc_collect_steps",), "gc_steps")]
    if ctx.document.entry(emptied) is not None:
        actions.append(DeleteKey(emptied))
    repair = Repair("Use gc_steps", "safe", tuple(actions))
    yield Hit(("gc_collect_steps",), entry.span, {}, repairs=(repair,))


def _counts(*values: Any) -> bool:
    """Whether all are whole numbers from 1."""
    return all(type(value) is int and value > 0 for value in values)


CHECKS: dict[str, Check] = {
    "batch-size-apart": batch_size_apart,
    "cache-steps": cache_steps,
    "cache-steps-together": cache_steps_together,
    "deepspeed-folder": deepspeed_folder,
    "early-stopping-schedule": early_stopping_schedule,
    "fsdp-list": fsdp_list,
    "fsdp-prefixes": fsdp_prefixes,
    "fsdp-without-prefixes": fsdp_without_prefixes,
    "group-fits-batch": group_fits_batch,
    "unsloth-kernels": unsloth_kernels,
}
