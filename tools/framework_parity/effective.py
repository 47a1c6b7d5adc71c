"""Compares `cfglint effective` with what the arguments of a release hold once it has read a file.

    python -m tools.framework_parity.effective compare llamafactory==0.9.5 ROWS.jsonl
    python -m tools.framework_parity.effective record OUT.json.gz llamafactory==0.9.5=ROWS.jsonl...

The rows are those of `worker/final_values.py`, or of `accessory judge`; only files that the release accepts
count. Values that cfglint calls undecided are counted, and not compared.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cfglint.answers.resolved.resolve import resolve
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.document import format_path
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

#: What a release must reach, in per cent of the accepted files.
BAR = 99.0
_FRAMEWORKS = {"llamafactory": "llamafactory", "trl": "trl", "llama2-accessory": "accessory"}
_EXAMPLES = 3
#: What is no argument: TRL's parser puts it into the environment of the run.
_ENVIRONMENT = "env"


class Difference(NamedTuple):
    """A value that is not the same on both sides; None where there is none."""

    key: str
    ours: Any
    theirs: Any


class Answer(NamedTuple):
    """What became of a file: where the two sides differ, and what cfglint leaves open."""

    differences: list[Difference]
    undecided: list[str]


def differences(
    text: str,
    theirs: dict[str, Any],
    pins: Sequence[str],
    *,
    path: str = "",
    gpus: int | None = 1,
) -> Answer:
    """Where cfglint's answer about a text is not that of the release which `pins` begin with.

    Args:
        path: the file, which may tell the command that it is for.
    """
    framework = load_framework(_FRAMEWORKS[pins[0].partition("==")[0]])
    target = build_environment(framework.releases, pins=pins, gpus=gpus, gpu="h100")
    try:
        language = framework.parsing.language_for(text, target, nowhere())
        found = resolve(
            language.read(SourceText(text)), framework, target, nowhere().replaced(path=path)
        )
    except (SourceError, ValueError) as error:
        return Answer([Difference("(the file)", str(error), "read")], [])
    open_ = {format_path(one.path) for one in found.undecided}
    ours = {
        key: value for key, value in leaves(found.data) if not _within(key, {*open_, _ENVIRONMENT})
    }
    real = {key: value for key, value in leaves(theirs) if not _within(key, open_)}
    return Answer(
        [
            Difference(key, ours.get(key), real.get(key))
            for key in sorted(ours.keys() | real.keys())
            if _text(ours.get(key)) != _text(real.get(key))
        ],
        sorted(open_),
    )


def _within(key: str, open_: Collection[str]) -> bool:
    """Whether a value is one that is open, or part of one, or has such a part."""
    return any(
        key == one or key.startswith((f"{one}.", f"{one}[")) or one.startswith(f"{key}.")
        for one in open_
    )


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted paths and the values that are no mappings; without null, and nothing for empty ones."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else str(key))
    elif value is not None:
        yield path, _without_null(value)


def _without_null(value: Any) -> Any:
    """The members of lists without keys that have no value."""
    if isinstance(value, dict):
        return {key: _without_null(item) for key, item in value.items() if item is not None}
    return [_without_null(item) for item in value] if isinstance(value, list) else value


def _text(value: Any) -> str:
    """Values are the same when they are so in JSON: 1 is neither true nor 1.0."""
    return json.dumps(value, sort_keys=True, default=str)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `compare` ends with 1 below the bar."""
    options = _parser().parse_args(arguments)
    if options.command == "record":
        sys.stdout.write(f"{_record(options.out, options.theirs, options.count)} files\n")
        return 0
    accepted = equal = undecided = 0
    counts: Counter[str] = Counter()
    open_: Counter[str] = Counter()
    examples: dict[str, list[str]] = defaultdict(list)
    for row in _rows(options.rows):
        file = Path(row["file"])
        answer = differences(
            file.read_text("utf-8"),
            row["values"],
            options.pins.split(","),
            path=str(file),
            gpus=options.gpus,
        )
        accepted += 1
        equal += not answer.differences
        undecided += len(answer.undecided)
        open_.update(answer.undecided)
        for one in answer.differences:
            counts[one.key] += 1
            examples[one.key].append(
                f"{_text(one.ours)[:60]} should be {_text(one.theirs)[:60]}  {file.name}"
            )
    for key, count in counts.most_common(options.show):
        said = "\n".join(f"         {line}" for line in examples[key][:_EXAMPLES])
        sys.stdout.write(f"{count:6} {key}\n{said}\n")
    sys.stdout.write(
        f"undecided: {', '.join(f'{n} {c}' for n, c in open_.most_common(options.show))}\n"
    )
    share = 100 * equal / max(accepted, 1)
    sys.stdout.write(
        f"{accepted} accepted, {equal} equal ({share:.2f} %), {undecided / max(accepted, 1):.1f}"
        " undecided values a file\n"
    )
    return int(share < BAR)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of the files that the release accepts."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["ok"]:
            yield row


def _record(out: Path, theirs: Sequence[str], count: int) -> int:
    """Write files with the values of the releases that accept them."""
    kept: list[dict[str, Any]] = []
    for pins, _, rows in (one.rpartition("=") for one in theirs):
        known: dict[str, Any] = {}
        accepted = list(_rows(Path(rows)))
        for row in accepted[:: len(accepted) // count or 1][:count]:
            flat = dict(leaves(row["values"]))
            changed = {
                k: v for k, v in flat.items() if k not in known or _text(known[k]) != _text(v)
            }
            gone = [key for key in known if key not in flat]
            text = Path(row["file"]).read_text("utf-8")
            name = "/".join(Path(row["file"]).parts[-2:])
            kept.append(
                {"pins": pins, "file": name, "text": text, "changed": changed, "gone": gone}
            )
            known = flat
    out.write_bytes(gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), 9, mtime=0))
    return len(kept)


def recorded(path: Path) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The pins, name, text and values of each recorded file."""
    known: dict[str, dict[str, Any]] = defaultdict(dict)
    for row in json.loads(gzip.decompress(path.read_bytes())):
        values = known[row["pins"]]
        values = {k: v for k, v in {**values, **row["changed"]}.items() if k not in row["gone"]}
        known[row["pins"]] = values
        yield row["pins"], row["file"], row["text"], values


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.effective")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("compare", help="their values with ours")
    check.add_argument("pins", metavar="PACKAGE==VERSION[,PACKAGE==VERSION...]")
    check.add_argument("rows", type=Path)
    check.add_argument("--gpus", type=int, default=1)
    check.add_argument("--show", type=int, default=30)
    keep = commands.add_parser("record", help="files with their values, for the tests")
    keep.add_argument("out", type=Path)
    keep.add_argument("theirs", nargs="+", metavar="PINS=ROWS")
    keep.add_argument("--count", type=int, default=40, help="how many files of each release")
    return parser


if __name__ == "__main__":
    sys.exit(main())
