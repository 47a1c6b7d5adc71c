"""The bound of `cfglint fit` against published measurements: `python -m tools.fit_rows FILE`.

The file has one JSON object per line: what was run (`model`, `method`, `batch`, `seq`, `optimizer`,
`sharding`, `gpus`, or a whole `config`), what was measured (`peak` in `unit`, `kind: measured`) or
that a GPU was too small (`kind: does_not_fit`, `gpu_mem_gib`), and `quality`. Each row becomes a
config; its bound must not exceed what was measured.

Exit code 1 if a bound does. `--rows` also lists each row with the terms of its bound. A row that is
named `axolotl/PATH@Ngpu` was measured with one of Axolotl's examples, of which it repeats only some
keys: `--examples FOLDER` reads the files themselves.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median

from cfglint.engine.session import Options, Session
from cfglint.engine.settings import SettingsFinder
from cfglint.files.memory import InMemory
from cfglint.fit.run import GIB, Run
from cfglint.fit.terms import Bound, bound
from cfglint.record import Record
from cfglint.source.text import SourceText
from tools.fit_rows.configs import Row, config_of

#: The release that the configs are read as; the rows of Axolotl's examples are of it.
RELEASE = "0.21.0"
_GB = 10**9


class Compared(Record):
    """A row with the bound of its config; None where the model's sizes are not known."""

    row: Row
    run: Run | None
    bound: Bound | None

    @property
    def measured(self) -> bool:
        return bool(self.row["kind"] == "measured")

    @property
    def limit(self) -> float:
        """What was measured, or what the GPU has that was too small, in bytes."""
        if self.measured:
            return float(self.row["peak"]) * (_GB if self.row["unit"] == "GB" else GIB)
        return float(self.row["gpu_mem_gib"]) * GIB

    @property
    def ratio(self) -> float:
        return 0.0 if self.bound is None else self.bound.total / self.limit

    @property
    def method(self) -> str:
        return method_of(self.row)


def method_of(row: Row) -> str:
    """A group of rows: how the run trains, what it divides, and whether lengths are told."""
    method = str(row["method"]).split()[0]
    name = "full" if method in ("full", "full-finetuning", "sft") else method
    if row["id"].startswith("peft/") and name not in ("full", "lora"):
        name = "other adapters"
    sharding = str(row.get("sharding") or "none")
    return name if sharding == "none" else f"{name}, {sharding}"


def compare(rows: list[Row], examples: Path | None = None) -> list[Compared]:
    """The bounds of all rows that were measured, or that did not fit.

    Args:
        examples: the folder of Axolotl's examples.
    """
    session = Session(
        Options(target=(f"axolotl=={RELEASE}",)), SettingsFinder(isolated=True, files=InMemory({}))
    )
    framework = session.framework("axolotl")
    target, around = session.environment(framework, session.settings("-"), None)
    found = []
    for row in rows:
        if row["kind"] not in ("measured", "does_not_fit"):
            continue
        example = example_of(row, examples)
        data = json.dumps(config_of(row)).encode() if example is None else example.read_bytes()
        document = framework.language.read(SourceText.from_bytes(data))
        planner = framework.planner(document, target, around)
        run = None if planner is None or not row.get("gpus") else planner.run(row["gpus"])
        found.append(Compared(row, run, None if run is None else bound(run)))
    return found


def example_of(row: Row, examples: Path | None) -> Path | None:
    """The file of Axolotl's examples that a row was measured with."""
    family, _, name = str(row["id"]).partition("/")
    if family != "axolotl" or examples is None:
        return None
    path = examples / name.rpartition("@")[0]
    return path if path.is_file() else None


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
    options = parser.parse_args(arguments)
    lines = options.file.read_text(encoding="utf-8").splitlines()
    compared = compare([json.loads(text) for text in lines if text.strip()], options.examples)
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
