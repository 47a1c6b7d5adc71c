"""Folders of generated files, with a manifest of what was changed in each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

_MANIFEST = "manifest.jsonl"


def write(
    folder: Path,
    files: Iterable[tuple[str, Any, Any]],
    more: Mapping[str, Mapping[str, Any]] | None = None,
) -> int:
    """Write files (name, content, changes) with their manifest; how many there are.

    Args:
        files: a content that is not a text is written as YAML.
        more: what the manifest says of a file besides, by its name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, content, changed in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
        path.write_text(text, encoding="utf-8")
        lines.append(json.dumps({"file": name, "changes": changed, **(more or {}).get(name, {})}))
    (folder / _MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def rows(folder: Path) -> list[dict[str, Any]]:
    """The manifest: a row for each file, in their order."""
    lines = (folder / _MANIFEST).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def changes(folder: Path) -> dict[str, Any]:
    """Name of a file, without its folder, as verdicts have it -> what was changed in it."""
    return {Path(row["file"]).name: row["changes"] for row in rows(folder)}
