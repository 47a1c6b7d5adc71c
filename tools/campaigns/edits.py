"""Random edits over real files, judged by an oracle that shares no code with the planner.

    python -m tools.campaigns.edits FOLDER... [--edits 100000] [--seed 0] [--jobs 2]

Every YAML or JSON file below the folders that holds one mapping is edited at random places;
`tools.campaigns.edit_oracle` (for JSON `json_edit_oracle`) says whether an edit is right. Exit
code 1 when one is wrong.
"""

from __future__ import annotations

import argparse
import copy
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path as File
from typing import Any, NamedTuple

import yaml

from cfglint.fixes.actions import Action, AppendItem, DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import verify
from cfglint.source.languages.json import JSON
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tools.campaigns import json_edit_oracle
from tools.campaigns.edit_oracle import Case, nodes, problem

KINDS = ("rename", "replace", "delete", "insert", "append", "move")
#: Every n-th result is read by the pure-Python loader, and must be accepted by `verify`, too.
PURE_EVERY = 10
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -3, 2048, 1e-5, 2e-4, 0.1, 1e16, float("inf"), "", "no", "Yes", "null",
    "~", "1e-5", "1.0e-5", "0x1F", "2024-01-01", "12:30:45", "=", "<<", "plain", "two words",
    "a: b", "a #b", "a# b", "# c", "- x", "-x", "*a", "&a", "!t", "%x", "@x", "`x", "x:", ":x",
    "it's", 'say "hi"', "back\\slash", " lead", "trail ", "line\nbreak", "tab\there", "é ü", "✓🚀",
    "{{ bos }}", "[INST]", "a,b", "?", "https://example.org/x?y=1#z", "---", "...", "\x07", "\x85",
    [], {}, [1, "a, b"], ["no", None], {"k": 1e-5}, {"k": {"l": [1, {"m": "n"}]}, "o": "p: q"},
    [{"path": "x", "type": "y"}, {"path": "no"}], [[1, 2], [3]], {"no": "on"},
)  # fmt: skip
NAMES = ("renamed", "no", "a b", "a: b", "1", "#x", "x#", "é", "null", "it's", "new_key", "-", "[k")


class Verdict(NamedTuple):
    """What became of one edit; `detail` says why it was refused or wrong."""

    kind: str
    place: str
    outcome: str
    detail: str


# --------------------------------------------------------------------------- the cases


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every path below a value that can be named, with what it holds."""
    if isinstance(data, dict):
        for key, item in data.items():
            if isinstance(key, str):
                yield (*path, key), item
                yield from places(item, (*path, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield (*path, index), item
            yield from places(item, (*path, index))


def random_case(
    rng: random.Random, data: Any, strata: dict[str, list[tuple[tuple[Any, ...], Any]]]
) -> Case | None:
    """A random edit of a file, with the value it should give."""
    kind = rng.choice(KINDS)
    mappings: list[tuple[Any, ...]] = [()]
    for each in strata.values():
        mappings += [each_path for each_path, what in each if type(what) is dict]
    place = rng.choice(sorted(strata))
    path, held = rng.choice(strata[place])
    intended = copy.deepcopy(data)
    parent = intended
    for part in path[:-1]:
        parent = parent[part]
    value = rng.choice(VALUES)
    action: Action
    if kind == "rename":
        name = rng.choice(NAMES)
        if isinstance(path[-1], int) or name in parent:
            return None
        pairs = [(name if key == path[-1] else key, item) for key, item in parent.items()]
        parent.clear()
        parent.update(pairs)
        action = RenameKey(path, name)
    elif kind == "replace":
        parent[path[-1]] = value
        action = SetValue(path, value)
    elif kind == "delete":
        del parent[path[-1]]
        action = DeleteKey(path)
    elif kind == "insert":
        name = rng.choice(NAMES)
        target = path if isinstance(held, dict) else path[:-1]
        mapping = parent[path[-1]] if isinstance(held, dict) else parent
        if not isinstance(mapping, dict) or name in mapping:
            return None
        mapping[name] = value
        action = SetValue((*target, name), value)
    elif kind == "move" and rng.random() < 0.25:
        # Below a key that is made for it, where it stands.
        names = rng.sample(NAMES, 2)
        first = isinstance(parent, dict) and next(iter(parent)) == path[-1]
        if isinstance(path[-1], int) or names[0] in parent or (first and len(path) > 1):
            return None
        below = {names[1]: parent[path[-1]]}
        pairs = [(names[0], below) if key == path[-1] else (key, parent[key]) for key in parent]
        if place == "flow":
            pairs.append(pairs.pop(next(i for i, pair in enumerate(pairs) if pair[1] is below)))
        parent.clear()
        parent.update(pairs)
        action = MoveKey(path, (*path[:-1], *names))
    elif kind == "move":
        new_path = (*rng.choice(mappings), rng.choice(NAMES))
        receiver: Any = intended
        for part in new_path[:-1]:
            receiver = receiver[part]
        inside = new_path[: len(path)] == path
        if isinstance(path[-1], int) or inside or receiver is parent or new_path[-1] in receiver:
            return None
        receiver[new_path[-1]] = parent.pop(path[-1])
        action = MoveKey(path, new_path)
    else:
        if not isinstance(held, list):
            return None
        parent[path[-1]].append(value)
        action = AppendItem(path, value)
    return Case(kind, place, action, intended)


def _place(path: tuple[Any, ...], flow: set[tuple[Any, ...]]) -> str:
    if path in flow:
        return "flow"
    if len(path) == 1:
        return "top"
    return "list" if any(isinstance(part, int) for part in path) else "nested"


def run_file(task: tuple[str, int, int]) -> list[Verdict]:
    """All random edits of one file."""
    name, count, seed = task
    rng = random.Random(f"{seed}:{name}")
    is_json = name.endswith(".json")
    try:
        source = SourceText.from_bytes(File(name).read_bytes())
        if is_json:
            document, data = JSON.read(source), json.loads(source.text)
        else:
            document, data = compose(source), yaml.load(source.text, Loader=yaml.SafeLoader)
    except (SourceError, OSError, yaml.YAMLError, ValueError):
        return []
    text = source.text
    if is_json:
        flow = json_edit_oracle.on_one_line(text)
    else:
        flow = {path for path, (_, _, parent, _) in nodes(text).items() if parent.flow_style}
    strata: dict[str, list[tuple[tuple[Any, ...], Any]]] = {}
    for path, held in places(data):
        strata.setdefault(_place(path, flow), []).append((path, held))
    if not strata:
        return []
    verdicts: list[Verdict] = []
    misses = 0
    while len(verdicts) < count and misses < 100 * count:
        case = random_case(rng, data, strata)
        if case is None:
            misses += 1
            continue
        made = plan(document, (case.action,))
        if made.refused is not None:
            verdicts.append(Verdict(case.kind, case.place, "refused", made.refused))
            continue
        pure = len(verdicts) % PURE_EVERY == 0
        try:
            result = apply_edits(text, made.edits)
            if is_json:
                wrong = json_edit_oracle.problem(text, result, case)
            else:
                wrong = problem(text, result, case, pure)
            if pure and not wrong:
                refused = verify(document, result, made.paths, edits=made.edits)
                wrong = f"verify: {refused}" if refused else ""
        except (ValueError, KeyError, IndexError) as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            wrong = f"{name}\n    {case.action}\n    {made.edits}\n    {wrong}"
        verdicts.append(Verdict(case.kind, case.place, "wrong" if wrong else "done", wrong))
    return verdicts


def main() -> int:
    """Run the campaign and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=File)
    parser.add_argument("--edits", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=10, help="wrong cases to print")
    options = parser.parse_args()
    files = sorted(
        str(path)
        for folder in options.folders
        for path in folder.rglob("*")
        if path.suffix in (".yml", ".yaml", ".json") and path.is_file()
    )
    if not files:
        print("no YAML or JSON files found")
        return 2
    started = time.monotonic()
    verdicts: list[Verdict] = []
    used = 0
    round_seed = options.seed
    # A round gives every file the same share; rounds go on until the number is reached.
    with multiprocessing.Pool(options.jobs) as pool:
        while len(verdicts) < options.edits:
            share = max(1, -(-(options.edits - len(verdicts)) // len(files)))
            tasks = [(name, share, round_seed) for name in files]
            used = 0
            before = len(verdicts)
            for part in pool.imap_unordered(run_file, tasks, chunksize=8):
                verdicts += part
                used += bool(part)
            round_seed += 1
            if len(verdicts) == before:
                break
    _report(verdicts, used, time.monotonic() - started, options.show)
    return 1 if any(verdict.outcome == "wrong" for verdict in verdicts) else 0


def _report(verdicts: list[Verdict], files: int, seconds: float, show: int) -> None:
    counts = Counter((each.kind, each.place, each.outcome) for each in verdicts)
    print(f"{len(verdicts)} edits in {files} files, {seconds:.0f} s")
    print(f"{'kind':10}{'place':8}{'done':>9}{'refused':>9}{'wrong':>7}")
    for kind in KINDS:
        for place in ("top", "nested", "list", "flow"):
            row = [counts[kind, place, outcome] for outcome in ("done", "refused", "wrong")]
            if any(row):
                print(f"{kind:10}{place:8}{row[0]:9}{row[1]:9}{row[2]:7}")
    total = Counter(each.outcome for each in verdicts)
    print(f"{'all':18}{total['done']:9}{total['refused']:9}{total['wrong']:7}")
    reasons = Counter(_general(each.detail) for each in verdicts if each.outcome == "refused")
    for reason, count in reasons.most_common():
        print(f"  refused {count:6}  {reason}")
    for verdict in [each for each in verdicts if each.outcome == "wrong"][:show]:
        print(f"WRONG {verdict.kind} {verdict.place}: {verdict.detail}")


def _general(reason: str) -> str:
    """A reason without the name of the key."""
    parts = reason.split("`")
    return "`…`".join([parts[0], parts[-1]]) if len(parts) > 2 and not parts[0] else reason


if __name__ == "__main__":
    sys.exit(main())
