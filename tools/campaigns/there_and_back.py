"""Migrates configs to another release and back, and compares what the first release makes of both.

    python -m tools.campaigns.there_and_back FOLDER... [--old 0.12.2] [--new 0.21.0] [--jobs 2]

A file takes part if the old release takes it. It goes to the new release with safe steps, and back.
`effective` of the old release has to end up with the same for every key that a step changed on both
ways, or that none changed. What a step changed on one way only has no inverse, and is counted by
the step's code: a key that the new release does not read, or two forms that it has one for.
Exit code 1 when something else is different, or when the old release refuses what came back.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from cfglint.answers.resolved.resolve import resolve
from cfglint.engine.migration.one_text import Migration, migrate
from cfglint.engine.migration.steps import Step
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tools.campaigns.migrate import Verdict, against, campaign, differing, refused


def travel(path: Path, *, old: str, new: str) -> Verdict:
    """Take one file there and back."""
    try:
        source = SourceText.from_bytes(path.read_bytes())
        yaml.safe_load(source.text)
    except (SourceError, yaml.YAMLError):
        return Verdict(Counter({"cannot be read": 1}), ())
    if refused(source, old):
        return Verdict(Counter({"refused before": 1}), ())
    there = _safe(source, new)
    back = _safe(there.result, old)
    counts = Counter(files=1, there=len(there.steps), back=len(back.steps))
    counts["the same text"] = back.result.text == source.text
    if refused(back.result, old):
        return Verdict(counts, (f"{path}: {old} refuses what came back",))
    found = list(_differences(source, there, back, old))
    one_way = {what for what, wrong in found if not wrong}
    counts["every step with an inverse"] = not one_way
    counts.update(f"without an inverse, {code}" for code in one_way)
    return Verdict(counts, tuple(f"{path}: {what}" for what, wrong in found if wrong))


def _safe(source: SourceText, release: str) -> Migration:
    return migrate(source, *against(release), unsafe=False)


def _differences(
    source: SourceText, there: Migration, back: Migration, old: str
) -> Iterator[tuple[str, bool]]:
    """What is different afterwards: a sentence, or the code of the step that has no inverse."""
    framework, target = against(old)
    first, last = (
        resolve(framework.language.read(text), framework, target).data
        for text in (source, back.result)
    )
    for key in differing(first, last):
        was, now = first.get(key), last.get(key)
        if not was and not now:
            continue  # off is off, written or not
        if _sorted(was) == _sorted(now):
            continue  # an order of keys has no meaning
        ways = [[step for step in way.steps if _changes(step, key)] for way in (there, back)]
        if sum(map(bool, ways)) == 1:
            (step,) = (way[0] for way in ways if way)
            yield step.code, False
        else:
            yield f"{key} was {_at(first, key)} and is {_at(last, key)}", True


def _sorted(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=repr)


def _changes(step: Step, key: str) -> bool:
    return any(path and path[0] == key for path in step.changes)


def _at(data: dict[str, Any], key: str) -> str:
    return repr(data.get(key, "not there"))[:60]


def main(arguments: list[str] | None = None) -> int:
    """Run the campaign; 1 when something does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--old", default="0.12.2")
    parser.add_argument("--new", default="0.21.0")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    paths = sorted(path for folder in options.folders for path in folder.rglob("*.y*ml"))
    return campaign(partial(travel, old=options.old, new=options.new), paths, options.jobs)


if __name__ == "__main__":
    sys.exit(main())
