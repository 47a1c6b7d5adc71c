"""What became of mutants: kept as JSON lines, counted, and told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tools.mutate.mutations import Mutation

KILLED, TIMEOUT, SURVIVED, EQUIVALENT = "killed", "timeout", "survived", "equivalent"
EQUIVALENTS = Path(__file__).with_name("equivalent.json")


class Identity(NamedTuple):
    """What a mutation is known by, also after lines above it were added."""

    path: str
    #: The line of source, without the blanks around it.
    source: str
    column: int
    before: str
    after: str


class Result(NamedTuple):
    """What became of one mutant."""

    path: str
    line: int
    column: int
    source: str
    before: str
    after: str
    kind: str
    verdict: str
    #: The test that noticed, or why the mutant is no different.
    by: str = ""
    seconds: float = 0.0

    @property
    def identity(self) -> Identity:
        return Identity(self.path, self.source, self.column, self.before, self.after)

    def __str__(self) -> str:
        told = f"{self.verdict}: {self.path}:{self.line}:{self.column} {self.kind}: "
        told += f"{self.before!r} -> {self.after!r} in {self.source}"
        return f"{told} ({self.by})" if self.by else told


def unjudged(path: str, text: str, mutation: Mutation) -> Result:
    """A mutation that was not tried yet."""
    return Result(
        path=path,
        line=mutation.line,
        column=mutation.column,
        source=text.splitlines()[mutation.line - 1].strip(),
        before=mutation.before,
        after=mutation.after,
        kind=mutation.kind,
        verdict="",
    )


def read(path: Path) -> dict[Identity, Result]:
    """The results of earlier runs; of several for one mutation the last one counts."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    results = [Result(**json.loads(line)) for line in lines if line]
    return {result.identity: result for result in results}


def append(path: Path, result: Result) -> None:
    """Add one result to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result._asdict(), ensure_ascii=False) + "\n")


def equivalents(path: Path = EQUIVALENTS) -> dict[tuple[str, str, str, str], str]:
    """Mutations that change nothing: path, line of source, before, after -> why."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {(r["path"], r["source"], r["before"], r["after"]): r["why"] for r in rows}


def share_killed(results: Iterable[Result]) -> float:
    """The share of mutants that a test noticed, of those that are not the same program."""
    counts = Counter(result.verdict for result in results)
    noticed = counts[KILLED] + counts[TIMEOUT]
    tried = noticed + counts[SURVIVED]
    return noticed / tried if tried else 1.0


def summary(results: Iterable[Result]) -> str:
    """The survivors, a line each, and the figures."""
    results = list(results)
    counts = Counter(result.verdict for result in results)
    lines = [str(result) for result in sorted(results) if result.verdict == SURVIVED]
    figures = ", ".join(
        f"{counts[verdict]} {word}"
        for verdict, word in (
            (KILLED, "killed"),
            (TIMEOUT, "stopped for time"),
            (SURVIVED, "survived"),
            (EQUIVALENT, "equivalent"),
        )
    )
    share = share_killed(results)
    lines.append(f"{len(results)} mutants: {figures}; {share:.1%} of those that differ noticed")
    return "\n".join(lines)
