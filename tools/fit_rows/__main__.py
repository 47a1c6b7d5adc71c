"""The bound of `cfglint fit` against published measurements: `python -m tools.fit_rows FILE`.

The file has one JSON object per line: what was run (`model`, `method`, `batch`, `seq`, `optimizer`,
`sharding`, `gpus`, or a whole `config`), what was measured (`peak` in `unit`, `kind: measured`) or
that a GPU was too small (`kind: does_not_fit`, `gpu_mem_gib`), and `quality`. Each row becomes a
config; its bound must not exceed what was measured.

Exit code 1 if a bound does. `--rows` also lists each row with the terms of its bound. A row that is
named `axolotl/PATH@Ngpu` was measured with one of Axolotl's examples, of which it repeats only some
keys: `--examples FOLDER` reads the files themselves. `--estimate` fits the constants of the
estimate to a half of the rows, and prints how far it is from the others. `--table` writes
`rules/measured.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median

from cfglint.runs.memory.run import GIB
from tools.fit_rows.compared import Compared, compare
from tools.fit_rows.estimates import report
from tools.fit_rows.measured import write
from tools.fit_rows.recorded import recorded


def table(rows: list[Compared]) -> list[str]:
    """Markdown: a line for each method, and some for all.

    Where the number of tokens is not certain, no activations are.
    """
    lines = [
        "| method | rows | above what was measured | least | median | most |",
        "|---|---|---|---|---|---|",
    ]
    groups: dict[str, list[float]] = {name: [] for name in sorted({one.method for one in rows})}
    groups |= {"all": [], "all, tokens certain": [], "all, tokens not certain": []}
    for one in rows:
        certain = one.run is not None and one.run.tokens > 0
        tokens = "all, tokens certain" if certain else "all, tokens not certain"
        for name in (one.method, "all", tokens):
            groups[name].append(one.ratio)
    for name, ratios in groups.items():
        if ratios:
            above = sum(ratio > 1 for ratio in ratios)
            numbers = f"{min(ratios):.2f} | {median(ratios):.2f} | {max(ratios):.2f}"
            lines.append(f"| {name} | {len(ratios)} | {above} | {numbers} |")
    return lines


def line(one: Compared) -> str:
    """A row with its ratio and the terms of its bound."""
    terms = (
        ""
        if one.bound is None
        else ", ".join(f"{term.name} {term.size / GIB:.2f}" for term in one.bound.terms)
    )
    limit = one.limit / GIB
    total = "unknown" if one.bound is None else f"{one.bound.total / GIB:.2f}"
    return f"{one.ratio:.2f}  {total} of {limit:.2f} GiB  {one.row['id']} ({one.method}): {terms}"


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="fit_rows", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rows", action="store_true", help="also list each row")
    parser.add_argument("--examples", type=Path, help="the folder of Axolotl's examples")
    parser.add_argument("--runs", type=Path, help="also what `tools.accelerator_runs` wrote")
    parser.add_argument(
        "--estimate", action="store_true", help="fit and test the constants of the estimate instead"
    )
    parser.add_argument(
        "--table", type=Path, help="write the measured runs that `fit --measured` shows instead"
    )
    options = parser.parse_args(arguments)
    lines = options.file.read_text(encoding="utf-8").splitlines()
    compared = compare([json.loads(text) for text in lines if text.strip()], options.examples)
    if options.runs:
        compared += recorded(options.runs)
    if options.table:
        write(compared, options.table)
        return 0
    if options.estimate:
        print("\n".join(report(compared)))
        return 0
    measured = [one for one in compared if one.measured and one.bound is not None]
    too_small = [one for one in compared if not one.measured]
    print("\n".join(table(measured)))
    if options.rows:
        print("\n" + "\n".join(line(one) for one in sorted(measured, key=lambda one: one.ratio)))
    unknown = [one.row["id"] for one in compared if one.measured and one.bound is None]
    print(f"\nWithout a bound (the model or the number of GPUs is not known): {len(unknown)}")
    for name in unknown if options.rows else ():
        print(f"  {name}")
    proven = [one for one in too_small if one.ratio > 1]
    print(f"\nDid not fit: {len(proven)} of {len(too_small)} proven")
    for one in too_small:
        print(f"  {line(one)}")
    above = [one for one in measured if one.ratio > 1]
    for one in above:
        print(f"above what was measured ({one.row['quality']} quality): {line(one)}")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
