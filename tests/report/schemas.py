"""The published schemas of what cfglint prints for programs."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

_DOCS = Path(__file__).resolve().parents[2] / "docs"


@lru_cache(maxsize=8)
def validator(name: str) -> Draft202012Validator:
    """A published schema, without room for members that it does not name."""
    text = (_DOCS / name).read_text(encoding="utf-8")
    schema = json.loads(text, object_hook=_closed)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def checked(name: str, text: str) -> Any:
    """A report, which follows a published schema."""
    report = json.loads(text)
    errors = [error.message for error in validator(name).iter_errors(report)]
    assert errors == []
    return report


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    if "required" in schema:
        schema["additionalProperties"] = False
    return schema
