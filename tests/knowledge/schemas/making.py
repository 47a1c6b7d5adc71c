"""Schemas and files for the tests of this folder."""

from __future__ import annotations

import json
from typing import Any

from cfglint.knowledge.schemas.plain import Plain
from cfglint.knowledge.schemas.schema import UserSchema, Violation
from cfglint.source.document import Document
from cfglint.source.files.memory import InMemory
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText

#: Where the project is, and its schema.
ROOT = "/project"
NAME = "schemas/house.json"


def document(text: str) -> Document:
    return language("yaml").read(SourceText(text))


def user_schema(schema: Any, *, at: str = "", name: str = NAME, **others: Any) -> UserSchema:
    """A schema of a project, which may have `others` in its folder: `plugin_json` is `plugin.json`."""
    files = {f"{ROOT}/.git/HEAD": "", f"{ROOT}/{name}": schema}
    for other, contents in others.items():
        files[f"{ROOT}/schemas/{other.replace('__', '/').replace('_', '.')}"] = contents
    memory = InMemory({path: _bytes(contents) for path, contents in files.items()})
    return UserSchema(f"{ROOT}/{name}", at, ROOT, memory, name)


def _bytes(contents: Any) -> bytes:
    if isinstance(contents, bytes):
        return contents
    return (contents if isinstance(contents, str) else json.dumps(contents, indent=1)).encode()


def violations(schema: UserSchema, text: str) -> list[Violation]:
    return list(schema.violations(Plain(document(text))))


def sentences(schema: UserSchema, text: str) -> list[tuple[str, str]]:
    """The violations: the text at the place of each, and the sentence."""
    source = document(text).text
    return [
        (source[one.span.start : one.span.end], one.problem.sentence)
        for one in violations(schema, text)
    ]
