"""How new releases of DeepSpeed are read into the tables."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.deepspeed_release.cli import main
from tools.upkeep.package import Package, Step, one_by_one


def _comparison(version: str, _count: int, work: Path) -> list[Step]:
    """Its models, in an environment of their own."""
    environment = work / "deepspeed"
    python = environment / "bin" / "python"
    models = environment / "models.json"
    compare = (sys.executable, "-m", "tools.deepspeed_release", "compare", models)
    return [
        (sys.executable, "-m", "venv", environment),
        (python, "-m", "pip", "install", "--quiet", f"deepspeed=={version}"),
        (python, "tools/deepspeed_release/real_models.py", models),
        (*compare, "--table", "rules/deepspeed/tables/deepspeed.json"),
    ]


PACKAGE = Package("deepspeed", one_by_one(main, "--release"), comparison=_comparison)
