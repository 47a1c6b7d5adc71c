"""Random edits of real files below a baseline: no known finding told as new, none lost.

    python -m tools.campaigns.baseline FOLDER [--count 200] [--seed 0]

Each edit moves lines, adds comments, reorders keys, adds items and keys, takes keys out or adds a
mistake. What is new and what is gone is judged by the messages before and after, which neither lines
nor the baseline's own counting have part in. An edit after which the same rule has both lost and
gained a message cannot be judged so and is counted apart.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from cfglint.cli.baseline import Baseline
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.report.run import RunReport
from cfglint.source.files.disk import Disk

_TOP_LEVEL = re.compile(r"(?m)^(?=[A-Za-z_])")


class Outcome(NamedTuple):
    """What came of one edit."""

    edit: str
    #: Known findings when the baseline was written.
    known: int
    #: Findings that the edit made, and took away.
    made: int
    removed: int
    #: Codes told as new, and those that are.
    told: list[str]
    wanted: list[str]
    #: How many the baseline calls gone.
    gone: int
    #: Whether the messages decide what is new.
    decided: bool

    @property
    def is_right(self) -> bool:
        return self.told == self.wanted and self.gone == self.removed


def _blocks(text: str) -> list[str]:
    """The text before the first top-level key, then each key with all that follows it."""
    return _TOP_LEVEL.split(text)


def comments(text: str, dice: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(dice.randint(1, 5)):
        lines.insert(dice.randint(0, len(lines)), dice.choice(["", "# a word", "   ", "#"]))
    return "\n".join(lines)


def reordered(text: str, dice: random.Random) -> str:
    first, *rest = _blocks(text)
    rest = [block if block.endswith("\n") else block + "\n" for block in rest]
    dice.shuffle(rest)
    return first + "".join(rest)


def line_ends(text: str, dice: random.Random) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def keys_added(text: str, dice: random.Random) -> str:
    first, *rest = _blocks(text)
    block = dice.choice(["dataset_processes: 4\n", "logging_steps: 3\n", "seed: 7\n"])
    rest.insert(dice.randint(0, len(rest)), block)
    return "".join(
        part if part.endswith("\n") or not part else part + "\n" for part in [first, *rest]
    )


def item_added(text: str, dice: random.Random) -> str:
    """An entry before those of `datasets`, so that all of them move one on."""
    match = re.search(r"(?m)^datasets:[ \t]*(?:#.*)?\n([ \t]*)- ", text)
    if match is None:
        return comments(text, dice)
    at = match.start(1)
    indent = match.group(1)
    return f"{text[:at]}{indent}- path: me/mine\n{indent}  type: alpaca\n{text[at:]}"


def key_removed(text: str, dice: random.Random) -> str:
    first, *rest = _blocks(text)
    if rest:
        del rest[dice.randrange(len(rest))]
    return first + "".join(rest)


def mistake(text: str, dice: random.Random) -> str:
    first, *rest = _blocks(text)
    block = dice.choice(["learning_ratee: 0.1\n", "zz_unknown: 1\n", "micro_batch_size: many\n"])
    rest.insert(dice.randint(0, len(rest)), block)
    return "".join(
        part if part.endswith("\n") or not part else part + "\n" for part in [first, *rest]
    )


EDITS: tuple[Callable[[str, random.Random], str], ...] = (
    comments,
    reordered,
    line_ends,
    keys_added,
    item_added,
    key_removed,
    mistake,
)


def _checked(path: Path) -> RunReport:
    runner = Runner(Options(framework="axolotl"), SettingsFinder(isolated=True))
    report = runner.check_file(str(path), named=True)
    return RunReport([report] if report is not None else [], [], real=runner.session.files.real)


def _messages(run: RunReport) -> Counter[tuple[str, str]]:
    return Counter((found.code, found.message) for file in run.files for found in file.diagnostics)


def judged(text: str, edit: Callable[[str, random.Random], str], dice: random.Random) -> Outcome:
    """Write a baseline for a text, edit the text, and see what is told."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "train.yml"
        path.write_bytes(text.encode("utf-8"))
        before = _checked(path)
        old = _messages(before)
        known = str(Path(name) / "baseline.json")
        Baseline(known, Disk(), [name], new=True).write(before)
        path.write_bytes(edit(text, dice).encode("utf-8"))
        after = _checked(path)
        new = _messages(after)
        baseline = Baseline(known, Disk(), [name], new=False)
        gone = baseline.gone(after)
        baseline.hide(after)
        told = sorted(found.code for file in after.files for found in file.diagnostics)
    made, removed = new - old, old - new
    wanted = sorted(code for code, _ in made.elements())
    decided = not {code for code, _ in made} & {code for code, _ in removed}
    return Outcome(
        edit.__name__, old.total(), made.total(), removed.total(), told, wanted, gone, decided
    )


def texts(folder: Path) -> list[str]:
    """The YAML files of a folder that are text, in a fixed order."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".yml", ".yaml") and path.is_file():
            with contextlib.suppress(UnicodeDecodeError):
                found.append(path.read_bytes().decode("utf-8"))
    return found


def campaign(known: list[str], count: int, seed: int) -> Iterator[Outcome]:
    """So many edits, each of a file that the dice choose, the kinds of edits in turn."""
    dice = random.Random(seed)
    done = 0
    while done < count:
        outcome = judged(dice.choice(known), EDITS[done % len(EDITS)], dice)
        if outcome.known:
            done += 1
            yield outcome


def wrong(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes that the messages decide otherwise."""
    return [outcome for outcome in outcomes if outcome.decided and not outcome.is_right]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    outcomes = list(campaign(texts(given.folder), given.count, given.seed))
    bad = wrong(outcomes)
    for outcome in bad:
        print(outcome)
    decided = [outcome for outcome in outcomes if outcome.decided]
    print(
        f"{len(outcomes)} edits below {sum(o.known for o in outcomes)} known findings, {len(decided)}"
        f" decided: {sum(o.made for o in decided)} findings made, {sum(o.removed for o in decided)}"
        f" taken away, {len(bad)} edits reported wrongly"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
