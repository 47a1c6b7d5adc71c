"""A coverage-guided fuzzer over reading, checking, reporting and fixing.

    pip install atheris        # not among the development dependencies: CPython up to 3.13, Linux
    python -m tools.campaigns.coverage_fuzz [FOLDER...] [--minutes 10] [--seed 1] [--corpus FOLDER]

libFuzzer, through atheris, mutates bytes and keeps each input that reaches new lines of cfglint
or of PyYAML. It starts from the YAML files below the folders (`fixtures` when none is given) and
the examples of the rule files, and knows the names of keys and the tokens of YAML from a
dictionary. With `--corpus`, what it keeps is there for the next run. What must hold for every
input says `tools.campaigns.invariants`; a failing input is cut down and printed, and the search
goes on. Exit code 1 when there was one.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
import tempfile
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.campaigns.invariants import Failure, Judge

#: Larger inputs find nothing that smaller ones do not, and take longer.
MAX_LENGTH = 4096
_KEY = re.compile(r"(?m)^[ #-]*([a-z_][a-z0-9_]*):")


class Target:
    """What libFuzzer calls for each input, until the time is over."""

    def __init__(self, judge: Judge, minutes: float, keep: Path | None) -> None:
        self.judge = judge
        self.minutes = minutes
        self.keep = keep
        self.deadline = time.monotonic() + 60 * minutes
        self.runs = 0
        self.failures: dict[str, Failure] = {}
        self.times: Counter[str] = Counter()

    def __call__(self, data: bytes) -> None:
        if time.monotonic() > self.deadline:
            self.finish()
        self.runs += 1
        problem = self.judge.problem(data)
        if problem is None:
            return
        from tools.campaigns.invariants import Failure, kind_of, shortened

        kind = kind_of(problem)
        self.times[kind] += 1
        if kind not in self.failures:
            self.failures[kind] = shortened(self.judge, Failure(problem, data))
            self.deadline += 20

    def finish(self) -> None:
        """Print what was found and end; libFuzzer would not come back."""
        print(f"\n{self.runs} inputs in {self.minutes:g} minutes")
        for name, count in sorted(self.judge.counts.items()):
            print(f"  {name:16}{count:10}")
        for number, (kind, failure) in enumerate(sorted(self.failures.items())):
            print(f"FAILED {self.times[kind]} times: {failure.problem}\n    {failure.data!r}")
            if self.keep is not None:
                self.keep.mkdir(parents=True, exist_ok=True)
                (self.keep / f"{number}.yml").write_bytes(failure.data)
        print(f"{self.times.total()} failures of {len(self.failures)} kinds", flush=True)
        os._exit(1 if self.failures else 0)


def write_dictionary(path: Path, words: list[str]) -> None:
    """The words in libFuzzer's form, one per line."""
    lines = []
    for word in words:
        escaped = "".join(
            chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\x{byte:02X}"
            for byte in word.encode()
        )
        lines.append(f'"{escaped}"\n')
    path.write_text("".join(lines), "ascii")


def main() -> None:
    """Fuzz and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[Path("fixtures")])
    parser.add_argument("--rules", type=Path, default=Path("rules"))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="a folder for inputs worth keeping")
    parser.add_argument("--keep", type=Path, help="a folder for failing inputs")
    options = parser.parse_args()
    try:
        atheris: Any = importlib.import_module("atheris")
    except ImportError:
        print("coverage_fuzz needs atheris: pip install atheris")
        sys.exit(2)
    with atheris.instrument_imports(include=["cfglint", "yaml"]):
        from tools.campaigns.fuzz import KEYS, SCALARS, TOKENS, seed_texts
        from tools.campaigns.invariants import Judge

        # Modules that are imported where they are needed get their probes here.
        judge = Judge()
        judge.problem(b"base_model: x\nlearning_rate: 1e-5 # c\ndatasets: [{path: a, tpe: b}]\n")
    with tempfile.TemporaryDirectory() as scratch:
        corpus = options.corpus or Path(scratch, "corpus")
        corpus.mkdir(parents=True, exist_ok=True)
        seeds = [text.encode()[:MAX_LENGTH] for text in seed_texts(options.folders, options.rules)]
        for data in seeds:
            (corpus / sha256(data).hexdigest()[:16]).write_bytes(data)
        names = set(_KEY.findall(b"\n".join(seeds).decode("utf-8", "replace")))
        words = sorted({*names, *KEYS, *SCALARS, *TOKENS} - {""})
        write_dictionary(dictionary := Path(scratch, "words"), words)
        print(f"{len(seeds)} seeds, {len(words)} words", flush=True)
        target = Target(judge, options.minutes, options.keep)
        arguments = (f"-dict={dictionary}", f"-seed={options.seed}", f"-max_len={MAX_LENGTH}")
        # The judge keeps its own clock, and memory grows with caches.
        rest = (
            "-timeout=1200",
            "-report_slow_units=600",
            "-rss_limit_mb=0",
            f"-artifact_prefix={scratch}/",
        )
        atheris.Setup([sys.argv[0], *arguments, *rest, str(corpus)], target)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
