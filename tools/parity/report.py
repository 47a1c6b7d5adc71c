"""Gathers comparisons and prints what they found."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from cfglint.frameworks.axolotl.framework import Axolotl
from tools.parity.verdicts import Agreement, Comparison

if TYPE_CHECKING:
    from cfglint.knowledge.rules.rule import Rule

_EXAMPLES = 3
_AGREE = (Agreement.OK, Agreement.REJECTED)
_DISAGREE = (Agreement.MISSED, Agreement.FALSE_ALARM)


def say(line: str = "") -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


class Report:
    """Counts everything, and keeps the comparisons that have to be examined."""

    def __init__(self, *, every_file: bool = False) -> None:
        self._every_file = every_file
        self._counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._kept: dict[Agreement, list[Comparison]] = defaultdict(list)
        self._elsewhere: list[Comparison] = []
        #: Rule -> how often it said "rejected" and the release rejected; then: it alone said so.
        self._confirmed: Counter[str] = Counter()
        self._alone: Counter[str] = Counter()
        self._fired: Counter[str] = Counter()

    def add(self, one: Comparison) -> None:
        """Take one comparison into account."""
        row = self._counts[one.release, one.folder]
        row[one.agreement.value] += 1
        if one.agreement not in _AGREE:
            self._kept[one.agreement].append(one)
        codes = {alarm.code for alarm in one.alarms}
        self._fired.update(codes)
        if one.agreement is not Agreement.REJECTED:
            return
        self._confirmed.update(codes)
        if len(codes) == 1:
            self._alone.update(codes)
        row[f"key {one.same_key}"] += 1
        if one.same_key is False:
            self._elsewhere.append(one)

    @property
    def false_alarms(self) -> bool:
        """Whether cfglint said of any file that it is rejected although it is not."""
        return bool(self._kept[Agreement.FALSE_ALARM])

    def print(self) -> None:
        """The table, then the disagreements: by rule, by upstream message, by file if wanted."""
        self._table()
        self._false_alarms()
        by_kind: dict[str, list[Comparison]] = defaultdict(list)
        for one in self._kept[Agreement.MISSED]:
            by_kind[one.upstream.kind].append(one)
        self._groups("Missed: Axolotl rejects, cfglint does not report it", by_kind)
        by_kind = defaultdict(list)
        for one in self._elsewhere:
            alarms = "+".join(sorted({alarm.code for alarm in one.alarms}))
            by_kind[f"{one.upstream.kind}  <->  {alarms}"].append(one)
        self._groups("Another key: both reject, cfglint does not point at the first error", by_kind)
        self._unknown()
        self._rules()

    def _table(self) -> None:
        width = max([len(folder) for _, folder in self._counts] + [6])
        head = "".join(f"{agreement.value:>17}" for agreement in Agreement)
        say(f"{'release':10}{'folder':{width}}{head}{'equal':>10}{'same key':>10}{'unclear':>9}")
        for (release, folder), row in self._counts.items():
            cells = "".join(f"{row[agreement.value]:17}" for agreement in Agreement)
            agree = sum(row[one.value] for one in _AGREE)
            equal = _percent(agree, sum(row[one.value] for one in _DISAGREE))
            same = _percent(row["key True"], row["key False"])
            say(f"{release:10}{folder:{width}}{cells}{equal}{same}{row['key None']:9}")

    def _false_alarms(self) -> None:
        by_rule: dict[str, list[str]] = defaultdict(list)
        for one in self._kept[Agreement.FALSE_ALARM]:
            for alarm in one.alarms:
                place = f"{one.release} {one.path}:{alarm.line}"
                by_rule[alarm.code].append(f"{place}  {alarm.message}")
        if by_rule:
            say("\nFalse alarms: cfglint says rejected, Axolotl accepts")
        for code, lines in sorted(by_rule.items(), key=lambda item: -len(item[1])):
            say(f"\n  {code} ({len(lines)})")
            for line in lines if self._every_file else lines[:_EXAMPLES]:
                say(f"    {line}")

    def _groups(self, title: str, by_kind: dict[str, list[Comparison]]) -> None:
        if by_kind:
            say("\n" + title)
        for kind, those in sorted(by_kind.items(), key=lambda item: (-len(item[1]), item[0])):
            say(f"\n  {len(those):4}  {kind}")
            for one in those if self._every_file else those[:_EXAMPLES]:
                say(f"        {one.release} {one.path}")
                for reason in one.upstream.reasons if self._every_file else ():
                    say(f"          {reason[:300]}")

    def _unknown(self) -> None:
        those = self._kept[Agreement.UNKNOWN]
        if those:
            say("\nNo verdict: the stand-ins were not enough, or the file took too long")
        for one in those:
            say(f"  {one.release} {one.path}  {one.upstream.reasons[0][:300]}")

    def _rules(self) -> None:
        """Which of the rules that say "rejected" no release has confirmed here."""
        rules = [
            rule
            for rule in Axolotl().knowledge.all_rules()
            if rule.upstream == "rejects" and rule.bites == "start" and not rule.conditional
        ]
        never = [rule for rule in rules if not self._confirmed[rule.code]]
        beside = [
            rule for rule in rules if self._confirmed[rule.code] > self._alone[rule.code] == 0
        ]
        say(
            f"\n{len(rules)} rules say that a file is rejected; confirmed: {len(rules) - len(never)}"
        )
        for rule in never:
            fired = self._fired[rule.code]
            why = f"only on {fired} files without a rejection" if fired else "met by no file"
            say(f"  {rule.code} {rule.name}: never confirmed, {why} ({_releases(rule)})")
        for rule in beside:
            say(f"  {rule.code} {rule.name}: only together with other rules ({_releases(rule)})")


def _releases(rule: Rule) -> str:
    parts = (f"{name} {part.spec}" for name, part in rule.applies.items())
    return ", ".join(parts) or "any release"


def _percent(good: int, bad: int) -> str:
    return f"{good / (good + bad):10.2%}" if good + bad else f"{'-':>10}"
