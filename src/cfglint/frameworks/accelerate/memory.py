"""How accelerate divides a run that it starts: by its file, and by the options of the command."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any
from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.project.program_starts import starts_of
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.deepspeed.memory import settings_of, zero_division
from cfglint.runs.memory.division import NOWHERE, Division, copies, on_one, undecided
from cfglint.runs.memory.run import Because, Shards
from cfglint.runs.starts.start import Start, Word
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

#: The largest real file has 3 kB.
_MAX_BYTES = 200_000
_ZERO = {"distributed_type": "DEEPSPEED"}
_FSDP = {"distributed_type": "FSDP"}
#: What the files of TRL's package say that `--accelerate_config` names, in all releases that have
#: them: 0.18.0 and newer.
_PREDEFINED: dict[str, dict[str, Any]] = {
    "single_gpu": {"distributed_type": "NO"},
    "multi_gpu": {"distributed_type": "MULTI_GPU"},
    "zero1": {**_ZERO, "deepspeed_config": {"zero_stage": 1}},
    "zero2": {**_ZERO, "deepspeed_config": {"zero_stage": 2}},
    "zero3": {**_ZERO, "deepspeed_config": {"zero_stage": 3}},
    "fsdp1": {**_FSDP, "fsdp_config": {"fsdp_version": 1}},
    "fsdp2": {**_FSDP, "fsdp_config": {"fsdp_version": 2}},
}
#: The options of DeepSpeed and FSDP that change where parts are, each with the section that has it
#: in a file.
_OPTIONS = {
    **dict.fromkeys(
        ("zero_stage", "offload_optimizer_device", "offload_param_device", "deepspeed_config_file"),
        "deepspeed_config",
    ),
    **dict.fromkeys(
        (
            "fsdp_offload_params",
            "fsdp_sharding_strategy",
            "fsdp_reshard_after_forward",
            "fsdp_version",
        ),
        "fsdp_config",
    ),
}
_TYPES = {"use_deepspeed": "DEEPSPEED", "use_fsdp": "FSDP", "use_megatron_lm": "MEGATRON_LM"}
_TRUE = (True, "true", "True", "yes", "1", 1)
_COPIES = ("NO", "MULTI_GPU", "MULTI_XPU", "MULTI_NPU", None)
#: Strategies of FSDP, which a file may also have as a number.
_STRATEGIES = {
    "1": "FULL_SHARD",
    "2": "SHARD_GRAD_OP",
    "3": "NO_SHARD",
    "4": "HYBRID_SHARD",
    "5": "HYBRID_SHARD_ZERO2",
}
_KEEPS_WEIGHTS = ("SHARD_GRAD_OP", "HYBRID_SHARD_ZERO2", "FALSE")
_MOST_STAGE = 3


def division_by(gpus: int, around: Surroundings, *, usual: bool) -> Division | None:
    """How the commands that start a file with accelerate divide it; None when none does.

    Args:
        usual: how it usually is where settings are not at hand, instead of what is certain.
    """
    lines = list(_started(around))
    found = [_of_line(line, gpus, around, usual=usual) for line in lines]
    if not found:
        return None
    if any(one != found[0] for one in found):
        return _unknown("the launch scripts start it with different settings of accelerate")
    return found[0]


def on_gpus(gpus: int, around: Surroundings, started: str, *, usual: bool) -> Division:
    """How a run is divided whose own file says nothing about it.

    Args:
        started: what usually starts a process for each GPU.
        usual: how it usually is where settings are not at hand, instead of what is certain.
    """
    found = division_by(gpus, around, usual=usual)
    if found is not None:
        return found
    if gpus == 1:
        return on_one()
    text = f"what starts the run may divide it over {gpus} GPUs"
    return undecided(gpus, text, usual=usual, started=started)


def _started(around: Surroundings) -> Iterator[Start]:
    """The commands that start accelerate in a way that its settings matter.

    A program of the project is not a command of a framework, so it is looked for where no such command is: one that
    reads the file, or the file itself.
    """
    yield from (one.line for one in starts_of(around) if one.line.launcher == "accelerate")
    if not around.launches and around.project is not None and around.path:
        yield from around.project.launcher_lines(around.path)
    for line in around.launches:
        if line.command == "preprocess":
            continue
        started = line.launcher == "accelerate" and not line.own
        if started or line.option("accelerate_config") or (line.own and _has_options(line)):
            yield line


def _has_options(line: Start) -> bool:
    return any(_option(line, name) is not None for name in (*_OPTIONS, "config_file"))


def _of_line(line: Start, gpus: int, around: Surroundings, *, usual: bool) -> Division:
    named = line.option("config_file", "accelerate_config")
    known = _stated(named, around) if named is not None else {}
    if named is not None and known is None:
        return _unknown(f"`{shortened(named.text, 80)}`, accelerate's file, is not at hand")
    settings = {**(known or {}), **_typed(line)}
    for name, section in _OPTIONS.items():
        word = _option(line, name)
        if word is not None:
            inner = settings.get(section)
            inner = inner if isinstance(inner, dict) else {}
            settings[section] = {**inner, name: word.text}
    found = _divided(settings, gpus, around, usual=usual)
    if named is None and "distributed_type" not in settings:
        return _by_default(gpus, usual=usual)
    return found


def _stated(named: Word, around: Surroundings) -> dict[str, Any] | None:
    """What the named file says; None when it cannot be read."""
    path = None if named.open else named_file(named.text, around, _MAX_BYTES)
    if path is None:
        return _PREDEFINED.get(named.text)
    document = named_document(path, language("yaml"), around, _MAX_BYTES)
    found = to_python(document.root) if document is not None else None
    return found if isinstance(found, dict) else None


def _typed(line: Start) -> dict[str, Any]:
    """What the switches of a command say about `distributed_type`."""
    written = (*line.words, *line.handed) if line.own else line.before
    words = {word.text.lstrip("-").replace("-", "_") for word in written}
    chosen = [name for switch, name in _TYPES.items() if switch in words]
    if chosen:
        return {"distributed_type": chosen[0]}
    return {"distributed_type": "MULTI_GPU"} if "multi_gpu" in words else {}


def _option(line: Start, name: str) -> Word | None:
    found = line.option(name)
    return found if found is None or not found.open else Word("", found.start, found.end)


def _by_default(gpus: int, *, usual: bool) -> Division:
    """Without a file: that in the user's cache decides, if there is one.

    Otherwise `accelerate launch` starts a process for each GPU (`_validate_launch_command`).
    """
    if gpus == 1:
        return on_one().replaced(may_move=True)
    text = f"accelerate's default settings may divide it over {gpus} GPUs"
    found = undecided(gpus, text, usual=usual, started="`accelerate launch`")
    return found.replaced(may_move=True)


def _divided(settings: dict[str, Any], gpus: int, around: Surroundings, *, usual: bool) -> Division:
    kind = settings.get("distributed_type")
    if kind == "DEEPSPEED":
        return _deepspeed(settings.get("deepspeed_config"), gpus, around)
    if kind == "FSDP":
        return _fsdp(settings.get("fsdp_config"), gpus, usual=usual)
    if kind not in _COPIES:
        return _unknown(
            f"`distributed_type: {shortened(str(kind), 40)}` of accelerate's file is not counted"
        )
    if gpus == 1:
        return on_one()
    return copies("a whole copy on each GPU, by accelerate's settings")


def _deepspeed(section: object, gpus: int, around: Surroundings) -> Division:
    section = section if isinstance(section, dict) else {}
    if section.get("deepspeed_config_file"):
        named = section["deepspeed_config_file"]
        return zero_division(settings_of(named, around), gpus, named=named)
    # `DeepSpeedPlugin` has stage 2 where nothing is written.
    stage = section.get("zero_stage", 2)
    stage = int(stage) if str(stage) in map(str, range(_MOST_STAGE + 1)) else None
    zero: dict[str, Any] = {"stage": stage}
    for part in ("offload_optimizer", "offload_param"):
        device = section.get(f"{part}_device", "none")
        if device != "none":
            zero[part] = {"device": device}
    return zero_division({"zero_optimization": zero}, gpus)


def _fsdp(section: object, gpus: int, *, usual: bool) -> Division:
    """The shares of FSDP. The number of machines is not known, so a hybrid may divide by all."""
    section = section if isinstance(section, dict) else {}
    if section.get("fsdp_offload_params") in _TRUE:
        return _unknown("FSDP of accelerate's settings offloads the parameters")
    written = section.get("fsdp_reshard_after_forward", "FULL_SHARD")
    written = str(section.get("fsdp_sharding_strategy", written)).upper()
    strategy = _STRATEGIES.get(written, written)
    if strategy == "NO_SHARD":
        return copies("a whole copy on each GPU, by FSDP's `NO_SHARD`")
    # What is kept from the forward to the backward pass, but not at the optimizer's step.
    weights = 1 if usual and strategy in _KEEPS_WEIGHTS else gpus
    because = Because(f"FSDP over {gpus} GPUs, by accelerate's settings")
    return Division(Shards(weights, gpus, gpus), "fsdp", because)


def _unknown(text: str) -> Division:
    return Division(NOWHERE, "unknown", Because(text))
