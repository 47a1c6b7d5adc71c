"""Writes the key tables anew from a checkout of LLaMA2-Accessory, and compares its models.

    python -m tools.accessory_release CHECKOUT --rules rules/accessory

There are no releases: the repository's last commit, of 24 May 2024, stands for all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.accessory_release.arguments import UnreadableArgumentsError, read
from tools.accessory_release.models import differences, read_models

RELEASE = "2024.5.24"
#: Kind of script -> its program.
PROGRAMS = {"finetune": "main_finetune.py", "pretrain": "main_pretrain.py"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables; 0 when done, 1 when the models are others than cfglint knows, 2 when the sources cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m tools.accessory_release", description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--rules", type=Path, required=True)
    options = parser.parse_args(arguments)
    source = options.checkout / "accessory"
    try:
        kinds = {kind: read((source / name).read_text("utf-8")) for kind, name in PROGRAMS.items()}
        models = read_models(source / "model" / "LLM")
    except (OSError, UnreadableArgumentsError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    tables = options.rules / "tables"
    for kind, keys in {**kinds, "llama2-accessory": of_any(kinds)}.items():
        (tables / f"{kind}.json").write_text(dump(kind, keys), encoding="utf-8")
        sys.stdout.write(f"{kind}: {len(keys)} options\n")
    changed = differences(models)
    if changed:
        sys.stdout.write(f"models.py differs: {', '.join(changed)}\n")
    return 1 if changed else 0


def of_any(kinds: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The options that at least one program has; what they differ in is left open."""
    found: dict[str, Any] = {}
    for keys in kinds.values():
        for name, entry in keys.items():
            known = found.setdefault(name, dict(entry))
            if known.get("default") != entry.get("default"):
                known.pop("default", None)
            if known.get("constraints") != entry.get("constraints"):
                known.pop("constraints", None)
    return dict(sorted(found.items()))


def dump(framework: str, keys: dict[str, Any]) -> str:
    """A key table as it is in the rules: an option a line."""
    rows = [
        f"  {json.dumps(name)}: {json.dumps({'since': RELEASE, **entry})}"
        for name, entry in keys.items()
    ]
    sections = json.dumps({"": {"since": RELEASE, "forbids_unknown_since": RELEASE}})
    return (
        f'{{\n "framework": "{framework}",\n "releases": ["{RELEASE}"],\n "plugins": {{}},\n'
        f' "sections": {sections},\n "keys": {{\n' + ",\n".join(rows) + "\n }\n}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
