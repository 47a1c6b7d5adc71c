"""What the options of a launch line mean to Axolotl's commands, release by release.

Every key of the top level is an option of `train`, `preprocess`, `evaluate`, `inference`, `merge-lora` and
`merge-sharded-fsdp-weights`, with `-` for `_`. Whether a switch takes a value has changed three times:
how optional types are written decides what the command line is built from.
"""

from __future__ import annotations

import ast
import shlex
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.knowledge.keys.pydantic_types import FALSE, TRUE, split_type
from cfglint.knowledge.keys.release_keys import ReleaseKeys, Schema
from cfglint.runs.settings.words import Override
from cfglint.runs.starts.start import Start, Word
from cfglint.source.document import Document, Path
from cfglint.source.values import to_python

#: The first release with the command `axolotl`.
FIRST = "0.6.0"
#: From here on `train` and its like hand over what they do not know to the launcher.
LENIENT_SINCE = "0.12.0"
#: `--key.inner` for the sections, and values converted to what the config has.
_NESTED_SINCE = "0.16.0"
#: Commands that came later than the others.
COMMANDS_SINCE = {"evaluate": "0.7.0", "quantize": "0.10.0", "vllm-serve": "0.8.0"}
_WITH_KEYS = frozenset(
    {"evaluate", "inference", "merge-lora", "merge-sharded-fsdp-weights", "preprocess", "train"}
)
_LENIENT = frozenset({"evaluate", "inference", "merge-sharded-fsdp-weights", "train"})
#: Options of a command that are not keys: (is a switch, first release, first without).
_Own = tuple[bool, str, str | None]
_DEBUG: dict[str, _Own] = {
    "debug": (True, FIRST, None),
    "debug_text_only": (True, FIRST, None),
    "debug_num_examples": (False, FIRST, None),
}
_TRAINER: dict[str, _Own] = {
    **_DEBUG,
    "prompter": (False, FIRST, None),
    "shard": (True, FIRST, None),
    "merge_lora": (True, FIRST, "0.10.0"),
    "inference": (True, FIRST, "0.7.0"),
    "main_process_port": (False, "0.7.0", LENIENT_SINCE),
    "num_processes": (False, "0.7.0", LENIENT_SINCE),
}
_LAUNCHED: dict[str, _Own] = {
    "accelerate": (True, FIRST, LENIENT_SINCE),
    "launcher": (False, LENIENT_SINCE, None),
}
_OWN: dict[str, dict[str, _Own]] = {
    "train": {
        **_TRAINER, **_LAUNCHED, "cloud": (False, "0.7.0", None), "sweep": (False, "0.7.0", None),
    },
    "preprocess": {
        **_DEBUG, "prompter": (False, FIRST, None), "download": (True, FIRST, None),
        "iterable": (True, "0.7.0", None), "cloud": (False, "0.7.0", None),
    },
    "evaluate": {**_DEBUG, **_LAUNCHED},
    "inference": {
        **_TRAINER, **_LAUNCHED, "gradio": (True, FIRST, None), "chat": (True, "0.18.0", None),
    },
    "merge-lora": {
        **_TRAINER, "dequant": (True, "0.18.0", None), "override_quantizer": (True, "0.18.0", None),
    },
    "merge-sharded-fsdp-weights": {
        **_TRAINER, **_LAUNCHED, "model_dir": (False, FIRST, "0.7.0"),
        "save_path": (False, FIRST, "0.7.0"),
    },
}  # fmt: skip
#: What the modules take besides keys, of all releases; `config` is the file, which may be named that way.
_MODULES = frozenset(
    (*_TRAINER, "chat", "config", "download", "gradio", "iterable", "prepare_ds_only")
)
#: Keys that are also options of `accelerate launch`, written with `_`.
_ACCELERATE = frozenset({"gradient_accumulation_steps", "fsdp_version"})
_OF_ACCELERATE = """
    aws_access_key_id aws_secret_access_key config_file cpu debug deepspeed_config_file
    deepspeed_exclusion_filter deepspeed_hostfile deepspeed_inclusion_filter
    deepspeed_moe_layer_cls_names deepspeed_multinode_launcher downcast_bf16 dynamo_backend
    dynamo_mode dynamo_use_dynamic dynamo_use_fullgraph dynamo_use_regional_compilation
    enable_cpu_affinity env gpu_ids gradient_clipping help ipex log_dir machine_rank
    main_process_ip main_process_port main_training_function max_restarts mixed_precision module
    monitor_interval mpirun_ccl mpirun_hostfile multi_gpu no_python no_tpu_cluster
    num_cpu_threads_per_process num_machines num_processes offload_optimizer_device
    offload_optimizer_nvme_path offload_param_device offload_param_nvme_path quiet rdzv_backend
    rdzv_conf role same_network tee tpu tpu_cluster tpu_use_sudo use_deepspeed use_fsdp
    use_megatron_lm use_parallelism_config use_xpu vm zero3_init_flag zero3_save_16bit_model
    zero_stage
"""
_OF_TORCHRUN = """
    event_log_handler help local_addr local_ranks_filter log_dir log_line_prefix_template
    logs_specs master_addr master_port max_restarts module monitor_interval no_python nnodes
    node_rank nproc_per_node numa_binding rdzv_backend rdzv_conf rdzv_endpoint rdzv_id redirects
    role run_path signals_to_handle standalone start_method tee virtual_local_rank
"""
#: What the launchers take themselves, in any of their releases.
_LAUNCHERS = {
    "accelerate": _ACCELERATE | frozenset(_OF_ACCELERATE.split()),
    "torchrun": frozenset(_OF_TORCHRUN.split()),
}
_ACCELERATE_FAMILIES = ("fp8_", "fsdp_", "megatron_lm_", "parallelism_config_")
_BAREWORD = lazy_pattern(r"[\w./:-]{1,200}")


class Given(Record):
    """One option as a launch line gives it."""

    #: The word that names it.
    word: Word
    #: The key that it sets, as a path; empty when it is not a key.
    path: tuple[str, ...] = ()
    #: Its value; None for a switch.
    value: Word | None = None
    #: `--no-…`.
    off: bool = False
    #: What is wrong with it: `unknown`, `lost` (the launcher takes it), `valued`, `bare`, `negated`, `dropped`.
    problem: str = ""
    schema: Schema | None = None


def given(line: Start, keys: ReleaseKeys) -> Iterator[Given]:
    """The options of a launch line, as a release understands them."""
    if line.command not in _WITH_KEYS:
        return
    if not line.own:
        yield from _of_module(line, keys)
    elif keys.released(FIRST):
        yield from _of_command(line, keys)


def overrides(line: Start, document: Document, keys: ReleaseKeys) -> Iterator[Override]:
    """The values that a line gives and that the config's keys take; the last one of a key counts."""
    found: dict[Path, Override] = {}
    for one in given(line, keys):
        if not one.path or one.problem:
            continue
        node = document.node(one.path)
        try:
            value = final_value(one, line, None if node is None else to_python(node), keys)
        except ValueError:
            continue
        schema = one.schema
        if schema is None or schema.fits(value):
            end = one.word.end if one.value is None else max(one.word.end, one.value.end)
            found[one.path] = Override(one.path, value, one.word.start, end)
    yield from found.values()


def option_name(path: tuple[str, ...]) -> str:
    """The option that sets a key."""
    return "--" + ".".join(path).replace("_", "-")


def option_words(line: Start, key: str, value: Any, keys: ReleaseKeys) -> str | None:
    """The words that set a key of the top level; None when the release has no option for it."""
    standing = _standing(key, keys)
    if standing is None or isinstance(value, (dict, list)) or value is None:
        return None
    text = shlex.quote(str(value).lower() if isinstance(value, bool) else str(value))
    if not line.own:
        return f"--{key}={text}"
    schema, type_ = standing
    name = option_name((key,))
    if isinstance(value, bool) and _is_switch(
        split_type(type_) if schema is None else schema.kinds, keys
    ):
        return name if value else f"--no-{name[2:]}"
    return f"{name} {text}"


def option_names(line: Start, keys: ReleaseKeys, candidates: list[str]) -> list[str]:
    """What may have been meant by an option: keys, and the command's own options."""
    own = [name for name, row in _OWN[line.command].items() if _there(row, keys)]
    return own + [name for name in candidates if _standing(name, keys) is not None]


def _there(row: _Own, keys: ReleaseKeys) -> bool:
    return keys.released(row[1]) and not (row[2] is not None and keys.released(row[2]))


def _standing(name: str, keys: ReleaseKeys, section: str = "") -> tuple[Schema | None, str] | None:
    """(schema, type) of a key that is an option; None when the release has no such key of its own."""
    known = keys.section(section)
    standing = known[name] if known is not None else None
    if standing is None or standing.info is None or standing.info.plugin is not None:
        return None
    info = standing.info
    if not keys.released(info.since) or (info.removed and keys.released(info.removed)):
        return None
    return standing.schema, info.type


def _of_command(line: Start, keys: ReleaseKeys) -> Iterator[Given]:
    """Axolotl's own commands, which take exactly the options they know."""
    if line.command == "merge-lora" and not keys.released("0.7.0"):
        return
    lenient = line.command in _LENIENT and keys.released(LENIENT_SINCE)
    words = list(line.words)
    while words:
        word = words.pop(0)
        name, equals, _ = word.text.partition("=")
        if not name.startswith("--") or "$" in name or len(name) > 100:
            continue
        found = _resolved(name[2:], line.command, keys)
        if found is None:
            yield from _foreign(name, word, line, keys, lenient)
            continue
        path, switch, off, schema = found
        if not switch and off:
            yield Given(word, path, None, True, "negated", schema)
        elif switch and equals:
            yield Given(word, path, word.behind(name), off, "valued", schema)
        elif switch:
            following = words[0].text.lower() if words else ""
            if following in TRUE | FALSE and not words[0].open:
                yield Given(word, path, words.pop(0), off, "valued", schema)
            else:
                yield Given(word, path, None, off, _lost_switch(line, keys, off, path), schema)
        elif equals:
            yield Given(word, path, word.behind(name), schema=schema)
        elif not words or words[0].text.startswith("--"):
            yield Given(word, path, None, False, "bare", schema)
        else:
            yield Given(word, path, words.pop(0), schema=schema)


def _lost_switch(line: Start, keys: ReleaseKeys, off: bool, path: tuple[str, ...]) -> str:
    """Until 0.12 a switch that was turned off did not reach the process that trains."""
    launched = line.command in _LENIENT and line.launcher == "accelerate"
    return "dropped" if off and path and launched and not keys.released(LENIENT_SINCE) else ""


def _resolved(
    name: str, command: str, keys: ReleaseKeys
) -> tuple[tuple[str, ...], bool, bool, Schema | None] | None:
    """(path, is a switch, is turned off, schema) of an option; None when there is none."""
    if "_" in name:
        return None
    for plain, off in ((name, False), (name.removeprefix("no-"), True)):
        if off and plain == name:
            continue
        key = plain.replace("-", "_")
        own = _OWN[command].get(key)
        if own is not None and _there(own, keys):
            return ((), own[0], off, None) if own[0] or not off else None
        section, dot, inner = key.rpartition(".")
        if dot and not keys.released(_NESTED_SINCE):
            return None
        standing = _standing(inner, keys, section)
        if standing is None:
            continue
        schema, type_ = standing
        kinds = split_type(type_) if schema is None else schema.kinds
        path = (section, inner) if dot else (inner,)
        return path, _is_switch(kinds, keys), off, schema
    return None


def _is_switch(kinds: tuple[str, ...], keys: ReleaseKeys) -> bool:
    """Whether a key's option is a pair `--key/--no-key` without a value."""
    if "bool" not in kinds:
        return False
    if kinds == ("bool",):
        return keys.released("0.7.0")
    first = set(kinds) <= {"bool", "null", "str"}
    old = keys.released("0.7.0") and not keys.released("0.8.0")
    return first and (old or keys.released(_NESTED_SINCE))


def _foreign(
    name: str, word: Word, line: Start, keys: ReleaseKeys, lenient: bool
) -> Iterator[Given]:
    """An option that the command does not know."""
    key = name[2:].replace("-", "_")
    if not lenient:
        yield Given(word, problem="unknown")
        return
    taken = _LAUNCHERS.get(line.launcher)
    if taken is None or any(
        w.text.partition("=")[0] in ("--cloud", "--use-ray") for w in line.words
    ):
        return
    if key in taken or (line.launcher == "accelerate" and key.startswith(_ACCELERATE_FAMILIES)):
        if key in _ACCELERATE and line.launcher == "accelerate" and _standing(key, keys):
            yield Given(word, (key,), problem="lost")
        return
    yield Given(word, problem="unknown")


def _of_module(line: Start, keys: ReleaseKeys) -> Iterator[Given]:
    """The modules (`-m axolotl.cli.train`), which take whatever they are given."""
    words = list(line.words)
    while words:
        word = words.pop(0)
        name, equals, _ = word.text.partition("=")
        if not name.startswith("--") or len(name) < 3 or "$" in name or len(name) > 100:
            continue
        value = word.behind(name) if equals else None
        if not equals and words and not words[0].text.startswith("-"):
            value = words.pop(0)
        key = name[2:].replace("-", "_")
        if key in _MODULES or "." in key or "__" in key:
            continue
        known = keys.section("")
        info = known[key].info if known is not None else None
        if info is None:
            # A later release may have it; only what is not a key of any release is certain.
            yield Given(word, value=value, problem="unknown")
        else:
            standing = _standing(key, keys)
            schema = standing[0] if standing else None
            # A name without a value is handed on as true.
            bare = value is None and schema is not None and not schema.takes(True)
            yield Given(word, (key,), value, problem="bare" if bare else "", schema=schema)


def final_value(found: Given, line: Start, existing: Any, keys: ReleaseKeys) -> Any:
    """What becomes of the config's value.

    Args:
        existing: what the config has; None when it has nothing.

    Raises:
        ValueError: that cannot be determined.
    """
    if found.value is None:
        return not found.off
    if found.value.open:
        raise ValueError("a variable")
    text = found.value.text
    launched = not line.own or (line.command in _LENIENT and line.launcher != "python")
    value = _literal(text) if launched else text
    if keys.released(_NESTED_SINCE):
        return _converted(value, existing) if isinstance(value, str) else value
    return bool(value) if isinstance(existing, bool) else value


def _literal(text: str) -> Any:
    """What the modules make of a word: a literal of Python, else text."""
    if len(text) > 2_000 or text.count("(") + text.count("[") + text.count("{") > 50:
        raise ValueError("too much")
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        if text[:1] in ("[", "{", "(") or "," in text or not _BAREWORD.fullmatch(text):
            raise ValueError("not plain") from None
        return text


def _converted(text: str, existing: Any) -> Any:
    lower = text.lower()
    if isinstance(existing, bool):
        return lower in ("true", "1", "yes")
    if isinstance(existing, (int, float)):
        return _number(text, (type(existing),))
    if existing is not None:
        return text
    if lower in ("true", "yes"):
        return True
    if lower in ("false", "no"):
        return False
    return None if lower in ("null", "none", "~") else _number(text, (int, float))


def _number(text: str, kinds: tuple[type, ...]) -> Any:
    for kind in kinds:
        try:
            return kind(text)
        except ValueError:
            continue
    return text
