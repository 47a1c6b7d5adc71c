"""Migrates every file of folders to releases, and asks whether anything else changed.

    python -m tools.campaigns.migrate FOLDER... [--to 0.21.0]... [--out FOLDER] [--jobs 2]

What must hold of every file, with safe steps alone and with all of them:

- migrating the result changes nothing;
- PyYAML reads the same value for every top-level key that no step declares, and after safe steps
  `effective` ends up with what the declared changes alone lead to, when the release takes the
  file as it was;
- every line that is gone or new belongs to a key that a step declares;
- after all steps no key is left that the release's table does not have, unless a finding says so.

With `--out` the results are written into `RELEASE/safe` and `RELEASE/all` there, for the release's
own validator (`python -m tools.parity --release RELEASE OUT/RELEASE/safe`). Exit code 1 when
something does not hold.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from cfglint.answers.resolved.resolve import resolve
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.migration.one_text import Migration, migrate
from cfglint.engine.migration.steps import Step
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.roles.framework import Framework, load_framework
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tools.campaigns.safe_fixes import unread_keys

_FRAMEWORK = "axolotl"
#: Says of all keys at once that none is the framework's.
_NO_KEY_KNOWN = "KEY007"
_RELEASES = ("0.21.0", "0.16.1", "0.12.2")


class Verdict(NamedTuple):
    """What became of one file."""

    counts: Counter[str]
    problems: tuple[str, ...]


@cache
def against(release: str) -> tuple[Framework, Environment]:
    """The framework, and a release of it to check against."""
    framework = load_framework(_FRAMEWORK)
    package = framework.releases.package
    return framework, build_environment(framework.releases, pins=[f"{package}=={release}"])


def judge(task: tuple[Path, str], out: Path | None) -> Verdict:
    """Migrate one file, and say what is wrong with the result."""
    path, release = task
    counts: Counter[str] = Counter(files=1)
    try:
        source = SourceText.from_bytes(path.read_bytes())
        yaml.safe_load(source.text)
    except (SourceError, yaml.YAMLError):
        return Verdict(Counter({"cannot be read": 1}), ())
    framework, target = against(release)
    migration = migrate(source, framework, target, unsafe=False)
    every = (*migration.steps, *migration.proposed)
    counts["safe steps"] = len(migration.steps)
    counts["unsafe steps"] = len(migration.proposed)
    counts["left"] = len(migration.left)
    counts["complete"] = migration.complete
    counts["refused before, by our rules"] = refused(source, release)
    if out is not None:
        for name, text in (("safe", migration.result), ("all", migration.whole)):
            folder = out / release / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "__".join(path.parts[-2:])).write_bytes(text.to_bytes())
    problems = [
        *_unlike(source, migration.result, migration.steps, release, "safe"),
        *_unlike(source, migration.whole, every, release, "all"),
        *_unread(migration, release),
    ]
    return Verdict(counts, tuple(f"{path} to {release}: {problem}" for problem in problems))


def _unlike(
    before: SourceText, after: SourceText, steps: Sequence[Step], release: str, which: str
) -> Iterator[str]:
    """What steps changed without declaring it."""
    framework, target = against(release)
    declared = {str(path[0]) for step in steps for path in step.changes if path}
    again = migrate(after, framework, target, unsafe=which == "all")
    if again.steps:
        yield f"{which}: migrating again takes {again.steps[0].code} ({again.steps[0].title})"
    old, new = yaml.safe_load(before.text), yaml.safe_load(after.text)
    for key in differing(old, new):
        if key not in declared:
            yield f"{which}: the value of {key} is different"
    for line in _foreign_lines(before.text, after.text, declared):
        yield f"{which}: the line {line!r} is not part of a declared key"
    if which == "safe" and not refused(before, release):
        # What follows from a declared change is declared by it.
        apart = {key: value for key, value in old.items() if key not in declared}
        apart |= {key: value for key, value in new.items() if key in declared}
        expected = SourceText.from_str(yaml.safe_dump(apart, sort_keys=False))
        states = [resolve(framework.language.read(t), framework, target) for t in (expected, after)]
        for key in differing(*(state.data for state in states)):
            yield f"{which}: effective has another {key}"


def differing(one: Any, two: Any) -> list[str]:
    """The keys of two mappings whose values differ, by type, too."""
    if not isinstance(one, dict) or not isinstance(two, dict):
        return []
    missing = object()
    keys = [*one, *(key for key in two if key not in one)]
    return [str(key) for key in keys if repr(one.get(key, missing)) != repr(two.get(key, missing))]


def _findings(source: SourceText, release: str) -> list[Diagnostic]:
    return lint_source(source, Case.of_text(*against(release))).diagnostics


def refused(source: SourceText, release: str) -> bool:
    """Whether our rules say that a release refuses a text."""
    found = _findings(source, release)
    return any(one.upstream == "rejects" and one.bites == "start" for one in found)


def _foreign_lines(before: str, after: str, declared: set[str]) -> Iterator[str]:
    """The lines that belong to no declared key, and are not in the other text in their order."""
    for text, other in ((before, after), (after, before)):
        lines, at = other.split("\n"), 0
        for line, owners in zip(text.split("\n"), _owners(text), strict=True):
            if not line.strip() or owners & declared:
                continue
            if line in lines[at:]:
                at = lines.index(line, at) + 1
            else:
                yield line


def _owners(text: str) -> list[set[str]]:
    """For each line the top-level keys that it may belong to: its own, and for comments the next."""
    lines = text.split("\n")
    root = yaml.compose(text, yaml.SafeLoader)
    starts = []
    if isinstance(root, yaml.MappingNode):
        starts = [(key.start_mark.line, str(key.value)) for key, _ in root.value]
    owners: list[set[str]] = []
    for number, line in enumerate(lines):
        own = {name for at, name in starts if at <= number}
        last = [name for at, name in starts if at <= number][-1:] if own else []
        following = [name for at, name in starts if at > number][:1]
        comment = line.lstrip().startswith("#")
        owners.append({*last, *(following if comment else [])})
    return owners


def _asked_for(value: Any) -> Any:
    """What asks for something: a key without a value does not, nor does a switch that is off."""
    if isinstance(value, dict):
        asked = {key: item for key, item in value.items() if item is not None and item is not False}
        return {key: _asked_for(item) for key, item in asked.items()}
    return [_asked_for(item) for item in value] if isinstance(value, list) else value


def _unread(migration: Migration, release: str) -> Iterator[str]:
    after = yaml.safe_load(migration.whole.text)
    if not isinstance(after, dict):
        return
    filled = _asked_for(after)
    found = _findings(migration.whole, release)
    if any(one.code == _NO_KEY_KNOWN for one in found):
        return
    listed = " ".join(_words(migration.whole.text, found))
    for key in unread_keys({}, filled, _FRAMEWORK, release):
        if key.rpartition(".")[2] not in listed and "plugins" not in after:
            yield f"all: {key} is left, which {release} does not read"


def _words(text: str, found: Sequence[Diagnostic]) -> Iterator[str]:
    """What findings say, and the places that they are about, too."""
    for one in found:
        yield one.message
        yield from (text[also.span.start : also.span.end] for also in one.related if not also.file)


def main(arguments: list[str] | None = None) -> int:
    """Run the campaign; 1 when something does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--to", action="append", metavar="RELEASE")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    paths = sorted(path for folder in options.folders for path in folder.rglob("*.y*ml"))
    tasks = [(path, release) for release in options.to or _RELEASES for path in paths]
    return campaign(partial(judge, out=options.out), tasks, options.jobs)


def campaign(one: Callable[[Any], Verdict], tasks: Sequence[Any], jobs: int) -> int:
    """Judge all tasks in processes and print what does not hold; the exit code."""
    counts: Counter[str] = Counter()
    problems = 0
    with multiprocessing.Pool(jobs) as pool:
        for verdict in pool.imap_unordered(one, tasks, 8):
            counts += verdict.counts
            problems += len(verdict.problems)
            for problem in verdict.problems:
                print(problem, flush=True)
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    print(f"{problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
