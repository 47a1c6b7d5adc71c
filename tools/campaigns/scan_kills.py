"""Kill what a scan consists of, again and again, and look at what it writes.

    python -m tools.campaigns.scan_kills FOLDER... [--kills 10] [--tables 20] [--seed 0]
    python -m tools.campaigns.scan_kills FOLDER... --what workers --what command --what ray
    python -m tools.campaigns.scan_kills FOLDER... --what nodes

Tables of real configs with seeded changes are scanned while something of the scan is ended by
`kill -9` at random moments: `workers` of the local engine; the whole `command`, which is then run
again; and on a `ray` cluster of two nodes, by turns a worker, a process of Ray and a node, for which
another one is started, or always one of the `nodes`. At the end every row must be there once, with
the findings that a `Linter` has in this process, and nothing but the two tables may be left. Exit
code 1 when it is not so.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from cfglint import Linter
from tools.bench.ray_cluster import add_node, simulated_cluster
from tools.bench.scan import family
from tools.bench.scan_table import write

WHAT = ("workers", "command", "ray", "nodes")
_ROWS = 400
#: Seconds within which something is killed.
_MOMENTS = (0.5, 4.0)
Row = tuple[Any, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill and compare; 1 when something is lost, twice, or left."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.scan_kills")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--what", choices=WHAT, action="append")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed)
    wrong = False
    with tempfile.TemporaryDirectory(prefix="scan-kills-") as name:
        folder = Path(name)
        tables = [folder / f"{number:03}.parquet" for number in range(options.tables)]
        for number, table in enumerate(tables):
            # The first rows are the files as they are: another stretch of them in each table.
            write(table, options.folders, _ROWS, options.seed + number, start=number * _ROWS)
        expected = judged(tables)
        for what in options.what or WHAT:
            out = folder / what
            out.mkdir()
            command = [sys.executable, "-m", "cfglint", "scan", *map(str, tables)]
            command += ["--out", str(out / "findings.parquet")]
            start = time.monotonic()
            kills = _RUNS[what](command, options.kills, chance)
            told = differences(out, expected)
            print(
                f"{what}: {sum(kills.values())} kills ({shown(kills)}) in "
                f"{time.monotonic() - start:.0f} s, {sum(expected[0].values())} files, "
                f"{sum(expected[1].values())} findings: {told or 'nothing lost, nothing twice'}"
            )
            wrong |= bool(told) or sum(kills.values()) < options.kills
    return 1 if wrong else 0


def shown(kills: Counter[str]) -> str:
    """`6 workers, 4 nodes`."""
    return ", ".join(f"{count} {what}" for what, count in sorted(kills.items()))


def judged(tables: Sequence[Path]) -> tuple[Counter[Row], Counter[Row]]:
    """The files and the findings of tables, as one `Linter` in this process has them."""
    linter = Linter()
    files: Counter[Row] = Counter()
    findings: Counter[Row] = Counter()
    for table in tables:
        for number, row in enumerate(pq.read_table(table).to_pylist()):
            place: Row = (str(table), number, row["path"])
            report = linter.lint_found(row["content"], row["path"])
            outcome: Row = (*place, "checked" if report else "skipped")
            files[outcome] += 1
            for found in report.diagnostics if report else ():
                told: Row = (*place, found.code, found.message, found.span.start)
                findings[told] += 1
    return files, findings


def differences(out: Path, expected: tuple[Counter[Row], Counter[Row]]) -> str:
    """What is lost, twice or left over; empty when nothing is."""
    files, findings = expected
    try:
        rows = pq.read_table(out / "findings.files.parquet").to_pylist()
        found = pq.read_table(out / "findings.parquet").to_pylist()
    except OSError as error:
        return str(error)
    got = Counter((row["source"], row["row"], row["path"], row["status"]) for row in rows)
    told = Counter(
        (row["source"], row["row"], row["path"], row["code"], row["message"], row["offset"])
        for row in found
    )
    said = []
    for name, have, want in (("files", got, files), ("findings", told, findings)):
        if lost := want - have:
            said.append(f"{sum(lost.values())} {name} lost, such as {next(iter(lost))}")
        if more := have - want:
            said.append(f"{sum(more.values())} {name} too many, such as {next(iter(more))}")
    left = {path.name for path in out.iterdir()}
    if left != {"findings.parquet", "findings.files.parquet"}:
        said.append(f"left: {sorted(left)}")
    return "; ".join(said)


def _workers(command: Sequence[str], kills: int, chance: random.Random) -> Counter[str]:
    done: Counter[str] = Counter()
    with subprocess.Popen([*command, "--restart"], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and done.total() < kills:
            time.sleep(chance.uniform(*_MOMENTS))
            _, *workers = family(process.pid)
            if workers and process.poll() is None:
                _kill(chance.choice(workers), "workers", done)
        process.wait()
    return done


def _command(command: Sequence[str], kills: int, chance: random.Random) -> Counter[str]:
    done: Counter[str] = Counter()
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(chance.uniform(*_MOMENTS))
            if process.poll() is not None:
                break
            _kill(process.pid, "commands", done)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return done


def _ray(command: Sequence[str], kills: int, chance: random.Random) -> Counter[str]:
    return _on_cluster(command, kills, chance, ("workers", "processes of Ray", "nodes"))


def _nodes(command: Sequence[str], kills: int, chance: random.Random) -> Counter[str]:
    return _on_cluster(command, kills, chance, ("nodes",))


def _on_cluster(
    command: Sequence[str], kills: int, chance: random.Random, turns: Sequence[str]
) -> Counter[str]:
    """Scan on a cluster of two nodes, and kill what the turns name."""
    done: Counter[str] = Counter()
    with simulated_cluster(2) as (cluster, nodes):
        given = [*command, "--engine", "ray", "--address", cluster.address]
        with subprocess.Popen(given, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and done.total() < kills:
                time.sleep(chance.uniform(*_MOMENTS))
                node = chance.choice(nodes)
                raylet = node.all_processes["raylet"][0].process.pid
                below = list(family(raylet))
                scanning = [one for one in below if b"cfglint.api.scan.worker" in _arguments(one)]
                if process.poll() is not None or not scanning:
                    continue  # nothing is under way on this node
                what = turns[done.total() % len(turns)]
                if what == "nodes":
                    cluster.remove_node(node, allow_graceful=False)
                    nodes[nodes.index(node)] = add_node(cluster)
                    done[what] += 1
                    print("ray: a node was killed, and another one started", file=sys.stderr)
                elif what == "workers":
                    _kill(chance.choice(scanning), what, done)
                else:
                    # The one that does a shard. Without its agents a node would end as a whole.
                    _kill(_parent(chance.choice(scanning)), what, done)
            process.wait()
    return done


def _kill(process: int, what: str, done: Counter[str]) -> None:
    if process <= 1:
        return
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
        done[what] += 1
        print(f"killed one of the {what}", file=sys.stderr)


def _parent(process: int) -> int:
    """Who started a process; 0 when it is gone."""
    with suppress(OSError):
        # The name in parentheses may be anything; behind it come the state and the parent.
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        return int(stat.rpartition(")")[2].split()[1])
    return 0


def _arguments(process: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


_RUNS: dict[str, Callable[[Sequence[str], int, random.Random], Counter[str]]] = {
    "workers": _workers,
    "command": _command,
    "ray": _ray,
    "nodes": _nodes,
}


if __name__ == "__main__":
    sys.exit(main())
