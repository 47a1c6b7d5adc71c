"""Makes every safe fix of many files and asks whether it helped: the law of safe fixes.

    python -m tools.campaigns.safe_fixes [FOLDER...] [--generated 2000] [--sample N] [--jobs 2]

After safe fixes a file has no finding that it did not have before, unless the fix declares it
(`leads_to`), and no new key that the release does not read. Tried on the YAML and JSON files below
the folders, on generated configurations, and on each example of each rule, each for several
releases. Findings are counted by code and severity. Whether a key is read is looked up in the
tables under `rules/`, not by the code that makes the fixes; what is written is read by PyYAML and
`json`. Exit code 1 when the law is broken.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from cfglint.diagnostic import ANY, SEVERITIES, Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.fixes.loop import fix_source
from cfglint.knowledge import recognition
from cfglint.knowledge.rules.example_marks import strip_markers
from cfglint.roles.framework import Framework, frameworks, load_framework
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tools.campaigns.corpus import REFUSALS

_RULES = Path(__file__).resolve().parents[2] / "rules"
_SUFFIXES = (".yml", ".yaml", ".json")


class Sample(NamedTuple):
    """A text, whose it is, and the release that it is checked for (empty: none is named)."""

    name: str
    framework: str
    release: str
    text: str


class Verdict(NamedTuple):
    """What became of one case."""

    case: Sample
    counts: Counter[str]
    #: `code of the fix -> code of the finding` -> how often the engine did not make the fix.
    held_back: Counter[str]
    problems: tuple[str, ...]


# --------------------------------------------------------------------------- the law


def new_findings(before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> Counter[str]:
    """Codes of which there are more findings than before, or more severe ones."""
    new: Counter[str] = Counter()
    for severity in SEVERITIES:
        floor = SEVERITIES[: SEVERITIES.index(severity) + 1]
        counts = [
            Counter(found.code for found in found_then if found.severity in floor)
            for found_then in (before, after)
        ]
        new |= counts[1] - counts[0]
    return new


def unread_keys(before: Any, after: Any, framework: str, release: str) -> list[str]:
    """The keys that only the second value has and that the release's tables do not know."""
    table = _table(framework)
    written = Counter(_keys(after)) - Counter(_keys(before))
    return sorted(key for key in written if not _is_read(key, table, release))


def _keys(value: Any, section: str = "") -> Iterator[str]:
    """The key paths of a value, with `[]` for the items of lists."""
    if isinstance(value, dict):
        for name, below in value.items():
            if isinstance(name, str):
                path = f"{section}.{name}" if section else name
                yield path
                yield from _keys(below, path)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item, f"{section}[]")


@cache
def _table(framework: str) -> dict[str, Any]:
    settings = yaml.safe_load((_RULES / framework / "framework.yaml").read_text(encoding="utf-8"))
    path = _RULES / framework / "tables" / f"{settings['packages'][0]}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    below = [other for other in path.parent.glob("*.json") if other != path]
    if below:
        # What a package below reads, and in which of its releases, this table does not tell.
        found["sections"] = {}
    return found


@cache
def _other_names(framework: str) -> dict[str, Any]:
    """Key paths with another accepted spelling of the key -> the facts about it."""
    found = {}
    for key, facts in _table(framework)["keys"].items():
        section = key.rpartition(".")[0]
        for name in facts.get("alias", ()):
            found[f"{section}.{name}" if section and "." not in name else name] = facts
    return found


def _is_read(key: str, table: dict[str, Any], release: str) -> bool:
    """Whether a release has a key, as far as the table describes the section that it is in."""
    section, _, name = key.rpartition(".")
    facts = table["sections"].get(section)
    releases: list[str] = table["releases"]
    at = releases.index(release)
    if facts is None or releases.index(facts["since"]) > at:
        return True
    known = table["keys"].get(key) or _other_names(table["framework"]).get(key)
    if known is None and section == "fsdp_config":
        known = table["keys"].get(f"{section}.{name.removeprefix('fsdp_')}")
    if known is None:
        parent = table["keys"].get(section.removesuffix("[]"), {"type": ""})
        return "dict<" in parent["type"]
    removed = known.get("removed")
    return releases.index(known["since"]) <= at and not (removed and releases.index(removed) <= at)


# --------------------------------------------------------------------------- one case


def judge(case: Sample) -> Verdict:
    """Make the safe fixes of a case, and say what is wrong with the result."""
    framework = load_framework(case.framework)
    checked_with = Case.of_text(framework, _environment(case.framework, case.release))
    counts: Counter[str] = Counter(cases=1)
    held_back: Counter[str] = Counter()
    source = SourceText.from_str(case.text)
    declared: dict[tuple[object, ...], tuple[str, ...]] = {}
    states: list[list[Diagnostic]] = []

    def lint(text: SourceText) -> list[Diagnostic]:
        found = lint_source(text, checked_with).diagnostics
        for each in found:
            fix = each.fix()
            if fix is not None:
                declared[each.code, each.name, fix.title, each.path] = fix.leads_to
        states.append(found)
        return found

    outcome = fix_source(source, lint, language=framework.language)
    for refused in outcome.rejected:
        held_back[f"{refused.code}: {refused.reason}"] += 1
    counts["held back"] = len(outcome.rejected)
    counts["fixes"] = len(outcome.applied)
    if not outcome.applied:
        return Verdict(case, counts, held_back, ())
    problems = []
    value = _loaded(source.text, framework)
    if not isinstance(value, dict):
        # It was no configuration before, so nothing was known of it.
        counts["made readable"] = 1
        return Verdict(case, counts, held_back, ())
    allowed = {
        code
        for fix in outcome.applied
        for code in declared[fix.code, fix.name, fix.title, fix.path]
    }
    after = lint_source(outcome.source, checked_with).diagnostics
    new = new_findings(states[0], after)
    if ANY in allowed:
        counts["may lead to anything"] = 1
    for code in new:
        if code in allowed or ANY in allowed:
            counts["declared findings"] += new[code]
        else:
            problems.append(f"{', '.join(sorted({f.code for f in outcome.applied}))} -> {code}")
    release = case.release or framework.releases.versions[-1]
    fixed = _loaded(outcome.source.text, framework)
    unread = unread_keys(value, fixed, case.framework, release)
    problems += [f"`{key}` is written, and {release} does not read it" for key in unread]
    counts["new findings undeclared"] = sum(
        new[code] for code in new if code not in allowed and ANY not in allowed
    )
    counts["unread keys written"] = len(unread)
    return Verdict(case, counts, held_back, tuple(problems))


def _loaded(text: str, framework: Framework) -> Any:
    """The value of a text as others read it; None when they do not."""
    try:
        if framework.language.name == "json":
            return json.loads(text)
        return yaml.load(text, Loader=yaml.SafeLoader)
    except REFUSALS:
        return None


@cache
def _environment(framework: str, release: str) -> Environment:
    releases = load_framework(framework).releases
    return build_environment(releases, pins=[f"{releases.package}=={release}"] if release else [])


# --------------------------------------------------------------------------- the cases


def releases_of(framework: Framework) -> tuple[str, ...]:
    """No release named, the newest, one in the middle, and an early one."""
    versions = framework.releases.versions
    return ("", versions[-1], versions[len(versions) * 2 // 3], versions[len(versions) // 3])


def cases(texts: Iterator[tuple[str, str, str]]) -> Iterator[Sample]:
    """Each text (name, framework, text) for several releases of its framework."""
    for name, framework, text in texts:
        for release in releases_of(load_framework(framework)):
            yield Sample(name, framework, release, text)


def examples() -> Iterator[tuple[str, str, str]]:
    """The examples of all rules, good and bad."""
    for name in frameworks():
        knowledge = load_framework(name).knowledge
        for rule in knowledge.all_rules():
            for number, example in enumerate(knowledge.details(rule.code).examples, 1):
                text = example.get("bad") or example.get("good") or ""
                if example.get("framework", name) == name:
                    yield f"{rule.code}, example {number}", name, strip_markers(text)


def files(folders: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    """The files below folders that a framework recognizes."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() not in _SUFFIXES or not path.is_file():
                continue
            try:
                text = SourceText.from_bytes(path.read_bytes()).text
            except SourceError:
                continue
            name = recognition.of_text(text, recognition.language_of(str(path)))
            if name is not None:
                yield str(path), name, text


def generated(count: int) -> Iterator[tuple[str, str, str]]:
    """Configurations of which many are wrong on purpose."""
    from tools.parity.generate import Generator

    for made in Generator(1).make(count):
        yield made.name, "axolotl", made.text


def main() -> int:
    """Run the campaign and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--generated", type=int, default=0)
    parser.add_argument("--sample", type=int, help="how many of the cases to run, chosen at random")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tasks = [
        *cases(examples()),
        *cases(files(options.folders)),
        *cases(generated(options.generated)),
    ]
    if options.sample is not None:
        tasks = random.Random(0).sample(tasks, options.sample)
    started = time.monotonic()
    counts: Counter[str] = Counter(texts=len({(task.name, task.text) for task in tasks}))
    held_back: Counter[str] = Counter()
    broken = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for verdict in pool.imap(judge, tasks, chunksize=16):
            counts.update(verdict.counts)
            held_back.update(verdict.held_back)
            broken += bool(verdict.problems)
            for problem in verdict.problems:
                print(f"BROKEN {verdict.case.name} ({verdict.case.release or 'any'}): {problem}")
    for reason, count in held_back.most_common(20):
        print(f"held back {count:5}  {reason}")
    for name, count in counts.items():
        print(f"{name:24}{count:8}")
    print(f"{broken} cases break the law, {time.monotonic() - started:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
