"""The JSON Schema of `cfglint.toml` (and of `[tool.cfglint]`), for editors and catalogues."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.diagnostic import CONFIDENCES, SEVERITIES, SEVERITY_ALIASES, SEVERITY_NAMES
from cfglint.engine.settings.file import KINDS
from cfglint.report.json_schemas.of_release import DRAFTS

_STRINGS: dict[str, Any] = {
    "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]
}
#: What a setting is -> what may be written.
_VALUES: dict[str, dict[str, Any]] = {
    "strings": _STRINGS,
    "int": {"type": "integer"},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "fail-on": {"enum": [*SEVERITIES, *SEVERITY_ALIASES, "never"]},
    "per-file": {"type": "object", "additionalProperties": _STRINGS},
    "severities": {
        "type": "object",
        "additionalProperties": {"enum": [*SEVERITIES, *SEVERITY_ALIASES]},
    },
    "schemas": {
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["schema"],
            "properties": {
                "schema": {
                    "description": "The JSON Schema, a .json, .yaml or .yml file of the project.",
                    "type": "string",
                },
                "files": {
                    "description": "Patterns of the files it is for, as in .gitignore.",
                    **_STRINGS,
                },
                "framework": {"description": "Whose files it is for.", **_STRINGS},
                "at": {
                    "description": "The key whose value it describes, such as plugin or datasets[].own.",
                    "type": "string",
                },
            },
        },
    },
    "severity-name": {"enum": list(SEVERITY_NAMES)},
    "day": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$"},
    "confidence": {"enum": list(CONFIDENCES)},
}
_WORDS = {
    "target": "Versions that the files will run with, such as torch==2.6.0.",
    "as-of": "Where no release is stated, the day whose newest release is assumed: YYYY-MM-DD.",
    "gpus": "Number of GPUs in the run, over all nodes.",
    "gpu": "GPU model, such as h100.",
    "select": "The only rules to check: codes, prefixes of codes, or names.",
    "extend-select": "Rules to check as well: codes, prefixes of codes, or names.",
    "preview": "Whether to check rules that are not part of a release yet.",
    "ignore": "Rules to skip: codes, prefixes of codes, or names.",
    "fail-on": "The lowest severity that makes the exit code 1.",
    "per-file-ignores": "Patterns of files, as in .gitignore, with the rules to skip for them.",
    "severity": "Rules with the severity of their findings.",
    "show-fixes": "Whether to list the fixes that were made.",
    "extend": "Another settings file of the project, used for settings that this one does not set.",
    "min-severity": "The lowest severity that is reported.",
    "min-confidence": "The lowest confidence that is reported.",
    "exclude": "Files to skip when searching folders, as in .gitignore.",
    "force-exclude": "Whether to skip excluded files even if they are named.",
    "rules": "Folders with the project's own rules.",
    "schemas": "JSON Schemas that files have to fit, or that describe the keys of a plugin.",
    "baseline": "The file with the findings that are known.",
}


def settings_schema(draft: str) -> dict[str, Any]:
    """The schema in one of the drafts of `DRAFTS`."""
    return {
        "$schema": DRAFTS[draft],
        "title": "cfglint settings",
        "description": "The contents of cfglint.toml, or of [tool.cfglint] in pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            name: {"description": _WORDS[name], **_VALUES[kind]} for name, kind in KINDS.items()
        },
    }
