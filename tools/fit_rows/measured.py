"""Writes the measured runs that `cfglint fit --measured` shows: `rules/measured.json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cfglint.base.record import field_values
from cfglint.runs.memory.measured import Traits, traits
from cfglint.runs.memory.run import GIB
from tools.fit_rows.compared import Compared
from tools.fit_rows.estimates import usable

#: Methods that a config of the three frameworks asks for.
_METHODS = ("full", "lora", "qlora")
#: Variants of LoRA of which PEFT's comparison trains other matrices.
_VARIANTS = ("-bdlora", "-lorafa")


def rows(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """The rows that tell enough to compare a run with them, each fact as its source has it."""
    found: dict[str, dict[str, Any]] = {}
    for one in usable(compared):
        method = _method(one)
        of_run = None if one.run is None else traits(one.run)
        if method is None or of_run is None or one.run is None or one.run.shape.partial:
            continue
        if str(one.row["id"]).endswith(_VARIANTS):
            continue
        own = "allocated" in one.row
        name = str(one.row["id"]).removeprefix("trl/") if own else str(one.row["model"])
        title = f"{name} ({'TRL' if own else _program(one)}, {method})"
        found.setdefault(
            f"{title} {of_run}",
            {
                "title": title,
                "gib": round(one.limit / GIB, 1),
                "metric": "reserved by the allocator, and the CUDA context"
                if own
                else str(one.row.get("metric", "as the source states it")),
                "source": "" if own else str(one.row["source"]),
                "traits": dict(zip(Traits._fields, field_values(of_run), strict=True)),
            },
        )
    return list(found.values())


def write(compared: Sequence[Compared], path: Path) -> None:
    """Write them, one to a line."""
    lines = ",\n".join(json.dumps(row) for row in rows(compared))
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _method(one: Compared) -> str | None:
    word = str(one.row["method"]).split()[0].lower()
    word = "full" if word in ("sft", "full-finetuning") else word
    return word if word in _METHODS else None


def _program(one: Compared) -> str:
    family = str(one.row["id"]).partition("/")[0].partition("-")[0]
    return {"peft": "PEFT", "lf": "LLaMA-Factory", "axolotl": "Axolotl", "trl": "TRL"}.get(
        family, family
    )
