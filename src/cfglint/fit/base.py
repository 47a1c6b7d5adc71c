"""A base model: its sizes and quantization, from its files or its name."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import MISSING
from cfglint.base.record import Record
from cfglint.environment.surroundings import Surroundings
from cfglint.files.hub import may_have_files
from cfglint.fit.families import shape
from cfglint.fit.parts import Kind, Shape
from cfglint.knowledge import compiled

#: Bytes a weight in NF4 with blocks of 64, and with their scales quantized again:
#: 1/2 + 1/64 + 4/(64 * 256). Without that, the scales are floats.
NF4 = 0.5 + 1 / 64 + 4 / (64 * 256)
NF4_PLAIN_SCALES = 0.5 + 4 / 64
#: MXFP4 has a scale of a byte for 32 weights.
MXFP4 = 0.5 + 1 / 32
#: What quantization packs.
PACKED: tuple[Kind, ...] = ("linear", "experts", "router")


class Base(Record):
    """A base model, and how its checkpoint is quantized."""

    shape: Shape
    #: The `quantization_config` of its `config.json`, if it has one.
    quantization: Any = None


def base_of(name: object, revision: object, around: Surroundings) -> Base | None:
    """The base model of a name or a path; None when its sizes are not known for certain."""
    if not isinstance(name, str) or not name:
        return None
    config = _config(name, revision, around)
    found = None if config is None else shape(config)
    if config is None or found is None:
        return None
    text = config.get("text_config")
    inner = text.get("quantization_config") if isinstance(text, dict) else None
    return Base(found, config.get("quantization_config") or inner)


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


def _config(name: str, revision: object, around: Surroundings) -> dict[str, Any] | None:
    folder = around.folder
    if folder is not None and may_have_files(name, folder, around.files):
        from cfglint.files.model import config_of

        key = ("model config", name, folder, str(revision))
        stated = around.memory.once(key, lambda: config_of(name, folder, around.files, revision))
        if stated is not None:
            return stated
    if name.count("/") != 1 or name.startswith((".", "~", "/")):
        return None
    table: dict[str, dict[str, Any]] = compiled.load("shapes").SHAPES
    found = table.get(name.rpartition("/")[2].lower(), MISSING)
    return found if isinstance(found, dict) else None
