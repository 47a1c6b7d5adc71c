"""How often each rule speaks on real files, and whether those that speak often say why.

    python -m tools.campaigns.frequency FOLDER [--write]

A rule that fires on more than 2 % of the files has a paragraph "**How often:**" in its `why`, which
says what share that is and why it is right. `--write` records the counts in `RECORDED`; a test
holds the recorded rules to it, since the files themselves are not part of the project. Exit code 1
when a justification is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from cfglint.engine.runner import Runner
from cfglint.engine.session import Options
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.knowledge.rules.knowledge import Knowledge, load_knowledge

RECORDED = Path(__file__).parents[2] / "tests" / "knowledge" / "rules" / "frequent.json"
#: Share of the files above which a rule has to give reasons.
OFTEN = 0.02
MARK = "**How often:**"


def count(folder: Path) -> tuple[int, Counter[str]]:
    """How many files there are, and on how many of them each rule fires."""
    runner = Runner(Options(), SettingsFinder(isolated=True))
    files = 0
    fired: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.y*ml")):
        report = runner.check_file(str(path), named=True)
        if report is not None:
            files += 1
            fired.update({found.code for found in report.diagnostics})
    return files, fired


def unjustified(files: int, fired: dict[str, int], knowledge: Knowledge) -> list[str]:
    """The rules that fire often and do not say why that is right."""
    return [
        code
        for code, number in fired.items()
        if number > OFTEN * files and MARK not in knowledge.details(code).why
    ]


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="frequency", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    files, fired = count(options.folder)
    often = {code: number for code, number in fired.most_common() if number > OFTEN * files}
    knowledge = load_knowledge("axolotl")
    missing = unjustified(files, often, knowledge)
    rules = {rule.code: rule for rule in knowledge.all_rules()}
    for code, number in often.items():
        rule = rules[code]
        reason = "NO REASON" if code in missing else "has its reason"
        share = f"{number / files:6.1%}"
        print(f"{code} {share} {rule.severity:7} {rule.confidence:6} {reason:14} {rule.name}")
    print(
        f"{files} files; {len(often)} rules on more than {OFTEN:.0%}, {len(missing)} without reason"
    )
    if options.write:
        RECORDED.write_text(json.dumps({"files": files, "rules": often}, indent=1) + "\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
