"""A folder of generated configs: each with a launch script beside it, and how all of them ended.

`campaign.json` says which release they are for and, once something has run, what is installed with
it; `manifest.jsonl` has a line for each config, `runs.jsonl` one for each run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tools.runs.outcome import Outcome, read_lines

_CONFIG = "config.yaml"


class Made(NamedTuple):
    """A generated config."""

    #: Also the folder that it is in.
    id: str
    command: str
    content: Mapping[str, Any]
    #: The keys that were changed.
    changes: tuple[str, ...]
    #: How it was made.
    kind: str


class Campaign:
    """The folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = folder / "runs.jsonl"

    def config(self, id_: str) -> Path:
        """The file of a config."""
        return self.folder / id_ / _CONFIG

    def start(self, stated: str, seed: int, made: Iterable[Made], launch: str) -> None:
        """Write the configs and what they are for."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lines = []
        for one in made:
            file = self.config(one.id)
            file.parent.mkdir(exist_ok=True)
            file.write_text(yaml.safe_dump(dict(one.content), sort_keys=False), encoding="utf-8")
            script = launch.format(command=one.command, file=_CONFIG)
            (file.parent / "run.sh").write_text(script + "\n", encoding="utf-8")
            lines.append(json.dumps({key: one._asdict()[key] for key in ("id", "command", "changes", "kind")}))  # fmt: skip
        (self.folder / "manifest.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.describe({"target": stated, "seed": seed})

    def describe(self, facts: Mapping[str, Any]) -> None:
        """Add to what is known about the campaign."""
        text = json.dumps({**self.facts, **facts}, indent=1) + "\n"
        (self.folder / "campaign.json").write_text(text, encoding="utf-8")

    @property
    def facts(self) -> dict[str, Any]:
        """What is known about the campaign."""
        file = self.folder / "campaign.json"
        if not file.exists():
            return {}
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found

    def manifest(self) -> list[dict[str, Any]]:
        """A row for each config, in their order."""
        lines = (self.folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def outcomes(self) -> Iterator[Outcome]:
        """How the runs ended, as far as they have been made."""
        return read_lines(self.runs) if self.runs.exists() else iter(())

    @property
    def targets(self) -> tuple[str, ...]:
        """What cfglint is told about the release and what is installed with it."""
        facts = self.facts
        packages = {name: release.partition("+")[0] for name, release in facts.get("packages", {}).items()}  # fmt: skip
        framework, _, release = facts["target"].partition("==")
        packages[framework] = release
        return tuple(f"{name}=={stated}" for name, stated in packages.items())
