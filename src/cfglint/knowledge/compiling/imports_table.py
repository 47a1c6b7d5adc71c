"""What the releases of packages import from each other, as it is compiled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cfglint.base.packing import pack


def imports_table(path: Path) -> dict[str, Any]:
    """What the releases of packages import from each other; the names of a package are packed."""
    table = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    names = {
        package: {
            name: (came, gone, tuple(map(tuple, rows))) for name, (came, gone, rows) in own.items()
        }
        for package, own in table.get("names", {}).items()
    }
    return {
        "RELEASES": {
            package: tuple(versions) for package, versions in table.get("releases", {}).items()
        },
        "NAMES": {package: pack(own) for package, own in names.items()},
        "MODULES": table.get("modules", {}),
        "REACHED": table.get("reached", {}),
        "REQUIRED": table.get("required", {}),
    }
