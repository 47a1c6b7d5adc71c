"""What may be written in a framework's files: the keys of a release, most of all those that matter."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence

import cfglint
from cfglint.base.logic import MISSING
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.checks.value_types import wanted_words
from cfglint.engine.key_rules import rules_by_place
from cfglint.environment.environment import Environment
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.release_keys import KeyStatus, Schema
from cfglint.report.json_text import json_text
from cfglint.report.pages.key_page import default_of
from cfglint.roles.framework import Framework

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 1
#: The most that is printed without `--all`, in bytes.
MAX_BYTES = 2_000
_TYPES = {
    "float": "num",
    "decimal": "num",
    "whole": "int",
    "truth": "bool",
    "str": "text",
    "match": "text",
    "dict": "map",
    "model": "map",
    "tuple": "list",
    "set": "list",
}
_MOST_CHOICES, _LONGEST_DEFAULT = 4, 24
#: A key that has a text about what it does is as important as so many rules.
_OF_MEANING = 3


class ListedKey(Record):
    """A key that a release reads."""

    section: str
    name: str
    status: KeyStatus
    #: MISSING if it is not known, or computed.
    default: Any
    required: bool
    #: What it does; empty if no text says so.
    meaning: str
    #: The more, the more important it is to a reader.
    weight: int

    @property
    def full_name(self) -> str:
        """The name with its section."""
        return full_key(self.section, self.name)

    @property
    def group(self) -> str:
        """Its section, the plugin or the package below the framework that it comes from; or nothing."""
        return self.section or self.status.plugin or self.package

    @property
    def package(self) -> str:
        """The package below the framework that it comes from; empty for the framework's own."""
        info = self.status.info
        return "" if info is None else info.since.rpartition(" ")[0]


class KeyList(Record):
    """The keys that may be written in one kind of file."""

    framework: Framework
    target: Environment
    #: What they are for, besides the framework: `rl: dpo`; empty for all of its files.
    only_with: str
    keys: tuple[ListedKey, ...]
    #: What has the keys, where that is not the framework as a whole.
    title: str = ""

    @property
    def heading(self) -> str:
        """Whose keys, of which release, and where that is from."""
        package, release = self.target.releases.package, self.target.release
        origin = f"{package} {release}, {self.target.release_origin}"
        when = f" with {self.only_with}" if self.only_with else ""
        title = self.title or self.framework.title
        return f"{title}{when} ({origin}): {len(self.keys)} keys"

    def label(self, key: ListedKey) -> str:
        """The heading of a key's group; the same for all keys of it."""
        if key.group and key.group == key.package:
            keys = self.framework.key_policy.keys_in(self.target)
            return f"{key.package} {keys.release_of(f'{key.package} ')}"
        return key.group or self.framework.title


def keys_of(
    framework: Framework, target: Environment, section: str | None = None
) -> list[ListedKey]:
    """The keys that a release reads, in the order of the table.

    Args:
        section: one of the table's, whose keys alone are listed.
    """
    table, keys = framework.keys, framework.key_policy.keys_in(target)
    needed = set(table.required(keys.released))
    default = default_of(framework, target)
    found = []
    for one in table.sections():
        if section not in (None, one) or keys.section(one) is None:
            continue
        inside = {name for name, plugin in keys.required(one) if not plugin}
        for name in table.names(one):
            status = keys.standing(one, name)
            if name == "*" or status.info is None or not (status.ordinary or status.plugin):
                continue
            if table.is_absent(one, name, target.release):
                continue
            required = name in inside or (not one and name in needed)
            found.append(_listed(framework, one, name, status, default, required=required))
    return found


def _listed(
    framework: Framework,
    section: str,
    name: str,
    status: KeyStatus,
    default: Callable[[str, str], Any],
    *,
    required: bool,
) -> ListedKey:
    place = tuple(re.findall(r"\[\]|[^.\[\]]+", f"{section}.{name}"))
    full = full_key(section, name)
    meaning = framework.knowledge.meaning(full)
    weight = len(rules_by_place(framework).get(place, ())) + _OF_MEANING * bool(meaning)
    return ListedKey(section, name, status, default(section, name), required, meaning, weight)


def offering(framework: Framework, target: Environment, word: str) -> str:
    """`rl: dpo`: the key at the top level that offers a word as one of few; empty without one."""
    keys = framework.key_policy.keys_in(target)
    for name in framework.keys.names(""):
        schema = keys.standing("", name).schema
        if schema is not None and word in schema.choices and schema.offers():
            return f"`{name}: {word}`"
    return ""


def render(found: KeyList) -> str:
    """The most important keys by group, in at most `MAX_BYTES`; each is `name:type=default`.

    Older names of keys are none of them.
    """
    current = [key for key in found.keys if key.status.info is None or not key.status.info.rename]
    basics: list[str] = found.framework.row["basics"]
    ranks = {name: place for place, name in enumerate(basics)}
    ordered = sorted(
        current,
        key=lambda key: (
            not _is_needed(key),
            ranks.get(key.full_name, len(ranks)),
            -key.weight,
        ),
    )
    chosen: list[tuple[str, str]] = []
    text = _short(found, [])
    for key in ordered:
        group = "required" if _is_needed(key) else found.label(key)
        chosen.append((group, _brief(key)))
        longer = _short(found, chosen)
        if len(longer.encode()) > MAX_BYTES:
            break
        text = longer
    return text


def _short(found: KeyList, chosen: Sequence[tuple[str, str]]) -> str:
    """The list with some keys, each of a group and in words."""
    groups: dict[str, list[str]] = {}
    for group, brief in chosen:
        groups.setdefault(group, []).append(brief)
    lines = [found.heading]
    first = ("required", found.framework.title)
    for group in sorted(groups, key=lambda one: (one not in first, one != first[0], one)):
        lines.append(f"{group}: {' '.join(groups[group])}")
    missing = len(found.keys) - len(chosen)
    if missing:
        lines.append(f"{missing} more with --all. `cfglint explain KEY`: what one does.")
    return "\n".join(lines) + "\n"


def _is_needed(key: ListedKey) -> bool:
    """Whether every file must have a key."""
    return key.required and not key.section


def _brief(key: ListedKey) -> str:
    kind = _type(key.status.schema)
    shown = "" if key.default in (MISSING, None) else json.dumps(key.default, ensure_ascii=True)
    if len(shown) > _LONGEST_DEFAULT:
        shown = "…"
    is_plain = isinstance(key.default, str) and re.fullmatch(r"[\w./-]+", key.default)
    default = shown.strip('"') if is_plain else shown
    return key.name + (f":{kind}" if kind else "") + (f"={default}" if default else "")


def _type(schema: Schema | None) -> str:
    """The type in a word; empty if it does not determine the values."""
    words: dict[str, None] = {}
    for kind in () if schema is None else schema.kinds:
        base = re.split(r"[<:]", kind)[0]
        if schema is not None and base in schema.judge.of_choices and schema.choices:
            shown = [str(one) for one in schema.choices[:_MOST_CHOICES]]
            words.update(dict.fromkeys(shown + ["…"] * (len(schema.choices) > _MOST_CHOICES)))
        elif base not in ("null", "any"):
            words[_TYPES.get(base, base)] = None
    return "|".join(words)


def render_all(found: KeyList) -> str:
    """Every key with its values, its default and what it does, by group."""
    groups: dict[str, list[ListedKey]] = {}
    for key in found.keys:
        groups.setdefault(found.label(key), []).append(key)
    lines = [found.heading]
    for group, keys in groups.items():
        lines += ["", f"{group}:"]
        lines += [f"  {'. '.join(_parts(key))}" for key in keys]
    return "\n".join(lines) + "\n"


def _parts(key: ListedKey) -> Iterator[str]:
    """What a list of all keys has about one, in sentences without their full stops."""
    words = "" if key.status.schema is None else wanted_words(key.status.schema)
    yield key.name + (f": {words}" if words not in ("", "another value") else "")
    if key.required:
        yield "Required"
    if key.default is not MISSING:
        yield f"Default {json.dumps(key.default, ensure_ascii=True)}"
    if key.meaning:
        yield key.meaning.removesuffix(".")


def render_json(lists: Sequence[KeyList]) -> str:
    """One JSON object with all keys; ASCII only."""
    data = {
        "version": FORMAT_VERSION,
        "tool": {"name": "cfglint", "version": cfglint.__version__},
        "lists": [
            {
                "framework": one.framework.name,
                "kind": one.framework.kind,
                "title": one.title or one.framework.title,
                "only_with": one.only_with,
                "package": one.target.releases.package,
                "release": one.target.release,
                "from": one.target.release_origin,
                "keys": [_as_data(key) for key in one.keys],
            }
            for one in lists
        ],
    }
    return json_text(data) + "\n"


def _as_data(key: ListedKey) -> dict[str, Any]:
    schema, info = key.status.schema, key.status.info
    words = "" if schema is None else wanted_words(schema)
    row = {
        "name": key.full_name,
        "type": _type(schema),
        "accepts": "" if words == "another value" else words,
        "choices": list(schema.choices) if schema is not None and schema.offers() else [],
        "required": key.required,
        "plugin": key.status.plugin,
        "since": "" if info is None else info.since,
        "meaning": key.meaning,
    }
    return row if key.default is MISSING else {**row, "default": key.default}
