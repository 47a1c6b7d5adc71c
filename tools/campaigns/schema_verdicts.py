"""Hold `cfglint schema` to what Axolotl's own types say of files.

    python -m tools.parity --release 0.21.0 --json rows.jsonl FOLDER...
    python -m tools.campaigns.schema_verdicts rows.jsonl... [--show 20]

The first command asks the release. The schema, checked by jsonschema, has to accept what the release
accepts, and to refuse what one of its types refuses. Files that only a validator refuses, which reads
several keys, are no matter of types and are counted apart, as are those that are no mapping. Exit
code 1 when less than 99.5 % of the others are judged alike.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from tools.campaigns.edit_oracle import FAST
from tools.parity.verdicts import Upstream

#: The least share of files of one verdict.
BAR = 0.995
#: What validators raise; every other kind of error is a type's.
_RAISED = frozenset({"value_error", "assertion_error"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and name what differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.schema_verdicts")
    parser.add_argument("rows", nargs="+", type=Path, help="what tools.parity wrote with --json")
    parser.add_argument("--show", type=int, default=20, help="how many differences are printed")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    for release, path, theirs in _rows(options.rows):
        verdict, reason = compared(theirs, path.read_bytes(), release)
        counts[verdict] += 1
        if verdict.startswith("differs") and options.show > 0:
            options.show -= 1
            print(f"{release} {path}: {verdict}: {reason}")
    alike = counts["both accept"] + counts["both refuse"]
    differing = (count for verdict, count in counts.items() if verdict.startswith("differs"))
    judged = alike + sum(differing)
    for verdict, count in counts.most_common():
        print(f"{count:6} {verdict}")
    if not judged:
        print("nothing to compare")
        return 1
    print(f"{alike} of {judged} alike: {alike / judged:.2%}")
    return 0 if alike / judged >= BAR else 1


def compared(theirs: Upstream, data: bytes, release: str) -> tuple[str, str]:
    """How the verdicts relate, and why one of them refuses."""
    types = [error for error in theirs.errors if error["type"] not in _RAISED]
    if theirs.outcome != "ok" and not types:
        return "a validator refuses, or nobody could tell", ""
    try:
        config = _json(yaml.load(data, FAST))
    except (yaml.YAMLError, ValueError, RecursionError):
        return "no YAML", ""
    if not isinstance(config, dict):
        return "no mapping", ""
    errors = [
        f"{error.json_path}: {error.message}" for error in _validator(release).iter_errors(config)
    ]
    if theirs.outcome == "ok":
        return ("both accept", "") if not errors else ("differs: the schema refuses", errors[0])
    return ("both refuse", "") if errors else ("differs: the schema accepts", theirs.reasons[0])


def _rows(paths: Sequence[Path]) -> Iterator[tuple[str, Path, Upstream]]:
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield row["release"], Path(row["path"]), Upstream.from_json(row["upstream"])


_validators: dict[str, Draft202012Validator] = {}


def _validator(release: str) -> Draft202012Validator:
    if release not in _validators:
        command = (sys.executable, "-m", "cfglint", "schema", "--target", f"axolotl=={release}")
        printed = subprocess.run(command, capture_output=True, check=True).stdout
        _validators[release] = Draft202012Validator(json.loads(printed))
    return _validators[release]


def _json(value: Any) -> Any:
    """A value as JSON has it: names are text, dates are text."""
    return json.loads(json.dumps(value, default=str))


if __name__ == "__main__":
    sys.exit(main())
