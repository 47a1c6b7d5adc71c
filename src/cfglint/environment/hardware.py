"""GPU names and what is known of each."""

from __future__ import annotations

import re
from typing import Any

from cfglint import compiled
from cfglint.environment.pins import Fact, TargetError


def gpu_facts(name: str, origin: str) -> dict[str, Fact]:
    """The facts that the name of a GPU tells: `gpu`, `gpu.memory_gb`, `gpu.compute_capability` …

    Raises:
        TargetError: no GPU of that name is known.
    """
    table: dict[str, dict[str, Any]] = compiled.load("hardware").GPUS
    wanted = re.sub(r"[\s_-]+", "", name).lower()
    for known, row in table.items():
        if wanted == known or wanted in row.get("aliases", ()):
            facts = {"gpu": Fact(known, origin)}
            for key, value in row.items():
                if key != "aliases":
                    facts[f"gpu.{key}"] = Fact(value, origin)
            return facts
    raise TargetError(
        f"{name!r} is no GPU that cfglint knows; there are {', '.join(sorted(table))}"
    )
