"""What is wrong with the DeepSpeed settings that a config names.

Imported only when a config names some.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.diagnostic import OtherFile, SeverityName
from cfglint.files.nearby import search
from cfglint.fixes.actions import SetValue
from cfglint.frameworks.axolotl import deepspeed_keys
from cfglint.frameworks.axolotl.deepspeed_files import (
    DeepSpeedFile,
    is_shipped,
    load_once,
    neighbours,
    repeated_keys,
)
from cfglint.frameworks.axolotl.trainer_comparison import differences
from cfglint.releases.ranges import exact, within
from cfglint.source.document import Path
from cfglint.source.text import Span
from cfglint.source.values import to_python

_GATHER = (
    "stage3_gather_16bit_weights_on_model_save",
    "gather_16bit_weights_on_model_save",
    "stage3_gather_fp16_weights_on_model_save",
)
#: DeepSpeed's schedules and what the Trainer calls them.
_SCHEDULES = {
    "warmuplr": ("constant_with_warmup",),
    "warmupdecaylr": ("linear",),
    "warmupcosinelr": ("cosine",),
}
#: Forms of the cosine that Axolotl builds itself; it warns in the log when it cannot.
_OWN_CURVES = ("lr_quadratic_warmup", "cosine_min_lr_ratio")


def missing(ctx: CheckContext) -> Iterator[Hit]:
    """A file of the project that is not there."""
    written, folder = _written(ctx), ctx.around.folder
    if written is None or folder is None or is_shipped(written):
        return
    if not written.lower().endswith(".json"):
        return
    places = search(written, folder)
    if places.found or places.missing_in is None:
        return
    name = written.replace("\\", "/").rpartition("/")[2]
    below = places.missing_in.startswith(folder.rstrip(os.sep) + os.sep)
    if not below and not places.in_repository:
        # Which folder the run starts in, nobody knows.
        return
    others = neighbours(places.missing_in)
    guess = deepspeed_keys.speller(tuple(others)).closest(name) if others else None
    where = os.path.relpath(places.missing_in, folder).replace(os.sep, "/")
    hint = ""
    repairs: tuple[Repair, ...] = ()
    severity: SeverityName | None = None
    span = ctx.document.span(("deepspeed",))
    assert span is not None
    if guess is not None:
        hint = f"; there is `{guess.name}`"
        action = SetValue(("deepspeed",), written[: len(written) - len(name)] + guess.name)
        repairs = (Repair(f"Name {guess.name}", "unsafe", (action,)),)
        severity = "error"
    params = {
        "file": written,
        "where": "the config's folder" if where == "." else f"`{where}`",
        "hint": hint,
    }
    yield Hit(("deepspeed",), span, params, repairs=repairs, severity=severity)


def broken(ctx: CheckContext) -> Iterator[Hit]:
    """A file that is no JSON."""
    file = _file(ctx)
    if file is None or file.error is None or file.contents.path.lower().endswith((".yml", ".yaml")):
        return
    if file.contents.problem is not None and "larger" in file.contents.problem:
        return
    text = file.contents.source.text
    start = min(file.error.offset, len(text))
    end = start + 1 if start < len(text) and text[start] not in "\r\n" else start
    yield _hit(file, Span(start, end), {"problem": file.error.problem})


def repeated_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that stands twice; the last one counts."""
    file = _file(ctx)
    if file is None or file.document is None:
        return
    for path, first in repeated_keys(file.document):
        line = file.contents.source.position(first.start).line
        yield _at(file, path, {"key": _dotted(path), "line": line}, key_only=True)


def unknown_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that DeepSpeed does not have, as far as that is certain."""
    file = _file(ctx)
    if file is None:
        return
    for path, names in deepspeed_keys.CLOSED.items():
        yield from _unknown_in(file, path, names, None)
    refuses = _deepspeed_is(ctx, ">=0.17.1")
    for path, names in deepspeed_keys.CLOSED_SINCE_0_17_1.items():
        yield from _unknown_in(file, path, names, None if refuses else "warning")
    for key in file.settings:
        if key in deepspeed_keys.TOP:
            continue
        hint = ""
        if key in deepspeed_keys.CLOSED[("zero_optimization",)]:
            hint = "it belongs into `zero_optimization`."
        elif key in deepspeed_keys.OF_ACCELERATE:
            hint = f"here it is {deepspeed_keys.OF_ACCELERATE[key]}."
        else:
            guess = deepspeed_keys.speller(deepspeed_keys.TOP).closest(key)
            if guess is not None and guess.sure and guess.name not in file.settings:
                hint = f"did you mean `{guess.name}`?"
        if hint:
            params = {"key": key, "outcome": "DeepSpeed does not read it", "hint": hint}
            yield _at(file, (key,), params, severity="warning", key_only=True)


def _unknown_in(
    file: DeepSpeedFile,
    path: tuple[str, ...],
    names: tuple[str, ...],
    severity: SeverityName | None,
) -> Iterator[Hit]:
    section = file.value(*path)
    if not isinstance(section, dict):
        return
    outcome = "DeepSpeed refuses it" if severity is None else "DeepSpeed ignores it"
    for key in section:
        if key in names:
            continue
        guess = deepspeed_keys.speller(names).closest(key)
        if guess is not None and guess.sure:
            hint = f"did you mean `{guess.name}`?"
        elif key in deepspeed_keys.TOP and key != path[-1]:
            hint = "it belongs to the top level of the file."
        else:
            hint = "take it out."
        params = {"key": _dotted((*path, key)), "outcome": outcome, "hint": hint}
        yield _at(file, (*path, key), params, severity=severity, key_only=True)


def disagrees(ctx: CheckContext) -> Iterator[Hit]:
    """Values that the Trainer compares with its own, and finds different."""
    file = _file(ctx)
    if file is None or not file.settings:
        return
    config = to_python(ctx.document.root)
    gpus = ctx.target.facts.get("gpus")
    for found in differences(file, config, gpus.value if gpus is not None else None):
        params = {
            "key": _dotted(found.path),
            "value": json.dumps(file.value(*found.path))[:60],
            "config": found.config,
        }
        yield _at(file, found.path, params)


def not_gathered(ctx: CheckContext) -> Iterator[Hit]:
    """ZeRO-3 that saves pieces only."""
    file = _file(ctx)
    if file is None or _value(ctx, "adapter") or file.value("zero_optimization", "stage") != 3:
        return
    if all(file.value("zero_optimization", name) is not True for name in _GATHER):
        yield _at(file, ("zero_optimization", "stage"), {})


def idle_offload(ctx: CheckContext) -> Iterator[Hit]:
    """Offloading that the ZeRO stage does not do."""
    file = _file(ctx)
    stage = file.value("zero_optimization", "stage") if file is not None else None
    if file is None or type(stage) is not int or not 0 <= stage <= 2:
        return
    for key, least in (("offload_param", 3), ("offload_optimizer", 1)):
        device = file.value("zero_optimization", key, "device")
        if device in ("cpu", "nvme") and stage < least:
            params = {"key": key, "device": device, "stage": stage, "least": least}
            yield _at(file, ("zero_optimization", key), params, key_only=True)


def other_optimizer(ctx: CheckContext) -> Iterator[Hit]:
    """An optimizer in the file that takes the place of the config's."""
    file = _file(ctx)
    own = _value(ctx, "optimizer")
    kind = file.value("optimizer", "type") if file is not None else None
    if file is None or not isinstance(own, str) or not isinstance(kind, str):
        return
    alike = own.startswith(("adamw_torch", "adamw_hf", "adamw_apex")) or own == "adamw"
    if alike and kind.lower() in ("adam", "adamw"):
        return
    if own.lower().replace("_", "") == kind.lower().replace("_", ""):
        return
    params = {"optimizer": own, "type": kind[:60]}
    yield _at(file, ("optimizer", "type"), params)


def other_schedule(ctx: CheckContext) -> Iterator[Hit]:
    """A schedule in the file that takes the place of the config's."""
    file = _file(ctx)
    own = _value(ctx, "lr_scheduler")
    kind = file.value("scheduler", "type") if file is not None else None
    if file is None or not isinstance(own, str) or not isinstance(kind, str):
        return
    setting = next((key for key in _OWN_CURVES if _value(ctx, key)), "lr_scheduler")
    # Axolotl's own forms of the cosine have no counterpart among DeepSpeed's schedules.
    if setting != "lr_scheduler" or own not in _SCHEDULES.get(kind.lower(), ()):
        params = {"setting": f"{setting}: {_spoken(_value(ctx, setting))}", "type": kind[:60]}
        yield _at(file, ("scheduler", "type"), params)


def _spoken(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)[:60]


def lost_batches(ctx: CheckContext) -> Iterator[Hit]:
    """ZeRO-2 with its optimizer on the CPU, and more than two accumulated batches."""
    file = _file(ctx)
    steps = _value(ctx, "gradient_accumulation_steps")
    if file is None or not isinstance(steps, int) or steps <= 2:
        return
    if is_shipped(_written(ctx) or "") or file.value("zero_optimization", "stage") != 2:
        return  # Axolotl's own files are known by name.
    path = ("zero_optimization", "offload_optimizer")
    if file.value(*path, "device") == "cpu":
        yield _at(file, path, {"steps": steps}, key_only=True)


def offload_with_fp32_adapter(ctx: CheckContext) -> Iterator[Hit]:
    """An optimizer on the CPU, where Axolotl refuses it."""
    file = _file(ctx)
    if file is None or _value(ctx, "lora_fp32_gradients") is not True:
        return
    path = ("zero_optimization", "offload_optimizer")
    stage, device = file.value("zero_optimization", "stage"), file.value(*path, "device")
    if stage in (1, 2) and device in ("cpu", "nvme"):
        yield _at(file, path, {"device": device, "stage": stage}, key_only=True)


def clips_by_default(ctx: CheckContext) -> Iterator[Hit]:
    """A file without `gradient_clipping`, whose default has changed."""
    file = _file(ctx)
    if file is None or not file.settings or file.value("gradient_clipping") is not None:
        return
    if file.value("zero_optimization") is not None:
        yield _at(file, ("zero_optimization",), {}, key_only=True)


def _file(ctx: CheckContext) -> DeepSpeedFile | None:
    return ctx.once("deepspeed file", lambda: load_once(_written(ctx), ctx.around))


def _written(ctx: CheckContext) -> str | None:
    value = _value(ctx, "deepspeed")
    return value if isinstance(value, str) and value else None


def _value(ctx: CheckContext, key: str) -> Any:
    node = ctx.document.node((key,))
    return None if node is None else to_python(node)


def _deepspeed_is(ctx: CheckContext, spec: str) -> bool:
    """Whether the target's DeepSpeed is known, and within a range."""
    pin = ctx.target.pins.get("deepspeed")
    version = pin.version if pin is not None else None
    if pin is None:
        stated = ctx.target.releases.pins.get(ctx.target.release, {}).get("deepspeed")
        version = exact(stated) if stated else None
    return version is not None and within(version, spec)


def _dotted(path: Path) -> str:
    return ".".join(str(part) for part in path)[:80]


def _at(
    file: DeepSpeedFile,
    path: Path,
    params: dict[str, Any],
    *,
    severity: SeverityName | None = None,
    key_only: bool = False,
) -> Hit:
    document = file.document
    entry = document.entry(path) if document is not None and key_only else None
    span = entry.key.span if entry else document.span(path) if document is not None else None
    return _hit(file, span or Span(0, 0), params, severity)


def _hit(
    file: DeepSpeedFile, span: Span, params: dict[str, Any], severity: SeverityName | None = None
) -> Hit:
    contents = file.contents
    params = {"file": os.path.basename(contents.path), **params}
    return Hit((), span, params, severity=severity, file=OtherFile(contents.path, contents.source))


CHECKS = {
    "deepspeed-file-broken": broken,
    "deepspeed-file-clips": clips_by_default,
    "deepspeed-file-disagrees": disagrees,
    "deepspeed-file-fp32-adapter": offload_with_fp32_adapter,
    "deepspeed-file-lost-batches": lost_batches,
    "deepspeed-file-missing": missing,
    "deepspeed-file-not-gathered": not_gathered,
    "deepspeed-file-offload": idle_offload,
    "deepspeed-file-optimizer": other_optimizer,
    "deepspeed-file-repeated-key": repeated_key,
    "deepspeed-file-schedule": other_schedule,
    "deepspeed-file-unknown-key": unknown_key,
}
