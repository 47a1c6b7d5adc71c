"""The keys of every framework, with what the tables say about each, and where its page is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from cfglint.base.record import Record
from cfglint.knowledge.compiling.frameworks import described
from cfglint.knowledge.compiling.modules import framework_folders, key_histories
from cfglint.knowledge.rules.rule import Rule
from cfglint.roles.framework import frameworks, load_framework
from tools.site.anchors import slug
from tools.site.catalogue import entries

ROOT = Path(__file__).resolve().parents[2]
_RULES = ROOT / "rules"


class KeyTables(Record):
    """The keys of one framework."""

    framework: str
    title: str
    #: The package that the releases are of.
    package: str
    releases: tuple[str, ...]
    #: The releases of the package below it, by its name, if its files have keys of one.
    below: Mapping[str, tuple[str, ...]]
    #: Key path -> its entry in the table.
    keys: Mapping[str, dict[str, Any]]
    #: Kind of file -> the keys that it has; empty if all files have the same.
    kinds: Mapping[str, Mapping[str, dict[str, Any]]]

    def releases_of(self, release: str) -> tuple[str, ...]:
        """The known releases of the package that a release is of."""
        return self.below.get(release.rpartition(" ")[0], self.releases)

    def pages(self) -> dict[str, list[str]]:
        """Name of a page -> the key paths on it: a key at the top level, and those below it."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.keys, key=lambda path: [part.lower() for part in path.split(".")]):
            found.setdefault(top_of(path), []).append(path)
        return found


@lru_cache(maxsize=1)
def every_table() -> tuple[KeyTables, ...]:
    """The keys of all frameworks whose files are checked."""
    found = []
    for name in framework_folders(_RULES):
        if name not in frameworks():
            continue
        home, row = _RULES / name, described(_RULES / name)
        package = row["packages"][0]
        table, kinds = key_histories(home, package)
        below = {}
        if row["below"]:
            path = home / "tables" / f"{row['below']}.json"
            below[row["below"]] = tuple(json.loads(path.read_text(encoding="utf-8"))["releases"])
        found.append(
            KeyTables(
                framework=name,
                title=row["title"],
                package=package,
                releases=tuple(table["releases"]),
                below=below,
                keys=table["keys"],
                kinds={kind: one["keys"] for kind, one in kinds.items()},
            )
        )
    return tuple(sorted(found, key=lambda one: one.title.lower()))


def top_of(path: str) -> str:
    """The key at the top level that a key path begins with, which its page is named after."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def address(framework: str, path: str) -> str:
    """The page of a key and its place there, from the folder of all frameworks' keys."""
    top = top_of(path)
    place = f"{framework}/{top}.md"
    return place if path == top else f"{place}#{slug(path)}"


@lru_cache(maxsize=1)
def rules_of_keys() -> dict[tuple[str, str], tuple[Rule, ...]]:
    """Framework and key path -> the rules that point at the key, or name it beside another one."""
    known = {(table.framework, path) for table in every_table() for path in table.keys}
    found: dict[tuple[str, str], dict[str, Rule]] = {}
    for name in frameworks():
        knowledge = load_framework(name).knowledge
        for rule in (*knowledge.all_rules(), *knowledge.migration_rules):
            for path in (*rule.at, *rule.related):
                parts = path
                if path[0] == "item" and rule.each is not None:
                    parts = (*rule.each, "[]", *path[1:])
                place = name, ".".join(parts).replace(".[]", "[]")
                # A rule may be about an item of a list, which has no entry of its own.
                while place not in known and place[1].endswith("[]"):
                    place = name, place[1].removesuffix("[]")
                if place in known:
                    found.setdefault(place, {})[rule.code] = rule
    return {place: tuple(rules[code] for code in sorted(rules)) for place, rules in found.items()}


@lru_cache(maxsize=1)
def keys_of_rules() -> dict[str, list[tuple[str, str]]]:
    """Code of a rule -> framework and key path of the keys that it is about, where it is shown."""
    shown_for = {entry.code: entry.knowledge.framework for entry in entries()}
    found: dict[str, list[tuple[str, str]]] = {}
    for (framework, path), rules in rules_of_keys().items():
        for rule in rules:
            if shown_for[rule.code] == framework:
                found.setdefault(rule.code, []).append((framework, path))
    return found


class Idea(Record):
    """What several frameworks have a key for."""

    meaning: str
    #: Framework -> the path of its key.
    keys: dict[str, str]


@lru_cache(maxsize=1)
def ideas() -> dict[tuple[str, str], Idea]:
    """Framework and key path -> the idea that the key stands for."""
    vocabulary = yaml.safe_load((_RULES / "concepts.yaml").read_text(encoding="utf-8"))
    found: dict[tuple[str, str], Idea] = {}
    own = {}
    for table in every_table():
        path = _RULES / table.framework / "concepts.yaml"
        if path.is_file():
            own[table.framework] = (table, yaml.safe_load(path.read_text(encoding="utf-8")))
    for name, concept in vocabulary.items():
        keys = {
            framework: meant
            for framework, (table, concepts) in own.items()
            if isinstance(meant := concepts.get(name), str) and meant in table.keys
        }
        idea = Idea(" ".join(concept["meaning"].split()), keys)
        for framework, meant in keys.items():
            found.setdefault((framework, meant), idea)
    return found
