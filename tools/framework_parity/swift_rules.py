"""The examples of the rules about ms-swift, and what a release itself says of them.

    python -m tools.framework_parity.swift_rules words --release 4.5.2 --out WORDS.jsonl
    PYTHONPATH=RELEASE:. python -m tools.framework_parity.worker.swift_checks WORDS.jsonl > ROWS.jsonl
    python -m tools.framework_parity.swift_rules compare ROWS.jsonl

The second runs in an environment that has the release. An example becomes the words of a command as the command itself
makes words of a file. A release has to refuse the bad examples of errors that it is said to reject, and to take the good
ones; of the other rules, `compare` prints the values that the release changes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from cfglint.knowledge.compiling.examples import prepare
from cfglint.knowledge.compiling.loading import RuleFile, load_rules
from cfglint.knowledge.compiling.model import Example
from tools.framework_parity import swift

_RULES = Path("rules")
#: Keys that only the commands of `megatron` have, one of which is in every example for them.
_OF_MEGATRON = ("micro_batch_size", "global_batch_size", "tensor_model_parallel_size")

#: What arguments of the examples were called before a release.
_FORMERLY = {"tuner_type": ("4.0.0", "train_type")}
_QUOTED = re.compile(r"`([^`]+)`")
#: Fewer words are the name of something.
_WORDS = 3


class Written(NamedTuple):
    """An example as a command."""

    command: str
    words: list[str]
    environment: dict[str, str]


def words_of_file(values: dict[str, Any]) -> list[str]:
    """The words that a command makes of its file."""
    found = []
    for name, value in values.items():
        found.append(f"--{name}")
        if isinstance(value, list):
            found += [str(item) for item in value]
        else:
            found.append(json.dumps(value) if isinstance(value, dict) else str(value))
    return found


def _called(name: str, release: str) -> str:
    since, former = _FORMERLY.get(name, ("0", name))
    return former if Version(release) < Version(since) else name


def as_command(example: Example, release: str) -> Written | None:
    """The command that an example is; None when its words are not all known."""
    text = prepare(example).data.decode()
    if (example.named or "").endswith(".sh"):
        found = list(swift.commands(text, release))
        if not found or not found[0][2]:
            return None
        named = [word.partition("=") for word in text.split() if word.split("=")[0].isupper()]
        return Written(found[0][0], found[0][1], {name: value for name, _, value in named})
    values = {_called(name, release): value for name, value in yaml.safe_load(text).items()}
    environment = {name: str(value) for name, value in values.pop("ENV", {}).items()}
    command = "rlhf" if "rlhf_type" in values else "sft"
    if any(name in values for name in _OF_MEGATRON):
        command = f"megatron_{command}"
    return Written(command, words_of_file(values), environment)


def rows(release: str, codes: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A row for each example that a release judges."""
    for file in load_rules(_RULES, sorted(_RULES.glob("swift/*/*.yaml"))):
        if not _is_about(file, release) or (codes and file.rule.code not in codes):
            continue
        for number, example in enumerate(file.rule.examples, 1):
            chosen = str(example.target.get("ms-swift", release))
            if chosen == release:
                yield from _row(file, example, number, release)


def _is_about(file: RuleFile, release: str) -> bool:
    ranges = file.rule.applies.get("ms-swift")
    return ranges is None or SpecifierSet(str(ranges)).contains(release)


def _row(file: RuleFile, example: Example, number: int, release: str) -> Iterator[dict[str, Any]]:
    written = as_command(example, release)
    if written is None:
        return
    refuses = file.rule.severity == "error" and file.rule.upstream == "rejects"
    yield {
        "file": f"{file.rule.code} {file.rule.name} {number}",
        "command": written.command,
        "argv": written.words,
        "environment": written.environment,
        "release": release,
        "expected": "" if example.good is not None else "refused" if refuses else "changed",
        "bites": file.rule.bites,
        "quoted": quoted(file.rule.why or ""),
    }


def quoted(why: str) -> list[str]:
    """The parts of messages that a rule's text cites, in any of which the refusal of a release has to be found."""
    pieces = [piece for text in _QUOTED.findall(why) for piece in text.split("…")]
    return [" ".join(piece.split()) for piece in pieces if len(piece.split()) >= _WORDS]


def compared(found: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """(what a row is, the line that is printed of it): `agrees`, `differs` or `else`."""
    for row in found:
        expected, refused = row["expected"], not row["ok"]
        said = row["error"].replace("\n", " ") or json.dumps(row["changed"])
        if expected == "changed":
            kind = "else"
        elif row["bites"] != "start" and expected == "refused" and not refused:
            kind = "else"  # it fails behind the arguments
        else:
            says = not row["quoted"] or any(part in said.replace("`", "") for part in row["quoted"])
            same = refused == bool(expected) and (says or not refused)
            kind = "agrees" if same else "differs"
        yield kind, f"{kind:8}{row['file']} {'bad' if expected else 'good'}: {said}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the rows, or compare; 1 when a release disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.swift_rules")
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("words")
    write.add_argument("--release", required=True)
    write.add_argument("--out", type=Path, required=True)
    write.add_argument("codes", nargs="*")
    commands.add_parser("compare").add_argument("rows", type=Path)
    options = parser.parse_args(arguments)
    if options.command == "words":
        found = list(rows(options.release, options.codes))
        options.out.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
        return 0
    lines = options.rows.read_text(encoding="utf-8").splitlines()
    kinds = []
    for kind, line in compared([json.loads(line) for line in lines]):
        kinds.append(kind)
        sys.stdout.write(line)
    sys.stdout.write(", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds))) + "\n")
    return 1 if "differs" in kinds else 0


if __name__ == "__main__":
    sys.exit(main())
