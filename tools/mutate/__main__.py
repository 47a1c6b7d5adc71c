"""Mutates the source, a change at a time, and says which changes no test notices.

    python -m tools.mutate [--seed 1] [--count 200] [--kinds KIND,...] [--only PATH[:LINE]]...

The mutations are drawn at random from those of the package's modules and made in copies of the
checkout, never in it. `--kinds comparison,logic,flag,negation` draws from these kinds alone; all
are listed below. On each, tests run until one fails: first those of the module's own test file,
then the others that run the line, the most specific first, then all that are left (but none that
install something). A test that takes much longer than usual counts as one that fails.

What tests cover is measured at the first run (some minutes) and kept under `.mutate/`. With
`--keep`, results are added to a file and what is there is not tried again. `--tests
likeliest` ends after the module's own tests and the most specific ones; the same command with
`--again` in its place tries what survived that on all tests. A mutation that means the same
program is listed, with the reason, in `equivalent.json` beside this module.

Exit code 1 when less than `--at-least` of the mutants are noticed. Needs git and a POSIX system.
"""

from __future__ import annotations

import argparse
import queue
import random
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.mutate import results
from tools.mutate.checkout import PACKAGE, Copy, copies
from tools.mutate.covering import ALL, DEPTHS, Coverage, measure
from tools.mutate.mutations import KINDS, Mutation, every_mutation
from tools.mutate.results import Result

ROOT = Path(__file__).parents[2]


def modules(root: Path) -> dict[str, str]:
    """The modules that are mutated: path -> text."""
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((root / PACKAGE).rglob("*.py"))
        if "_compiled" not in path.parts
    }


def draw(
    sources: dict[str, str],
    *,
    seed: int,
    count: int,
    kinds: Collection[str] = KINDS,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
) -> list[tuple[Result, Mutation]]:
    """Mutations drawn at random; all when there are no more than asked for.

    Args:
        kinds: those of `KINDS` that are drawn from.
        only: paths of modules or folders, or `path:line`; with none, all modules.
        skip: paths of modules or folders.
    """
    wanted = [part.partition(":") for part in only]
    found = []
    for path, mutation in every_mutation(sources):
        if mutation.kind not in kinds or any(_below(path, folder.rstrip("/")) for folder in skip):
            continue
        if wanted and not any(
            _below(path, folder.rstrip("/")) and line in ("", str(mutation.line))
            for folder, _, line in wanted
        ):
            continue
        found.append((results.unjudged(path, sources[path], mutation), mutation))
    if len(found) > count:
        found = random.Random(seed).sample(found, count)
    return found


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def judge(
    copy: Copy, coverage: Coverage, drawn: Result, mutation: Mutation, *, depth: str = ALL
) -> Result:
    """Run tests on one mutant until one fails.

    Args:
        depth: how far to go, one of `DEPTHS`.
    """
    start = time.monotonic()
    verdict, by = results.SURVIVED, ""
    with copy.changed(drawn.path, mutation):
        for stage in coverage.stages(drawn.path, mutation, depth=depth):
            outcome = copy.pytest(stage.paths, stage.plan)
            failed = outcome.report.get("failed", "")
            if outcome.took_too_long:
                verdict, by = results.TIMEOUT, failed or stage.name
                break
            if outcome.code not in (0, 5):
                # A test that has nothing to do with the line may fail for want of time.
                if stage.name == "the other tests" and "::" in failed:
                    again = coverage.one(failed)
                    if copy.pytest(again.paths, again.plan).code == 0:
                        by = f"{failed} failed once"
                        continue
                verdict, by = results.KILLED, failed or stage.name
                break
    seconds = round(time.monotonic() - start, 1)
    return drawn._replace(verdict=verdict, by=by, seconds=seconds)


def judged(
    drawn: Sequence[tuple[Result, Mutation]],
    checkouts: Sequence[Copy],
    coverage: Coverage,
    *,
    depth: str = ALL,
) -> Iterator[Result]:
    """Judge mutants, as many at a time as there are copies of the checkout."""
    free: queue.Queue[Copy] = queue.Queue()
    for copy in checkouts:
        free.put(copy)

    def one(pair: tuple[Result, Mutation]) -> Result:
        copy = free.get()
        try:
            return judge(copy, coverage, *pair, depth=depth)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(checkouts)) as pool:
        yield from pool.map(one, drawn)


def _kinds(names: str) -> tuple[str, ...]:
    """Kinds of mutations, as they are named on the command line, between commas."""
    kinds = tuple(name.strip() for name in names.split(","))
    for kind in kinds:
        if kind not in KINDS:
            raise argparse.ArgumentTypeError(
                f"unknown kind {kind!r}; expected one of {', '.join(KINDS)}"
            )
    return kinds


def main(arguments: Sequence[str] | None = None) -> int:
    description, _, rest = (__doc__ or "").partition("\n\n")
    kinds = "\n".join(f"    {kind:<12}{words}" for kind, words in KINDS.items())
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutate",
        description=description,
        epilog=f"{rest}\nThe kinds of mutations:\n\n{kinds}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="how many mutants (200)")
    parser.add_argument(
        "--kinds",
        type=_kinds,
        default=tuple(KINDS),
        metavar="KIND,...",
        help="of these alone (all)",
    )
    parser.add_argument("--only", action="append", default=[], metavar="PATH[:LINE]")
    parser.add_argument("--skip", action="append", default=[], metavar="PATH")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="results, as JSON lines")
    parser.add_argument("--tests", choices=DEPTHS, default=ALL, help="which are tried (all)")
    parser.add_argument("--again", action="store_true", help="try kept survivors again")
    parser.add_argument("--measure", action="store_true", help="measure all coverage again")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="at a time (2)")
    parser.add_argument("--at-least", type=float, default=90.0, metavar="PERCENT")
    parser.add_argument("--list", action="store_true", help="print what would be tried")
    options = parser.parse_args(arguments)

    sources = modules(ROOT)
    drawn = draw(
        sources,
        seed=options.seed,
        count=options.count,
        kinds=options.kinds,
        only=options.only,
        skip=options.skip,
    )
    known = results.read(options.keep) if options.keep else {}
    same = results.equivalents()
    done, left = [], []
    for result, mutation in drawn:
        earlier = known.get(result.identity)
        why = same.get((result.path, result.source, result.before, result.after))
        if why is not None:
            done.append(result._replace(verdict=results.EQUIVALENT, by=why))
        elif earlier is None or (options.again and earlier.verdict == results.SURVIVED):
            left.append((result, mutation))
        else:
            done.append(earlier)
    if options.list:
        for result, _ in drawn:
            print(str(result).removeprefix(": "))
        return 0
    if left:
        with copies(ROOT, min(options.jobs, len(left))) as checkouts:
            coverage = measure(checkouts, ROOT / ".mutate", anew=options.measure)
            for test in coverage.failing:
                print(f"fails without any mutation and is left out: {test}")
            for result in judged(left, checkouts, coverage, depth=options.tests):
                print(f"{len(done) + 1}/{len(drawn)} {result} [{result.seconds:.0f} s]", flush=True)
                if options.keep:
                    results.append(options.keep, result)
                done.append(result)
    print(results.summary(done))
    return 0 if 100 * results.share_killed(done) >= options.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
