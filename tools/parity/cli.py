"""The command line: compare, `record` verdicts for later, `replay` recorded ones."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.parity import effective, generate, recorded
from tools.parity.environments import environment
from tools.parity.machine import Machine, add_options, machine_of
from tools.parity.ours import findings
from tools.parity.places import first_error, points_at
from tools.parity.release import ReleaseError, prepare
from tools.parity.report import Report, say
from tools.parity.store import VerdictStore
from tools.parity.verdicts import Comparison, Finding, Upstream
from tools.parity.workers import judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_EPILOG = """
python -m tools.parity generate … --out FOLDER  makes configurations to compare on
python -m tools.parity effective …           compares final values instead of verdicts
python -m tools.parity record … --out FILE   writes each file and its verdicts into a fixture
python -m tools.parity replay FILE…          compares with a fixture; needs no release

Exit code: 0, or 1 when cfglint says of any file that Axolotl rejects it and Axolotl does not,
or 2 when a release cannot be run.
"""


#: Path, release, machine, versions that cfglint is told, and the release's verdict.
_Task = tuple[str, str, Machine, tuple[str, ...], Upstream]


class _File(NamedTuple):
    """A file and the folder it was found for."""

    folder: str
    path: Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["generate"]:
        return generate.main(given[1:])
    if given[:1] == ["effective"]:
        return effective.main(given[1:])
    command = given.pop(0) if given[:1] in (["record"], ["replay"]) else "compare"
    if command == "replay":
        return _replay(given)
    options = _parser(command).parse_args(given)
    files = _files(options.folders)
    if not files:
        say("no YAML files found")
        return 2
    try:
        return _record(files, options) if command == "record" else _compare(files, options)
    except ReleaseError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.parity" + ("" if command == "compare" else f" {command}"),
        description=__doc__,
        epilog=_EPILOG if command == "compare" else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="+", type=Path, help="YAML files, or folders of them")
    parser.add_argument("--release", action="append", required=True, metavar="VERSION")
    parser.add_argument("--wheels", type=Path, help="a folder with wheels and source archives")
    add_options(parser)
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--torch", metavar="VERSION", help="the torch that the run would have")
    parser.add_argument("--python", action="append", default=[], help="a Python to try first")
    parser.add_argument("--cache", type=Path, default=_default_cache(), help="for what is built")
    if command == "record":
        parser.add_argument("--out", type=Path, required=True, help="the file to write (.json.gz)")
        parser.add_argument("--sample", type=int, help="keep this many, of all kinds")
        parser.add_argument(
            "--agreed", action="store_true", help="keep those that cfglint gets right"
        )
    else:
        parser.add_argument(
            "--json", type=Path, help="write every comparison to this file, one per line"
        )
        parser.add_argument("--every-file", action="store_true", help="name all missed files")
    return parser


def _default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "cfglint-parity")


def _files(folders: Sequence[Path]) -> list[_File]:
    files: list[_File] = []
    for folder in folders:
        if folder.is_dir():
            found = sorted(p for p in folder.rglob("*") if p.suffix in {".yml", ".yaml"})
            files += [_File(str(folder), path) for path in found if path.is_file()]
        else:
            files.append(_File(str(folder.parent), folder))
    return files


def _upstream(
    version: str, files: Sequence[_File], options: argparse.Namespace
) -> tuple[tuple[str, ...], list[Upstream]]:
    """What cfglint is told of packages, and the verdicts; those known already are not asked."""
    machine = machine_of(options)
    release = prepare(version, options.wheels, options.cache, options.torch)
    paths = [path for _, path in files]
    store = VerdictStore(options.cache)
    known = store.find(release, machine, paths)
    unknown = [path for path in paths if path not in known]
    if unknown:
        python = environment(release, options.cache, options.python)
        new = judge(release, python, unknown, machine, options.jobs)
        known.update(zip(unknown, new, strict=True))
        store.keep(release, machine, {path: known[path] for path in unknown})
    return release.told(), [known[path] for path in paths]


def _compare(files: Sequence[_File], options: argparse.Namespace) -> int:
    report = Report(every_file=options.every_file)
    with ExitStack() as stack:
        rows = (
            stack.enter_context(options.json.open("w", encoding="utf-8")) if options.json else None
        )
        for release in options.release:
            told, verdicts = _upstream(release, files, options)
            tasks = [
                (str(path), release, machine_of(options), told, theirs)
                for (_, path), theirs in zip(files, verdicts, strict=True)
            ]
            ours = _all_of_ours(tasks, options.jobs)
            for (folder, path), theirs, (found, same) in zip(files, verdicts, ours, strict=True):
                one = Comparison(release, folder, str(path), theirs, found, same)
                report.add(one)
                if rows is not None:
                    rows.write(json.dumps(one.to_json(), default=str) + "\n")
    report.print()
    return int(report.false_alarms)


def _all_of_ours(
    tasks: list[_Task], jobs: int
) -> Iterator[tuple[tuple[Finding, ...], bool | None]]:
    if jobs == 1:
        yield from map(_ours, tasks)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap(_ours, tasks, chunksize=32)


def _ours(task: _Task) -> tuple[tuple[Finding, ...], bool | None]:
    path, release, machine, told, theirs = task
    data = Path(path).read_bytes()
    found = findings(data, path, release, machine, told)
    same = None
    if theirs.outcome == "rejected" and any(finding.says_rejected for finding in found):
        first = first_error(data.decode("utf-8", "replace"), theirs)
        same = None if first is None else points_at(first, found)
    return found, same


def _record(files: Sequence[_File], options: argparse.Namespace) -> int:
    answers = {release: _upstream(release, files, options) for release in options.release}
    told = {release: answer[0] for release, answer in answers.items()}
    rows: list[recorded.Recorded] = []
    left_out = 0
    for index, (_, path) in enumerate(files):
        text = path.read_text(encoding="utf-8")
        verdicts = {release: answer[1][index] for release, answer in answers.items()}
        row = recorded.row(path.name, text, verdicts)
        left_out += len(verdicts) - len(row.verdicts)
        rows.append(row)
    kept = recorded.Recording(machine_of(options), told, rows)
    if options.sample:
        kept = recorded.sample(kept, options.sample)
    if options.agreed:
        kept = recorded.agreed(kept)
    recorded.write(kept, options.out)
    say(f"{options.out}: {len(kept.rows)} files, {len(told)} releases, {left_out} left out")
    return 0


def _replay(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.parity replay")
    parser.add_argument("fixtures", nargs="+", type=Path)
    parser.add_argument("--every-file", action="store_true")
    options = parser.parse_args(arguments)
    report = Report(every_file=options.every_file)
    for path in options.fixtures:
        for comparison in recorded.replay(recorded.read(path), path.name):
            report.add(comparison)
    report.print()
    return int(report.false_alarms)
