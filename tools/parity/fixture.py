"""Recorded verdicts: JSON Lines that can be compared again without any release at hand.

One line a file::

    {"name": "…", "text": "…", "gpus": 1, "verdicts": {"0.21.0": {"outcome": "ok", …}, …}}
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.axolotl_release.versions import in_order
from tools.parity.ours import findings
from tools.parity.verdicts import Comparison, Upstream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


class Recorded(NamedTuple):
    """A configuration and what releases say about it."""

    name: str
    text: str
    gpus: int
    verdicts: Mapping[str, Upstream]


def dump(recorded: Iterable[Recorded]) -> str:
    """The lines of a fixture; where the release raised is left out, as it says nothing to us."""
    lines: list[str] = []
    for one in recorded:
        verdicts: dict[str, Any] = {}
        for release in in_order(one.verdicts):
            verdicts[release] = one.verdicts[release]._replace(raised_at="").to_json()
        entry = {"name": one.name, "text": one.text, "gpus": one.gpus, "verdicts": verdicts}
        lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
    return "".join(lines)


def load(path: Path) -> list[Recorded]:
    """Read a fixture."""
    recorded: list[Recorded] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        verdicts = {key: Upstream.from_json(value) for key, value in data["verdicts"].items()}
        recorded.append(Recorded(data["name"], data["text"], data["gpus"], verdicts))
    return recorded


def replay(recorded: Iterable[Recorded], folder: str) -> Iterator[Comparison]:
    """Compare cfglint as it is now with the recorded verdicts."""
    for one in recorded:
        for release, upstream in one.verdicts.items():
            found = findings(one.text.encode("utf-8"), one.name, release, one.gpus)
            yield Comparison(release, folder, one.name, upstream, found)
