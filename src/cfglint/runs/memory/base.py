"""A base model: its sizes and quantization, from its files or its name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cfglint.base.logic import MISSING
from cfglint.base.record import Record
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import compiled
from cfglint.runs.memory.families import shape
from cfglint.runs.memory.parts import Kind, Shape
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.run import Because
from cfglint.runs.memory.values import Values
from cfglint.source.files.hub import may_have_files
from cfglint.source.files.model import config_of, model_folder

#: Bytes a weight in NF4 with blocks of 64, and with their scales quantized again:
#: 1/2 + 1/64 + 4/(64 * 256). Without that, the scales are floats.
NF4 = 0.5 + 1 / 64 + 4 / (64 * 256)
NF4_PLAIN_SCALES = 0.5 + 4 / 64
#: MXFP4 has a scale of a byte for 32 weights.
MXFP4 = 0.5 + 1 / 32
#: So many keys are named at most.
_MOST_KEYS = 3
#: What quantization packs.
PACKED: tuple[Kind, ...] = ("linear", "experts", "router")


class Base(Record):
    """A base model, and how its checkpoint is quantized."""

    shape: Shape
    #: The `quantization_config` of its `config.json`, if it has one.
    quantization: Any = None


def stated_base(key: str, name: object, revision: object, around: Surroundings) -> Base:
    """The base model that a key names, by its own `config.json` or by its full name.

    Raises:
        NotCertainError: its sizes are not known for certain.
    """
    if not isinstance(name, str) or not name:
        raise NotCertainError(f"`{key}` names no model")
    config = _config(name, revision, around)
    by_folder = ""
    if config is None and is_elsewhere(name, around):
        # A folder is mostly called as the model on the hub that it is a copy of.
        by_folder = _last(name)
        config = _in_table(by_folder)
    if config is None:
        raise NotCertainError(_missing(key, name, around))
    found = shape(config)
    if found is None:
        raise NotCertainError(
            f"the sizes of `{key}: {name[:80]}` cannot be computed: its `config.json` is of the type "
            f"`{str(config.get('model_type'))[:40]}`, which is not known, or lacks a size"
        )
    if by_folder:
        found = found.replaced(by_folder=by_folder)
    text = config.get("text_config")
    inner = text.get("quantization_config") if isinstance(text, dict) else None
    return Base(found, config.get("quantization_config") or inner)


def check_elsewhere(values: Values, keys: Iterable[str]) -> None:
    """Refuse a config with a setting that may put parts elsewhere than on the GPUs.

    Raises:
        NotCertainError: one of the keys has a value that does so.
    """
    found = [f"`{key}`" for key in keys if values.at(key)]
    if found:
        raise NotCertainError(
            f"{' and '.join(found[:_MOST_KEYS])} may put parts of the model elsewhere than on the "
            "GPUs, or make it another model, which is not counted"
        )


def _missing(key: str, name: str, around: Surroundings) -> str:
    """What to do for a model that has no `config.json` here."""
    shown = name[:80]
    start = f"the sizes of `{key}: {shown}` are not known: "
    if not is_path(name):
        return (
            f"{start}it is not in cfglint's table, and its `config.json` is not in the hub's cache; "
            f"`hf download {shown} config.json` puts it there"
        )
    folder = around.folder
    if folder is not None and model_folder(name, folder, around.files) is not None:
        return f"{start}the folder has no `config.json` that can be read; copy the model's there"
    if name.startswith(("/", "~")):
        return (
            f"{start}the folder is not in the project, outside of which nothing is read; copy its "
            "`config.json` to a folder of the project and name that one, or name the model that it "
            "was made from"
        )
    return (
        f"{start}no folder of that name is in the project; create it with the model's `config.json`, "
        "or name the model that it was made from"
    )


def is_path(name: str) -> bool:
    """Whether a model is named by a path, not as one of the hub."""
    return name.count("/") != 1 or name.startswith((".", "~", "/")) or "\\" in name


def is_elsewhere(name: str, around: Surroundings) -> bool:
    """Whether a model is named by a folder that is on another machine, or at least not in the project."""
    if not name.startswith(("/", "~")):
        return False
    return around.folder is None or model_folder(name, around.folder, around.files) is None


def _last(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2]


def of_checkpoint(quantization: Any) -> float:
    """Bytes of a weight as a checkpoint packs it; 0 for methods that are not known."""
    if not isinstance(quantization, dict):
        return 0.0
    method = str(quantization.get("quant_method"))
    if method == "bitsandbytes":
        # Modules that it leaves out are larger.
        in_bytes = 1.0 if quantization.get("load_in_8bit") is True else 0.0
        return NF4 if quantization.get("load_in_4bit") is True else in_bytes
    return {"mxfp4": MXFP4, "fp8": 1.0}.get(method, 0.0)


def as_checkpoint_packs(
    quantization: Any, path: tuple[str, ...]
) -> tuple[dict[Kind, float], Because]:
    """Bytes of a packed weight, by kind, of a checkpoint that is quantized; `path` is that of the key which names it."""
    because = Because("as the checkpoint packs them", path)
    return dict.fromkeys(PACKED, of_checkpoint(quantization)), because


def _config(name: str, revision: object, around: Surroundings) -> dict[str, Any] | None:
    folder = around.folder
    if folder is not None and may_have_files(name, folder, around.files):
        key = ("model config", name, folder, str(revision))
        stated = around.memory.once(key, lambda: config_of(name, folder, around.files, revision))
        if stated is not None:
            return stated
    return None if is_path(name) else _in_table(_last(name))


def _in_table(name: str) -> dict[str, Any] | None:
    table: dict[str, dict[str, Any]] = compiled.load("shapes").SHAPES
    found = table.get(name.lower(), MISSING)
    return found if isinstance(found, dict) else None
