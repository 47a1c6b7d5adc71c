"""`uv.lock`, `poetry.lock`, `pdm.lock` and `pylock.toml`: tables `[[package]]`, one a package.

These files have thousands of lines of which a few count, so they are not parsed in full: tools write them, in
one shape. What is not in that shape goes to the real parser.
"""

from __future__ import annotations

import re
import sys

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.environment.project.forks import fork_at
from cfglint.environment.project.stated_versions import (
    WANTED,
    Place,
    Statement,
    UnreadableFileError,
    agreed,
    normalized,
    place_at,
)

_LINE = lazy_pattern(r'([A-Za-z-]+) = "([^"\\\n]*)"[ \t]*\r?(?:\n|\Z)')
_GIT = lazy_pattern(r"\bgit\b")
_COMMIT = lazy_pattern(
    r"#([0-9a-f]{40})\b|\b(?:resolved_reference|revision|commit-id|requested-revision)"
    r' *= *"([0-9a-f]{40})"'
)
_ADDRESS = lazy_pattern(r'\b(?:git|url) *= *"([^"\n]*)"')
_URL = lazy_pattern(r'url *= *"([^"]*)"')
#: Above this, a file in an odd shape is not worth the real parser's time.
_MAX_PARSED = 2_000_000
#: No lock file has that many packages of interest.
_MAX_FOUND = 500
_HEADER = "[[package"
_OTHER_TABLE = lazy_pattern(r"^\[(?!\[?packages?[.\]])", re.MULTILINE)


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest in a lock file.

    Raises:
        UnreadableFileError: it is not a lock file of these tools.
    """
    headers = _headers(text)
    # What the line scanner is not made for; a file of these tools has none of it.
    odd = (
        len(headers) != text.count(_HEADER)
        or '"""' in text
        or "'''" in text
        or "[[ " in text
        or '[["' in text
        or "[['" in text
    )
    if odd:
        return _parsed(path, text)
    statements = scan(path, text)
    if not statements and "[[package]]" not in text and "[[packages]]" not in text:
        return _parsed(path, text)
    return statements


def _headers(text: str) -> list[int]:
    """Where the tables of packages begin."""
    found = [0] if text.startswith(_HEADER) else []
    at = text.find("\n" + _HEADER)
    while at >= 0:
        found.append(at + 1)
        at = text.find("\n" + _HEADER, at + 1)
    return found


def scan(path: str, text: str) -> list[Statement]:
    """The same, line by line, for text in the shape that the tools write."""
    found: list[Statement] = []
    headers = _headers(text)
    counted, lines = 0, 0
    for number, header in enumerate(headers):
        start = text.find("\n", header) + 1
        if not start or text[header:start].strip() not in ("[[package]]", "[[packages]]"):
            continue
        name = version = None
        while (line := _LINE.match(text, start)) is not None:
            key, value = line.groups()
            if key == "name":
                if normalized(value) not in WANTED:
                    break
                name = line
            elif key == "version":
                version = value
            start = line.end()
        if name is None or normalized(name.group(2)) not in WANTED:
            continue
        if len(found) == _MAX_FOUND:
            raise UnreadableFileError("it lists the same packages hundreds of times")
        end = headers[number + 1] if number + 1 < len(headers) else len(text)
        own = text[header:end]
        # Tables of other things may be before the next package.
        other = _OTHER_TABLE.search(own, 1)
        if other:
            own = own[: other.start()]
        lines += text.count("\n", counted, name.start())
        counted = name.start()
        length = len(name.group().rstrip())
        commit = _commit(own)
        package = normalized(name.group(2))
        found.append(
            Statement(
                package,
                Place(path, lines + 1, 1, length),
                version,
                commit=commit,
                written=_wheel(own) if commit is None else _repository(own),
                fork="" if commit is None else fork_at(_repository(own), package),
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


def _repository(block: str) -> str:
    """The address of the repository that a commit is from, with what was asked for."""
    match = _ADDRESS.search(block)
    return match.group(1) if match else ""


def _wheel(block: str) -> str:
    """The name of the wheel, when a single one was asked for by its address."""
    for line in block.splitlines():
        if line.startswith(("source = { url", "url = ", "archive = ")):
            for match in _URL.finditer(line):
                folder, _, name = match.group(1).partition("#")[0].rpartition("/")
                if folder and name.endswith(".whl"):
                    return name
    return ""


def _parsed(path: str, text: str) -> list[Statement]:
    """The same by the real parser, for files in an unusual shape."""
    if len(text) > _MAX_PARSED:
        raise UnreadableFileError("it does not have the form that the tool writes, and is large")
    data = load_toml(text)
    packages = data.get("package", data.get("packages"))
    if packages is None:
        return []
    if not isinstance(packages, list):
        raise UnreadableFileError("it does not list any packages")
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
        UnreadableFileError: it is not TOML.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(f"it is not valid TOML: {str(error)[:120]}") from None
