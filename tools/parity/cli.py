"""The command line: compare, `record` verdicts for later, `replay` recorded ones."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.parity import fixture
from tools.parity.environments import environment
from tools.parity.ours import findings
from tools.parity.release import ReleaseError, prepare
from tools.parity.report import report, say
from tools.parity.verdicts import Agreement, Comparison, Finding, Upstream
from tools.parity.workers import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """
python -m tools.parity record … --out FILE   writes each file and its verdicts into a fixture
python -m tools.parity replay FILE…          compares with a fixture; needs no release

Exit code: 0, or 1 when cfglint says of any file that Axolotl rejects it and Axolotl does not,
or 2 when a release cannot be run.
"""


#: Path, release and number of GPUs.
_Task = tuple[str, str, int]


class _File(NamedTuple):
    """A file and the folder it was found for."""

    folder: str
    path: Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    command = given.pop(0) if given[:1] in (["record"], ["replay"]) else "compare"
    if command == "replay":
        return _replay(given)
    options = _parser(command).parse_args(given)
    files = _files(options.folders)
    if not files:
        say("no YAML files found")
        return 2
    try:
        verdicts = {release: _upstream(release, files, options) for release in options.release}
    except ReleaseError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    if command == "record":
        return _record(files, verdicts, options)
    return _compare(files, verdicts, options)


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
    parser.add_argument("--gpus", type=int, default=1, help="GPUs of the run")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--torch", metavar="VERSION", help="the torch that the run would have")
    parser.add_argument("--python", action="append", default=[], help="a Python to try first")
    parser.add_argument("--cache", type=Path, default=_default_cache(), help="for what is built")
    if command == "record":
        parser.add_argument("--out", type=Path, required=True, help="the fixture to write")
    else:
        parser.add_argument("--json", type=Path, help="write every comparison to this file")
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


def _upstream(version: str, files: Sequence[_File], options: argparse.Namespace) -> list[Upstream]:
    release = prepare(version, options.wheels, options.cache, options.torch)
    python = environment(release, options.cache, options.python)
    return judge(release, python, [path for _, path in files], options.gpus, options.jobs)


def _compare(
    files: Sequence[_File], verdicts: dict[str, list[Upstream]], options: argparse.Namespace
) -> int:
    comparisons: list[Comparison] = []
    for release, upstream in verdicts.items():
        tasks = [(str(path), release, options.gpus) for _, path in files]
        ours = _all_of_ours(tasks, options.jobs)
        comparisons += [
            Comparison(release, folder, str(path), theirs, found)
            for (folder, path), theirs, found in zip(files, upstream, ours, strict=True)
        ]
    if options.json:
        rows = [comparison.to_json() for comparison in comparisons]
        options.json.write_text(json.dumps(rows, indent=1, default=str), encoding="utf-8")
    report(comparisons, every_file=options.every_file)
    return _exit_code(comparisons)


def _all_of_ours(tasks: list[_Task], jobs: int) -> list[tuple[Finding, ...]]:
    if jobs == 1:
        return [_ours(task) for task in tasks]
    with multiprocessing.Pool(jobs) as pool:
        return pool.map(_ours, tasks, chunksize=8)


def _ours(task: _Task) -> tuple[Finding, ...]:
    path, release, gpus = task
    return findings(Path(path).read_bytes(), path, release, gpus)


def _record(
    files: Sequence[_File], verdicts: dict[str, list[Upstream]], options: argparse.Namespace
) -> int:
    recorded: list[fixture.Recorded] = []
    unknown = 0
    for index, (_, path) in enumerate(files):
        answers = {release: upstream[index] for release, upstream in verdicts.items()}
        unknown += sum(answer.outcome == "failed" for answer in answers.values())
        kept = {
            name: answer._replace(message=answer.message.replace(str(path.resolve()), path.name))
            for name, answer in answers.items()
            if answer.outcome != "failed"
        }
        text = path.read_text(encoding="utf-8")
        recorded.append(fixture.Recorded(path.name, text, options.gpus, kept))
    options.out.write_text(fixture.dump(recorded), encoding="utf-8")
    say(f"{options.out}: {len(recorded)} files, {len(verdicts)} releases, {unknown} left out")
    return 0


def _replay(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.parity replay")
    parser.add_argument("fixtures", nargs="+", type=Path)
    parser.add_argument("--every-file", action="store_true")
    options = parser.parse_args(arguments)
    comparisons = [
        comparison
        for path in options.fixtures
        for comparison in fixture.replay(fixture.load(path), path.name)
    ]
    report(comparisons, every_file=options.every_file)
    return _exit_code(comparisons)


def _exit_code(comparisons: Sequence[Comparison]) -> int:
    return int(any(one.agreement is Agreement.FALSE_ALARM for one in comparisons))
