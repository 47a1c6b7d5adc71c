"""`Pipfile` and `Pipfile.lock` of pipenv."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.environment.project.forks import fork_at
from cfglint.environment.project.readers.pyproject import poetry_range
from cfglint.environment.project.readers.toml_locks import load_toml
from cfglint.environment.project.stated_versions import (
    WANTED,
    Statement,
    UnreadableFileError,
    names_packages,
    normalized,
    place_at,
)

_COMMIT = lazy_pattern(r"[0-9A-Fa-f]{7,40}")
_TAG = lazy_pattern(r"v?(\d+(?:\.\d+)+(?:\.post\d+)?)")
#: No project has that many packages of interest.
_MAX_FOUND = 500
#: What is in neither of these belongs to a category of its own.
_DEFAULT = ("default", "packages")


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest in either of the two files.

    Raises:
        UnreadableFileError: it is neither of them.
    """
    if path.lower().endswith(".lock"):
        return list(islice(_lock(path, text), _MAX_FOUND))
    if not names_packages(text):
        return []
    return list(_manifest(path, text))


def _lock(path: str, text: str) -> Iterator[Statement]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(f"it is not JSON: {str(error)[:120]}") from None
    if not isinstance(data, dict) or "_meta" not in data:
        raise UnreadableFileError("it does not have the form that the tool writes")
    begin = 0
    for section, packages in data.items():
        if section == "_meta" or not isinstance(packages, dict):
            continue
        # Behind the section before: looking from the top each time would take long for many.
        begin = max(begin, text.find(json.dumps(section) + ":", begin))
        for name, entry in packages.items():
            yield from _statement(path, text, begin, section, name, entry)


def _manifest(path: str, text: str) -> Iterator[Statement]:
    data = load_toml(text)
    for section in ("packages", "dev-packages"):
        packages = data.get(section)
        if not isinstance(packages, dict):
            continue
        begin = text.find(f"[{section}]")
        for name, entry in packages.items():
            yield from _statement(path, text, begin, section, name, entry)
    requires = data.get("requires")
    if isinstance(requires, dict):
        wanted = requires.get("python_full_version", requires.get("python_version"))
        if isinstance(wanted, str):
            place = place_at(path, text, max(text.find("python_"), 0))
            yield Statement("python", place, wanted)


def _statement(
    path: str, text: str, begin: int, section: str, name: str, entry: Any
) -> Iterator[Statement]:
    package = normalized(name)
    if package not in WANTED:
        return
    line = re.compile(rf"^[ \t]*([\"']?{re.escape(name)}[\"']?)[ \t]*[:=]", re.MULTILINE).search(
        text, max(begin, 0)
    )
    place = place_at(path, text, line.start(1) if line else 0, line.end(1) if line else None)
    table = entry if isinstance(entry, dict) else {"version": entry}
    conditional = section not in _DEFAULT
    extras = table.get("extras")
    brought = (
        tuple(normalized(extra) for extra in extras if isinstance(extra, str))
        if isinstance(extras, list)
        else ()
    )
    if "git" in table:
        ref = str(table.get("ref", ""))
        tag = _TAG.fullmatch(ref)
        commit = ref.lower() if not tag and _COMMIT.fullmatch(ref) else None
        yield Statement(
            package,
            place,
            tag.group(1) if tag else None,
            commit=commit,
            extras=brought,
            conditional=conditional,
            written=str(table["git"]),
            fork=fork_at(str(table["git"]), package),
        )
        return
    wanted = table.get("version")
    version, spec = poetry_range(wanted) if isinstance(wanted, str) else (None, None)
    yield Statement(package, place, version, spec=spec, extras=brought, conditional=conditional)
