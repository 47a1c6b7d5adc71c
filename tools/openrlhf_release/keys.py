"""The options of each program of a release as facts about keys."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.python_sources.facts import KeyFacts, ReleaseKeys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.python_sources.sources import Release

PACKAGE = "openrlhf"
_PROGRAMS = "openrlhf.cli"
_PARSERS = Path(__file__).with_name("parsers.py")


class NoProgramError(Exception):
    """A release has no program whose options can be read."""


def read_programs(release: Release) -> dict[str, ReleaseKeys]:
    """Program -> its options, for the programs that the release has.

    Raises:
        NoProgramError: there is none, or what builds a parser fails.
    """
    found = {}
    for module, source in sorted(release.modules.items()):
        package, _, name = module.rpartition(".")
        if package == _PROGRAMS and "parse_args" in source:
            rows = _rows(release.version, module, source)
            keys = dict(sorted((row["name"], facts_of(row)) for row in rows))
            found[name] = ReleaseKeys(release.version, keys, {"": True})
    if not found:
        raise NoProgramError(f"{release.version} has no program below {_PROGRAMS}")
    return found


def with_sections(keys: ReleaseKeys, sections: Iterable[str]) -> ReleaseKeys:
    """The keys of a release in a table with sections that not each release has.

    A section is there in all releases, so that each key below it is known by itself.
    """
    every = dict(keys.keys)
    for section in sections:
        every[section] = KeyFacts("any")
    forbids = {"": True, **dict.fromkeys(sections, True)}
    return ReleaseKeys(keys.version, dict(sorted(every.items())), forbids)


def sections_of(names: Iterable[str]) -> list[str]:
    """The sections that the dots of options name."""
    found: set[str] = set()
    for name in names:
        parts = name.split(".")
        found.update(".".join(parts[:depth]) for depth in range(1, len(parts)))
    return sorted(found)


def facts_of(row: dict[str, Any]) -> KeyFacts:
    """An option as a key: what its words become, and how many it takes."""
    kind = row["type"] if row["type"] in ("int", "float", "bool") else "str"
    limits = {}
    if row["choices"]:
        kind = "literal"
    if row["nargs"] is not None:
        kind = f"list<{kind}>"
        if isinstance(row["nargs"], int):
            limits = {"min_length": row["nargs"], "max_length": row["nargs"]}
    if row["nothing"] and kind != "bool":
        kind += "|null"
    return KeyFacts(
        kind,
        required=row["required"],
        default=row["default"],
        enum=row["choices"],
        constraints=limits,
    )


def _rows(version: str, module: str, source: str) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.py"
        file.write_text(source, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-I", _PARSERS, file], check=False, capture_output=True, text=True
        )
    if done.returncode:
        raise NoProgramError(f"{version}: {module}: {done.stderr.strip()[-300:]}")
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows
