"""Facts from the files of a model: `config.json` in its folder or in the hub's cache.

The files are read as text; nothing of a model is ever loaded or run.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.source.files.base import Files
from cfglint.source.files.hub import hub_cache
from cfglint.source.files.inside import of_machine
from cfglint.source.files.nearby import read, search

#: The largest `config.json` seen has 60 kB; a tokenizer's may list thousands of tokens.
_MAX_CONFIG_BYTES = 500_000
_MAX_TOKENIZER_BYTES = 4_000_000
_HUB_NAME = lazy_pattern(r"[A-Za-z0-9][\w.-]{0,95}(?:/[\w.-]{1,96})?")
_REVISION = lazy_pattern(r"[\w.-]{1,80}")
_CONTEXT = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
_EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")
_LAYERS = ("num_hidden_layers", "n_layer", "n_layers")


#: What is known about all models whose `config.json` has a `model_type`.
OfType = Callable[[str], list[dict[str, Any]]]


def model_folder(base_model: str, folder: str, files: Files, revision: object = None) -> str | None:
    """The folder of a model's files on this machine; None if there is none, or it is unknown."""
    is_name = _HUB_NAME.fullmatch(base_model) is not None
    # A value that looks like a model's name on the hub is rarely a folder: one check is enough.
    if not is_name or files.is_folder(os.path.join(folder, base_model.partition("/")[0])):
        places = search(base_model, folder, files)
        found = [path for path in places.found if files.is_folder(path)]
        if found or not is_name:
            return found[0] if len(found) == 1 else None
    machine = of_machine(files)
    cache = hub_cache(machine)
    return None if cache is None else _in_cache(base_model, cache, revision, machine)


def _in_cache(name: str, cache: str, revision: object, files: Files) -> str | None:
    top = os.path.join(cache, "models--" + name.replace("/", "--"))
    if revision is None:
        revision = "main"
    if not isinstance(revision, str) or not _REVISION.fullmatch(revision) or ".." in revision:
        return None
    ref = read(os.path.join(top, "refs", revision), 200, files)
    commit = ref.source.text.strip() if ref is not None else revision
    if not _REVISION.fullmatch(commit) or ".." in commit:
        return None
    path = os.path.join(top, "snapshots", commit)
    return path if files.is_folder(path) else None


def facts(
    base_model: str, folder: str, models_of_type: OfType, files: Files, revision: object = None
) -> dict[str, Any] | None:
    """The facts that a model's files state; None when there are no such files.

    Args:
        folder: the config's.
        models_of_type: what is known about all models of a type.
    """
    try:
        home = model_folder(base_model, folder, files, revision)
        return None if home is None else _facts(home, models_of_type, files)
    except OSError:
        return None


def are_of_one_type(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two models, by their facts, have the same class."""
    return bool(one.get("model_type") == other.get("model_type"))


def config_of(
    base_model: str, folder: str, files: Files, revision: object = None
) -> dict[str, Any] | None:
    """A model's `config.json` as it is; None when there is none on this machine."""
    try:
        home = model_folder(base_model, folder, files, revision)
        return None if home is None else _json(home, "config.json", _MAX_CONFIG_BYTES, files)
    except OSError:
        return None


def _facts(home: str, models_of_type: OfType, files: Files) -> dict[str, Any] | None:
    config = _json(home, "config.json", _MAX_CONFIG_BYTES, files)
    model_type = config.get("model_type") if config is not None else None
    if config is None or not isinstance(model_type, str) or not 0 < len(model_type) <= 80:
        return None
    out: dict[str, Any] = {"model_type": model_type}
    text = config.get("text_config")
    parts = (config, text) if isinstance(text, dict) else (config,)
    context = _context(parts)
    if context is not None:
        out["context"] = context
    layers = _first(parts, _LAYERS)
    if layers is not None:
        out["layers"] = layers
    experts = _first(parts, _EXPERTS)
    if experts is not None:
        out["experts"] = experts
    alike = models_of_type(model_type)
    if alike:
        classes = {tuple(model.get("decoder_layer") or ()) for model in alike}
        if len(classes) == 1 and (found := classes.pop()):
            out["decoder_layer"] = list(found)
        releases = {model.get("transformers") for model in alike}
        if len(releases) == 1 and (release := releases.pop()):
            out["transformers"] = release
    if experts is not None:
        out["moe"] = experts > 1
    elif alike and all(model.get("moe") is False for model in alike):
        out["moe"] = False
    out.update(_quantization(config.get("quantization_config")))
    own_classes = config.get("auto_map")
    if isinstance(own_classes, dict):
        # The repository brings code; this says whether the model itself is part of it.
        out["remote_code"] = "AutoModelForCausalLM" in own_classes
        out.pop("transformers", None)
    has_template = _has_template(home, files)
    if has_template is not None:
        out["has_template"] = has_template
    return out


def _quantization(stated: object) -> dict[str, Any]:
    """How the weights are quantized, where `config.json` says that they are."""
    if not isinstance(stated, dict):
        return {}
    method, algorithm = stated.get("quant_method"), stated.get("quant_algo")
    out: dict[str, Any] = {"quant_groups": bool(stated.get("config_groups"))}
    if isinstance(method, str) and len(method) <= 80:
        out["quant_method"] = method.lower()
    if isinstance(algorithm, str) and len(algorithm) <= 80:
        out["quant_algo"] = algorithm.upper()
    return out


def _context(parts: tuple[dict[str, Any], ...]) -> int | None:
    """The longest sequence that the model was made for, with what its RoPE scaling adds."""
    context = _first(parts, _CONTEXT)
    if context is None:
        return None
    for part in parts:
        for key in ("rope_scaling", "rope_parameters"):
            scaling = part.get(key)
            if not isinstance(scaling, dict):
                continue
            factor = scaling.get("factor")
            if isinstance(factor, (int, float)) and 1 < factor <= 1000:
                original = _first((scaling,), ("original_max_position_embeddings",)) or context
                context = max(context, int(original * factor))
            elif scaling.get("short_factor") is None and len(scaling) > 2:
                return None
    return context


def _first(parts: tuple[dict[str, Any], ...], names: tuple[str, ...]) -> int | None:
    for part in parts:
        for name in names:
            value = part.get(name)
            if type(value) is int and 0 < value < 1 << 40:
                return value
    return None


def _has_template(home: str, files: Files) -> bool | None:
    """Whether the tokenizer brings a chat template; None when its files are not all there."""
    for name in ("chat_template.jinja", "chat_template.json", "additional_chat_templates"):
        if files.has(os.path.join(home, name)):
            return True
    for name in ("processor_config.json", "tekken.json"):
        if files.has(os.path.join(home, name)):
            return None
    config = _json(home, "tokenizer_config.json", _MAX_TOKENIZER_BYTES, files)
    if config is None:
        return None
    return bool(config.get("chat_template"))


def _json(home: str, name: str, limit: int, files: Files) -> dict[str, Any] | None:
    """A small JSON file of a model; None when it is not there or is not an object."""
    path = os.path.join(home, name)
    if not files.is_folder(home):  # it is in the hub's cache
        files = of_machine(files)
    # In the hub's cache these are links to its own store; nothing else is followed.
    top = os.path.dirname(os.path.dirname(home)) if _is_snapshot(home) else home
    real = files.real(path)
    if not real.startswith(files.real(top).rstrip(os.sep) + os.sep):
        return None
    contents = read(real, limit, files)
    if contents is None or contents.problem is not None:
        return None
    import json

    try:
        data = json.loads(contents.source.text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _is_snapshot(home: str) -> bool:
    above = os.path.dirname(home)
    return os.path.basename(above) == "snapshots" and os.path.basename(
        os.path.dirname(above)
    ).startswith("models--")
