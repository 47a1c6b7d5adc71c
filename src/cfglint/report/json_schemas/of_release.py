"""The keys of a release as JSON Schema, for editors and catalogues.

What the release's reader accepts is valid, and what it refuses is not. Unknown keys are
valid wherever the framework silently drops them, unless the schema is to be strict; `cfglint`
itself reports them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any
from cfglint.environment.building import build_environment
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.release_keys import KeyStatus, ReleaseKeys, Schema
from cfglint.report.json_schemas.of_values import type_words, value_schema
from cfglint.roles.framework import Framework

DRAFTS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "07": "http://json-schema.org/draft-07/schema#",
}
#: How many rules of a key are listed.
_MAX_RULES = 3


class SchemaOfRelease:
    """Makes the schema of one release of a framework.

    Args:
        draft: one of `DRAFTS`.
        strict: whether keys that the release silently drops are invalid, too.
    """

    def __init__(self, framework: Framework, release: str, draft: str, *, strict: bool) -> None:
        self._strict = strict
        self._framework = framework
        self._table = framework.keys
        self._keys: ReleaseKeys = framework.release_keys(release)
        self._release = release
        self._draft = draft
        self._defaults = _defaults(framework, release)
        self._rules = _rules(framework)
        self._known = set(self._table.sections())

    def document(self) -> dict[str, Any]:
        """The whole schema."""
        title = self._framework.title
        package = self._framework.releases.package
        top = self._mapping("")
        assert top is not None
        required = list(self._table.required())
        return {
            "$schema": DRAFTS[self._draft],
            "title": f"{title} {self._release}",
            "description": f"The config files that {title} reads, as {package} {self._release} accepts them.",
            "type": "object",
            **top,
            **({"required": required} if required else {}),
        }

    def _mapping(self, section: str) -> dict[str, Any] | None:
        """The keywords for a mapping whose keys are described; None for other mappings."""
        keys = self._keys.section(section)
        if keys is None:
            return None
        properties: dict[str, Any] = {}
        plugins: dict[str, dict[str, Any]] = {}
        for name in self._table.names(section):
            standing = keys[name]
            if standing.info is None or not (standing.ordinary or standing.plugin):
                continue
            values = self._values(section, name, standing)
            facts = self._facts(section, name, standing)
            if standing.plugin and values and standing.plugin != self._plugin_above(section):
                # The key is not read unless the plugin is listed, which only the level above can see.
                if not section:
                    plugins.setdefault(standing.plugin, {})[name] = values
                values = {}
            properties[name] = {**facts, **values}
        out: dict[str, Any] = {"properties": properties}
        forbidden = self._table.forbids_unknown_since(section)
        refuses = forbidden is not None and self._keys.released(forbidden)
        # Where any name is read, or a user chooses them, none is unknown.
        free = keys.takes_others or (not section and self._table.names_are_free)
        if (refuses or self._strict) and not free:
            out["additionalProperties"] = False
        wanted: dict[str, list[str]] = {}
        for name, plugin in self._keys.required(section):
            listed = not plugin or plugin == self._plugin_above(section)
            wanted.setdefault("" if listed else plugin, []).append(name)
        if "" in wanted:
            out["required"] = wanted[""]
        if plugins:
            out["allOf"] = [
                self._when_listed(plugin, rows, wanted.get(plugin, []))
                for plugin, rows in sorted(plugins.items())
            ]
        return out

    def _when_listed(self, plugin: str, rows: dict[str, Any], wanted: list[str]) -> dict[str, Any]:
        """The subschema that applies if the plugin of a class name is listed.

        Args:
            wanted: the keys that have to be there then.
        """
        key = self._framework.row["plugins_key"]
        listed = {"type": "array", "contains": {"type": "string", "pattern": f"(?:^|\\.){plugin}$"}}
        return {
            "if": {"properties": {key: listed}, "required": [key]},
            "then": {"properties": rows, **({"required": wanted} if wanted else {})},
        }

    def _values(self, section: str, name: str, standing: KeyStatus) -> dict[str, Any]:
        """The values that a key accepts, with the mappings below it."""
        place = full_key(section, name)
        if self._depends(section, place):
            return {}
        if section.startswith(self._keys.entry_classes.lists):
            several = [value_schema(one, self._draft) for one in self._of_classes(section, name)]
            distinct = [one for at, one in enumerate(several) if one not in several[:at]]
            if not distinct or {} in distinct:
                values: dict[str, Any] = {}
            else:
                values = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
        elif standing.schema is None:
            values = {}
        else:
            values = value_schema(standing.schema, self._draft)
        inner = self._mapping(place) if place in self._known else None
        if inner is not None:
            values = _with(values, "object", inner)
        items = self._mapping(f"{place}[]") if f"{place}[]" in self._known else None
        if items is not None:
            values = _with(values, "array", {"items": {"type": "object", **items}})
        chosen = self._mapping(f"{place}.*") if f"{place}.*" in self._known else None
        if chosen is not None:
            values = _with(values, "object", {"additionalProperties": {"type": "object", **chosen}})
        return values

    def _plugin_above(self, section: str) -> str:
        """The plugin that the top-level key of a section belongs to."""
        top = section.partition(".")[0].partition("[")[0]
        return self._keys.standing("", top).plugin if top else ""

    def _depends(self, section: str, place: str) -> bool:
        """Whether a key is only read with certain other settings: then nothing is refused."""
        for one in (section, place):
            when = self._table.read_when(one, self._keys.released)
            if when is None or when.has or when.has_not:
                return True
        return False

    def _of_classes(self, section: str, name: str) -> Iterator[Schema]:
        """The values that the possible classes of an entry accept for a key."""
        # Where the classes are not distinguished, the unnamed class accepts what any of them does.
        for model in self._table.models(section, name, self._keys.released) or ("",):
            schema = self._keys.schema_of_class(section, name, model)
            if schema is not None:
                yield schema

    def _facts(self, section: str, name: str, standing: KeyStatus) -> dict[str, Any]:
        """The description, default and deprecation of a key, as editors show them."""
        info = standing.info
        assert info is not None
        place = full_key(section, name)
        meaning = self._framework.knowledge.meaning(place)
        sentences = [meaning] if meaning else []
        words = type_words(standing.schema) if standing.schema is not None else ""
        if words:
            sentences.append(f"{words[0].upper()}{words[1:]}.")
        sentences.append(f"Since {info.since}.")
        if standing.plugin:
            sentences.append(f"Read when `plugins` lists {standing.plugin}.")
        out: dict[str, Any] = {}
        default = self._defaults.get((section, name), MISSING)
        if default is not MISSING:
            sentences.append(f"Default: {json.dumps(default)}.")
        outdated = self._outdated(standing)
        sentences += [outdated] if outdated else []
        sentences += self._rules.get(place, ())
        out["description"] = " ".join(sentences)
        if default is not MISSING:
            out["default"] = default
        if outdated:
            out["deprecated"] = True
            out["deprecationMessage"] = outdated
        return out

    def _outdated(self, standing: KeyStatus) -> str:
        """The replacement of a key, or the release that removes it; empty for one that stays."""
        info = standing.info
        assert info is not None
        if info.rename:
            return f"Deprecated: write {info.rename}."
        return f"Removed in {info.removed}." if info.removed else ""


def _with(values: dict[str, Any], kind: str, inner: dict[str, Any]) -> dict[str, Any]:
    """The values of a key with what is described of mappings or lists below it."""
    if not values:
        # Keywords for mappings and lists say nothing about other values.
        return dict(inner)
    parts = values.get("anyOf", [values])
    merged = []
    for part in parts:
        types = part.get("type", [])
        types = [types] if isinstance(types, str) else types
        merged.append({**part, **inner} if kind in types else part)
    return {"anyOf": merged} if len(merged) > 1 else merged[0]


def _defaults(framework: Framework, release: str) -> dict[tuple[str, str], Any]:
    """(section, key) -> default, where it is a plain value."""
    found: dict[tuple[str, str], Any] = {}
    releases = framework.releases
    reading = None
    if release in releases.versions:
        target = build_environment(releases, pins=(f"{releases.package}=={release}",))
        reading = framework.readings.reading(target)
    if reading is not None:
        fields = reading.fields()
        for section in framework.keys.sections():
            for name, field in fields.section(section).items():
                if field.default is not UNKNOWN:
                    found[section, name] = field.default
    elif release == releases.newest:
        # The table has the defaults of its newest release.
        for place, default in framework.keys.defaults.items():
            section, _, name = place.rpartition(".")
            found[section, name] = default
    return {
        place: value
        for place, value in found.items()
        if value is not MISSING and value is not None and value != "<computed>"
    }


def _rules(framework: Framework) -> dict[str, list[str]]:
    """Key -> what the rules that carry their finding there are about."""
    knowledge = framework.knowledge
    found: dict[str, list[str]] = {}
    for rule in knowledge.all_rules():
        if rule.at and rule.severity != "note" and rule.check is None:
            place = ".".join(rule.at[0]).replace(".[]", "[]")
            rows = found.setdefault(place, [])
            if len(rows) < _MAX_RULES:
                rows.append(f"{rule.code}: {knowledge.details(rule.code).summary}.")
    return found
