"""Broken projects for the campaign of the agent, made from the project's own texts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from cfglint.engine.authoring.selftest import OWN_PLUGIN, framework_name
from cfglint.knowledge.compiling.bases import load_bases
from cfglint.knowledge.compiling.examples import prepare, prepare_files
from cfglint.knowledge.compiling.loading import load_rules
from cfglint.knowledge.compiling.model import Example
from cfglint.knowledge.rules.example_marks import strip_markers
from cfglint.roles.framework import Framework, frameworks, load_framework

ROOT = Path(__file__).resolve().parents[2]
_SUFFIXES = {"json": ".json", "shell": ".sh", "python": ".py"}
_KEY = re.compile(r"^(?P<key>[A-Za-z_]\w*): +(?P<value>[^\s#&*|>\[{].*)$", re.M)
_MEMBER = re.compile(r'^\s*"(?P<key>\w+)": ', re.M)


class Project(NamedTuple):
    """A broken project: one file, what lies beside it, and the options that an agent would state."""

    name: str
    kind: str
    framework: str
    file: str
    text: str
    options: tuple[str, ...] = ()
    beside: tuple[tuple[str, bytes], ...] = ()
    #: What the file is to become; None where that is not written down.
    meant: str | None = None
    #: The rule whose fix alone makes that of it; empty for whichever.
    code: str = ""


def slips(number: int, rng: random.Random) -> list[Project]:
    """Good configs with one to three slips each."""
    good = list(_good())
    found: list[Project] = []
    while len(found) < number:
        framework, file, text = good[len(found) % len(good)]
        harmed, count = text, rng.randint(1, 3)
        made: list[str] = []
        for _ in range(count):
            maker = rng.choice(list(_MAKERS))
            other = _MAKERS[maker](harmed, framework, rng)
            if other is not None and other != harmed:
                harmed = other
                made.append(maker)
        if made:
            name = f"{framework.name}/{file} {len(found)}: {', '.join(made)}"
            options = ("--framework", framework.name, "--target", _newest(framework))
            found.append(
                Project(name, "slips", framework.name, file, harmed, options, (), meant=text)
            )
    return found


def _newest(framework: Framework) -> str:
    return f"{framework.packages[0]}=={framework.releases.newest}"


def _good() -> Iterator[tuple[Framework, str, str]]:
    """(framework, name, text) of the configs that nothing is wrong with."""
    usual = load_framework("axolotl")
    for path in sorted((ROOT / "fixtures" / "good").glob("*.yml")):
        text = path.read_bytes().decode("utf-8")
        # Keys that no release has are its point.
        if len(_KEY.findall(text)) > 3 and path.name != OWN_PLUGIN:
            yield usual, path.name, text
    for name, bases in load_bases(ROOT / "rules").items():
        if name in frameworks():
            framework = load_framework(name)
            for base, text in bases.items():
                yield framework, f"{base}{_SUFFIXES.get(framework.language.name, '.yml')}", text


def _keys(text: str, framework: Framework) -> list[re.Match[str]]:
    """The keys of a config that can be harmed: longer ones at the top level, or in JSON any."""
    pattern = _MEMBER if text.lstrip().startswith("{") else _KEY
    found = (match for match in pattern.finditer(text) if len(match["key"]) > 6)
    return [match for match in found if _counts(match, framework)]


def _counts(match: re.Match[str], framework: Framework) -> bool:
    """Whether a run is another one without a key: of one that asks for the default, nothing need be said."""
    written = match.groupdict().get("value", "")
    default = framework.keys.defaults.get(match["key"])
    return default is None or yaml.safe_load(written) != default


def _with(text: str, match: re.Match[str], key: str) -> str:
    return text[: match.start("key")] + key + text[match.end("key") :]


def _swapped(text: str, framework: Framework, rng: random.Random) -> str | None:
    """Two letters of a key changed places."""
    keys = _keys(text, framework)
    if not keys:
        return None
    match = rng.choice(keys)
    key = match["key"]
    at = rng.randrange(1, len(key) - 2)
    return _with(text, match, key[:at] + key[at + 1] + key[at] + key[at + 2 :])


def _dropped(text: str, framework: Framework, rng: random.Random) -> str | None:
    """A letter of a key is missing."""
    keys = _keys(text, framework)
    if not keys:
        return None
    match = rng.choice(keys)
    key = match["key"]
    at = rng.randrange(1, len(key) - 1)
    return _with(text, match, key[:at] + key[at + 1 :])


def _hyphens(text: str, framework: Framework, rng: random.Random) -> str | None:
    """A key is written as on a command line."""
    keys = [match for match in _keys(text, framework) if "_" in match["key"]]
    if not keys:
        return None
    match = rng.choice(keys)
    return _with(text, match, match["key"].replace("_", "-"))


def _older(text: str, framework: Framework, rng: random.Random) -> str | None:
    """A key has the name that it had in an older release."""
    names: dict[str, list[str]] = {}
    for name in framework.keys.names(""):
        info = framework.keys.info("", name)
        if info is not None and info.rename and info.removed:
            names.setdefault(info.rename, []).append(name)
    return _renamed(text, names, framework, rng)


def _foreign(text: str, framework: Framework, rng: random.Random) -> str | None:
    """A key has the name that another tool gives it, with the same values."""
    names: dict[str, list[str]] = {}
    for foreign, row in framework.knowledge.aliases.items():
        if row[1] is not None and row[2] == "same" and not row[3]:
            names.setdefault(str(row[1]), []).append(foreign)
    return _renamed(text, names, framework, rng)


def _renamed(
    text: str, names: Mapping[str, list[str]], framework: Framework, rng: random.Random
) -> str | None:
    keys = [match for match in _keys(text, framework) if match["key"] in names]
    if not keys:
        return None
    match = rng.choice(keys)
    return _with(text, match, rng.choice(names[match["key"]]))


def _joined(text: str, framework: Framework, rng: random.Random) -> str | None:
    """The space behind a colon is missing."""
    keys = [] if text.lstrip().startswith("{") else _keys(text, framework)
    if not keys:
        return None
    match = rng.choice(keys)
    return text[: match.end("key") + 1] + text[match.start("value") :]


_MAKERS: dict[str, Callable[[str, Framework, random.Random], str | None]] = {
    "letters swapped": _swapped,
    "letter dropped": _dropped,
    "hyphens": _hyphens,
    "older name": _older,
    "other tool's name": _foreign,
    "space lost": _joined,
}


def examples(number: int, rng: random.Random) -> list[Project]:
    """Bad examples of rules whose findings are errors."""
    found = []
    for file in load_rules(ROOT / "rules"):
        rule = file.rule
        if rule.migration == "only" or rule.check in ("engine", "sweep", "suppressions"):
            continue
        for place, example in enumerate(rule.examples, 1):
            name = framework_name(rule, example)
            is_plain = example.encoding == "utf-8" and example.repeat == 1
            severity = example.severity or rule.severity
            if (
                example.bad is None
                or name not in frameworks()
                or not is_plain
                or severity != "error"
            ):
                continue
            framework = load_framework(str(name))
            if framework.row["of_sections"]:
                continue
            found.append(_of_example(f"{rule.code}, example {place}", example, framework))
    rng.shuffle(found)
    return found[:number]


def _of_example(name: str, example: Example, framework: Framework) -> Project:
    suffix = _SUFFIXES.get(framework.language.name, ".yml")
    options = ["--framework", framework.name]
    for package, value in example.target.items():
        if package in ("gpus", "gpu"):
            options += [f"--{package}", str(value)]
        else:
            sign = "" if str(value).startswith("@") else "=="
            options += ["--target", f"{package}{sign}{value}"]
    return Project(
        name,
        "examples",
        framework.name,
        example.named or f"train{suffix}",
        prepare(example).data.decode(),
        tuple(options),
        tuple((path, content.data) for path, content in prepare_files(example).items()),
        None if example.fixed is None else strip_markers(example.fixed),
        name.partition(",")[0],
    )
