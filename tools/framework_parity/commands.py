"""The commands that the comparisons of frameworks share: `generate`, `compare` and `record`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.framework_parity import folders
from tools.framework_parity.recorded import record
from tools.framework_parity.verdicts import compare, read_ours, read_theirs, report

#: Names of files, their contents, and the keys that were changed in each.
Files = Iterable[tuple[str, Any, Any]]


class Generated(NamedTuple):
    """Generated YAML files of a framework whose verdicts are compared."""

    framework: str
    #: Makes the files; the options have `count`, `seed`, and `table` when there is one.
    files: Callable[[argparse.Namespace], Files]
    #: How many, unless the command says so.
    number: int
    #: The table of keys, when the files are made from one.
    table: Path | None = None
    #: Codes of what is refused only after the point up to which theirs looks, with commas.
    later: str = ""
    #: See `compare`.
    deciding: frozenset[str] = frozenset()


def run(generated: Generated, arguments: Sequence[str] | None) -> int:
    """Run one command; `compare` ends with 1 when a verdict differs."""
    options = _parser(generated).parse_args(arguments)
    if options.command == "generate":
        count = folders.write(options.folder, generated.files(options))
        sys.stdout.write(f"{count} files\n")
        return 0
    if options.command == "record":
        pairs = [word.partition("=") for word in options.theirs]
        theirs = {version: read_theirs(Path(path)) for version, _, path in pairs}
        sys.stdout.write(f"{record(options.folder, theirs, options.count, options.out)} files\n")
        return 0
    ours = read_ours(options.ours, frozenset(options.later.split(",")))
    changed = folders.changes(options.folder)
    result = compare(read_theirs(options.theirs), ours, changed, generated.deciding)
    sys.stdout.write(report(result, options.show))
    return 1 if result.differing else 0


def _parser(generated: Generated) -> argparse.ArgumentParser:
    prog = f"python -m tools.framework_parity.{generated.framework}"
    parser = argparse.ArgumentParser(prog=prog)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("generate", help="write files and what was changed in each")
    make.add_argument("folder", type=Path)
    make.add_argument("--count", type=int, default=generated.number)
    make.add_argument("--seed", type=int, default=1)
    if generated.table is not None:
        make.add_argument("--table", type=Path, default=generated.table, help="the table of keys")
    check = commands.add_parser("compare", help="their verdicts with ours, of one release")
    add_compared(check, generated.later)
    check.add_argument("--theirs", type=Path, required=True, help="JSON lines: file, ok, error")
    keep = commands.add_parser("record", help="files and their verdicts for the test")
    add_recorded(keep, 200)
    keep.add_argument(
        "theirs", nargs="+", metavar="VERSION=ROWS", help="JSON lines of each release"
    )
    return parser


def add_compared(parser: argparse.ArgumentParser, later: str | None = None) -> None:
    """Add what every comparison needs but their verdicts.

    Args:
        later: the usual codes of what is refused only later; None when that is not an option.
    """
    parser.add_argument("folder", type=Path, help="the folder with the manifest")
    parser.add_argument("--ours", type=Path, required=True, help="cfglint's JSON report")
    parser.add_argument("--show", type=int, default=20, help="how many differences are printed")
    if later is not None:
        parser.add_argument(
            "--later",
            default=later,
            help="codes of what is refused only later than theirs looks",
        )


def add_recorded(parser: argparse.ArgumentParser, count: int) -> None:
    """Add what every recording needs but their verdicts."""
    parser.add_argument("folder", type=Path, help="the folder with the manifest")
    parser.add_argument("--count", type=int, default=count, help="how many files")
    parser.add_argument("--out", type=Path, required=True, help="the fixture")
