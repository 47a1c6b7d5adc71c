"""Prints what a comparison found."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from tools.parity.verdicts import Agreement, Comparison

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXAMPLES = 3


def say(line: str = "") -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


def report(comparisons: Sequence[Comparison], *, every_file: bool = False) -> None:
    """The table, then the disagreements: by rule, by upstream message, by file if wanted."""
    _table(comparisons)
    _false_alarms([c for c in comparisons if c.agreement is Agreement.FALSE_ALARM])
    _missed([c for c in comparisons if c.agreement is Agreement.MISSED], every_file=every_file)
    _unknown([c for c in comparisons if c.agreement is Agreement.UNKNOWN])


def _table(comparisons: Sequence[Comparison]) -> None:
    counts: dict[tuple[str, str], Counter[Agreement]] = defaultdict(Counter)
    for one in comparisons:
        counts[one.release, one.folder][one.agreement] += 1
    width = max([len(folder) for _, folder in counts] + [6])
    head = "".join(f"{agreement.value:>17}" for agreement in Agreement)
    say(f"{'release':10}{'folder':{width}}{head}")
    for (release, folder), row in counts.items():
        cells = "".join(f"{row[agreement]:17}" for agreement in Agreement)
        say(f"{release:10}{folder:{width}}{cells}")


def _false_alarms(comparisons: Sequence[Comparison]) -> None:
    by_rule: dict[str, list[str]] = defaultdict(list)
    for one in comparisons:
        for alarm in one.alarms:
            place = f"{one.release} {one.path}:{alarm.line}"
            by_rule[alarm.code].append(f"{place}  {alarm.message}")
    if by_rule:
        say("\nFalse alarms: cfglint says rejected, Axolotl accepts")
    for code, lines in sorted(by_rule.items(), key=lambda item: -len(item[1])):
        say(f"\n  {code} ({len(lines)})")
        for line in lines:
            say(f"    {line}")


def _missed(comparisons: Sequence[Comparison], *, every_file: bool) -> None:
    by_kind: dict[str, list[Comparison]] = defaultdict(list)
    for one in comparisons:
        by_kind[one.upstream.kind].append(one)
    if by_kind:
        say("\nMissed: Axolotl rejects, cfglint does not say so")
    for kind, those in sorted(by_kind.items(), key=lambda item: (-len(item[1]), item[0])):
        say(f"\n  {len(those):4}  {kind}")
        for one in those if every_file else those[:_EXAMPLES]:
            say(f"        {one.release} {one.path}")
            for reason in one.upstream.reasons if every_file else ():
                say(f"          {reason[:300]}")


def _unknown(comparisons: Sequence[Comparison]) -> None:
    if comparisons:
        say("\nNo verdict: the stand-ins were not enough, or the file took too long")
    for one in comparisons:
        say(f"  {one.release} {one.path}  {one.upstream.reasons[0][:300]}")
