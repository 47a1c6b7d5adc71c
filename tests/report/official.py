"""The schemas that reports for other programs are checked against (see `official_schemas/README.md`)."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import xmlschema
from jsonschema import Draft4Validator, FormatChecker, validators

SCHEMAS = Path(__file__).parent / "official_schemas"
#: What GitLab's page about code quality reports asks of each entry, in our words: it publishes no
#: schema. https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    # Relative, and not beginning with `./`.
                    "path": {"type": "string", "pattern": "^(?!\\./|/)."},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


@lru_cache(maxsize=1)
def _sarif_validator() -> Draft4Validator:
    schema = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
    Draft4Validator.check_schema(schema)
    return Draft4Validator(schema, format_checker=FormatChecker())


@lru_cache(maxsize=1)
def _junit_schema() -> Any:
    return xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd"))


def sarif(text: str) -> Any:
    """The one run of a SARIF report.

    Raises:
        jsonschema.ValidationError: it is not valid.
    """
    report = json.loads(text)
    _sarif_validator().validate(report)
    (run,) = report["runs"]
    return run


def gitlab(text: str) -> Any:
    """The entries of a code quality report.

    Raises:
        jsonschema.ValidationError: it is not valid.
    """
    entries = json.loads(text)
    validators.validator_for(GITLAB)(GITLAB).validate(entries)
    prints = [entry["fingerprint"] for entry in entries]
    assert len(set(prints)) == len(prints)
    return entries


def junit(text: str) -> Any:
    """The root element of a JUnit report.

    Raises:
        xmlschema.XMLSchemaException: it is not valid.
    """
    from xml.etree import ElementTree

    _junit_schema().validate(text)
    return ElementTree.fromstring(text)
