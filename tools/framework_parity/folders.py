"""Folders of generated files, with a manifest of what was changed in each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

_MANIFEST = "manifest.jsonl"


def write(folder: Path, files: Iterable[tuple[str, Any, Any]]) -> int:
    """Write YAML files (name, config, changes) with their manifest; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, config, changes in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
        lines.append(json.dumps({"file": name, "changes": changes}))
    (folder / _MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def changes(folder: Path) -> dict[str, Any]:
    """Name of a file, without its folder, as verdicts have it -> what was changed in it."""
    lines = (folder / _MANIFEST).read_text(encoding="utf-8").splitlines()
    return {Path(row["file"]).name: row["changes"] for row in map(json.loads, lines)}
