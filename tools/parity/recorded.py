"""Recorded verdicts: what releases say about configurations, small enough to keep with the tests.

A compressed JSON object: the machine and each release's packages of the comparison, and a row for each
configuration with its text and one answer a release.  An answer is `ok`, or `no` with the first
error's place (see `places.FirstError`).
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tools.parity.machine import Machine
from tools.parity.ours import findings
from tools.parity.places import FirstError, first_error, points_at
from tools.parity.verdicts import Agreement, Comparison, Upstream

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_OK = "ok"


class Recorded(NamedTuple):
    """A configuration and what releases answer."""

    name: str
    text: str
    verdicts: Mapping[str, str]


class Recording(NamedTuple):
    """What a file holds."""

    machine: Machine
    #: Release -> versions that cfglint is told, such as `torch==2.13.0`.
    told: Mapping[str, tuple[str, ...]]
    rows: Sequence[Recorded]


def row(name: str, text: str, verdicts: Mapping[str, Upstream]) -> Recorded:
    """The row of a configuration; releases that could not be asked are left out."""
    answers: dict[str, str] = {}
    for release, upstream in verdicts.items():
        if upstream.outcome == "rejected":
            first = first_error(text, upstream)
            answers[release] = "no?" if first is None else f"no {first.to_text()}"
        elif upstream.outcome == "ok":
            answers[release] = _OK
    return Recorded(name, text, answers)


def write(recording: Recording, path: Path) -> None:
    """Write a recording; the same recording gives the same bytes."""
    releases = list(recording.told)
    rows = [
        [one.name, one.text, [one.verdicts.get(release, "") for release in releases]]
        for one in recording.rows
    ]
    data = {"machine": list(recording.machine), "told": dict(recording.told), "rows": rows}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def read(path: Path) -> Recording:
    """Read a recording."""
    data = json.loads(gzip.decompress(path.read_bytes()))
    told = {release: tuple(packages) for release, packages in data["told"].items()}
    rows = [
        Recorded(name, text, {r: a for r, a in zip(told, answers, strict=True) if a})
        for name, text, answers in data["rows"]
    ]
    return Recording(Machine(*data["machine"]), told, rows)


def replay(recording: Recording, folder: str, every: int = 1) -> Iterator[Comparison]:
    """Compare cfglint as it is now with the recorded answers.

    Args:
        every: look at each configuration with one release of so many only, in turn.
    """
    releases = list(recording.told)
    for release in releases:  # one after the other: what a release knows is prepared once
        offset = releases.index(release)
        for index, one in enumerate(recording.rows):
            answer = one.verdicts.get(release)
            if answer is None or (index + offset) % every:
                continue
            yield _compared(recording, one, release, answer, folder)


def agreed(recording: Recording) -> Recording:
    """Those rows about which cfglint and all releases agree, and about the first error's key."""
    differ = {
        one.path
        for one in replay(recording, "")
        if one.same_key is False or one.agreement not in (Agreement.OK, Agreement.REJECTED)
    }
    return recording._replace(rows=[one for one in recording.rows if one.name not in differ])


def sample(recording: Recording, count: int) -> Recording:
    """So many rows: first those with an answer of which there are few so far, then the others."""
    seen: Counter[tuple[str, str]] = Counter()
    chosen: list[Recorded] = []
    others: list[Recorded] = []
    for one in recording.rows:
        answers = {(release, answer) for release, answer in one.verdicts.items() if answer != _OK}
        if len(chosen) < count * 2 // 3 and any(seen[answer] < 2 for answer in answers):
            seen.update(answers)
            chosen.append(one)
        else:
            others.append(one)
    chosen += others[: count - len(chosen)]
    return recording._replace(rows=sorted(chosen, key=lambda one: one.name))


def _compared(
    recording: Recording, one: Recorded, release: str, answer: str, folder: str
) -> Comparison:
    told = recording.told[release]
    found = findings(one.text.encode(), one.name, release, recording.machine, told)
    upstream = Upstream("ok" if answer == _OK else "rejected", message=answer)
    same = None
    if answer.startswith("no ") and any(finding.says_rejected for finding in found):
        same = points_at(FirstError.from_text(answer[len("no ") :]), found)
    return Comparison(release, folder, one.name, upstream, found, same)
