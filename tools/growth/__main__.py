"""`python -m tools.growth`: fails if anything costs more than its size explains.

Every regular expression in the package is tried on texts that follow from its own parts, and a
config is checked in projects of two sizes that differ in one respect. Four times the size may take
4.6 times the time of the processor.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from pathlib import Path

from cfglint.api.functions import lint_file
from tools.growth.inputs import Case, cases
from tools.growth.patterns import patterns, slow, texts

#: What four times the size may cost, compared with what a check costs anyway.
RATIO = 4.6
#: A check that takes less is not measured exactly, in seconds.
_NOISE = 0.08
#: Sizes grow until a check takes so long.
_MEASURABLE = 0.04
_MOST = 64


def seconds(case: Case, size: int) -> float:
    """The time of the processor for one check."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in case.make(size).items():
            (Path(folder) / name).write_bytes(text.encode())
        path = os.path.join(folder, case.named)
        gc.collect()
        started = time.process_time()
        lint_file(path)
        return time.process_time() - started


def growth(case: Case) -> tuple[int, float, float]:
    """(the size, its time, the time of four times as much) of the first size that takes measurably."""
    base = min(seconds(case, 1) for _ in range(2))
    factor = 1
    while True:
        size = case.size * factor
        small, large = seconds(case, size) - base, seconds(case, 4 * size) - base
        if large > _NOISE and large > RATIO * max(small, _NOISE / 8):
            small = min(small, *(seconds(case, size) - base for _ in range(3)))
            large = min(large, *(seconds(case, 4 * size) - base for _ in range(2)))
        if large > _MEASURABLE or factor * 4 > _MOST:
            return size, max(small, _NOISE / 8), large
        factor *= 4


def main(arguments: list[str] | None = None) -> int:
    """Run all cases, or those whose name contains a text."""
    parser = argparse.ArgumentParser(prog="python -m tools.growth", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names of cases; `patterns` for patterns")
    names = parser.parse_args(arguments).names
    failures = tried = 0
    if not names or "patterns" in names:
        for found in patterns():
            tried += len(texts(found.pattern, found.flags))
            one = slow(found)
            if one is not None:
                failures += 1
                print(one)
    for case in cases():
        if names and not any(name in case.name for name in names):
            continue
        tried += 1
        size, small, large = growth(case)
        if large > _NOISE and large > RATIO * small:
            failures += 1
            print(f"{case.name}: {size:,} {small:.3f} s, {4 * size:,} {large:.3f} s")
    print(f"{tried:,} inputs, {failures} grow faster than their size")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
