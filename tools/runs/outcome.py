"""How a run ended, as its worker says it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

#: The stages of a run in their order. A run ended in the one that its outcome names; `done` is none.
STAGES = ("parse", "data", "model", "trainer", "step", "eval", "save", "resume", "done")
#: What a run ends with that says nothing about its config.
TIME_LIMIT, CRASH, NOT_TRIED = "TimeLimit", "Crash", "NotTried"


@dataclass(frozen=True)
class Outcome:
    """One run."""

    #: The config, relative to the folder of its campaign.
    id: str
    #: The subcommand that read it; empty where the file says it.
    command: str
    stage: str
    exception: str = ""
    message: str = ""
    #: The innermost frame in the code of the framework and its packages, as `package/module.py:line`.
    frame: str = ""
    #: What a training did: steps, losses, gradients, rates, evaluations, checkpoints and so on.
    facts: Mapping[str, Any] = field(default_factory=dict)
    #: What had to be changed for a CPU, as `key: why`.
    replaced: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def completes(self) -> bool:
        """Whether the training came to its end."""
        return self.stage == "done"

    @property
    def tried(self) -> bool:
        """Whether the end says something about the config."""
        return self.exception not in (TIME_LIMIT, CRASH, NOT_TRIED)

    @property
    def after_validation(self) -> bool:
        """Whether it failed where no validator or parser looks."""
        return self.tried and self.stage not in ("parse", "done")

    @property
    def replaced_keys(self) -> frozenset[str]:
        """The keys that the run did not see as they are written."""
        return frozenset(text.partition(":")[0] for text in self.replaced)

    def same_end(self, other: Outcome) -> bool:
        """Whether two runs ended for the same reason, as far as one can tell from outside."""
        mine, its = ((one.stage, one.exception, one.frame) for one in (self, other))
        return mine == its


def from_answer(answer: Mapping[str, Any], command: str) -> Outcome:
    """The outcome that a worker's answer describes; parts that are not known here are left out."""
    known = {one.name for one in fields(Outcome)}
    parts = {key: value for key, value in answer.items() if key in known}
    parts["replaced"] = tuple(parts.get("replaced", ()))
    return Outcome(**{**parts, "command": command})


def write_line(path: Path, outcome: Outcome) -> None:
    """Add an outcome to a file of JSON lines."""
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")


def read_lines(path: Path) -> Iterator[Outcome]:
    """The outcomes of a file of JSON lines."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield from_answer(row, row["command"])
