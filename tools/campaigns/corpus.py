"""Reads, checks and fixes every YAML file below folders, and asks an oracle about each step.

    python -m tools.campaigns.corpus FOLDER... [--jobs 2]

For each file: checking ends without an exception, the value read equals `yaml.safe_load`'s or
both refuse the file, fixing changes only what the fixes declare, and fixing again changes
nothing. Exit code 1 when any of it fails for any file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.fixes.loop import fix_source as fix_to_fix_point
from cfglint.roles.framework import Framework, load_framework
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import SourceText
from cfglint.source.values import to_python

#: Limits and rules of ours that `yaml.safe_load` does not have.
OURS_ALONE = frozenset(
    {
        ProblemKind.ROOT_NOT_MAPPING,
        ProblemKind.EMPTY,
        ProblemKind.TOO_LARGE,
        ProblemKind.TOO_DEEP,
        ProblemKind.ALIAS_EXPANSION,
        ProblemKind.ALIAS_CYCLE,
    }
)
#: Forms of which PyYAML makes something, that no config uses, and that we refuse with a reason:
#: a scalar's tag on a mapping with an `=`, any tag on what `<<` merges or `!!pairs` holds.
_REFUSED_ON_PURPOSE = re.compile(r"!|=\s*(?:[:\]},]|$)", re.MULTILINE)
_PURPOSES = ("does not fit a", "cannot be a key", "is not one key", "has a special meaning")
#: What `yaml.safe_load` raises for text that it refuses.
REFUSALS = (
    yaml.YAMLError,
    ValueError,
    OverflowError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
)


class Verdict(NamedTuple):
    """What became of one file."""

    folder: str
    path: str
    counts: Counter[str]
    problems: tuple[str, ...]


# --------------------------------------------------------------------------- the oracle


def same(left: Any, right: Any) -> bool:
    """Deep equality with types, key order and NaN; without recursion."""
    pairs = [(left, right)]
    seen: set[tuple[int, int]] = set()
    while pairs:
        one, two = pairs.pop()
        if type(one) is not type(two):
            return False
        if isinstance(one, (dict, list)):
            if len(one) != len(two):
                return False
            if (id(one), id(two)) in seen:
                continue
            seen.add((id(one), id(two)))
        if isinstance(one, dict):
            pairs.extend(zip(one, two, strict=True))
            pairs.extend(zip(one.values(), two.values(), strict=True))
        elif isinstance(one, (list, tuple)):
            pairs.extend(zip(one, two, strict=True))
        elif not (one == two or (one != one and two != two)):
            return False
    return True


def reading_problem(source: SourceText) -> str | None:
    """How our reading of a text differs from `yaml.safe_load`'s; None when it does not."""
    ours: Any = None
    refusal: SourceError | None = None
    try:
        ours = to_python(compose(source).root)
    except SourceError as error:
        refusal = error
        if error.kind in OURS_ALONE:
            return None
    try:
        theirs = yaml.load(source.text, Loader=yaml.SafeLoader)
    except REFUSALS as error:
        if refusal is None:
            return f"yaml.safe_load refuses it ({type(error).__name__}: {_short(error)}), we do not"
        return None
    if refusal is not None:
        words = str(refusal.details.get("problem", ""))
        if any(part in words for part in _PURPOSES) and _REFUSED_ON_PURPOSE.search(source.text):
            return None
        if words.startswith("a number of more than"):
            return None
        return f"we refuse it ({refusal.kind.value}: {refusal.details}), yaml.safe_load does not"
    return None if same(ours, theirs) else "a different value than yaml.safe_load's"


def outside(data: Any, paths: Sequence[tuple[Any, ...]]) -> Any:
    """The value with whatever is at the paths removed."""
    if () in paths:
        return "…"
    if isinstance(data, dict):
        names = {key: key if isinstance(key, str) else _Label(key) for key in data}
        return {
            key: outside(value, below) if (below := _below(paths, names[key])) else value
            for key, value in data.items()
            if not any(len(path) == 1 and path[0] == names[key] for path in paths)
        }
    if isinstance(data, list):
        # An item that comes or goes moves the ones behind it.
        gone = [path[0] for path in paths if len(path) == 1]
        kept = data[: min(gone)] if gone else data
        return [outside(item, _below(paths, index)) for index, item in enumerate(kept)]
    return data


class _Label:
    """A key that is not a string, equal to every way of writing it in a path."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, key: Any) -> None:
        self._key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and bool(yaml.safe_load(other) == self._key)


def _below(paths: Sequence[tuple[Any, ...]], part: Any) -> list[tuple[Any, ...]]:
    return [path[1:] for path in paths if len(path) > 1 and path[0] == part]


def fixing_problem(
    source: SourceText, framework: Framework, target: Environment, *, unsafe: bool
) -> tuple[str | None, Counter[str]]:
    """What is wrong with how a text is fixed, and how many fixes were made and not trusted."""
    declared: list[tuple[Any, ...]] = []

    def lint(text: SourceText) -> list[Diagnostic]:
        found = lint_source(text, Case.of_text(framework, target)).diagnostics
        for diagnostic in found:
            fix = diagnostic.fix(unsafe=unsafe)
            if fix is not None:
                declared.extend(fix.paths)
        return found

    outcome = fix_to_fix_point(source, lint, unsafe=unsafe)
    counts = Counter(fixed=len(outcome.applied), rejected=len(outcome.rejected))
    fixed = outcome.source
    if fixed.text == source.text:
        return None, counts
    counts["changed"] = 1
    if not outcome.converged and not outcome.cycle:
        return "no fixed point is reached", counts
    try:
        before = yaml.load(source.text, Loader=yaml.SafeLoader)
        after = yaml.load(fixed.text, Loader=yaml.SafeLoader)
    except REFUSALS as error:
        return f"the fixed text cannot be read: {_short(error)}", counts
    if not same(outside(before, declared), outside(after, declared)):
        return "a fix changed a value that it does not declare", counts
    again = fix_source(fixed, Case.of_text(framework, target), unsafe=unsafe)
    if again.source.text != fixed.text:
        return "fixing a second time changes the file again", counts
    return None, counts


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:120]


# --------------------------------------------------------------------------- the run

_FRAMEWORK: list[tuple[Framework, Environment]] = []


def _tools() -> tuple[Framework, Environment]:
    if not _FRAMEWORK:
        framework = load_framework("axolotl")
        _FRAMEWORK.append((framework, build_environment(framework.releases)))
    return _FRAMEWORK[0]


def examine(task: tuple[str, str]) -> Verdict:
    """Everything about one file."""
    folder, path = task
    framework, target = _tools()
    counts: Counter[str] = Counter(files=1)
    problems: list[str] = []
    try:
        source = SourceText.from_bytes(Path(path).read_bytes())
    except SourceError as error:
        return Verdict(folder, path, counts + Counter({"no text": 1, error.kind.value: 1}), ())
    try:
        result = lint_source(source, Case.of_text(framework, target))
        counts["findings"] += len(result.diagnostics)
        counts.update(f"severity {found.severity}" for found in result.diagnostics)
        counts["unreadable" if result.document is None else "read"] += 1
        if any(found.name == "rule-failed" for found in result.diagnostics):
            problems.append("a rule failed")
        problem = reading_problem(source)
        if problem is not None:
            problems.append(problem)
        if result.document is not None:
            for unsafe in (False, True):
                problem, made = fixing_problem(source, framework, target, unsafe=unsafe)
                prefix = "unsafely " if unsafe else ""
                counts.update({prefix + name: count for name, count in made.items()})
                if problem is not None:
                    problems.append(f"{prefix}{problem}")
    except Exception:  # whatever a file does to us is what the campaign is about
        problems.append(traceback.format_exc(limit=-4))
    return Verdict(folder, path, counts, tuple(problems))


def yaml_files(folders: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """(folder given, file) for every YAML file below the folders."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in (".yml", ".yaml") and path.is_file():
                yield str(folder), str(path)


def main() -> int:
    """Run the campaign and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tasks = list(yaml_files(options.folders))
    if not tasks:
        print("no YAML files found")
        return 2
    started = time.monotonic()
    totals: dict[str, Counter[str]] = {}
    failed = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for verdict in pool.imap(examine, tasks, chunksize=8):
            totals.setdefault(verdict.folder, Counter()).update(verdict.counts)
            failed += bool(verdict.problems)
            for problem in verdict.problems:
                print(f"FAILED {verdict.path}: {problem}")
    for folder, counts in totals.items():
        print(f"\n{folder}")
        for name, count in sorted(counts.items()):
            print(f"  {name:24}{count:8}")
    print(f"\n{len(tasks)} files, {failed} failed, {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
