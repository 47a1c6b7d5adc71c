"""The JSON Schema of `cfglint.toml` (and of `[tool.cfglint]`), for editors and catalogues."""

from __future__ import annotations

from typing import Any

from cfglint.diagnostic import CONFIDENCES, SEVERITIES
from cfglint.engine.settings import KINDS
from cfglint.report.json_schema import DRAFTS

_STRINGS: dict[str, Any] = {
    "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]
}
#: What a setting is -> what may be written.
_VALUES: dict[str, dict[str, Any]] = {
    "strings": _STRINGS,
    "int": {"type": "integer"},
    "str": {"type": "string"},
    "severity": {"enum": list(SEVERITIES)},
    "confidence": {"enum": list(CONFIDENCES)},
}
_WORDS = {
    "target": "Versions that the files will meet, such as torch==2.6.0.",
    "gpus": "GPUs of the run, over all nodes.",
    "gpu": "Their kind, such as h100.",
    "select": "The only rules to use: codes, prefixes of codes, or names.",
    "ignore": "Rules to leave out: codes, prefixes of codes, or names.",
    "fail-on": "The least severe finding that makes the exit code 1.",
    "min-confidence": "The least sure finding that is told.",
    "exclude": "Files to leave out of those found in folders, as in .gitignore.",
    "rules": "Folders with rules of the project's own.",
}


def settings_schema(draft: str) -> dict[str, Any]:
    """The schema in one of the drafts of `DRAFTS`."""
    return {
        "$schema": DRAFTS[draft],
        "title": "cfglint settings",
        "description": "What cfglint.toml says, or [tool.cfglint] in pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            name: {"description": _WORDS[name], **_VALUES[kind]} for name, kind in KINDS.items()
        },
    }
