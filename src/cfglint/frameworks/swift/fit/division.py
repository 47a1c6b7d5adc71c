"""How a run of ms-swift is divided over the GPUs: by DeepSpeed, by FSDP, by processes, or by `device_map` in one of them."""

from __future__ import annotations

import json
from collections.abc import Callable

from cfglint.base.record import Record
from cfglint.base.type_names import Any, Final
from cfglint.environment.project.machines import devices_of
from cfglint.environment.project.program_starts import MAX_BYTES, world_of
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.accelerate.memory import division_by
from cfglint.frameworks.deepspeed.memory import settings_of, zero_division
from cfglint.frameworks.swift.commands import OF_SEVERAL_PROCESSES
from cfglint.frameworks.swift.fit.shipped import deepspeed_named, fsdp_named
from cfglint.runs.memory.division import NOWHERE, Division, copies, on_one, undecided
from cfglint.runs.memory.run import Because, Shards
from cfglint.runs.memory.values import Values
from cfglint.runs.starts.start import Start
from cfglint.source.files.nearby import text_of

#: The release since which `fsdp` is a preset or a file; before, it was transformers' argument.
_FSDP_FILES_SINCE: Final = "3.12.0"
_FSDP = ("fsdp",)
_PROCESSES: Final = "NPROC_PER_NODE"
#: With this, a process has one GPU whatever it sees.
_SINGLE: Final = "SWIFT_SINGLE_DEVICE_MODE"
#: So many processes have a machine to themselves, so that none of them sees a further GPU.
_WHOLE_MACHINE = 8
#: Numbers of processes have no more digits.
_MOST_DIGITS = 5
#: Longer texts are no settings.
_MOST_TEXT = 20_000


class Processes(Record):
    """The processes of a run, as its commands state them."""

    #: On each machine.
    each: int
    #: The GPUs that the command sees; 0 where it does not say.
    devices: int

    @property
    def spread(self) -> int:
        """Over how many GPUs each process spreads its layers, where that is known to be several."""
        more = self.devices > self.each and self.devices % self.each == 0
        return self.devices // self.each if more else 1


def division(values: Values, gpus: int, around: Surroundings, *, usual: bool) -> Division:
    """How weights, gradients and states are divided over a number of GPUs.

    Args:
        usual: how they usually are where nothing shows it, instead of the least that is certain.
    """
    named = values.at("deepspeed") or values.at("deepspeed_config_path")
    if named:
        settings = _settings(named, around, lambda name: deepspeed_named(name, values))
        divided = values.size("deepspeed_autotp_size") > 1
        return zero_division(settings, gpus, named=named, divided=divided)
    if values.at("fsdp"):
        return _fsdp(values, gpus, around, usual=usual)
    by_accelerate = division_by(gpus, around, usual=usual)
    if by_accelerate is not None and by_accelerate.way not in ("one", "split", "ddp"):
        return by_accelerate
    return _by_processes(_processes(values, around), gpus, usual=usual)


def _by_processes(known: Processes | None, gpus: int, *, usual: bool) -> Division:
    """By the processes that are started, each of which spreads its layers over all the GPUs that it has."""
    if known is None:
        if gpus == 1:
            return on_one().replaced(may_move=True)
        text = (
            f"one process may spread the layers over {gpus} GPUs, as it does without `{_PROCESSES}`"
        )
        return undecided(gpus, text, usual=usual, started=f"`{_PROCESSES}`")
    if known.each == 1:
        if gpus == 1:
            return on_one().replaced(may_move=known.devices != 1)
        text = f"one process, as no `{_PROCESSES}` is set: `device_map` spreads its layers over {gpus} GPUs"
        return Division(Shards(gpus, gpus, gpus), "split", Because(text), may_move=True)
    if known.spread > 1:
        share = known.spread
        text = f"{known.each} processes, each of which spreads its layers over {share} GPUs"
        return Division(Shards(share, share, share), "ddp", Because(text), may_move=True)
    may_see_more = not known.devices and known.each < _WHOLE_MACHINE
    if gpus == 1:
        return on_one().replaced(may_move=may_see_more)
    return copies().replaced(may_move=may_see_more)


def _processes(values: Values, around: Surroundings) -> Processes | None:
    """What the commands that start the run say of processes; None where they do not, or contradict each other."""
    of_file = _of_file(values)
    found = {_of_line(line, around) for line in around.launches if line.trains}
    return of_file or (found.pop() if len(found) == 1 else None)


def _of_line(line: Start, around: Surroundings) -> Processes | None:
    world = world_of(line, around)
    variables = dict(line.environment)
    if line.copied:
        return None
    if not world.stated:
        alone = line.own or line.launcher == "python"
        text = text_of(line.path, MAX_BYTES, around.files) or ""
        if not alone or any(word in text for word in OF_SEVERAL_PROCESSES):
            return None
        devices = 1 if variables.get(_SINGLE) == "1" else devices_of(line)
        return Processes(1, devices)
    each = world.each or (world.processes if world.nodes in (None, 1) else None)
    if each is None:
        return None
    return Processes(each, each if variables.get(_SINGLE) == "1" else devices_of(line))


def _of_file(values: Values) -> Processes | None:
    """The processes that a file sets variables for."""
    if values.of_command:
        return None
    variables = values.at("ENV")
    each = variables.get(_PROCESSES) if isinstance(variables, dict) else None
    text = str(each)
    return Processes(int(text), 0) if text.isdecimal() and int(text[:6]) > 0 else None


def _settings(
    written: object, around: Surroundings, named: Callable[[str], dict[str, Any] | None]
) -> dict[str, Any] | None:
    """Settings as they are written, as the text of an option, under a short name, or in a file."""
    if isinstance(written, str):
        if written.lstrip().startswith("{"):
            return _of_text(written)
        short = named(written)
        if short is not None:
            return short
    return settings_of(written, around)


def _of_text(text: str) -> dict[str, Any] | None:
    if len(text) > _MOST_TEXT:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _fsdp(values: Values, gpus: int, around: Surroundings, *, usual: bool) -> Division:
    """The shares of FSDP2; the number of machines is not known, so a hybrid may divide by all."""
    if not values.since(_FSDP_FILES_SINCE):
        return Division(NOWHERE, "unknown", Because("FSDP, whose shares are not counted", _FSDP))
    settings = _settings(values.at("fsdp"), around, fsdp_named)
    if settings is None:
        return Division(NOWHERE, "unknown", Because("settings of FSDP that are not known", _FSDP))
    options = str(settings.get("fsdp", ""))
    config = settings.get("fsdp_config")
    config = config if isinstance(config, dict) else {}
    if "offload" in options or any("offload" in str(key) and config[key] for key in config):
        text = "FSDP, with parameters in the memory of the machine"
        return Division(NOWHERE, "unknown", Because(text, _FSDP))
    keeps = config.get("reshard_after_forward") is False or "shard_grad_op" in options
    # What is kept from the forward to the backward pass, but not at the optimizer's step.
    weights = 1 if usual and keeps else gpus
    policy = str(config.get("auto_wrap_policy", "TRANSFORMER_BASED_WRAP")).upper()
    return Division(
        Shards(weights, gpus, gpus),
        "fsdp2",
        Because(f"FSDP2 over {gpus} GPUs", _FSDP),
        gathers_layers=gpus > 1 and policy == "TRANSFORMER_BASED_WRAP",
    )
