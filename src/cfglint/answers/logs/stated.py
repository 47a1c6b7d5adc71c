"""What a log states of its run: the versions of packages, the number of GPUs, and the config."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from cfglint.answers.logs.lines import LogLine
from cfglint.base.record import FrozenDict, Record
from cfglint.environment.pins import packages
from cfglint.knowledge import compiled

#: Lines at the beginning that are searched.
MAX_LINES = 4_000
_NUMBER = (
    r"(?P<version>\d{1,4}\.\d{1,3}(?:\.\d{1,3})?(?:\.?(?:dev|post|rc|a|b)\d{0,4})?)(?!\.?[\w-])"
)
#: Also as `transformers env` and its like print it (`- PyTorch version (GPU?): 2.4.1+cu121`), as lists of packages do, and as
#: Unsloth does at its start: `Unsloth 2025.3.3: Fast Llama patching. Transformers: 4.53.2.`
_VERSION = re.compile(
    r"(?i)\b(?P<package>[a-z][a-z_-]{2,30})(?:\.__version__)?`?(?: version)?(?: \(GPU\?\))?"
    rf"(?:==|[:=] ?| = |[ \t]{{1,60}})v?{_NUMBER}"
)
#: Names that packages are called by.
_OTHER_NAMES = {"pytorch": "torch"}
#: Not the last factor of a formula: what follows on `a * world_size` is its result.
_WORLD = re.compile(
    r"(?i)(?<![*/+-] )\b(?:world[_ ]size|num_processes|nproc_per_node)['\"]?[=: ]{1,2}(\d{1,5})\b"
)


class LogFacts(Record):
    """What a log states, each with the number of the line."""

    #: Package -> (version, line).
    versions: dict[str, tuple[str, int]]
    gpus: tuple[int, int] | None
    #: The path of the config in the command that started the run.
    config: tuple[str, int] | None
    #: Package -> the releases that it may be, as a range, where it has no version and the log rules out others.
    ranges: Mapping[str, str] = FrozenDict()


def stated(lines: Iterable[LogLine]) -> LogFacts:
    """What the first lines of a log state; where it states two versions of a package, neither."""
    versions: dict[str, tuple[str, int]] = {}
    disputed: set[str] = set()
    worlds: dict[int, int] = {}
    head: list[LogLine] = []
    known = packages()
    for line in lines:
        if len(head) >= MAX_LINES:
            break
        head.append(line)
        for package, version in _versions(line.text):
            if package not in known:
                continue
            if versions.setdefault(package, (version, line.number))[0] != version:
                disputed.add(package)
        world = _WORLD.search(line.text)
        if world is not None and int(world.group(1)) > 0:
            worlds.setdefault(int(world.group(1)), line.number)
    agreed = {name: row for name, row in versions.items() if name not in disputed}
    gpus = next(iter(worlds.items())) if len(worlds) == 1 else None
    return LogFacts(agreed, gpus, _config(head))


def _versions(text: str) -> Iterator[tuple[str, str]]:
    """The packages with a version in a line, whether or not anything is known about them."""
    for match in _VERSION.finditer(text):
        package = match["package"].lower().replace("_", "-")
        yield _OTHER_NAMES.get(package, package), match["version"]
    for package, words in _printed():
        for match in words.finditer(text):
            yield package, match["version"]


@cache
def _printed() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The packages that print their version in words of their own, each with what finds it."""
    rows = (row.partition(" ") for row in compiled.load("frameworks").PRINTED)
    return tuple(
        (package, re.compile(rf"{re.escape(words)}{_NUMBER}")) for package, _, words in rows
    )


def _config(head: list[LogLine]) -> tuple[str, int] | None:
    """The config of the only command that starts a run."""
    from cfglint.runs.starts import commands

    starts = commands.read("log", "\n".join(line.text for line in head))
    named = {start.config.text: start for start in starts if not start.config.open}
    if len(named) != 1:
        return None
    ((path, start),) = named.items()
    before = "\n".join(line.text for line in head)[: start.config.start].count("\n")
    return path, head[before].number
