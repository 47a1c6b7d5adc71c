"""How new releases of Axolotl are read into the tables."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.axolotl_release.cli import main
from tools.axolotl_release.history import main as history
from tools.upkeep.package import Package, Step, one_by_one


def _comparison(version: str, count: int, work: Path) -> list[Step]:
    """Its validator on generated configurations."""
    made = work / "made"
    parity = (sys.executable, "-m", "tools.parity")
    seeded = ("--count", str(count), "--seed", "1", "--made-for", version)
    return [
        (*parity, "generate", *seeded, "--out", made),
        (*parity, "--release", version, "fixtures/good", made),
    ]


PACKAGE = Package(
    "axolotl",
    one_by_one(main, "--wheel"),
    validators=main,
    comparison=_comparison,
    history=(history, "https://github.com/axolotl-ai-cloud/axolotl"),
)
