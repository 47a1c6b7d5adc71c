"""Random edits over real files, judged by an oracle that shares no code with the planner.

    python tools/campaigns/edits.py FOLDER... [--edits 100000] [--seed 0] [--jobs 2]

Every YAML file below the folders that holds one mapping is edited at random places. An edit is
right when `yaml.safe_load` of the result equals the value computed on plain Python data, the
comments that should stay are all there and no others went, and no line outside the edited one
changed. Exit code 1 when an edit is wrong.
"""

from __future__ import annotations

import argparse
import copy
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
from cfglint.source.compose import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
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


class Case(NamedTuple):
    """One edit and what it should give."""

    kind: str
    place: str
    action: Action
    intended: Any


class Verdict(NamedTuple):
    """What became of one edit; `detail` says why it was refused or wrong."""

    kind: str
    place: str
    outcome: str
    detail: str


# --------------------------------------------------------------------------- the oracle


def same(left: Any, right: Any) -> bool:
    """Deep equality with types, key order and NaN."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return (
            len(left) == len(right)
            and all(same(one, two) for one, two in zip(left, right, strict=True))
            and all(same(left[key], right[key]) for key in left)
        )
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right) or (left != left and right != right)


def comments(text: str) -> list[tuple[int, str]]:
    """Line and text of what looks like a comment; quotes are followed, block texts skipped."""
    found: list[tuple[int, str]] = []
    quote = ""
    literal_indent = -1
    for number, line in enumerate(text.splitlines()):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if literal_indent >= 0:
            if not stripped or indent > literal_indent:
                continue
            literal_indent = -1
        position = 0
        code_end = len(line)
        while position < len(line):
            char = line[position]
            if quote:
                if char == "\\" and quote == '"':
                    position += 1
                elif char == quote:
                    quote = ""
            elif char in "'\"" and (position == 0 or line[position - 1] in " [{,"):
                quote = char
            elif char == "#" and (position == 0 or line[position - 1] in " \t"):
                found.append((number, line[position:].rstrip()))
                code_end = position
                break
            position += 1
        code = line[:code_end].rstrip()
        if not quote and code and code.split()[-1].rstrip("+-0123456789") in ("|", ">"):
            literal_indent = indent + (len(code) - len(code.lstrip(" -")) - indent)
            literal_indent = max(indent, literal_indent - 1) if "- " in code else indent
    return found


def nodes(text: str) -> dict[tuple[Any, ...], tuple[Any, Any, Any, int]]:
    """(key node, value node, parent node, place in parent) of every path that is written once."""
    out: dict[tuple[Any, ...], tuple[Any, Any, Any, int]] = {}
    root = yaml.compose(text, Loader=FAST)
    stack: list[tuple[tuple[Any, ...], Any]] = [((), root)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, yaml.MappingNode):
            for index, (key, value) in enumerate(node.value):
                child = (*path, key.value)
                out[child] = (key, value, node, index)
                stack.append((child, value))
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                child = (*path, index)
                out[child] = (value, value, node, index)
                stack.append((child, value))
    return out


def last_line(text_lines: list[str], node: Any) -> int:
    """Number of the last line that a node has characters on."""
    while not isinstance(node, yaml.ScalarNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    line: int = node.end_mark.line
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        if line >= len(text_lines):
            # The mark stands behind the last line, which is still the scalar's.
            line = len(text_lines) - 1
        elif node.end_mark.column == 0 or not text_lines[line][: node.end_mark.column].strip():
            line -= 1
        while line > node.start_mark.line and (
            not text_lines[line].strip() or text_lines[line].lstrip().startswith("#")
        ):
            line -= 1
    return line


def problem(text: str, result: str, case: Case, pure: bool) -> str:
    """What is wrong with a result; "" when nothing is."""
    try:
        value = yaml.load(result, Loader=yaml.SafeLoader if pure else FAST)
    except yaml.YAMLError as error:
        return f"no YAML any more: {error}"
    if not same(value, case.intended):
        return "another value"
    if text.endswith("\n") != result.endswith("\n"):
        return "final newline"
    if (
        "\r\n" in text
        and text.replace("\r\n", "").count("\n") == 0
        and "\n" in result.replace("\r\n", "")
    ):
        return "line endings"
    return _line_problem(text, result, case)


def _line_problem(text: str, result: str, case: Case) -> str:
    lines, new_lines = text.splitlines(True), result.splitlines(True)
    if not text.endswith("\n") and lines and new_lines:
        lines[-1] += "\n"
        new_lines[-1] += "\n"
    before = Counter(comment for _, comment in comments(text))
    after = Counter(comment for _, comment in comments(result))
    if case.kind == "move":
        # Where the lines go is not foretold; `verify` looks at what stands around them.
        return f"comments: gained {dict(after - before)}" if after - before else ""
    low, high, gone = _allowed(text, case)
    below = len(lines) - high - 1
    if (
        len(new_lines) < low + below
        or lines[:low] != new_lines[:low]
        or lines[high + 1 :] != new_lines[len(new_lines) - below :]
    ):
        return f"lines outside {low}-{high} changed"
    expected = before - Counter(gone)
    if after != expected and case.kind in ("delete", "rename", "insert", "append", "move"):
        return f"comments: lost {dict(expected - after)}, gained {dict(after - expected)}"
    if case.kind == "replace" and (expected - after or after - before):
        return f"comments: lost {dict(expected - after)}, gained {dict(after - before)}"
    return ""


def _allowed(text: str, case: Case) -> tuple[int, int, list[str]]:
    """The lines that the edit may touch, and the comments that should go."""
    lines = text.splitlines()
    written = nodes(text)
    path = case.action.path  # type: ignore[union-attr]
    known = comments(text)
    if case.kind in ("insert", "append", "move"):
        # Lines are only added; the parent's last line (or an empty parent's own) may grow.
        parent = path[:-1] if case.kind == "insert" else path
        node = written[parent][1] if parent else yaml.compose(text, Loader=FAST)
        low = written[parent][0].start_mark.line if parent else 0
        high = last_line(lines, node)
        while (
            high + 1 < len(lines)
            and lines[high + 1].startswith(" ")
            and (lines[high + 1].lstrip().startswith("#"))
        ):
            # Comments that are indented deeper belong to what stands above them.
            high += 1
        return low, high, []
    key, value, parent_node, index = written[path]
    low, high = key.start_mark.line, max(key.start_mark.line, last_line(lines, value))
    if isinstance(path[-1], int) and not parent_node.flow_style:
        low = _dash_line(lines, low)
    if case.kind == "rename":
        return low, low, []
    if case.kind == "replace":
        mapped = isinstance(path[-1], str)
        inner = [comment for number, comment in known if low + mapped <= number <= high]
        return low, high, inner if isinstance(value, yaml.CollectionNode) else []
    if parent_node.flow_style:
        return parent_node.start_mark.line, parent_node.end_mark.line, []
    top = low
    start = key.start_mark.column
    if isinstance(parent_node, yaml.SequenceNode):
        start = parent_node.start_mark.column
    indent = " " * start
    if not lines[low][:start].strip():
        while top > 0 and lines[top - 1].startswith(indent + "#"):
            top -= 1
    gone = [comment for number, comment in known if top <= number <= high]
    low = top
    if len(parent_node.value) == 1 and len(path) > 1:
        low = min(top, written[path[:-1]][0].start_mark.line)
        if isinstance(path[-2], int):
            low = _dash_line(lines, low)
    elif lines[low][:start].strip() and index == 0 and low == top:
        following = parent_node.value[1]
        following = following[0] if isinstance(following, tuple) else following
        high = following.start_mark.line
    if high == len(lines) - 1 and not text.endswith("\n"):
        # Blank lines go, too, so that the file still ends without a line break.
        while low > 0 and not lines[low - 1].strip():
            low -= 1
    return low, high, gone


# --------------------------------------------------------------------------- the cases


def _dash_line(lines: list[str], line: int) -> int:
    """The line of the dash of a list item that begins on a line; it may stand above."""
    while line > 0 and not lines[line].lstrip().startswith("-"):
        line -= 1
    return line


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
    try:
        source = SourceText.from_bytes(File(name).read_bytes())
        document = compose(source)
        data = yaml.load(source.text, Loader=yaml.SafeLoader)
    except (SourceError, OSError, yaml.YAMLError, ValueError):
        return []
    text = source.text
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
            wrong = problem(text, result, case, pure)
            if pure and not wrong:
                drops = made.drops_comments
                refused = verify(
                    document, result, made.paths, edits=made.edits, drops_comments=drops
                )
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
        if path.suffix in (".yml", ".yaml") and path.is_file()
    )
    if not files:
        print("no YAML files found")
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
