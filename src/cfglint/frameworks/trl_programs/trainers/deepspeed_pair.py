"""The DeepSpeed settings that a call or a command names, against the arguments of the trainer that are beside the name."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.project.program_starts import starts_of
from cfglint.frameworks.accelerate.launched_deepspeed import differing_from_launch
from cfglint.frameworks.deepspeed.other_schedule import replaced
from cfglint.frameworks.deepspeed.trainer_pair import differing, of_other_half
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.trl.filled_classes import filled_by
from cfglint.frameworks.trl_programs.class_names import ARGUMENTS
from cfglint.knowledge.keys.classes import is_below
from cfglint.knowledge.marks import launchers as known_launchers
from cfglint.roles.framework import load_framework
from cfglint.roles.scripts import command_of
from cfglint.runs.starts import launchers
from cfglint.source.calls import call_of
from cfglint.source.document import Mapping
from cfglint.source.languages.shell import command_of as words_of
from cfglint.source.text import Span
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Entry

_AT: Final = "deepspeed"
_LAUNCHER: Final = "accelerate"
#: The defaults that no class below `TrainingArguments` changes.
_OF_ALL: Final = {"gradient_accumulation_steps": 1, "max_grad_norm": 1.0}
#: Those of transformers' own classes, from 4.36 on.
_OF_TRANSFORMERS: Final = {
    **_OF_ALL,
    "per_device_train_batch_size": 8,
    "learning_rate": 5e-5,
    "weight_decay": 0.0,
    "adam_beta1": 0.9,
    "adam_beta2": 0.999,
    "adam_epsilon": 1e-8,
    "warmup_steps": 0,
    "warmup_ratio": 0,
    "bf16": False,
    "fp16": False,
}
#: The arguments of a trainer with a loop of its own, before which nothing is compared.
_OF_PPO: Final = ".PPOConfig"


def settings_differ(ctx: CheckContext) -> Iterator[Hit]:
    """Values of a DeepSpeed file that the trainer finds different from those of the call, or of the command."""
    for entry in ctx.document.root.entries:
        section = entry.value.target()
        if not isinstance(section, Mapping) or _is_unreached(section):
            continue
        call = call_of(section)
        if call is not None and call.name.endswith(_OF_PPO):
            continue
        named = section.lookup.get(_AT)
        if named is not None and isinstance(named.value.target(), Mapping):
            config = _written(section, ctx)
            yield from differing(
                ctx, (entry.label,), config, _defaults(entry, ctx, of_other_half(config))
            )


def other_schedule(ctx: CheckContext) -> Iterator[Hit]:
    """A schedule of a DeepSpeed file that takes the place of the one that the call, or the command, names."""
    for entry in ctx.document.root.entries:
        section = entry.value.target()
        if not isinstance(section, Mapping) or _is_unreached(section):
            continue
        call = call_of(section)
        if call is not None and call.name.endswith(_OF_PPO):
            continue
        named = section.lookup.get(_AT)
        if named is not None and isinstance(named.value.target(), Mapping):
            yield from replaced(ctx, (entry.label,), _written(section, ctx))


def launched_with_other_settings(ctx: CheckContext) -> Iterator[Hit]:
    """The same of the file that the settings of accelerate name with which a command starts the program."""
    starts = [one.line for one in starts_of(ctx.around) if one.line.launcher == _LAUNCHER]
    done: set[tuple[str, Span]] = set()
    for entry in ctx.document.root.entries:
        section = entry.value.target()
        if not isinstance(section, Mapping) or _AT in section.lookup:
            continue
        lines = starts if call_of(section) is not None else _launches(section, ctx)
        if not lines or not _is_without_own(section):
            continue
        config = _written(section, ctx)
        defaults = _defaults(entry, ctx, of_other_half(config))
        for line in lines:
            for hit in differing_from_launch(ctx, line, (entry.label,), config, defaults):
                place = (hit.file.path if hit.file else "", hit.span)
                if place not in done:
                    done.add(place)
                    yield hit


def _is_without_own(section: Mapping) -> bool:
    """Whether the arguments of a trainer that a section has surely name no DeepSpeed file."""
    call = call_of(section)
    if call is None:
        command = words_of(section)
        return command is not None and not command.hides_keys
    return not (call.unreached or call.open) and _AT in call.unset and is_below("trl", call.name)


def _launches(section: Mapping, ctx: CheckContext) -> list[Start]:
    """The command of a script that a section is, if accelerate starts it with settings of its own."""
    return [
        line
        for launcher in known_launchers()
        if launcher.name == _LAUNCHER
        for line in launchers.read(ctx.around.path, ctx.document.text, launcher)
        if section.start <= line.at < section.end
    ]


def _is_unreached(section: Mapping) -> bool:
    call = call_of(section)
    return call is not None and call.unreached


def _written(section: Mapping, ctx: CheckContext) -> dict[str, Any]:
    """The arguments of a section; the words of a command as what the types of their fields make of them."""
    values = {key: value for key, value in to_python(section).items() if key != _AT}
    if call_of(section) is not None:
        return values
    filled = filled_by(command_of(section), ctx.around)
    if filled is None:
        return {}
    fields = variant(load_framework("trl"), kind=filled.kind, language="shell").parsing
    return {key: fields.coerce((key,), value) for key, value in values.items()}


def _defaults(entry: Entry, ctx: CheckContext, implied: dict[str, Any]) -> dict[str, Any]:
    """What arguments are that are not written: unknown where something else may set them.

    Args:
        implied: defaults that follow from what is written.
    """
    section = entry.value.target()
    assert isinstance(section, Mapping)
    call = call_of(section)
    if call is not None:
        kind, sure = call.name, frozenset() if call.open else call.unset
    else:
        filled = filled_by(command_of(section), ctx.around)
        kind = filled.kind if filled is not None else ""
        own = filled.fields.own_names if filled is not None else frozenset()
        sure = frozenset(_OF_TRANSFORMERS) - own
    known = {**(_OF_TRANSFORMERS if kind in ARGUMENTS else _OF_ALL), **implied}
    return {
        key: known[key] if key in known and key in sure else UNKNOWN for key in _OF_TRANSFORMERS
    }


CHECKS = {
    "program-and-deepspeed-differ": settings_differ,
    "launched-program-and-deepspeed-differ": launched_with_other_settings,
    "program-and-deepspeed-schedule-differ": other_schedule,
}
