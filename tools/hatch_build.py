"""Build hook: compiles `rules/` into the package before a wheel is made."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileRules(BuildHookInterface[Any]):
    """Writes `src/cfglint/knowledge/_compiled/` from the rule files."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))
        from cfglint.knowledge.compiling.freshness import write

        compiled = root / "src" / "cfglint" / "knowledge" / "_compiled"
        write(root / "rules", compiled)
        if version == "standard":
            # Git ignores the folder, so the wheel has to be told of it.
            for module in sorted(compiled.glob("*.py")):
                build_data["force_include"][str(module)] = (
                    f"cfglint/knowledge/_compiled/{module.name}"
                )
