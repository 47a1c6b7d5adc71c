"""Makes safe fixes and migrations of many files and asks whether a comment is lost.

    python -m tools.campaigns.comments FOLDER... [--files 10000] [--seed 0] [--jobs 2]

The files below the folders, as they are and mutated: comments everywhere, settings that fixes
delete, keys written twice, other line ends. Three readers that share no code with cfglint decide:
ruamel.yaml's scanner, the gaps between PyYAML's tokens, and a lexer of lines. What one of them
cannot read before is left to the others. Also asked: does PyYAML read another value anywhere that no
fix or step declares, and does a second run change anything? Exit code 1 when one of them is so.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.migration.one_text import migrate
from cfglint.engine.settings.selection import EVERY_RULE
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.fixes.loop import fix_source
from cfglint.knowledge import recognition
from cfglint.roles.framework import load_framework
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tools.campaigns import edit_oracle
from tools.campaigns.migrate import differing

#: A comment that is addressed to cfglint goes with what it silenced.
_OURS = re.compile(r"#\s*cfglint:")
#: Settings that releases dropped, other programs have, or that are wrong, so that fixes delete or
#: rename them.
_SETTINGS = (
    "flash_attention: true",
    "xformers_attention:",
    "fsdp:",
    "bnb_4bit_quant_type: nf4",
    "evaluation_strategy: 'no'",
    "num_epoch: 2",
    "eval_sample_packing: fales",
    "lora_target_modules:\n# - q_proj\n- k_proj  # keys\n#   - v_proj",
    "quantization_method: bitsandbytes",
    "fsdp_config:\n  # sharding\n  fsdp_offload_params: true  # slow",
    "special_tokens: {pad_token: '<pad>',  # padding\n  eos_token: '</s>'}",
)
_COMMENTS = (
    "# Dataset",
    "## Training ##",
    "# lora_r: 16",
    "# - q_proj",
    "#",
    "# why: 'it' is \"so\"",
)


class Task(NamedTuple):
    """A file, and which of its mutations; 0 is the file as it is."""

    path: Path
    number: int


class Verdict(NamedTuple):
    """What became of one text."""

    counts: Counter[str]
    problems: tuple[str, ...]


# --------------------------------------------------------------------------- readers


def in_gaps(text: str) -> Counter[str]:
    """The comments between PyYAML's tokens."""
    found: Counter[str] = Counter()
    at = 0
    spans = [(token, token.start_mark.index, token.end_mark.index) for token in yaml.scan(text)]
    for token, start, end in spans:
        found.update(_marked(text[at:start]))
        at = max(at, end)
        if getattr(token, "style", None) in ("|", ">"):
            found.update(_marked(re.split(r"[\r\n]", text[start:end], maxsplit=1)[0]))
    found.update(_marked(text[at:]))
    return found


def _marked(gap: str) -> list[str]:
    return [match.group().rstrip() for match in re.finditer(r"#[^\r\n]*", gap)]


def of_ruamel(text: str) -> Counter[str]:
    """The comments that ruamel.yaml attaches to its tokens."""
    from ruamel.yaml import YAML

    held: dict[int, str] = {}
    waiting: list[Any] = [getattr(token, "_comment", None) for token in YAML().scan(text)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, (list, tuple)):
            waiting.extend(part)
        elif isinstance(part, str):
            # Of the header of a block text.
            held[-len(held) - 1] = part
        elif part is not None:
            held[part.start_mark.index] = part.value
    lines = (line.strip() for value in held.values() for line in value.splitlines())
    return Counter(line for line in lines if line.startswith("#"))


def of_lines(text: str) -> Counter[str]:
    """The comments that a lexer of lines finds."""
    return Counter(words for _, words in edit_oracle.comments(text))


READERS: tuple[Callable[[str], Counter[str]], ...] = (in_gaps, of_ruamel, of_lines)


def lost(before: str, after: str) -> Iterator[str]:
    """The comments that a reader finds before and not after, or only after."""
    for reader in READERS:
        try:
            old = reader(before)
        except Exception:
            continue  # what it cannot read before is no argument
        new = reader(after)
        gone = [words for words in old - new if not _OURS.match(words)]
        if gone or new - old:
            yield f"{reader.__name__}: lost {gone}, gained {list(new - old)}"


# --------------------------------------------------------------------------- mutations


def mutated(text: str, random_: random.Random) -> str:
    """A text with comments in many places, and settings for fixes to work on."""
    lines = text.replace("\r\n", "\n").split("\n")
    for _ in range(random_.randint(1, 3)):
        tops = [number for number, line in enumerate(lines) if re.match(r"[a-z_]+:", line)]
        at = random_.choice(tops) if tops else 0
        choice = random_.random()
        if choice < 0.6:
            lines[at:at] = random_.choice(_SETTINGS).split("\n")
        elif tops:
            # The same key twice; the first one is ignored.
            lines.insert(at, lines[at].split(":")[0] + ": 1")
    out = []
    for line in lines:
        if random_.random() < 0.15:
            indent = line[: len(line) - len(line.lstrip(" "))]
            out.append(indent + random_.choice(_COMMENTS))
        plain = re.fullmatch(r"[\w .\-]+:( [\w./\-]+)?", line) is not None
        out.append(
            line + "  " + random_.choice(_COMMENTS) if plain and random_.random() < 0.3 else line
        )
    text = "\n".join(out)
    if random_.random() < 0.1:
        text = text.replace("\n", "\r\n")
    return text.rstrip("\r\n") if random_.random() < 0.1 else text


# --------------------------------------------------------------------------- one text


@cache
def _environment(framework: str, release: str) -> Environment:
    releases = load_framework(framework).releases
    return build_environment(releases, pins=[f"{releases.package}=={release}"] if release else [])


def judge(task: Task, seed: int) -> Verdict:
    """Fix and migrate one text, and say what is wrong with the results."""
    counts: Counter[str] = Counter()
    try:
        source = SourceText.from_bytes(task.path.read_bytes())
        if task.number:
            random_ = random.Random(f"{seed} {task.path.name} {task.number}")
            source = SourceText.from_str(mutated(source.text, random_))
        yaml.safe_load(source.text)
    except (SourceError, yaml.YAMLError, ValueError):
        return Verdict(Counter({"cannot be read": 1}), ())
    name = recognition.of_text(source.text, recognition.language_of(str(task.path)))
    if name is None:
        return Verdict(Counter({"for no framework": 1}), ())
    counts["texts"] += 1
    counts["comments"] += sum(of_lines(source.text).values())
    problems = [
        *(f"fix: {problem}" for problem in _fixed(source, name, counts)),
        *(f"migrate: {problem}" for problem in _migrated(source, name, counts)),
    ]
    return Verdict(counts, tuple(f"{task.path} ({task.number}): {each}" for each in problems))


def _fixed(source: SourceText, name: str, counts: Counter[str]) -> Iterator[str]:
    framework = load_framework(name)
    case = Case.of_text(framework, _environment(name, ""), EVERY_RULE)
    declared: dict[tuple[object, ...], set[str]] = {}

    def lint(text: SourceText) -> list[Diagnostic]:
        found = lint_source(text, case).diagnostics
        for one in found:
            for fix in one.fixes:
                keys = declared.setdefault((one.code, one.path, fix.title), set())
                keys.update(str(path[0]) for path in fix.paths if path)
        return found

    language = framework.parsing.language_for(source.text, case.target, case.around)
    outcome = fix_source(source, lint, language=language)
    counts["changed by fixes"] += outcome.source is not source
    counts["fixes"] += len(outcome.applied)
    if outcome.source is source:
        return
    may = {key for fix in outcome.applied for key in declared[fix.code, fix.path, fix.title]}
    yield from _different(source, outcome.source, may)
    again = fix_source(outcome.source, lint, language=language)
    if again.source is not outcome.source:
        yield f"a second run makes {[fix.code for fix in again.applied]}"


def _migrated(source: SourceText, name: str, counts: Counter[str]) -> Iterator[str]:
    framework = load_framework(name)
    versions = framework.releases.versions
    for release in dict.fromkeys((versions[-1], versions[len(versions) // 2])):
        target = _environment(name, release)
        found = migrate(source, framework, target, unsafe=False)
        counts["changed by safe steps"] += bool(found.steps)
        counts["steps"] += len(found.steps) + len(found.proposed)
        every = (*found.steps, *found.proposed)
        for text, steps in ((found.result, found.steps), (found.whole, every)):
            may = {str(path[0]) for step in steps for path in step.changes if path}
            for problem in _different(source, text, may) if steps else ():
                yield f"{release}: {problem}"
        if found.steps and migrate(found.result, framework, target, unsafe=False).steps:
            yield f"{release}: a second run takes more steps"


def _different(before: SourceText, after: SourceText, may: set[str]) -> Iterator[str]:
    yield from lost(before.text, after.text)
    values = yaml.safe_load(before.text), yaml.safe_load(after.text)
    for key in differing(*values):
        if key not in may:
            yield f"the value of {key} is different"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 when something is lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=10_000, help="real and mutated ones together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    paths = sorted(path for folder in options.folders for path in folder.rglob("*.y*ml"))
    if not paths:
        print("no YAML files found")
        return 2
    tasks = [
        Task(path, number) for number in range(-(-options.files // len(paths))) for path in paths
    ]
    started = time.monotonic()
    counts: Counter[str] = Counter()
    problems = 0
    with multiprocessing.Pool(options.jobs) as pool:
        judged = pool.imap_unordered(partial(judge, seed=options.seed), tasks[: options.files], 8)
        for verdict in judged:
            counts += verdict.counts
            problems += len(verdict.problems)
            for problem in verdict.problems:
                print(problem, flush=True)
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    print(f"{problems} problems, {time.monotonic() - started:.0f} s")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
