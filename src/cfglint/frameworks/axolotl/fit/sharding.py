"""How a config divides weights, gradients and optimizer states among GPUs."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.accelerate.memory import division_by
from cfglint.frameworks.axolotl.deepspeed_files import is_shipped
from cfglint.frameworks.deepspeed.memory import settings_of, zero_division
from cfglint.runs.memory.division import NOWHERE, Division, copies, on_one, undecided
from cfglint.runs.memory.run import Because, Shards
from cfglint.runs.memory.values import Values

#: `axolotl train` starts a process for each GPU by itself from this release on.
_OWN_LAUNCHER_SINCE = "0.7.0"
_FSDP2_SINCE = "0.20.0"
#: How the classes of whole layers end.
_LAYER = "DecoderLayer"
_LAUNCHERS = frozenset({"accelerate", "torchrun", "deepspeed"})
_ZERO2: dict[str, Any] = {
    "stage": 2,
    "offload_optimizer": {"device": "cpu"},
    "overlap_comm": True,
}
_ZERO3: dict[str, Any] = {"stage": 3, "reduce_bucket_size": "auto", "sub_group_size": 0}
#: Where each of the files that come with Axolotl puts its parts, in all its releases from 0.4.0.
_SHIPPED: dict[str, dict[str, Any]] = {
    "zero1.json": {"stage": 1},
    "zero1_torch_compile.json": {"stage": 1},
    "zero2.json": _ZERO2,
    "zero2_torch_compile.json": _ZERO2,
    "zero3.json": _ZERO3,
    "zero3_bf16.json": _ZERO3,
    "zero3_bf16_cpuoffload_params.json": {**_ZERO3, "offload_param": {"device": "cpu"}},
}


def sharding(values: Values, gpus: int, around: Surroundings, *, usual: bool) -> Division:
    """How the parts are divided over a number of GPUs.

    Args:
        usual: how they usually are where nothing shows it, instead of the least that is certain.
    """
    if values.at("deepspeed"):
        settings = _settings(values.at("deepspeed"), around)
        further, named = _divides_further(values), values.at("deepspeed")
        return zero_division(settings, gpus, named=named, divided=further)
    if values.at("fsdp") or values.at("fsdp_config"):
        return _fsdp(values, gpus)
    by_accelerate = division_by(gpus, around, usual=usual)
    if by_accelerate is not None and by_accelerate.way not in ("one", "split", "ddp"):
        return by_accelerate
    if gpus == 1:
        return on_one()
    if _divides_further(values):
        because = Because(f"at the best a share on each of {gpus} GPUs")
        return Division(Shards(gpus, gpus, gpus, gpus), "split", because)
    if _has_processes(values, around):
        return copies("a whole copy on each GPU; nothing shards it")
    # A command that starts one process is evidence: transformers spreads the layers then.
    one_process = any(line.launcher == "python" for line in around.launches)
    text = f"one process may spread the layers over {gpus} GPUs"
    return undecided(gpus, text, usual=usual and not one_process)


def _divides_further(values: Values) -> bool:
    """Whether something other than data parallelism spreads the weights."""
    keys = ("tensor_parallel_size", "dp_shard_size", "expert_parallel_size")
    return any(values.size(key) > 1 for key in keys) or bool(values.at("device_map"))


def _has_processes(values: Values, around: Surroundings) -> bool:
    """Whether every GPU certainly has a process of its own."""
    lines = [line for line in around.launches if line.command in ("", "train")]
    own = values.since(_OWN_LAUNCHER_SINCE)
    counts = [line.option("num_processes", "nproc_per_node", "num_gpus") for line in lines]
    if values.at("use_ray") or any(count is not None and count.text == "1" for count in counts):
        return False
    if not lines:
        return own
    return all((line.own and own) or line.launcher in _LAUNCHERS for line in lines)


def _settings(written: object, around: Surroundings) -> dict[str, Any] | None:
    settings = settings_of(written, around)
    if settings is None and isinstance(written, str) and is_shipped(written):
        zero = _SHIPPED.get(written.replace("\\", "/").rpartition("/")[2])
        return None if zero is None else {"zero_optimization": zero, "bf16": {"enabled": "auto"}}
    return settings


def _fsdp(values: Values, gpus: int) -> Division:
    section = "fsdp_config" if values.at("fsdp_config") else "fsdp"
    key = (section,)
    config = values.at("fsdp_config")
    config = config if isinstance(config, dict) else {}
    config = {str(name).removeprefix("fsdp_"): value for name, value in config.items()}
    listed = " ".join(values.names("fsdp"))
    off = "offload" in listed or _is_set(config, "offload_params", "cpu_offload")
    replicas = values.size("dp_replicate_size")
    share = gpus // replicas if gpus % replicas == 0 else gpus
    shards = NOWHERE if off else Shards(share, share, share)
    version = _fsdp_version(values, config)
    where = ", in the memory of the machine" if off else ""
    because = Because(f"FSDP{version} over {share} GPUs{where}", key)
    gathers = share > 1 and not _divides_further(values) and _wraps_layers(config)
    way = f"fsdp{version}"
    return Division(shards, way, because, gathers_layers=gathers and not values.at("fp8"))


def _wraps_layers(config: dict[str, Any]) -> bool:
    """Whether nothing smaller than a layer is a unit, all of whose weights come together."""
    if str(config.get("auto_wrap_policy", "")).upper() == "SIZE_BASED_WRAP":
        return False
    named = config.get("transformer_layer_cls_to_wrap")
    names = named.split(",") if isinstance(named, str) else named
    # Those of the model itself are its layers.
    return names is None or (
        isinstance(names, list)
        and all(isinstance(name, str) and name.strip().endswith(_LAYER) for name in names)
    )


def _is_set(config: dict[str, Any], *names: str) -> bool:
    """Whether a switch is on, or has a value that is not a switch's."""
    off = (None, False, "false", "no", "off", 0)
    return any(config.get(name) not in off for name in names)


def _fsdp_version(values: Values, config: dict[str, Any]) -> int:
    for version in (values.at("fsdp_version"), config.get("version")):
        if version is not None:
            return 1 if version in (1, "1") else 2
    return 2 if values.since(_FSDP2_SINCE) else 1
