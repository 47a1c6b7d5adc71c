"""`pyproject.toml`: dependencies (PEP 621), extras, groups, Poetry's tables, uv's sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.environment.project.forks import fork_at
from cfglint.environment.project.readers.requirements import parse_requirement, statement_of
from cfglint.environment.project.readers.toml_locks import load_toml
from cfglint.environment.project.stated_versions import (
    WANTED,
    Place,
    Statement,
    UnreadableFileError,
    names_packages,
    normalized,
    place_at,
)

_CARET = lazy_pattern(r"([\^~])[ ]*(\d+(?:\.\d+)*)")
_RELEASE = lazy_pattern(r"v?(\d+(?:\.\d+)*(?:\.post\d+)?)")


#: No project requires that many packages of interest; each is looked for in the whole text.
_MAX_FOUND = 300


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest that a project requires.

    Raises:
        UnreadableFileError: it is not TOML.
    """
    if not names_packages(text):
        return []
    data = load_toml(text)
    found = list(islice(_stated(data, path, text), _MAX_FOUND))
    tool = _table(data.get("tool"))
    sources = _table(_table(tool.get("uv")).get("sources"))
    project = _table(data.get("project"))
    return [*_sourced(found, sources, path, text), *_python(project, path, text)]


def _stated(data: dict[str, Any], path: str, text: str) -> Iterator[Statement]:
    """What a project requires, its extras and groups as conditional."""
    project = _table(data.get("project"))
    for line in _strings(project.get("dependencies")):
        yield from _requirement(line, path, text, conditional=False)
    optional = [*_table(project.get("optional-dependencies")).values()]
    for group in [*optional, *_table(data.get("dependency-groups")).values()]:
        for line in _strings(group):
            yield from _requirement(line, path, text, conditional=True)
    poetry = _table(_table(data.get("tool")).get("poetry"))
    yield from _poetry(_table(poetry.get("dependencies")), path, text, conditional=False)
    for group in _table(poetry.get("group")).values():
        dependencies = _table(_table(group).get("dependencies"))
        yield from _poetry(dependencies, path, text, conditional=True)


def _python(project: dict[str, Any], path: str, text: str) -> Iterator[Statement]:
    """The Python that the project requires, as a range."""
    wanted = project.get("requires-python")
    if isinstance(wanted, str):
        line = re.search(r"^requires-python[ \t]*=.*$", text, re.MULTILINE)
        yield Statement("python", _found(line, path, text), spec=wanted.strip() or None)


def _requirement(line: str, path: str, text: str, *, conditional: bool) -> Iterator[Statement]:
    found = parse_requirement(line)
    if found is None or normalized(found.name) not in WANTED:
        return
    start = max(text.find(f'"{line}"'), text.find(f"'{line}'"))
    start = max(start, 0)
    statement = statement_of(line, path, text, start + 1, start + 1 + len(line))
    if statement is not None:
        yield statement.replaced(conditional=conditional or statement.conditional)


def _poetry(
    table: dict[str, Any], path: str, text: str, *, conditional: bool
) -> Iterator[Statement]:
    """Poetry's own table: `torch = "^2.6"`, `peft = {git = "…", rev = "…"}`."""
    for name, wanted in table.items():
        package = normalized(name)
        if package not in WANTED:
            continue
        line = re.search(rf"^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*=.*$", text, re.MULTILINE)
        place = _found(line, path, text)
        extras: tuple[str, ...] = ()
        optional = conditional
        if isinstance(wanted, dict):
            extras = tuple(normalized(extra) for extra in _strings(wanted.get("extras")))
            optional = conditional or wanted.get("optional") is True or "markers" in wanted
            if "git" in wanted:
                yield _git(package, place, wanted).replaced(extras=extras, conditional=optional)
                continue
            wanted = wanted.get("version", "*")
        if isinstance(wanted, str):
            version, spec = poetry_range(wanted)
            yield Statement(package, place, version, spec=spec, extras=extras, conditional=optional)


def _sourced(
    found: list[Statement], sources: dict[str, Any], path: str, text: str
) -> Iterator[Statement]:
    """The table `tool.uv.sources`: where a dependency comes from when not from the registry."""
    by_name = {normalized(name): (name, value) for name, value in sources.items()}
    for statement in found:
        name, source = by_name.get(statement.package, ("", None))
        if isinstance(source, list):  # one for each platform
            source = next((one for one in source if isinstance(one, dict) and "git" in one), None)
        if isinstance(source, dict) and "git" in source:
            line = re.search(rf"^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*=.*$", text, re.MULTILINE)
            git = _git(statement.package, _found(line, path, text), source)
            yield git.replaced(extras=statement.extras, conditional=statement.conditional)
        else:
            yield statement


def _git(package: str, place: Place, table: dict[str, Any]) -> Statement:
    rev = str(table.get("rev", ""))
    address = str(table["git"])
    fork = fork_at(address, package)
    tag = _RELEASE.fullmatch(str(table.get("tag", rev)))
    if tag and ("." in tag.group(1)):
        return Statement(package, place, tag.group(1), written=address, fork=fork)
    commit = rev.lower() if re.fullmatch(r"[0-9A-Fa-f]{7,40}", rev) else None
    return Statement(package, place, commit=commit, written=address, fork=fork)


def poetry_range(text: str) -> tuple[str | None, str | None]:
    """(exact version, PEP 440 range) of one of Poetry's constraints; neither for an open one."""
    text = text.strip().strip("()")
    if text in ("*", "") or "||" in text or " or " in text:
        return None, None
    exact = re.fullmatch(r"(?:={1,3}[ ]*)?v?(\d+(?:\.\d+)*(?:[.a-z0-9+]*))", text)
    if exact:
        return exact.group(1), None
    parts = []
    for part in text.split(","):
        part = part.strip()
        caret = _CARET.fullmatch(part)
        if caret:
            parts.append(_bounds(caret.group(1), caret.group(2)))
        elif re.fullmatch(r"\d+(?:\.\d+)*\.\*", part):
            parts.append(f"=={part}")
        else:
            found = parse_requirement(f"x{part}")
            if found is None or not found.spec:
                return None, None
            parts.append(found.spec)
    return None, ",".join(parts)


def _bounds(operator: str, version: str) -> str:
    numbers = [int(number) for number in version.split(".")]
    if operator == "~":
        place = min(1, len(numbers) - 1)
    else:
        place = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
    upper = [*numbers[:place], numbers[place] + 1]
    return f">={version},<{'.'.join(map(str, upper))}"


def _found(match: re.Match[str] | None, path: str, text: str) -> Place:
    if match is None:
        return place_at(path, text, 0)
    start = match.start() + len(match.group()) - len(match.group().lstrip())
    return place_at(path, text, start, match.start() + len(match.group().rstrip()))


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


__all__ = ["UnreadableFileError", "poetry_range", "read"]
