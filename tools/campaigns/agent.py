"""Plays a coding agent: reads `--format agent`, makes the replacements that it prints, checks again.

    python -m tools.campaigns.agent [--slips 90] [--examples 90] [--seed 0] [--list]

The broken projects are made from the project's own texts. *Slips* are good configs (`fixtures/good` and
the bases of the rules' examples) with one to three slips: misspelt keys, keys of another tool, older
names, hyphens, a lost space. *Examples* are the bad examples of rules whose finding is an error, each as
a project with the files and versions that it states.

The agent knows nothing of cfglint but its output. It makes safe replacements by itself, asks a person
(who always agrees) about unsafe ones, and stops when nothing is left to replace or a text comes back. What it made is judged
without cfglint: PyYAML, `json`, `ast` or `bash -n` reads it; only keys differ that a replacement
names; a slip is undone (the values are those of the good config), and an example is what the author
of the rule wrote as `fixed`. Exit code 1 when an agent goes round in circles, a replacement cannot be
made, a judge calls a result wrong, or less than 80 % of the slips are repaired without a person.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from cfglint.cli import main as command
from tools.campaigns.broken_projects import Project, examples, slips

BAR = 0.8
_MOST_ROUNDS = 10
_FINDING = re.compile(r"(?P<path>.+?):(?P<line>\d+): (?P<code>[A-Z]+\d+) (?P<severity>\w+): ")
_TEXT = r'"(?:[^"\\]|\\.)*"'
_REPLACE = re.compile(rf"replace ({_TEXT})(?: at line (\d+))? with ({_TEXT})")
_SAFE, _UNSAFE = (re.compile(rf" \({word}\)(?: \||$)") for word in ("safe", "unsafe"))


class Outcome(NamedTuple):
    """What became of a project.

    `state`: `not broken`; `fixed`; `agreed` (by replacements that a person agreed to, too); `person`
    (errors without a replacement, or questions, are left); `circle`; `no such text` (a replacement
    cannot be made). `wrong`: what the judges say.
    """

    project: Project
    state: str
    rounds: int
    text: str
    wrong: tuple[str, ...]


# ------------------------------------------------------------------- the agent


def play(project: Project) -> Outcome:
    """What an agent makes of a project, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="cfglint-agent-") as folder:
        root = Path(folder)
        (root / ".git").mkdir()
        for name, data in project.beside:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        path = root / project.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(project.text.encode())
        with _in(root):
            return _played(project, path)


@contextlib.contextmanager
def _in(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _played(project: Project, path: Path) -> Outcome:
    text, seen = project.text, {project.text}
    named: list[str] = []
    codes: set[str] = set()
    rounds, agreed = 0, False
    while True:
        errors, asked, report = _report(project)
        if not errors and not rounds:
            return Outcome(project, "not broken", 0, text, ())
        done = follow(text, project.file, report, _SAFE)
        if done.text == text and (errors or asked):
            # What is left is for a person, who agrees to what is offered.
            done = follow(text, project.file, report, _UNSAFE)
            agreed |= done.text != text
        named += done.named
        codes |= done.codes
        if done.failed or done.text == text:
            break
        rounds += 1
        text = done.text
        path.write_bytes(text.encode())
        if text in seen or rounds > _MOST_ROUNDS:
            return Outcome(project, "circle", rounds, text, ())
        seen.add(text)
    state = "no such text" if done.failed else "person" if errors or asked else "fixed"
    state = "agreed" if agreed and state == "fixed" else state
    wrong = judge(project, text, named, codes, state) if text != project.text else ()
    return Outcome(project, state, rounds, text, wrong)


def _report(project: Project) -> tuple[int, int, list[str]]:
    """How many errors are reported, how many questions to a person, and the lines of the report."""
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(SystemExit),
    ):
        command([project.file, "--format", "agent", *project.options])
    lines = out.getvalue().splitlines()
    found = [(match, line) for line in lines if (match := _FINDING.match(line)) is not None]
    errors = sum(match["severity"] == "error" for match, _ in found)
    asked = sum(_is_question(match, line) for match, line in found)
    return errors, asked, lines


def _is_question(match: re.Match[str], line: str) -> bool:
    """Whether a finding asks a person: it offers an unsafe replacement, or is about a key."""
    of_key, unsafe = match["code"].startswith("KEY"), _UNSAFE.search(line) is not None
    if match["severity"] == "note":
        return of_key and unsafe  # it may be a note only because the value is the default
    return match["severity"] == "warning" and (of_key or unsafe)


class Followed(NamedTuple):
    """What following a report made of a text."""

    text: str
    #: The texts of the replacements, and the rules that they are from.
    named: list[str]
    codes: set[str]
    #: A replacement cannot be made.
    failed: bool


def follow(text: str, file: str, report: Sequence[str], wanted: re.Pattern[str]) -> Followed:
    """Make the replacements of a report.

    One whose lines an earlier one of the same report has changed waits for the next report.

    Args:
        wanted: finds a line with a replacement of the kind to make.
    """
    found = Followed(text, [], set(), failed=False)
    for line in report:
        match = _FINDING.match(line)
        if match is None or match["path"] != file or not wanted.search(line):
            continue
        changed = found.text
        pairs = [
            (json.loads(before), int(at or 0), json.loads(after))
            for before, at, after in _REPLACE.findall(line[match.end() :])
        ]
        for before, at, after in pairs:
            if text.count(before) != 1 and not at:
                return found._replace(failed=True)
            place = _place(changed, before, at if changed == text else 0)
            if place < 0:
                changed = ""
                break
            changed = changed[:place] + after + changed[place + len(before) :]
        if changed:
            named = [part for before, _, after in pairs for part in (before, after)]
            codes = found.codes | {match["code"]}
            found = Followed(changed, found.named + named, codes, failed=False)
    return found


def _place(text: str, before: str, line: int) -> int:
    """Where a text is, from a line on if that is given; -1 if it is not there, or in several places."""
    if line:
        start = 0
        for _ in range(line - 1):
            start = text.find("\n", start) + 1
        return start if text.startswith(before, start) else -1
    return text.find(before) if text.count(before) == 1 else -1


# ------------------------------------------------------------------- the judges


def judge(
    project: Project, text: str, named: Sequence[str], codes: set[str], state: str
) -> tuple[str, ...]:
    """What is wrong with what an agent made.

    Args:
        named: the texts of the replacements.
        codes: the rules that they are from.
    """
    suffix = Path(project.file).suffix
    try:
        before, after = _read(project.text, suffix), _read(text, suffix)
    except (yaml.YAMLError, ValueError, SyntaxError) as error:
        try:
            _read(project.text, suffix)
        except (yaml.YAMLError, ValueError, SyntaxError):
            if state not in ("fixed", "agreed"):
                return ()  # not readable before, and not called repaired
            before = None
        try:
            after = _read(text, suffix)
        except (yaml.YAMLError, ValueError, SyntaxError):
            return (f"cannot be read: {error}",)
    wrong = []
    words = set(re.findall(r"\w[\w-]*", " ".join(named)))
    if isinstance(before, dict) and isinstance(after, dict):
        one, two = _flat(before), _flat(after)
        for path in sorted({*one, *two}):
            changed = _changed(one.get(path, []), two.get(path, []))
            # The items of a list are named by their values.
            parts = [*path, *re.findall(r"\w[\w-]*", " ".join(changed))]
            if changed and not any(part in words for part in parts):
                wrong.append(f"{'.'.join(path)} has changed, which no replacement names")
    # Replacements for other findings of an example are beyond what its author wrote down.
    alone = not project.code or codes == {project.code}
    if state in ("fixed", "agreed") and project.meant is not None and alone:
        meant = _read(project.meant, suffix)
        if (text if meant is None else after) != (project.meant if meant is None else meant):
            wrong.append("it is not what was meant")
    return tuple(wrong)


def _read(text: str, suffix: str) -> Any:
    """The values of a text; None for a script or a program that can be read.

    Raises:
        ValueError: it is refused, or yaml.YAMLError, or SyntaxError.
    """
    if suffix == ".json":
        return json.loads(text)
    if suffix == ".py":
        ast.parse(text)
        return None
    if suffix == ".sh":
        done = subprocess.run(["bash", "-n"], input=text.encode(), capture_output=True, check=False)
        if done.returncode:
            raise ValueError(done.stderr.decode(errors="replace"))
        return None
    return yaml.safe_load(text)


def _flat(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], list[str]]:
    """The values of each path, in order.

    Where an item lies in a list is no part of its path: others move when one is inserted, or joined
    to the one before it.
    """
    found: dict[tuple[str, ...], list[str]] = {}
    if isinstance(value, dict) and value:
        inner = [((*path, str(key)), one) for key, one in value.items()]
    elif isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value):
        inner = [(path, one) for one in value]
    else:
        return {path: [repr(value)]}
    for where, one in inner:
        for key, values in _flat(one, where).items():
            found.setdefault(key, []).extend(values)
    return found


def _changed(before: list[str], after: list[str]) -> list[str]:
    """The values that only one side has, or that have moved."""
    steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [
        value
        for kind, start, end, other_start, other_end in steps
        if kind != "equal"
        for value in before[start:end] + after[other_start:other_end]
    ]


# ------------------------------------------------------------------- the figures


def figures(outcomes: Sequence[Outcome]) -> dict[str, Counter[str]]:
    """Kind -> what became of its projects."""
    found: dict[str, Counter[str]] = {}
    for one in outcomes:
        counts = found.setdefault(one.project.kind, Counter())
        counts[one.state] += 1
        counts["broken"] += one.state != "not broken"
        counts["wrong"] += bool(one.wrong)
        counts["rounds"] = max(counts["rounds"], one.rounds)
    return found


def main(arguments: list[str]) -> int:
    """Run the campaign; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.agent", description=__doc__)
    parser.add_argument("--slips", type=int, default=90)
    parser.add_argument("--examples", type=int, default=90)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--list", action="store_true", help="print every project that is not fixed")
    given = parser.parse_args(arguments)
    rng = random.Random(given.seed)
    projects = [*slips(given.slips, rng), *examples(given.examples, rng)]
    outcomes = [play(project) for project in projects]
    for one in outcomes:
        bad = one.wrong or one.state in ("circle", "no such text")
        if bad or (given.list and one.state == "person"):
            print(f"{one.project.name}: {one.state}; {'; '.join(one.wrong)}")
    failed = False
    for kind, counts in figures(outcomes).items():
        share = counts["fixed"] / max(counts["broken"], 1)
        failed |= bool(counts["circle"] or counts["no such text"] or counts["wrong"])
        failed |= kind == "slips" and share < BAR
        print(
            f"{kind}: {counts['broken']} broken projects, {counts['fixed']} fixed without a person"
            f" ({share:.0%}), {counts['agreed']} with replacements that a person agreed to,"
            f" {counts['person']} left to a person, {counts['circle']} in circles,"
            f" {counts['no such text']} without the text to replace, {counts['wrong']} wrong;"
            f" at most {counts['rounds']} rounds"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
