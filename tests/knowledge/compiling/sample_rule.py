"""The fields of a rule that has all it needs, for tests of what is made of them."""

from __future__ import annotations

from typing import Any

FIELDS: dict[str, Any] = {
    "code": "KEY001",
    "name": "a-rule",
    "summary": "It is so",
    "framework": "own",
    "severity": "note",
    "confidence": "high",
    "bites": "train",
    "upstream": "silent",
    "when": {"a": {"eq": 1}},
    "at": ["a"],
    "message": "It is so.",
    "cost": "the run",
    "why": "Because.",
    "references": [{"kind": "docs", "title": "t", "url": "https://a.example/b"}],
    "examples": [{"bad": "a: 1  # <- KEY001"}, {"good": "a: 2"}],
}
