"""Compare what was read of releases with what the releases themselves do.

    python -m tools.upkeep.compared axolotl==0.21.0 [deepspeed==0.19.8 ...] --out comparison.txt

Runs the comparisons that the project has for a release, each in an environment of its own, then what
holds all frameworks to recorded verdicts and rules to their examples. `--out` gets the commands and
what each said, without the middle if it is long, as it comes. Exit code 1 when one of them did not end with 0.

Code of the releases runs here: where this is done, nothing should lie around that is worth taking.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from tools.upkeep.package import Step
from tools.upkeep.packages import packages

_ROOT = Path(__file__).resolve().parents[2]
#: Lines of what a command said that are kept, from its start and from its end.
_FIRST, _LAST = 40, 10
#: Characters of a line.
_WIDTH = 200
#: Seconds that a command may take.
_LIMIT = 3600


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparisons and write what they say."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.upkeep.compared",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("release", nargs="*", metavar="PACKAGE==VERSION")
    parser.add_argument("--out", type=Path, required=True, help="the file for what they say")
    parser.add_argument("--count", type=int, default=4000, help="how many configurations to make")
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory(prefix="cfglint-compared-") as folder,
        options.out.open("w", encoding="utf-8") as out,
    ):
        comparisons = _comparisons(options.release, options.count, Path(folder))
        done = [_run(name, steps, out) for name, steps in comparisons]
    return 0 if all(done) else 1


def _comparisons(
    releases: Iterable[str], count: int, work: Path
) -> Iterator[tuple[str, list[Step]]]:
    known = {package.name: package for package in packages()}
    for release in releases:
        name, _, version = release.partition("==")
        comparison = known[name].comparison if name in known else None
        if comparison is not None:
            yield f"{release}: its own code", comparison(version, count, work)
        else:
            yield f"{release}: no comparison without its own environment", []
    yield "examples of the rules", [(sys.executable, "-m", "cfglint", "rules", "test")]
    recorded = ("tests/tools", "-k", "recorded or framework_parity")
    yield "recorded verdicts", [(sys.executable, "-m", "pytest", "-q", *recorded)]


def _run(name: str, steps: Sequence[Step], out: TextIO) -> bool:
    """Run the commands of a comparison up to the first that fails; whether none did."""
    out.write(f"=== {name}\n")
    for step in steps:
        command = [str(part) for part in step]
        shown = shlex.join("python" if part == sys.executable else part for part in command)
        out.write(f"$ {shown}\n")
        out.flush()
        start = time.monotonic()
        code, said = _ended(command)
        lines = said.splitlines()
        if (out_of_sight := len(lines) - _FIRST - _LAST) > 0:
            lines[_FIRST:-_LAST] = [f"... {out_of_sight} lines ..."]
        out.writelines(f"{line[:_WIDTH]}\n" for line in lines)
        out.write(f"{code}, {time.monotonic() - start:.0f} s\n")
        if code != "exit code 0":
            return False
    out.write("\n")
    return True


def _ended(command: Sequence[str]) -> tuple[str, str]:
    """How a command ended, and what it said."""
    try:
        done = subprocess.run(
            command,
            cwd=_ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"took longer than {_LIMIT} seconds", ""
    except OSError as error:
        return f"cannot be run: {error.strerror}", ""
    return f"exit code {done.returncode}", done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main())
