"""Valid configs with one to three changes: keys with plausible and wrong values, and what rules name."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml
from packaging.specifiers import SpecifierSet

from cfglint.cli.keys import listed
from cfglint.knowledge.compiling.loading import load_rules
from cfglint.report.pages.key_list import ListedKey
from tools.runs.bases import Base, Bases
from tools.runs.campaign import Made

_RULES = Path(__file__).resolve().parents[2] / "rules"
_WORD = re.compile(r"[a-z]\w+")
#: The most keys that an example may add to a base.
_MOST = 6
_WHOLE = (0, 1, 2, 3, 4, 8, 16, -1, 512, 1.5)
_NUMBERS = (0.0, 0.1, 0.5, 1.0, 2.0, -0.1, -1.0, "1e-4", 1, 10)
_BY_KIND: dict[str, tuple[Any, ...]] = {
    "bool": (True, True, True, False, "x", 1),
    "int": _WHOLE,
    "whole": _WHOLE,
    "float": _NUMBERS,
    "decimal": _NUMBERS,
    "str": ("x", "auto", True, ""),
    "list": ([], ["x"], "x", [1]),
    "dict": ({}, {"x": 1}, "x", True),
}
_WEIGHTS = {"key": 5, "two keys": 3, "example": 4, "named": 4}


class Example(NamedTuple):
    """A bad example of a rule."""

    content: Mapping[str, Any]
    #: What its file is named after, such as a command; may be empty.
    command: str = ""


class Rule(NamedTuple):
    """What the generator takes from a rule."""

    code: str
    #: The words of its condition, of which some are keys.
    words: frozenset[str]
    examples: tuple[Example, ...]


class Generator:
    """Draws configs for a release."""

    def __init__(self, stated: str, bases: Bases, seed: int, rules: list[Rule]) -> None:
        self._random = Random(f"{stated} {seed}")
        self._bases = bases
        self._rules = rules
        self._framework, _, self._release = stated.partition("==")
        self._stated = stated
        self._keys: dict[tuple[str, ...], dict[str, ListedKey]] = {}

    def make(self, count: int) -> Iterator[Made]:
        """The bases themselves, then changed ones."""
        bases = self._known()
        for number in range(count):
            base = bases[number % len(bases)]
            content = copy.deepcopy(dict(base.content))
            kind: str = "base"
            changes: list[str] = []
            if number >= len(bases):
                kind, changes = self._changed(base, content)
            yield Made(f"{number:04}-{base.name}", base.command, content, tuple(changes), kind)

    def examples(self) -> Iterator[Made]:
        """The bad example of every rule, each on a base that reads most of it."""
        known = self._known()
        for rule in self._rules:
            for number, example in enumerate(rule.examples):
                bases = [one for one in known if one.command == example.command] or known
                base = max(bases, key=lambda one: len(example.content.keys() & self._tables(one)))
                new = self._read_by(base, example)
                changes = [key for key, value in new.items() if base.content.get(key, ...) != value]
                if changes:
                    id_ = f"{rule.code}-{number}-{base.name}"
                    content = copy.deepcopy({**base.content, **new})
                    yield Made(id_, base.command, content, tuple(changes), "example")

    def _known(self) -> list[Base]:
        """The bases that the release can train with."""
        fitting = [one for one in self._bases.bases if self._release in SpecifierSet(one.releases)]
        return [base for base in fitting if self._tables(base)]

    def _tables(self, base: Base) -> dict[str, ListedKey]:
        """The keys at the top that the release has for a base; none where it lacks the command."""
        subject = self._bases.subject(base)
        if subject not in self._keys:
            lists, _ = listed(subject, (self._stated,), self._framework)
            self._keys[subject] = {
                key.name: key
                for one in lists
                for key in one.keys
                if not key.section and self._is_drawn(key)
            }
        return self._keys[subject]

    def _is_drawn(self, key: ListedKey) -> bool:
        """Whether a run here may tell something about a key."""
        schema = key.status.schema
        opaque = schema is None or [*schema.kinds] == ["any"]
        if opaque and key.name not in self._bases.values:
            return False
        return not self._bases.untried.fullmatch(key.name)

    def _changed(self, base: Base, content: dict[str, Any]) -> tuple[str, list[str]]:
        """Change a config: how, and which keys."""
        for _ in range(50):
            kind = self._random.choices([*_WEIGHTS], [*_WEIGHTS.values()])[0]
            new = self._example(base) if kind == "example" else self._drawn(base, kind)
            changes = [key for key, value in new.items() if content.get(key, ...) != value]
            if changes and len(changes) <= _MOST:
                content.update(new)
                return kind, changes
        return "base", []

    def _drawn(self, base: Base, kind: str) -> dict[str, Any]:
        """Keys with values: one or two, or two that a rule names."""
        table = self._tables(base)
        names = [*table]
        if kind == "named":
            known = [sorted(rule.words & table.keys()) for rule in self._rules]
            names = self._random.choice([one for one in known if len(one) > 1] or [names])
        number = {"key": 1, "two keys": self._random.choice((2, 3)), "named": 2}[kind]
        drawn = self._random.sample(names, min(number, len(names)))
        return {name: self._value(table[name], base) for name in drawn}

    def _example(self, base: Base) -> dict[str, Any]:
        """What an example of a rule has besides, as far as the base's command reads it."""
        rule = self._random.choice(self._rules)
        if not rule.examples:
            return {}
        return self._read_by(base, self._random.choice(rule.examples))

    def _read_by(self, base: Base, example: Example) -> dict[str, Any]:
        """What a base's command reads of an example."""
        table = self._tables(base)
        return {key: copy.deepcopy(value) for key, value in example.content.items() if key in table}

    def _value(self, key: ListedKey, base: Base) -> Any:
        drawn = self._random
        known = self._bases.values.get(key.name)
        if known and drawn.random() < 0.85:
            return copy.deepcopy(drawn.choice(known))
        schema = key.status.schema
        if schema is None:
            return drawn.choice(("x", True, 1, 0.5))
        if schema.choices and drawn.random() < 0.85:
            return drawn.choice(schema.choices)
        kinds = [kind.partition("<")[0].partition(":")[0] for kind in schema.kinds]
        kinds = [kind for kind in kinds if kind in _BY_KIND] or ["str"]
        if isinstance(key.default, bool) and drawn.random() < 0.8:
            return not key.default
        return copy.deepcopy(drawn.choice(_BY_KIND[drawn.choice(kinds)]))


def rules_of(framework: str) -> list[Rule]:
    """The rules about a framework's files."""
    found = []
    for file in load_rules(_RULES):
        rule = file.rule
        if rule.framework != framework:
            continue
        examples = []
        for one in rule.examples:
            if one.bad is not None and one.framework in (None, framework) and not one.files:
                try:
                    read = yaml.safe_load(one.bad)
                except (yaml.YAMLError, ValueError):
                    continue
                if isinstance(read, dict):
                    examples.append(Example(read, one.named.partition(".")[0]))
        words = frozenset(_WORD.findall(repr(rule.when)))
        found.append(Rule(rule.code, words, tuple(examples)))
    return found


def generate(
    stated: str, bases: Bases, count: int, seed: int, *, examples: bool = False
) -> Iterator[Made]:
    """Configs for `FRAMEWORK==RELEASE`; the same arguments give the same ones.

    Args:
        examples: of the rules, in place of drawn configs.
    """
    generator = Generator(stated, bases, seed, rules_of(stated.partition("==")[0]))
    return generator.examples() if examples else generator.make(count)
