"""Kill -9 a process that writes files, at random moments, and look at what it leaves.

    python tools/campaigns/kill.py [--rounds 100] [--files 200] [--seed 0]

A child rewrites its files through `write_file` again and again: plain files, files with a second
hard link, and files behind a symbolic link. After each kill every file must be whole, old or new
once the next run has cleaned up, and no stray file may be left. Exit code 1 when one is not.
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
from pathlib import Path

from cfglint.fixes.writing import remove_stale_temporaries, write_file

# Large enough that a write takes several system pages.
LINES = 2000


def content(number: int, generation: int) -> bytes:
    """What a file holds in one generation; lengths differ between generations."""
    lines = [f"key_{line}: {number}_{generation}_{line * generation}\n" for line in range(LINES)]
    return "".join(lines[: LINES - 37 * (generation % 5)]).encode()


def child(folder: Path, files: int) -> None:
    """Write every file in turn, each to its next generation, until killed."""
    print("ready", flush=True)
    generations = [_generation(folder, number) for number in range(files)]
    while True:
        for number in range(files):
            old = content(number, generations[number])
            result = write_file(name(folder, number), old, content(number, generations[number] + 1))
            if not result.written:
                print(f"not written: {result.reason}", flush=True)
                os._exit(3)
            generations[number] += 1


def name(folder: Path, number: int) -> Path:
    """The path under which the child opens a file."""
    return folder / (f"{number}.link.yml" if number % 10 == 1 else f"{number}.yml")


def _generation(folder: Path, number: int) -> int:
    return int(name(folder, number).read_bytes().split(b"_", 3)[2])


def prepare(folder: Path, files: int) -> set[str]:
    """Make the files; the names that belong in the folder."""
    (folder / "links").mkdir()
    for number in range(files):
        path = folder / f"{number}.yml"
        path.write_bytes(content(number, 1))
        if number % 10 == 1:
            (folder / f"{number}.link.yml").symlink_to(path)
        elif number % 10 == 2:
            os.link(path, folder / "links" / f"{number}.yml")
    return {entry.name for entry in folder.iterdir()}


def inspect(folder: Path, files: int, names: set[str]) -> tuple[Counter[str], list[str]]:
    """Clean up as the next run would, then check every file."""
    counts: Counter[str] = Counter()
    broken: list[str] = []
    left = {entry.name for entry in folder.iterdir()} - names
    counts["stray files found"] += len(left)
    cleanup = remove_stale_temporaries(folder)
    counts["half-made writes undone"] += len(cleanup.restored)
    for number in range(files):
        data = name(folder, number).read_bytes()
        try:
            whole = data == content(number, _generation(folder, number))
        except (IndexError, ValueError):
            whole = False
        if not whole:
            broken.append(f"{number}.yml is broken ({len(data)} bytes)")
        if number % 10 == 1 and not name(folder, number).is_symlink():
            broken.append(f"{number}.link.yml is no longer a link")
        if number % 10 == 2 and not os.path.samefile(
            folder / f"{number}.yml", folder / "links" / f"{number}.yml"
        ):
            broken.append(f"{number}.yml lost its second name")
    still = {entry.name for entry in folder.iterdir()} - names
    broken += [f"stray file {each}" for each in sorted(still)]
    return counts, broken


def main() -> int:
    """Run the campaign and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.files)
    rng = random.Random(options.seed)
    counts: Counter[str] = Counter()
    broken: list[str] = []
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve()
        names = prepare(folder, options.files)
        for number in range(options.rounds):
            before = sum(_generation(folder, each) for each in range(options.files))
            _run_and_kill(folder, options.files, rng.uniform(0.0, 0.5))
            more, wrong = inspect(folder, options.files, names)
            counts += more
            counts["writes"] += (
                0
                if wrong
                else sum(_generation(folder, each) for each in range(options.files)) - before
            )
            broken += [f"round {number}: {each}" for each in wrong]
            if wrong:
                break
    print(f"{options.rounds} kills, {options.files} files, {time.monotonic() - started:.0f} s")
    for what, count in counts.items():
        print(f"  {what}: {count}")
    print(f"  broken: {len(broken)}")
    for each in broken[:10]:
        print(f"WRONG {each}")
    return 1 if broken else 0


def _run_and_kill(folder: Path, files: int, delay: float) -> None:
    command = [sys.executable, __file__, "--child", str(folder), "--files", str(files)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read()
    if rest or process.returncode != -signal.SIGKILL:
        raise RuntimeError(f"the child ended by itself: {rest}")


if __name__ == "__main__":
    sys.exit(main())
