"""Packages that a file installs by a command: `RUN pip install torch==2.6.0`, Modal's `pip_install("…")`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.requirements import statement_of
from cfglint.environment.project.stated_versions import Statement

_MAX_FOUND = 100
_COMMAND = lazy_pattern(
    r"\b(?:uv[ \t]+)?(?:pip3?[ \t]+install|uv[ \t]+add)\b((?:[^\n;&|\\]|\\\r?\n){0,2000})"
)
_WORD = lazy_pattern(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'\\]+")
_STRING = lazy_pattern(
    r"[\"']([A-Za-z][\w.-]*(?:\[[\w, -]*\])?[ ]?(?:==|>=|<=|~=|<|>|@)[^\"'\n]{1,200})[\"']"
)


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest that a script, an image or a function installs."""
    found = []
    for content, start in _python(text) if path.endswith(".py") else _shell(text):
        statement = statement_of(content, path, text, start, start + len(content))
        if statement is not None:
            found.append(statement)
    return found


def _shell(text: str) -> Iterator[tuple[str, int]]:
    for command in islice(_COMMAND.finditer(text), _MAX_FOUND):
        line_start = text.rfind("\n", 0, command.start()) + 1
        if "#" in text[line_start : command.start()]:
            continue
        for word in islice(_WORD.finditer(text, command.start(1), command.end(1)), _MAX_FOUND):
            content = word.group()
            quoted = content[0] in "\"'"
            if content.startswith("#"):
                break
            if not content.startswith("-") and "$" not in content:
                yield (content[1:-1], word.start() + 1) if quoted else (content, word.start())


def _python(text: str) -> Iterator[tuple[str, int]]:
    if "pip_install" not in text:
        return
    for string in islice(_STRING.finditer(text), _MAX_FOUND):
        line_start = text.rfind("\n", 0, string.start()) + 1
        if not text[line_start : string.start()].lstrip().startswith("#"):
            yield string.group(1), string.start(1)
