"""Compiles `rules/` into the Python modules that a run loads.

Runs when the package is built and, in a checkout, whenever a rule file has changed. The output
is plain literals: importing a module of constants is the fastest way to have them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cfglint.compiling import derivations as derivation_tables
from cfglint.compiling import frameworks
from cfglint.compiling.loading import RuleFile, load_derivations, load_rules, parse_yaml
from cfglint.compiling.made_by_rewrites import Makers
from cfglint.compiling.masks import ReleaseTable, compiled_condition
from cfglint.compiling.model import CommitRange, DerivationModel, EditAction, RuleModel
from cfglint.compiling.necessary import DerivedFrom, necessary
from cfglint.framework import CheckSource, framework_class
from cfglint.freezing import frozen
from cfglint.releases.table import module_name
from cfglint.rules.conditions import parse_condition, parse_path
from cfglint.rules.index import candidates
from cfglint.rules.index.triggers import Tokens, is_true

#: Checks that are no function on a document: the engine fires their rules where the case arises.
ENGINE_CHECKS = frozenset({"reading", "suppressions", "engine", "sweep"})
_SCHEMA_PARTS = (
    "types",
    "enum",
    "enums",
    "constraints",
    "constraints_history",
    "coerced",
    "coerced_history",
    "models",
    "models_history",
    "model_types",
    "model_types_history",
    "auto",
    "auto_history",
)
_READ_PARTS = ("read_since", "when", "when_history", "when_not", "when_not_history")
_FIELD_PARTS = (
    *("since", "removed", "absent", "alias", "alias_history", "alias_of", "alias_since"),
    *("type", "types", "default", "defaults", "enum", "enums"),
    *("plugin", "plugin_history", "models", "models_history"),
    *("model_types", "model_types_history"),
)
_HEADER = '"""Generated from `rules/` by `cfglint.compiling.modules`; do not edit."""\n\n'


def build(folder: Path) -> dict[str, str]:
    """Compile a rules folder: module file name -> source.

    Raises:
        RuleFileError: a rule file is malformed.
    """
    files = load_rules(folder)
    homes = [folder / name for name in framework_folders(folder)]
    out = {"__init__.py": _HEADER}
    words: dict[str, Any] = {}
    details: dict[str, Any] = {}
    for file in files:
        words[file.rule.code] = compiled_words(file.rule)
        details[file.rule.code] = compiled_details(file.rule)
    for home in homes:
        if is_checked(home):
            out.update(_framework_modules(home, files))
    out["frameworks.py"] = _module(**frameworks.compiled(folder, homes))
    out["models.py"] = _module(MODELS=_models(folder / "models.json"))
    out["hardware.py"] = _module(GPUS=_read(folder / "hardware.yaml")["gpus"])
    out["words.py"] = _module(WORDS=words)
    out["details.py"] = _module(DETAILS=details)
    return out


def _framework_modules(home: Path, files: list[RuleFile]) -> dict[str, str]:
    """The modules of one framework. What its folder does not have is empty."""
    name = home.name
    framework = framework_class(name)
    package = frameworks.described(home)["packages"][0]
    releases = ReleaseTable.read(home / "releases.json", package)
    derivations = _derivations(home)
    derived = {key: value.needs for key, value in framework.derived_values.items()}
    own = [file for file in files if file.rule.framework in ("any", name)]
    makers = Makers(derivations, derived)
    needed = [
        _needed(rule, makers, derived, framework.checks)
        if rule.check not in ENGINE_CHECKS
        else None
        for rule, _ in own
    ]
    needed += derivation_tables.needed(derivations, makers, derived)
    table = _table(home, package)
    return {
        f"{name}_rules.py": _module(
            RULES=tuple(compiled_rule(file.rule, releases) for file in own),
            DERIVATIONS=derivation_tables.compiled(derivations, "late", releases),
            LOOKUP=candidates.plan(needed),
        ),
        f"{name}_effective.py": _module(
            FIELDS=_fields(table),
            DERIVATIONS=derivation_tables.compiled(derivations, "effective", releases),
        ),
        f"{module_name(package)}_releases.py": _module(**releases.tables()),
        **_history_module(home, package, releases),
        f"{name}_keys.py": _module(**_key_tables(table, _optional(home / "reactions.yaml"))),
        f"{name}_aliases.py": _module(ALIASES=_aliases(home / "aliases.yaml")),
    }


def framework_folders(folder: Path) -> list[str]:
    """The frameworks: every folder of rules that describes one."""
    return sorted(path.parent.name for path in folder.glob("*/framework.yaml"))


def is_checked(home: Path) -> bool:
    """Whether a framework's files are checked; of others only the marks are known."""
    return frameworks.has_package(home.name)


def _derivations(home: Path) -> list[DerivationModel]:
    path = home / "derivations.yaml"
    return load_derivations(path) if path.is_file() else []


def _table(home: Path, package: str) -> dict[str, Any]:
    """The key history of a package."""
    data: dict[str, Any] = _read(home / "tables" / f"{package}.json")
    return data


def _optional(path: Path) -> Any:
    return _read(path) if path.is_file() else []


def _module(**constants: Any) -> str:
    parts = [f"{name} = {_literal(value)}\n" for name, value in constants.items()]
    return _HEADER + "\n".join(parts)


def _literal(value: Any) -> str:
    """The value in Python's notation, the members of a large collection on lines of their own."""
    if isinstance(value, dict) and len(value) > 1:
        return "{\n" + "".join(f"{key!r}: {part!r},\n" for key, part in value.items()) + "}"
    if isinstance(value, tuple) and len(value) > 1:
        return "(\n" + "".join(f"{part!r},\n" for part in value) + ")"
    return repr(value)


def compiled_rule(rule: RuleModel, releases: ReleaseTable) -> tuple[Any, ...]:
    """The fields of a `Rule`."""
    applies = {}
    for package, spec in rule.applies.items():
        if isinstance(spec, CommitRange):
            mask = releases.masks(package, spec.spec)
            applies[package] = (spec.spec, 0, mask.yes | mask.maybe, tuple(spec.commits))
        else:
            applies[package] = (spec, *releases.masks(package, spec), ())
    return (
        rule.code,
        rule.name,
        rule.framework,
        rule.severity,
        rule.confidence,
        rule.bites,
        rule.upstream,
        tuple((package, *row) for package, row in applies.items()),
        compiled_condition(rule.when, releases),
        rule.check,
        parse_path(rule.each) if rule.each is not None else None,
        rule.view,
        tuple(parse_path(path) for path in rule.at),
        tuple(parse_path(part.path) for part in rule.related),
        rule.if_undecided is not None,
        tuple(
            (fix.title, fix.safety, tuple(_action(edit, rule) for edit in fix.edits))
            for fix in rule.fix
        ),
    )


def _action(edit: EditAction, rule: RuleModel) -> tuple[Any, ...]:
    if edit.delete is not None:
        return ("delete", parse_path(edit.delete))
    pairs = edit.set if edit.set is not None else edit.rename
    assert pairs is not None
    if len(pairs) != 1:
        raise ValueError(f"{rule.code}: one key an edit")
    ((path, value),) = pairs.items()
    if edit.set is not None:
        return ("set", parse_path(path), value)
    return ("rename", parse_path(path), parse_path(value))


def compiled_words(rule: RuleModel) -> tuple[Any, ...]:
    """The fields of its `Words`."""
    return (
        _one_line(rule.message),
        _one_line(rule.cost),
        _one_line(rule.if_undecided or ""),
        tuple(_one_line(part.note) for part in rule.related),
    )


def compiled_details(rule: RuleModel) -> tuple[Any, ...]:
    """The fields of its `Details`."""
    return (
        rule.summary,
        rule.why.strip(),
        tuple((part.kind, part.title, part.url) for part in rule.references),
        tuple(
            (package, spec.spec if isinstance(spec, CommitRange) else spec)
            for package, spec in rule.applies.items()
        ),
        tuple(example.model_dump(exclude_defaults=True) for example in rule.examples),
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _needed(
    rule: RuleModel, makers: Makers, derived: DerivedFrom, checks: Mapping[str, CheckSource]
) -> list[Tokens]:
    """The sets of tokens of each of which a file has one when the rule fires."""
    if rule.check is not None:
        source = checks.get(rule.check)
        return [source.needs] if source is not None and source.needs else []
    if rule.when is None or rule.view == "effective":
        return []
    each = parse_path(rule.each)[0] if rule.each is not None else None
    sets = necessary(parse_condition(rule.when), derived, each)
    if each is not None:
        sets.append(frozenset({is_true(each)}))
    return sets if rule.view == "raw" else makers.expand(sets)


def _fields(data: dict[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """Section -> key -> what the schema of each release says about it."""
    sections: dict[str, dict[str, dict[str, Any]]] = {}
    for key, info in data["keys"].items():
        section, _, name = key.rpartition(".")
        kept = {part: info[part] for part in _FIELD_PARTS if part in info}
        sections.setdefault(section, {})[name] = kept
    return sections


def _key_tables(data: dict[str, Any], reactions: list[dict[str, Any]]) -> dict[str, Any]:
    """Sections of keys: section path -> key -> (since, removed, type, plugin, rename)."""
    plugins = list(data["plugins"])
    sections: dict[str, dict[str, Any]] = {}
    for key, info in data["keys"].items():
        section, _, name = key.rpartition(".")
        plugin = info.get("plugin")
        sections.setdefault(section, {})[name] = (
            info["since"],
            info.get("removed"),
            info["type"],
            plugins.index(plugin) if plugin is not None else -1,
            info.get("rename") or info.get("replaced_by", {}).get("to"),
        )
        for alias in info.get("alias", ()):
            alias_name = alias.rpartition(".")[2]
            since = _alias_since(info, alias)
            sections[section].setdefault(alias_name, (since, *sections[section][name][1:]))
    defaults = {
        key: info["default"]
        for key, info in data["keys"].items()
        if "." not in key
        and "plugin" not in info
        and "removed" not in info
        and isinstance(info.get("default"), (bool, int, float, str))
        and info["default"] != "<required>"
    }
    forbidden = {
        section: info["forbids_unknown_since"]
        for section, info in data.get("sections", {}).items()
        if info.get("forbids_unknown_since")
    }
    builtin = {
        name: info["builtin_since"]
        for name, info in data["plugins"].items()
        if info.get("builtin_since")
    }
    return {
        "SECTIONS": sections,
        "PLUGINS": tuple(plugins),
        "BUILTIN_PLUGINS": builtin,
        "FORBIDS_UNKNOWN": forbidden,
        "DEFAULTS": defaults,
        "REQUIRED": tuple(
            key
            for key, info in data["keys"].items()
            if info.get("required") and "." not in key and "plugin" not in info
        ),
        "REQUIRED_INSIDE": _required_inside(data["keys"]),
        "SCHEMAS": _schemas(data["keys"]),
        "SECTION_SINCE": {name: info["since"] for name, info in data["sections"].items()},
        "SECTION_REMOVED": {
            name: info["removed"] for name, info in data["sections"].items() if info.get("removed")
        },
        "READERS": {
            name: tuple(map(tuple, info["readers"]))
            for name, info in data["sections"].items()
            if info.get("readers")
        },
        "ABSENT": {
            key: tuple(info["absent"]) for key, info in data["keys"].items() if "absent" in info
        },
        "READ_WHEN": {
            place: {part: info[part] for part in _READ_PARTS if part in info}
            for place, info in [*data["sections"].items(), *data["keys"].items()]
            if any(part in info for part in _READ_PARTS)
        },
        "REACTIONS": {
            row["key"]: (row["since"], row["reaction"], row["when"] == "truthy")
            for row in reactions
        },
    }


def _alias_since(info: dict[str, Any], alias: str) -> str:
    """The release from which a key may be written under another name."""
    history = info.get("alias_history", [[info["since"], [alias]]])
    return next(str(since) for since, names in history if alias in names)


def _schemas(keys: dict[str, Any]) -> dict[str, Any]:
    """What the type alone does not tell about the values of a key, for its other spellings, too."""
    schemas: dict[str, Any] = {}
    for key, info in keys.items():
        extra = {part: info[part] for part in _SCHEMA_PARTS if part in info}
        if extra:
            schemas[key] = extra
            section = key.rpartition(".")[0]
            for alias in info.get("alias", ()):
                name = alias.rpartition(".")[2]
                schemas.setdefault(f"{section}.{name}" if section else name, extra)
    return schemas


def _required_inside(keys: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Section -> the keys that it must have: below the top level, and those of plugins."""
    sections: dict[str, list[str]] = {}
    for key, info in keys.items():
        if info.get("required") and ("." in key or "plugin" in info):
            section, _, name = key.rpartition(".")
            sections.setdefault(section, []).append(name)
    return {section: tuple(names) for section, names in sections.items()}


def _history_module(home: Path, package: str, releases: ReleaseTable) -> dict[str, str]:
    """Commits, oldest first, and what is known of each release's place and images."""
    path = home / "history.json"
    if not path.is_file():
        return {}
    data = _read(path)
    tables = {
        "COMMITS": "\n".join(data["commits"]),
        "RELEASES": {
            version: (entry["commit"], entry["base"]) for version, entry in data["releases"].items()
        },
        "IMAGES": {
            version: {name: tuple(row) for name, row in entry.get("images", {}).items()}
            for version, entry in data["releases"].items()
        },
        "BARE_TAGS": tuple(v for v, entry in data["releases"].items() if entry.get("bare")),
        "DATES": releases.dates(),
        "PYTHONS": releases.pythons(),
    }
    return {f"{module_name(package)}_history.py": _module(**tables)}


def _aliases(path: Path) -> dict[str, tuple[Any, ...]]:
    """Foreign key -> (from, to, value, values, advice)."""
    out: dict[str, tuple[Any, ...]] = {}
    for entry in _optional(path):
        out.setdefault(
            entry["foreign"],
            (
                entry["from"],
                entry.get("to"),
                entry.get("value", ""),
                entry.get("values", {}),
                entry.get("advice", ""),
            ),
        )
    return out


def _models(path: Path) -> tuple[tuple[tuple[str, ...], str, tuple[Any, ...]], ...]:
    """Rows of (what the name may start with, its pattern, what is known as constants).

    The pattern is empty when the start says it all.
    """
    data = _read(path)
    rows = data["models"] if isinstance(data, dict) else data
    starts = [_literal_starts(row["pattern"]) for row in rows]
    return tuple(
        (
            start,
            ""
            if row["pattern"] == "^" + re.escape(start[0]).replace("\\-", "-")
            else row["pattern"],
            frozen({key: value for key, value in row.items() if value is not None}),
        )
        for row, start in zip(rows, starts, strict=True)
    )


def _literal_starts(pattern: str) -> tuple[str, ...]:
    """What the matches of an anchored pattern start with, in lower case; ("",) if that is open."""
    choices = re.split(r"\|\^", pattern.removeprefix("^"))
    if not pattern.startswith("^") or any("|" in _without_groups(one) for one in choices):
        return ("",)
    return tuple(dict.fromkeys(start for one in choices for start in _starts(one)))


def _without_groups(pattern: str) -> str:
    while (shorter := re.sub(r"\((?:[^()\\]|\\.)*\)", "", pattern)) != pattern:
        pattern = shorter
    return pattern


def _starts(pattern: str) -> list[str]:
    """The literal starts of a pattern that may begin with a group of literal choices."""
    match = re.match(r"\(((?:[\w.|-]|\\[.])+)\)(\??)", pattern)
    if match is None:
        return [_literal_start(pattern)]
    rest = pattern[match.end() :]
    if rest[:1] in ("*", "{", "+"):
        return [""]
    ahead = [choice.replace("\\.", ".").lower() for choice in match[1].split("|")]
    if any("." in choice.replace("\\.", "") for choice in match[1].split("|")):
        return [""]  # a full stop without a backslash is any character
    after = _literal_start(rest)
    return [one + after for one in ([*ahead, ""] if match[2] else ahead)]


def _literal_start(pattern: str) -> str:
    match = re.match(r"((?:[\w-]|\\[.])*)(.?)", pattern)
    assert match is not None
    start, following = match.groups()
    if following in ("?", "*", "{"):
        start = start.removesuffix("\\.") if start.endswith("\\.") else start[:-1]
    return start.replace("\\.", ".").lower()


def _read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    data = json.loads(text) if path.suffix == ".json" else parse_yaml(text)
    if isinstance(data, dict) and set(data) == {"aliases"}:
        return data["aliases"]
    return data
