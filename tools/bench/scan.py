"""How fast `cfglint scan` is beside one `Linter` in one process, and whether its memory is flat.

    python -m tools.bench.scan TABLE.parquet [--sample 20000] [--jobs N] [--engine ray] [--out FOLDER]
    python -m tools.bench.scan TABLE.parquet --nodes 2    # on a Ray cluster, its nodes on this machine
    python -m tools.bench.scan_table TABLE.parquet FOLDER... --count 1000000     # makes one

The limit is what a `Linter` needs for rows that are spread over the table, as time of a processor:
files a second and processor can be no more than its. Memory is what all processes of the scan (and of
the cluster) hold for themselves, summed up every few seconds. With `--out` the same command goes on
where one was interrupted; its figures are then those of the rest. Exit code 1 when a processor does
less than the bar of the limit, or the memory of the last fifth is more than a tenth above that of the
second.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from cfglint import Linter

#: What share of the limit must be reached; 0.93 on a quiet machine, and less beside others.
BAR = 0.7
#: How much more memory may be held at the end.
FLAT = 1.1


class _Look(NamedTuple):
    """What was held at a moment, in megabytes."""

    seconds: float
    #: By all processes, and by the first of them.
    all: float
    main: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.scan", description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--sample", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    parser.add_argument("--nodes", type=int, help="of a Ray cluster on this machine")
    parser.add_argument("--out", type=Path, help="the folder of the result, which stays")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two looks")
    options = parser.parse_args(arguments)
    print(f"{pq.read_metadata(options.table).num_rows} files in {options.table.name}")
    limit = measure_limit(options.table, options.sample)
    print(f"limit: {limit * 1e3:.3f} ms a file in one process, {1 / limit:.0f} files a second")
    with ExitStack() as stack:
        made = stack.enter_context(tempfile.TemporaryDirectory(prefix="scan-"))
        folder = options.out or Path(made)
        engine = ["--engine", options.engine, "--jobs", str(options.jobs)]
        if options.nodes is not None:
            from tools.bench.ray_cluster import simulated_cluster

            options.jobs = options.nodes
            cluster, _ = stack.enter_context(simulated_cluster(options.nodes))
            engine = ["--engine", "ray", "--address", cluster.address]
        return _measure(options, limit, folder, engine)


def measure_limit(table: Path, sample: int) -> float:
    """Seconds of a processor that a `Linter` needs for a row."""
    linter = Linter()
    spent = 0.0
    done = 0
    for path, content in _spread(table, sample):
        start = time.process_time()
        with suppress(ValueError):
            linter.lint_found(content, path)
        spent += time.process_time() - start
        done += 1
    return spent / done


def _spread(table: Path, sample: int) -> Iterator[tuple[str, bytes]]:
    """Rows that are spread over a table."""
    with pq.ParquetFile(table) as file:
        step = max(1, file.metadata.num_rows // sample)
        row = 0
        for batch in file.iter_batches(1_000):
            for at in range(-row % step, batch.num_rows, step):
                yield batch["path"][at].as_py(), batch["content"][at].as_py()
            row += batch.num_rows


def _measure(options: argparse.Namespace, limit: float, folder: Path, engine: Sequence[str]) -> int:
    command = [
        *(sys.executable, "-m", "cfglint", "scan", os.path.abspath(options.table)),
        *("--out", str(folder / "findings.parquet"), "--format", "json", *engine),
    ]
    start = time.monotonic()
    held: list[_Look] = []
    times: dict[tuple[int, bytes], float] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while process.poll() is None:
            time.sleep(options.every)
            # The processes of a cluster are below this one, too.
            _, *every = family(os.getpid())
            times.update(filter(None, map(_spent, every)))
            if main := _held(process.pid) / 1024:
                together = sum(map(_held, every)) / 1024
                held.append(_Look(time.monotonic() - start, together, main))
        assert process.stdout is not None
        report = json.load(process.stdout)
    wall = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    # The processes of a cluster are nobody's children when they end: what was seen of them counts.
    spent = max(usage.ru_utime + usage.ru_stime, sum(times.values()))
    files = report["files"]
    print(f"{files} files, {report['findings']} findings in {wall:.0f} s: {report['statuses']}")
    print(f"{files / wall:.0f} files a second, {files / wall / options.jobs:.0f} a processor")
    share, of_time = limit * files / wall / options.jobs, limit * files / spent
    print(f"beside the limit: {share:.2f} of the clock, {of_time:.2f} of the processors' time")
    fifth = len(held) // 5
    if not fifth:
        print("too short to look at memory")
        return 0 if of_time >= BAR else 1
    early, late = held[fifth : 2 * fifth], held[-fifth:]
    growth = statistics.median(look.all for look in late) / statistics.median(
        look.all for look in early
    )
    for look in held[:: max(1, len(held) // 12)]:
        print(f"  {look.seconds:6.0f} s {look.all:7.0f} MB, {look.main:.0f} without the workers")
    most = max(look.all for look in held)
    print(f"memory: {most:.0f} MB at most; last fifth over second {growth:.3f}")
    return 0 if of_time >= BAR and growth <= FLAT else 1


def family(process: int) -> Iterator[int]:
    """A process and all below it."""
    yield process
    with suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):
            children = Path(f"/proc/{process}/task/{task}/children").read_text(encoding="ascii")
            for child in children.split():
                yield from family(int(child))


def _spent(process: int) -> tuple[tuple[int, bytes], float] | None:
    """A process, which is known by its number and when it began, and its processor time so far."""
    with suppress(OSError):
        # The name in parentheses may be anything; the first field behind it is the third.
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        return (process, fields[19]), ticks / os.sysconf("SC_CLK_TCK")
    return None


def _held(process: int) -> int:
    """Kilobytes that a process holds for itself, without the pages of programs and files."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Anonymous:"):
                return int(line.split()[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
