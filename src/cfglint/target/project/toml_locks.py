"""`uv.lock`, `poetry.lock`, `pdm.lock` and `pylock.toml`: tables `[[package]]`, one a package.

These files have thousands of lines of which a few count, so they are not parsed in full: tools write them, in
one shape. What is not in that shape goes to the real parser.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from cfglint.target.project.statements import (
    WANTED,
    Statement,
    UnreadableFileError,
    agreed,
    normalized,
    place_at,
)

_HEADER = re.compile(r"^\[\[packages?\]\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
_LINE = re.compile(r'^([A-Za-z-]+) = "([^"\\\n]*)"[ \t]*\r?$', re.MULTILINE)
_GIT = re.compile(r"\bgit\b")
_COMMIT = re.compile(
    r"#([0-9a-f]{40})\b|\b(?:resolved_reference|revision|commit-id|requested-revision)"
    r' *= *"([0-9a-f]{40})"'
)
_WHEEL_URL = re.compile(r'url *= *"[^"]*/([^"/]+\.whl)(?:#[^"]*)?"')
#: What the line scanner is not made for. (A file of these tools has none of it.)
_ODD = re.compile(r"\"\"\"|'''|^[ \t]+\[\[|^\[\[ ?[\"' ]|^[ \t]*packages? *=", re.MULTILINE)
#: Above this, a file in an odd shape is not worth the real parser's time.
_MAX_PARSED = 2_000_000


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest in a lock file.

    Raises:
        UnreadableFileError: it is no lock file of these tools.
    """
    if _ODD.search(text):
        return _parsed(path, text)
    statements = scan(path, text)
    if not statements and not _HEADER.search(text) and text.strip():
        # An empty project has no packages but still a head.
        _parsed(path, text)
    return statements


def scan(path: str, text: str) -> list[Statement]:
    """The same, line by line, for text in the shape that the tools write."""
    found: list[Statement] = []
    headers = list(_HEADER.finditer(text))
    for number, header in enumerate(headers):
        end = headers[number + 1].start() if number + 1 < len(headers) else len(text)
        start = header.end() + 1
        name = version = None
        while (line := _LINE.match(text, start)) is not None:
            key, value = line.groups()
            if key == "name":
                name = line
                if normalized(value) not in WANTED:
                    break
            elif key == "version":
                version = value
            start = line.end() + 1
        if name is None or normalized(name.group(2)) not in WANTED:
            continue
        own = text[header.end() : end]
        # Tables of other things may stand before the next package.
        other = re.search(r"^\[(?!\[?packages?[.\]])", own, re.MULTILINE)
        if other:
            own = own[: other.start()]
        found.append(
            Statement(
                normalized(name.group(2)),
                place_at(path, text, name.start(), name.end()),
                version,
                commit=_commit(own),
                written=_wheel(own),
            )
        )
    return agreed(found)


def _commit(block: str) -> str | None:
    for line in block.splitlines():
        if line.startswith(("source", "git", "revision", "resolved_reference", "vcs", "commit-id")):
            match = _COMMIT.search(line)
            if match and (_GIT.search(block)):
                return match.group(1) or match.group(2)
    return None


def _wheel(block: str) -> str:
    """The name of the wheel, when a single one was asked for by its address."""
    for line in block.splitlines():
        if line.startswith(("source = { url", "url = ", "archive = ")):
            match = _WHEEL_URL.search(line)
            if match:
                return match.group(1)
    return ""


def _parsed(path: str, text: str) -> list[Statement]:
    """The same by the real parser, for files in an unusual shape."""
    if len(text) > _MAX_PARSED:
        raise UnreadableFileError("it is not in the shape that the tool writes, and large")
    data = load_toml(text)
    packages = data.get("package", data.get("packages"))
    if packages is None:
        return []
    if not isinstance(packages, list):
        raise UnreadableFileError("it holds no list of packages")
    found = []
    for entry in packages:
        name, version = (
            (entry.get(key) for key in ("name", "version")) if _is_table(entry) else (0, 0)
        )
        if not isinstance(name, str) or normalized(name) not in WANTED:
            continue
        line = re.search(
            rf"^[ \t]*name[ \t]*=[ \t]*[\"']{re.escape(name)}[\"']", text, re.MULTILINE
        )
        found.append(
            Statement(
                normalized(name),
                place_at(path, text, line.start() if line else 0, line.end() if line else None),
                version if isinstance(version, str) else None,
                commit=_parsed_commit(entry),
            )
        )
    return agreed(found)


def _parsed_commit(entry: dict[str, Any]) -> str | None:
    for holder in (entry, entry.get("source"), entry.get("vcs")):
        if isinstance(holder, dict):
            for key in ("resolved_reference", "revision", "commit-id", "git"):
                value = str(holder.get(key, ""))
                match = re.search(r"(?:^|#)([0-9a-f]{40})$", value)
                if match:
                    return match.group(1)
    return None


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def load_toml(text: str) -> dict[str, Any]:
    """Parse TOML in full.

    Raises:
        UnreadableFileError: it is no TOML.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(f"it is no TOML: {str(error)[:120]}") from None
