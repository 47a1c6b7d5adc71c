"""Which tests run which lines, measured once and kept for as long as the test files stay.

What is kept only decides in which order tests are tried on a mutant: in the end every test runs on
one that survives. So it does no harm when the source has changed since.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import queue
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from tools.mutate.checkout import PACKAGE, Copy
from tools.mutate.mutations import Mutation
from tools.mutate.plugin import Plan

#: Which tests are tried: the likeliest to notice, all that run the line, or simply all.
DEPTHS = LIKELIEST, LINE, ALL = ("likeliest", "line", "all")
#: How many of the most specific tests are tried before the others that run the line.
_FIRST = 40
#: What a test may take in comparison with its measured time, and at least (CPU seconds).
_TIMES, _LEAST = 5.0, 10.0


class Measured(NamedTuple):
    """What was measured of one file of tests."""

    #: Test -> CPU seconds, in the order of the file.
    seconds: dict[str, float]
    #: Test -> how many lines it runs: the fewer, the more it is about each.
    breadth: dict[str, int]
    failed: list[str]
    #: Module -> line -> the tests that run it, as bits in hexadecimal digits.
    lines: dict[str, dict[str, str]]

    def covering(self, module: str, lines: Iterable[int]) -> list[str]:
        """The tests that run one of some lines."""
        rows = self.lines.get(module, {})
        bits = 0
        for line in lines:
            bits |= int(rows.get(str(line), "0"), 16)
        return [test for number, test in enumerate(self.seconds) if bits >> number & 1]

    def covering_module(self, module: str) -> list[str]:
        return self.covering(module, map(int, self.lines.get(module, {})))


class Stage(NamedTuple):
    """Tests that are run in one go."""

    name: str
    paths: list[str]
    plan: Plan


class Coverage:
    """What was measured of all test files."""

    def __init__(self, files: dict[str, Measured]) -> None:
        self.files = files
        self._seconds = {t: s for file in files.values() for t, s in file.seconds.items()}
        self._breadth = {t: n for file in files.values() for t, n in file.breadth.items()}
        #: Tests that fail without any mutation.
        self.failing = sorted(test for file in files.values() for test in file.failed)

    def stages(self, path: str, mutation: Mutation, *, depth: str = ALL) -> Iterator[Stage]:
        """All tests, those first that are the likeliest to notice a mutation of a module.

        Args:
            depth: how far to go: one of `DEPTHS`.
        """
        module = path.removeprefix(f"{PACKAGE}/")
        covering = self._covering(module, mutation)
        own = mirrored(path)
        first = [test for test in covering if test.partition("::")[0] == own]
        if not mutation.scope[0] and own in self.files:
            # What is outside functions has run before the first of them.
            first = [*self.files[own].seconds]
        others = [test for test in covering if test.partition("::")[0] != own]
        others.sort(key=lambda test: (self._breadth[test], self._seconds[test]))
        seen: set[str] = set(self.failing)
        stages = [("its own tests", first), ("the most specific tests", others[:_FIRST])]
        if depth != LIKELIEST:
            stages.append(("the tests that run the line", others[_FIRST:]))
        for name, tests in stages:
            wanted = [test for test in tests if test not in seen]
            if wanted:
                seen.update(wanted)
                yield Stage(name, _paths(wanted), self._plan(wanted, only=wanted))
        if depth != ALL:
            return
        left = [test for test in self._seconds if test not in seen]
        yield Stage("the other tests", ["tests"], self._plan(left, without=sorted(seen)))

    def one(self, test: str) -> Stage:
        """A single test."""
        return Stage("one test", _paths([test]), self._plan([test], only=[test]))

    def _covering(self, module: str, mutation: Mutation) -> list[str]:
        """The tests that run a line, or else its function, or else anything of its module.

        What is outside functions runs once, in whichever test imports the module first.
        """
        first, last = mutation.scope
        for lines in ([mutation.line], range(first + 1, last + 1)) if first else ():
            found = [test for file in self.files.values() for test in file.covering(module, lines)]
            if found:
                return found
        return [test for file in self.files.values() for test in file.covering_module(module)]

    def _plan(
        self, tests: list[str], *, only: list[str] | None = None, without: Sequence[str] = ()
    ) -> Plan:
        limits = {test: _LEAST + _TIMES * self._seconds.get(test, 0.0) for test in tests}
        total = 3 * _LEAST + _TIMES * sum(self._seconds.get(test, 0.0) for test in tests)
        return Plan("", only, list(without), limits, seconds=total)


def mirrored(path: str) -> str:
    """The file of tests that is about a module: `tests/a/test_b.py` of `src/cfglint/a/b.py`."""
    folder, _, name = path.removeprefix(f"{PACKAGE}/").rpartition("/")
    return "/".join(part for part in ("tests", folder, f"test_{name}") if part)


def _paths(tests: Iterable[str]) -> list[str]:
    return sorted({test.partition("::")[0] for test in tests})


# --------------------------------------------------------------------------- measuring


def measure(copies: Sequence[Copy], kept: Path, *, anew: bool = False) -> Coverage:
    """What the test files of a checkout cover; only those are run that have changed.

    Args:
        copies: copies of the checkout; each measures a part.
        kept: the folder of what was measured before.
        anew: measure all.
    """
    root = copies[0].folder
    files = {
        path.relative_to(root).as_posix(): path for path in sorted(root.glob("tests/**/test_*.py"))
    }
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    known = {} if anew else {name: _load(kept, name, digests[name]) for name in files}
    missing = [name for name in files if known.get(name) is None]
    free: queue.Queue[Copy] = queue.Queue()
    for copy in copies:
        free.put(copy)

    def one(name: str) -> dict[str, Any]:
        copy = free.get()
        try:
            report = copy.pytest([name], Plan("", measured=PACKAGE)).report
        finally:
            free.put(copy)
        # A file of which all tests are deselected reports nothing.
        report = report or {"seconds": {}, "breadth": {}, "failed": [], "lines": {}}
        _save(kept, name, {"digest": digests[name], **report})
        return report

    if missing:
        start = time.monotonic()
        print(f"measuring what {len(missing)} of {len(files)} test files cover", flush=True)
        with ThreadPoolExecutor(len(copies)) as pool:
            known.update(zip(missing, pool.map(one, missing), strict=True))
        print(f"measured in {time.monotonic() - start:.0f} s", flush=True)
    return Coverage(
        {
            name: Measured(row["seconds"], row["breadth"], row["failed"], row["lines"])
            for name, row in sorted(known.items())
            if row is not None
        }
    )


def _place(kept: Path, name: str) -> Path:
    return kept / f"{name.replace('/', '-')}.json.gz"


def _load(kept: Path, name: str, digest: str) -> dict[str, Any] | None:
    try:
        with gzip.open(_place(kept, name), "rt", encoding="utf-8") as file:
            row: dict[str, Any] = json.load(file)
    except (OSError, EOFError, ValueError):
        return None
    return row if row["digest"] == digest else None


def _save(kept: Path, name: str, row: dict[str, Any]) -> None:
    kept.mkdir(parents=True, exist_ok=True)
    with gzip.open(_place(kept, name), "wt", encoding="utf-8", compresslevel=3) as file:
        json.dump(row, file)
