"""Tables of a framework's own, which only its own code reads: `data/*.json` in its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cfglint.knowledge.compiling.files import RuleFileError


def data_tables(home: Path) -> dict[str, Any]:
    """The tables of a framework as constants: `data/signatures.json` is `SIGNATURES`.

    Raises:
        RuleFileError: a file is malformed, or has a name that a constant cannot have.
    """
    tables = {}
    for path in sorted(home.glob("data/*.json")):
        name = path.stem.upper().replace("-", "_")
        if not name.isidentifier():
            raise RuleFileError(f"{path}: a constant cannot have this name")
        try:
            tables[name] = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise RuleFileError(f"{path}: {error}") from None
    return tables
