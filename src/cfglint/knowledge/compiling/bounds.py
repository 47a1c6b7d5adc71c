"""What the releases of packages of no framework ask for of others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def bounds_table(path: Path) -> dict[str, dict[str, Any]]:
    """Package -> its known releases, and the rows (first release, range) for each package that it asks for."""
    if not path.is_file():
        return {"RELEASES": {}, "ASKS": {}}
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {
        "RELEASES": {package: tuple(row["releases"]) for package, row in rows.items()},
        "ASKS": {
            package: {name: tuple(changes.items()) for name, changes in row["asks"].items()}
            for package, row in rows.items()
        },
    }
