"""Verdicts that were already given, kept by release and content: a release is asked only once."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from tools.parity.verdicts import Upstream

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tools.parity.machine import Machine
    from tools.parity.release import Prepared

#: What decides about a verdict beside the release and the file.
_WORKER = ("validator.py", "stand_ins.py", "known_values.py")
#: Nobody reads more of a message.
_LONGEST = 400


class VerdictStore:
    """A small database in the cache folder. Warnings are not kept."""

    def __init__(self, cache: Path) -> None:
        cache.mkdir(parents=True, exist_ok=True)
        self._path = cache / "verdicts.sqlite"

    def _open(self) -> closing[sqlite3.Connection]:
        base = sqlite3.connect(self._path, timeout=60)
        base.execute(
            "CREATE TABLE IF NOT EXISTS verdict (key BLOB PRIMARY KEY, answer BLOB) WITHOUT ROWID"
        )
        return closing(base)

    def find(
        self, release: Prepared, machine: Machine, files: Iterable[Path]
    ) -> dict[Path, Upstream]:
        """The known verdicts among those about these files."""
        stamp = _stamp(release, machine)
        found: dict[Path, Upstream] = {}
        with self._open() as base:
            for file in files:
                row = base.execute(
                    "SELECT answer FROM verdict WHERE key = ?", (_key(stamp, file),)
                ).fetchone()
                if row:
                    found[file] = Upstream.from_json(json.loads(zlib.decompress(row[0])))
        return found

    def keep(self, release: Prepared, machine: Machine, verdicts: Mapping[Path, Upstream]) -> None:
        """Add verdicts; where the tool could not find out is asked again next time."""
        stamp = _stamp(release, machine)
        rows = [
            (_key(stamp, file), zlib.compress(json.dumps(_short(verdict).to_json()).encode()))
            for file, verdict in verdicts.items()
            if verdict.outcome != "failed"
        ]
        with self._open() as base, base:
            base.executemany("INSERT OR REPLACE INTO verdict VALUES (?, ?)", rows)


def _stamp(release: Prepared, machine: Machine) -> bytes:
    folder = Path(__file__).with_name("worker")
    parts = [release.facts.read_bytes(), json.dumps(machine.capabilities()).encode()]
    parts += [(folder / name).read_bytes() for name in _WORKER]
    return hashlib.sha256(b"\0".join(parts)).digest()


def _key(stamp: bytes, file: Path) -> bytes:
    return hashlib.sha256(stamp + file.read_bytes()).digest()


def _short(verdict: Upstream) -> Upstream:
    errors = tuple({**error, "msg": error["msg"][:_LONGEST]} for error in verdict.errors[:20])
    return verdict._replace(message=verdict.message[:_LONGEST], errors=errors, warnings=())
