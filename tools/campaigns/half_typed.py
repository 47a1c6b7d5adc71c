"""Half-typed lines in real files: do the findings elsewhere stay, and is there still a completion?

    python -m tools.campaigns.half_typed --positions 2000 --seed 0 FOLDER...

Each file with findings is opened as a server opens it, and half a line is typed at a random place: the
beginning of a key or of an item, a bracket or a quote that is not closed, or a key that loses its
colon. The findings on all other lines, and in all other files, are compared with those before; then a
second key is begun below, and its completion asked for. Ends with the figures, by what was typed, and
with 1 when fewer than 98 % of the places leave the other findings as they were.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cfglint.engine.file_report import FileReport
from cfglint.server.completing import first_proposals
from cfglint.server.state import ServerState
from cfglint.source.json_problems import JsonProblemKind
from cfglint.source.problems import ProblemKind

BAR = 0.98
SUFFIXES = (".yml", ".yaml", ".json")
#: Rules about a text that cannot be read: what is half typed is told.
READING = frozenset(kind.value for kinds in (ProblemKind, JsonProblemKind) for kind in kinds)
_KEY = re.compile(r"""(?P<indent>[ ]*(?:- )?)(?P<key>["']?[A-Za-z_]\w*["']?)(?P<colon>[ ]*:)""")
#: What is typed -> how it continues the beginning of a key.
NEW_LINES = {
    "a key": "{key}",
    "an item": "- ",
    "a bracket": "{key}: [",
    "a brace": "{key}: {{",
    "a quote": '{key}: "',
    "a single quote": "{key}: 'x",
}
IN_JSON = {
    "a key": '"{key}',
    "a bracket": '"{key}": [',
    "a brace": '"{key}": {{',
    "a quote": '"{key}": "',
    "no value": '"{key}":',
}
COLON = "a colon that is gone"


class Typed(NamedTuple):
    """A text with half a line."""

    kind: str
    text: str
    #: The line, from 0.
    line: int
    #: How many lines there are more than before.
    more: int


class Outcome(NamedTuple):
    """What became of one place."""

    typed: Typed
    lost: int
    new: int
    seconds: float
    #: Whether a second key could be completed; None where that was not tried.
    completed: bool | None


def typed(text: str, is_json: bool, chance: random.Random) -> Typed | None:
    """A text after half a line was typed; None when it has no place for one."""
    lines = text.split("\n")
    places = [n for n, line in enumerate(lines) if _KEY.match(line)]
    if not places:
        return None
    number = chance.choice(places)
    match = _KEY.match(lines[number])
    assert match is not None
    words = IN_JSON if is_json else NEW_LINES
    kind = chance.choice((COLON, *words))
    if kind == COLON:
        line = lines[number]
        lines[number] = line[: match.start("colon")] + line[match.end("colon") :]
        return Typed(kind, "\n".join(lines), number, 0)
    indent = match["indent"].replace("-", " ")
    begun = match["key"].strip("\"'")[: chance.randint(2, 6)]
    lines.insert(number + 1, indent + words[kind].format(key=begun))
    return Typed(kind, "\n".join(lines), number + 1, 1)


def _found(
    reports: dict[str, FileReport], path: str, without: int, more: int = 0
) -> Counter[tuple[object, ...]]:
    """The findings but those on one line of a file; lines behind it are counted without it."""
    found: Counter[tuple[object, ...]] = Counter()
    for report in reports.values():
        for one in report.diagnostics:
            line = report.source.position(one.span.start).line - 1
            if report.path == path:
                if one.name in READING or line == without:
                    continue
                line -= more if line > without else 0
            found[report.path, one.code, one.message, line] += 1
    return found


def tried(path: Path, text: str, chance: random.Random) -> Outcome | None:
    """Half a line in a file; None when the file has no place for one, or no findings."""
    state, uri = ServerState(), path.as_uri()
    state.texts.put(uri, 1, text, "yaml")
    before = state.check()
    report = before.get(str(path))
    if report is None or any(one.name in READING for one in report.diagnostics):
        return None
    made = typed(text, path.suffix == ".json", chance)
    if made is None:
        return None
    # A colon takes the findings of its own line along.
    own = made.line if made.more == 0 else -1
    wanted = _found(before, str(path), own)
    if not wanted:
        return None
    start = time.perf_counter()
    state.texts.put(uri, 2, made.text)
    state.look_again()
    got = _found(state.check(), str(path), made.line, made.more)
    seconds = time.perf_counter() - start
    lost, new = (wanted - got).total(), (got - wanted).total()
    return Outcome(made, lost, new, seconds, _completes(state, uri, made))


def _completes(state: ServerState, uri: str, made: Typed) -> bool | None:
    """Whether a second key that is begun behind the half line can be completed."""
    if made.kind != "a key" or '"' in made.text.split("\n")[made.line]:
        return None
    lines = made.text.split("\n")
    line = lines[made.line]
    lines.insert(made.line + 1, line[: len(line) - len(line.lstrip())] + "l")
    text = "\n".join(lines)
    offset = sum(len(one) + 1 for one in lines[: made.line + 2]) - 1
    shown = state.texts.put(uri, 3, text)
    state.look_again()
    found = first_proposals(state.cursors(shown, offset))
    # Where a user may choose the names, there is nothing to propose.
    return found is None or found[0].is_key if any(state.cursors(shown, offset)) else False


def run(files: list[Path], positions: int, seed: int, show: int) -> Iterator[Outcome]:
    """The outcomes at random places of files, of which some that are wrong are shown."""
    chance = random.Random(seed)
    texts: dict[Path, str] = {}
    left, done = list(files), 0
    while done < positions and left:
        path = chance.choice(left)
        if path not in texts:
            try:
                texts[path] = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
            except (OSError, UnicodeDecodeError):
                left.remove(path)
                continue
        outcome = tried(path, texts[path], chance)
        if outcome is None:
            left.remove(path)
            continue
        done += 1
        if (outcome.lost or outcome.new) and show > 0:
            show -= 1
            made = outcome.typed
            words = made.text.split("\n")[made.line]
            print(
                f"{path.name}:{made.line + 1}: {made.kind} {words!r}: "
                f"{outcome.lost} lost, {outcome.new} new"
            )
        yield outcome


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="half_typed", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=20, help="how many wrong ones are shown")
    options = parser.parse_args(arguments)
    files = sorted(
        path.resolve()
        for folder in options.folders
        for path in (folder.rglob("*") if folder.is_dir() else [folder])
        if path.suffix in SUFFIXES and path.is_file()
    )
    outcomes = list(run(files, options.positions, options.seed, options.show))
    if not outcomes:
        print("no file has a finding and a place to type")
        return 1
    kinds = sorted({one.typed.kind for one in outcomes})
    for kind in kinds:
        some = [one for one in outcomes if one.typed.kind == kind]
        same = sum(not one.lost and not one.new for one in some)
        print(f"{kind}: {same} of {len(some)} ({same / len(some):.1%})")
    same = sum(not one.lost and not one.new for one in outcomes)
    asked = [one.completed for one in outcomes if one.completed is not None]
    print(
        f"{same} of {len(outcomes)} places leave the other findings as they were "
        f"({same / len(outcomes):.2%}); a second key below is completed in {sum(asked)} of "
        f"{len(asked)}; median {statistics.median(one.seconds for one in outcomes) * 1000:.0f} ms"
    )
    return int(same < BAR * len(outcomes))


if __name__ == "__main__":
    sys.exit(main())
