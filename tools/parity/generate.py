"""Makes configurations to compare verdicts on: valid ones, nearly valid ones, and rules' targets.

    python -m tools.parity generate --out FOLDER [--count 20000] [--seed 1] [--only CODE]

The same arguments give the same files. A file's name tells what it is: a number, the kind, the
release whose keys it was made from, and the rule that it is aimed at.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from cfglint.knowledge.compiling.examples import prepare
from cfglint.knowledge.compiling.loading import RuleFile, load_rules
from cfglint.knowledge.rules.conditions import parse_condition, parse_path
from tools.parity.aims import Aim, involved, literals
from tools.parity.bases import bases
from tools.parity.values import Values
from tools.python_sources import table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cfglint.knowledge.compiling.model import RuleModel

#: The releases that the generated set is made for.
RELEASES = (
    "0.21.0",
    "0.20.0",
    "0.19.0",
    "0.18.0",
    "0.17.0",
    "0.16.1",
    "0.15.0",
    "0.14.0",
    "0.13.2",
    "0.12.2",
    "0.11.0",
    "0.10.0",
    "0.9.2",
    "0.8.1",
    "0.7.0",
    "0.6.0",
    "0.5.2",
)
_RULES = Path(__file__).resolve().parents[2] / "rules"
_KINDS = ("valid", "near", "aimed")
_WEIGHTS = (0.15, 0.30, 0.55)


class Made(NamedTuple):
    """One configuration and the name of its file."""

    name: str
    text: str


class Generator:
    """Draws configurations, one after the other."""

    def __init__(self, seed: int, only: Sequence[str] = (), releases: Sequence[str] = RELEASES):
        self._rng = Random(seed)
        history = table.load(_RULES / "axolotl" / "tables" / "axolotl.json")
        self._releases = tuple(releases)
        self._values = {name: Values(history.keys[name]) for name in releases}
        self._bases = bases()
        plugins = history.plugins[history.releases[-1]]
        self._plugins = {path.rpartition(".")[2]: path for path in plugins}
        self._only = bool(only)
        self._rules = [rule for rule in _error_rules() if not only or rule.code in only]
        self._turn = 0

    def make(self, count: int) -> Iterator[Made]:
        """The next configurations."""
        for number in range(count):
            kind = "aimed" if self._only else self._rng.choices(_KINDS, _WEIGHTS)[0]
            release = self._rng.choice(self._releases)
            about = ""
            if kind == "valid":
                config = self._valid(release)
            elif kind == "near":
                config, about = self._near(release)
            else:
                config, release, about = self._aimed(release)
            name = "-".join(part for part in (f"{number:05}", kind, release, about) if part)
            yield Made(f"{name}.yml", self._written(config))

    def _written(self, config: dict[str, Any]) -> str:
        items = list(config.items())
        if self._rng.random() < 0.1:
            self._rng.shuffle(items)
        return yaml.safe_dump(dict(items), sort_keys=False, width=100, allow_unicode=True)

    def _base(self) -> dict[str, Any]:
        return copy.deepcopy(self._bases[self._rng.choice(list(self._bases))])

    def _valid(self, release: str) -> dict[str, Any]:
        """A base with a few more keys of the release, plugins listed where they are needed."""
        config = self._base()
        self._add_keys(config, release, self._rng.choice([0, 1, 2, 3, 5, 8]))
        return config

    def _add_keys(self, config: dict[str, Any], release: str, count: int) -> None:
        values = self._values[release]
        for name in self._rng.sample(values.keys(""), count):
            config[name] = values.fitting(self._rng, "", name)
            if self._rng.random() < 0.9:
                self._list_plugin(config, release, name)

    def _near(self, release: str) -> tuple[dict[str, Any], str]:
        """A valid one with one mistake."""
        rng, values = self._rng, self._values[release]
        config = self._base()
        self._add_keys(config, release, rng.choice([0, 0, 1, 2]))
        ways = ("own", "own", "other", "other", "nested", "missing", "unknown", "elsewhere", "item")
        way = rng.choice(ways)
        sections = values.sections()
        if way == "own":
            name = rng.choice(list(config))
            config[name] = values.unfitting(rng, "", name)
        elif way == "other":
            name = rng.choice(values.keys(""))
            config[name] = values.unfitting(rng, "", name)
            self._list_plugin(config, release, name)
        elif way == "nested":
            section = rng.choice(sections)
            names = values.keys(section)
            if names:
                inside = values.section(rng, section)
                name = rng.choice(names)
                inside[name] = values.unfitting(rng, section, name)
                self._place(config, release, section, inside)
        elif way == "missing":
            config.pop(rng.choice(list(config)))
        elif way == "unknown":
            name = rng.choice(list(config))
            config[rng.choice([name + "s", name[:-1], "x_" + name, name.upper()])] = config[name]
        elif way == "elsewhere":
            section = rng.choice(sections)
            inside = values.section(rng, section)
            inside[rng.choice(values.keys(""))] = rng.choice([1, True, "text"])
            self._place(config, release, section, inside)
        else:
            lists = [name for name, value in config.items() if isinstance(value, list) and value]
            if lists:
                config[rng.choice(lists)] = rng.choice([[], [None], ["a", 1], [[]], "a", {}, [{}]])
        return config, way

    def _list_plugin(self, config: dict[str, Any], release: str, name: str) -> None:
        schema = self._values[release].schema("", name)
        if schema is None or schema.plugin is None:
            return
        listed = config.get("plugins")
        if not isinstance(listed, list):
            listed = config["plugins"] = []
        if schema.plugin not in listed:
            listed.append(schema.plugin)

    def _place(
        self, config: dict[str, Any], release: str, section: str, inside: dict[str, Any]
    ) -> None:
        """Put keys into a section, which may be a list's item or inside another section."""
        parts = section.split(".")
        node: Any = config
        for index, part in enumerate(parts):
            name = part.removesuffix("[]")
            last = index == len(parts) - 1
            if index == 0:
                self._list_plugin(config, release, name)
            if part.endswith("[]"):
                held = node.get(name)
                if not (isinstance(held, list) and held and isinstance(held[0], dict)):
                    node[name] = [{}]
                node = node[name][0]
            else:
                if not isinstance(node.get(name), dict):
                    node[name] = {}
                node = node[name]
            if last:
                node.update(inside)

    def _aimed(self, release: str) -> tuple[dict[str, Any], str, str]:
        """A configuration that a rule should find, or just not."""
        rng = self._rng
        # one rule after the other, so that each gets its share
        rule = self._rules[self._turn % len(self._rules)]
        self._turn += 1
        fitting = self._fitting(rule) or [release]
        if rng.random() < 0.9:
            release = rng.choice(fitting)
        aim = Aim(self._values[release], rng, self._plugins)
        config = self._start(rule)
        if rule.when is None:
            self._spoil(config, release)
            return config, release, rule.code
        wanted = literals(parse_condition(rule.when), rng)
        each = parse_path(rule.each) if rule.each is not None else None
        way = rng.random()
        if way < 0.55:
            aim.meet(config, wanted, each)
        elif way < 0.8 and wanted:
            index = rng.randrange(len(wanted))
            turned = [part.turned() if i == index else part for i, part in enumerate(wanted)]
            aim.meet(config, turned, each)
        elif way < 0.9:
            keys = [path[0] for path in involved(wanted) if path[0] in config]
            if keys:
                name = rng.choice(keys)
                config[name] = self._values[release].fitting(rng, "", name)
        if rng.random() < 0.4:
            self._add_keys(config, release, rng.choice([1, 1, 2, 4]))
        return config, release, rule.code

    def _start(self, rule: RuleModel) -> dict[str, Any]:
        """A base, an example of the rule, or the example with a base around it."""
        examples = [example.bad or example.good or "" for example in rule.examples]
        read: Any = None
        with contextlib.suppress(yaml.YAMLError, ValueError):
            read = yaml.safe_load(self._rng.choice(examples))
        way = self._rng.random()
        if not isinstance(read, dict) or way < 0.35:
            return self._base()
        read = {key: value for key, value in read.items() if isinstance(key, str)}
        return read if way < 0.75 else {**self._base(), **read}

    def _spoil(self, config: dict[str, Any], release: str) -> None:
        """For rules whose check is code: one key that does not fit, or none at all."""
        values = self._values[release]
        name = self._rng.choice([*config, self._rng.choice(values.keys(""))])
        if self._rng.random() < 0.3:
            config.pop(name, None)
        elif self._rng.random() < 0.7:
            config[name] = values.unfitting(self._rng, "", name)

    def _fitting(self, rule: RuleModel) -> list[str]:
        from packaging.specifiers import SpecifierSet

        spec = rule.applies.get("axolotl")
        if not isinstance(spec, str):
            return list(self._releases)
        allowed = SpecifierSet(spec, prereleases=True)
        return [release for release in self._releases if release in allowed]


@cache
def _rules() -> list[RuleFile]:
    """All rules, which every generator starts from."""
    return load_rules(_RULES)


def _error_rules(*, notation: bool = False) -> list[RuleModel]:
    """The rules that say that a release's validator refuses a file.

    Args:
        notation: with those about the notation, which values cannot be made to meet.
    """
    return [
        file.rule
        for file in _rules()
        if file.rule.upstream == "rejects"
        and file.rule.bites == "start"
        and file.rule.framework in ("any", "axolotl")
        and (notation or file.path.parent.name not in ("yaml", "json"))
        and file.rule.if_undecided is None
    ]


def examples() -> Iterator[tuple[str, bytes]]:
    """Names and contents of the bad examples of all rules that say "rejected", as they stand."""
    for rule in _error_rules(notation=True):
        for number, example in enumerate(rule.examples):
            if example.bad is not None and not example.files:
                yield f"{rule.code}-{number}.yml", prepare(example).data


def main(arguments: Sequence[str]) -> int:
    """Write the configurations, one file each."""
    parser = argparse.ArgumentParser(prog="python -m tools.parity generate", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="CODE")
    parser.add_argument("--made-for", action="append", default=[], metavar="RELEASE")
    parser.add_argument("--examples", action="store_true", help="the rules' own examples instead")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.examples:
        for name, data in examples():
            (options.out / name).write_bytes(data)
        return 0
    generator = Generator(options.seed, options.only, options.made_for or RELEASES)
    for made in generator.make(options.count):
        (options.out / made.name).write_text(made.text, encoding="utf-8")
    return 0
