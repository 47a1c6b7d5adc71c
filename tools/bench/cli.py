"""Options in, a table of ratios out.

Each comparison runs both commands in turns on the same files, so that whatever else the machine
does meets both; the ratio of a pair says more than either time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.bench.configs import write_configs, write_lock
from tools.bench.runs import BenchError, Comparison, compare, script
from tools.bench.served import LINES, SOON, Served
from tools.bench.warm import warm

#: What the median ratio must stay below, cfglint over yamllint.
COLD_BAR = 0.9
MANY_BAR = 0.15
MEMORY_BAR = 2.0
#: The same for a cold start beside a lock file, over one without.
LOCK_BAR = 1.3
#: One more text for a warm `Linter`, over loading it with PyYAML's C loader.
WARM_BAR = 5.0
_PACKAGES = 400
_COUNT = 400
_TEXTS = 40


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 when a median ratio is over its bar, 2 when it cannot be measured."""
    options = _parser().parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            rows = _measure(options, Path(folder))
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(f"{'':44}{'ratio: min':>11}{'median':>9}{'max':>9}{'bar':>8}")
    over = False
    for name, ratios, bar, detail in rows:
        over |= ratios.median > bar
        verdict = "over" if ratios.median > bar else "ok"
        print(
            f"{name:44}{ratios.least:11.3f}{ratios.median:9.3f}{ratios.most:9.3f}{bar:8.2f}"
            f"  {verdict:4}  {detail}"
        )
    return 1 if over else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILES", help="files to check")
    parser.add_argument(
        "--files", type=Path, metavar="DIR", help="check the .yml and .yaml files of a folder"
    )
    parser.add_argument("--count", type=_positive, default=_COUNT, help="how many files at once")
    parser.add_argument("--cold-runs", type=_positive, default=20, help="pairs for one file")
    parser.add_argument("--many-runs", type=_positive, default=3, help="pairs for many files")
    parser.add_argument("--seed", type=int, default=1, help="of the configs that are made up")
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def _measure(options: argparse.Namespace, folder: Path) -> list[tuple[str, Comparison, float, str]]:
    files = _files(options, folder)
    ours, theirs = script("cfglint"), script("yamllint")
    one = sorted(files, key=lambda file: file.stat().st_size)[len(files) // 2]
    cold = compare([ours, str(one)], [theirs, str(one)], options.cold_runs, folder)
    beside = _beside_lock(one, folder, options.seed)
    locked = compare([ours, str(beside)], [ours, str(one)], options.cold_runs, folder)
    names = [str(file) for file in files]
    many = compare([ours, *names], [theirs, *names], options.many_runs, folder)
    texts = dict.fromkeys(file.read_text("utf-8", "replace") for file in files)
    again = warm(list(texts)[:_TEXTS])
    served = Served(options.seed)
    return [
        (
            "cold start, one file",
            cold.seconds,
            COLD_BAR,
            f"{cold.ours.median * 1000:.0f} ms : {cold.theirs.median * 1000:.0f} ms",
        ),
        (
            f"next to a lock file of {_PACKAGES} packages",
            locked.seconds,
            LOCK_BAR,
            f"{locked.ours.median * 1000:.0f} ms : {locked.theirs.median * 1000:.0f} ms without",
        ),
        (
            f"{len(files)} files, one command",
            many.seconds,
            MANY_BAR,
            f"{many.ours.median:.2f} s : {many.theirs.median:.2f} s",
        ),
        (
            "one more text, warm",
            again.ratios,
            WARM_BAR,
            f"{again.ours.median * 1000:.2f} ms : {again.theirs.median * 1000:.2f} ms to load it",
        ),
        *(
            (
                f"{name}, {LINES} lines, over {SOON * 1000:.0f} ms",
                spread,
                1.0,
                f"{spread.median * SOON * 1000:.0f} ms",
            )
            for name, spread in (
                ("server: findings", served.findings),
                ("server: hover", served.hover),
                ("server: completion", served.completion),
            )
        ),
        ("peak memory, one file", cold.memory, MEMORY_BAR, cold.megabytes),
        (f"peak memory, {len(files)} files", many.memory, MEMORY_BAR, many.megabytes),
    ]


def _beside_lock(config: Path, folder: Path, seed: int) -> Path:
    """A copy of a config, in a repository with a lock file."""
    home = folder / "locked"
    (home / ".git").mkdir(parents=True)
    write_lock(home, _PACKAGES, seed)
    copy = home / config.name
    copy.write_bytes(config.read_bytes())
    return copy


def _files(options: argparse.Namespace, folder: Path) -> list[Path]:
    """The files to check, as absolute paths; the same one more than once when there are few."""
    found: list[Path] = [path for path in options.paths if path.is_file()]
    if len(found) < len(options.paths):
        raise BenchError("a named file does not exist")
    if options.files is not None:
        found += sorted(
            path for path in options.files.rglob("*") if path.suffix.lower() in (".yml", ".yaml")
        )
        if not found:
            raise BenchError(f"{options.files}: no .yml or .yaml file in it")
    if not found:
        return write_configs(folder, options.count, options.seed)
    if len(found) >= options.count:
        return [path.resolve() for path in found[: options.count]]
    # Both tools read a file once for each name that it has.
    copies = []
    for number in range(options.count):
        copy = folder / f"copy-{number:04}.yml"
        copy.write_bytes(found[number % len(found)].read_bytes())
        copies.append(copy)
    return copies
