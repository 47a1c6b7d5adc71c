"""`python -m tools.growth`: fails if anything costs more than its size explains.

Every regular expression in the package is tried on texts that follow from its own parts. Files are
checked, and commands run, in projects of two sizes that differ in one respect: four times the size
may take 4.6 times the time of the processor.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator

from tools.growth.inputs import Case, cases
from tools.growth.measuring import RATIO, Growth, growth
from tools.growth.patterns import patterns, slow, texts


def _growths(chosen: list[Case], processes: int) -> Iterator[tuple[Case, Growth]]:
    """The cases with their growth, in their order."""
    by_name = {case.name: case for case in chosen}
    # Forked: the functions that make the inputs cannot be sent, so the names of cases are.
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        yield from zip(chosen, pool.imap(_growth_of, by_name), strict=True)


def _growth_of(name: str) -> Growth:
    return growth(next(case for case in cases() if case.name == name))


def main(arguments: list[str] | None = None) -> int:
    """Run all cases, or those whose name contains a text."""
    parser = argparse.ArgumentParser(prog="python -m tools.growth", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names of cases; `patterns` for patterns")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument(
        "--at-most",
        type=float,
        default=RATIO,
        help="how many times the time four times the size may take (16 is quadratic)",
    )
    parser.add_argument("--verbose", action="store_true", help="show each case")
    options = parser.parse_args(arguments)
    names = options.names
    failures = tried = 0
    if not names or "patterns" in names:
        for found in patterns():
            tried += len(texts(found.pattern, found.flags))
            one = slow(found)
            if one is not None:
                failures += 1
                print(one, flush=True)
    chosen = [case for case in cases() if not names or any(name in case.name for name in names)]
    started = time.monotonic()
    for case, found_growth in _growths(chosen, options.processes):
        size, small, large = found_growth
        is_fine = found_growth.is_within(options.at_most)
        if not is_fine:
            failures += 1
        if options.verbose or not is_fine:
            took = f"{time.monotonic() - started:5.0f} s  " if options.verbose else ""
            print(
                f"{took}{case.name}: {size:,} {small:.3f} s, {4 * size:,} {large:.3f} s", flush=True
            )
    print(f"{tried:,} texts, {len(chosen)} cases, {failures} grow faster than their size")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
