"""Compiles `rules/` into the Python modules that a run loads.

Runs when the package is built and, in a checkout, whenever a rule file has changed. The output
is plain literals: importing a module of constants is the fastest way to have them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cfglint.base.packing import pack
from cfglint.knowledge.compiling import derivations as derivation_tables
from cfglint.knowledge.compiling import frameworks, symptoms
from cfglint.knowledge.compiling.aliases import aliases, from_concepts
from cfglint.knowledge.compiling.bases import load_bases
from cfglint.knowledge.compiling.bounds import bounds_table
from cfglint.knowledge.compiling.classes import class_tables
from cfglint.knowledge.compiling.concepts import Concepts, load_concepts
from cfglint.knowledge.compiling.data_tables import data_tables
from cfglint.knowledge.compiling.derivation_model import DerivationModel
from cfglint.knowledge.compiling.families import family_titles
from cfglint.knowledge.compiling.files import parse_yaml
from cfglint.knowledge.compiling.imports_table import imports_table
from cfglint.knowledge.compiling.key_tables import (
    fields,
    key_tables,
    named_keys,
    older_names,
    with_below,
)
from cfglint.knowledge.compiling.loading import (
    RuleFile,
    adapted,
    load_derivations,
    load_rules,
    load_shared,
)
from cfglint.knowledge.compiling.made_by_rewrites import Makers
from cfglint.knowledge.compiling.masks import ReleaseTable
from cfglint.knowledge.compiling.meanings import meanings
from cfglint.knowledge.compiling.model import RuleModel
from cfglint.knowledge.compiling.models import models, shapes
from cfglint.knowledge.compiling.names_tables import names_tables
from cfglint.knowledge.compiling.necessary import KeysBehind, necessary
from cfglint.knowledge.compiling.pythons import python_floors
from cfglint.knowledge.compiling.rules import compiled_rule
from cfglint.knowledge.compiling.texts import (
    compiled_words,
    details_of,
    shared_tables,
)
from cfglint.knowledge.releases.table import module_name
from cfglint.knowledge.rules.conditions import parse_condition, parse_path
from cfglint.knowledge.rules.index import candidates
from cfglint.knowledge.rules.index.triggers import Tokens, is_true
from cfglint.roles.framework import framework_class
from cfglint.roles.parts import CheckSource

#: Checks that are not a function of a document: the engine fires their rules where the case arises.
ENGINE_CHECKS = frozenset({"reading", "suppressions", "engine", "sweep"})
_HEADER = '"""Generated from `rules/` by `cfglint.knowledge.compiling.modules`; do not edit."""\n\n'


def build(folder: Path) -> dict[str, str]:
    """Compile a rules folder: module file name -> source.

    Raises:
        RuleFileError: a rule file is malformed.
    """
    files = load_rules(folder)
    homes = [folder / name for name in framework_folders(folder)]
    out = {"__init__.py": _HEADER}
    concepts = load_concepts(folder)
    titles = {home.name: str(frameworks.described(home)["title"]) for home in homes}
    for home in homes:
        if is_checked(home):
            out.update(_framework_modules(home, files))
            out.update(_alias_modules(home, concepts, titles))
    out["frameworks.py"] = _module(**frameworks.compiled(folder, homes))
    out["models.py"] = _module(MODELS=models(_read(folder / "models.json")))
    out["shapes.py"] = _module(SHAPES=shapes(_optional(folder / "shapes.yaml")))
    out["measured.py"] = _module(RUNS=_runs(folder / "measured.json"))
    out["hardware.py"] = _module(GPUS=_gpus(_read(folder / "hardware.yaml")))
    out["pythons.py"] = _module(FLOORS=python_floors(folder, homes))
    out["bounds.py"] = _module(**bounds_table(folder / "bounds.json"))
    out["upstream.py"] = _module(**_upstream(folder / "upstream.json"))
    tables = names_tables(folder, homes)
    out.update({name: _module(**constants) for name, constants in tables.items()})
    out["successors.py"] = _module(SENTENCES=_optional(folder / "successors.yaml"))
    out["imports.py"] = _module(**imports_table(folder / "imports.json"))
    out["families.py"] = _module(FAMILIES=family_titles(folder, homes, files))
    out["symptoms.py"] = _module(**symptoms.compiled(folder, files))
    out["bases.py"] = _module(BASES=load_bases(folder))
    out["shared.py"] = _module(**shared_tables(files, load_shared(folder), homes))
    details, other_details = details_of(files)
    out["details.py"] = _module(DETAILS=details, OTHERWISE=other_details)
    return out


def _runs(path: Path) -> list[dict[str, Any]]:
    """Runs whose memory was measured."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def _upstream(path: Path) -> dict[str, Any]:
    """The truncated names of git's blobs for the files that projects have published, by project."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    files = {title: base64.b64decode(row) for title, row in rows.items()}
    return {"BYTES": 6, "FILES": files}


def _framework_modules(home: Path, files: list[RuleFile]) -> dict[str, str]:
    """The modules of one framework. What its folder does not have is empty."""
    name = home.name
    framework = framework_class(name)
    row = frameworks.described(home)
    package = row["packages"][0]
    releases = ReleaseTable.read(home / "releases.json", package)
    derivations = _derivations(home / "derivations.yaml")
    derived = {key: value.needs for key, value in framework.role("readings").derived_values.items()}
    every = [adapted(file.rule, name) for file in files if file.rule.framework in ("any", name)]
    own = [rule for rule in every if rule.migration != "only"]
    behind = KeysBehind(derived, row["plugins_key"])
    makers = Makers(derivations, behind)
    needed = [
        _needed(rule, makers, behind, framework.checks) if rule.check not in ENGINE_CHECKS else None
        for rule in own
    ]
    needed += derivation_tables.needed(derivations, makers, behind)
    table, others = key_histories(home, package)
    return {
        f"{name}_rules.py": _module(
            RULES=tuple(pack(compiled_rule(rule, releases).to_row()) for rule in own),
            **_groups(own),
            DERIVATIONS=derivation_tables.compiled(derivations, "late", releases),
            LOOKUP=candidates.plan(needed),
        ),
        f"{name}_words.py": _module(
            WORDS={rule.code: pack(compiled_words(rule)) for rule in every}
        ),
        f"{name}_migrations.py": _module(
            RULES=tuple(
                pack(compiled_rule(rule, releases).to_row())
                for rule in every
                if rule.migration == "only"
            ),
            OLDER_NAMES=older_names(table),
        ),
        **_effective_modules(
            home, package, derivation_tables.compiled(derivations, "effective", releases), releases
        ),
        f"{module_name(package)}_releases.py": _module(**releases.tables()),
        **_history_module(home, package, releases),
        f"{name}_keys.py": _module(**key_tables(table, _optional(home / "reactions.yaml"))),
        **{
            f"{name}_{kind}_keys.py": _module(**key_tables(one, _optional(home / "reactions.yaml")))
            for kind, one in others.items()
        },
        **_below_module(home, name, table, others),
        f"{name}_meanings.py": _module(MEANINGS=meanings(home, [table, *others.values()])),
        **_data_module(home),
        **_class_module(home, row),
    }


def framework_folders(folder: Path) -> list[str]:
    """The frameworks: every folder of rules that describes one."""
    return sorted(path.parent.name for path in folder.glob("*/framework.yaml"))


def is_checked(home: Path) -> bool:
    """Whether a framework's files are checked; of others only the marks are known."""
    return frameworks.has_package(home.name)


def _derivations(path: Path) -> list[DerivationModel]:
    return load_derivations(path) if path.is_file() else []


def key_histories(home: Path, package: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The key history of a package, and those of each kind of its files."""
    row = frameworks.described(home)
    read = {name: _read(home / "tables" / f"{name}.json") for name in (package, *row["kinds"])}
    if row["below"]:
        below = _read(home / "tables" / f"{row['below']}.json")
        read = {name: with_below(data, below, row["below"]) for name, data in read.items()}
    return read.pop(package), read


def _below_module(
    home: Path, name: str, table: dict[str, Any], kinds: dict[str, dict[str, Any]]
) -> dict[str, str]:
    """The releases of the package below a framework, and which of them was current when each of its own came out.

    `KINDS` tells of each key that not all kinds of files have which ones do.
    """
    package = frameworks.described(home)["below"]
    if not package:
        return {}
    releases = tuple(_read(home / "tables" / f"{package}.json")["releases"])
    having = {
        key: frozenset(kind for kind, one in kinds.items() if key in one["keys"])
        for key in table["keys"]
    }
    telling = {key: found for key, found in having.items() if 0 < len(found) < len(kinds)}
    constants = _module(PACKAGE=package, RELEASES=releases, BESIDE=table["beside"], KINDS=telling)
    return {f"{name}_below.py": constants}


def _effective_modules(
    home: Path, package: str, rewrites: tuple[Any, ...], releases: ReleaseTable
) -> dict[str, str]:
    """What `effective` needs: the fields of each kind of files, and the rewrites.

    A kind has the rewrites of the framework unless it has a file of its own (`v1-derivations.yaml`).
    """
    name, row = home.name, frameworks.described(home)
    own = {kind: _read(home / "tables" / f"{kind}.json") for kind in (package, *row["kinds"])}
    folder, _, lower = row["arguments_of"].partition("/")
    more: dict[str, Any] = {}
    if lower:
        data = _read(home.parent / folder / "tables" / f"{lower}.json")
        below = named_keys(data, lower)
        classes = own[package]["classes"]
        owned = frozenset(key for keys in classes.values() for key in keys)
        # Its other kinds of files have no arguments of that package.
        keys = {key: info for key, info in own[package]["keys"].items() if key in owned}
        tables = {kind: fields(own[kind]["keys"]) for kind in row["kinds"]}
        tables[package] = fields(below, keys)
        more = {
            "RELEASES": tuple(data["releases"]),
            "BESIDE": own[package]["beside"],
            "CLASSES": classes,
        }
    elif row["below"]:
        below = named_keys(_read(home / "tables" / f"{row['below']}.json"), row["below"])
        tables = {kind: fields(one["keys"], below) for kind, one in own.items()}
    else:
        tables = {kind: fields(one["keys"]) for kind, one in own.items()}
    modules = {
        f"{name}_effective.py": _module(FIELDS=tables.pop(package), DERIVATIONS=rewrites, **more)
    }
    for kind, one in tables.items():
        path = home / f"{kind}-derivations.yaml"
        its_own = derivation_tables.compiled(_derivations(path), "effective", releases)
        more = {"DERIVATIONS": its_own} if path.is_file() else {}
        modules[f"{name}_{kind}_fields.py"] = _module(FIELDS=one, **more)
    return modules


def _data_module(home: Path) -> dict[str, str]:
    constants = data_tables(home)
    return {f"{home.name}_data.py": _module(**constants)} if constants else {}


def _class_module(home: Path, row: dict[str, Any]) -> dict[str, str]:
    constants = class_tables(home, row["packages"], row["below"])
    return {f"{home.name}_classes.py": _module(**constants)} if constants else {}


def _optional(path: Path) -> Any:
    return _read(path) if path.is_file() else []


def _module(**constants: Any) -> str:
    parts = [f"{name} = {_literal(value)}\n" for name, value in constants.items()]
    return _HEADER + "\n".join(parts)


def _literal(value: Any) -> str:
    """The value in Python's notation, the members of a collection on lines of their own."""
    if isinstance(value, dict):
        return "{\n" + "".join(f"{key!r}: {part!r},\n" for key, part in value.items()) + "}"
    if isinstance(value, tuple):
        return "(\n" + "".join(f"{part!r},\n" for part in value) + ")"
    return repr(value)


def _groups(rules: list[RuleModel]) -> dict[str, Any]:
    """Rules that a run looks for other than by what a file has, each as a bit of its number."""
    checks: dict[str, int] = {}
    edges: dict[str, int] = {}
    families: dict[str, int] = {}
    for number, rule in enumerate(rules):
        prefix = rule.code.rstrip("0123456789")
        for groups, name in ((checks, rule.check), (edges, rule.edge), (families, prefix)):
            if name is not None:
                groups[name] = groups.get(name, 0) | 1 << number
    renamed = {former: rule.code for rule in rules for former in rule.formerly}
    labels = {rule.name: (number, rule.code) for number, rule in enumerate(rules)}
    return {
        "CHECKS": checks,
        "EDGES": edges,
        "FAMILIES": families,
        "RENAMED": renamed,
        # Hundreds of texts that few runs ask for.
        "LABELS": pack(labels),
    }


def _needed(
    rule: RuleModel, makers: Makers, behind: KeysBehind, checks: Mapping[str, CheckSource]
) -> list[Tokens]:
    """The sets of tokens of each of which a file has one when the rule fires."""
    if rule.check is not None:
        source = checks.get(rule.check)
        return [source.needs] if source is not None and source.needs else []
    if rule.when is None or rule.view == "effective":
        return []
    each = parse_path(rule.each)[0] if rule.each is not None else None
    sets = necessary(parse_condition(rule.when), behind, each)
    if each is not None:
        sets.append(frozenset({is_true(each)}))
    return sets if rule.view == "raw" else makers.expand(sets)


def _history_module(home: Path, package: str, releases: ReleaseTable) -> dict[str, str]:
    """Commits, oldest first, each release's place and images, and the builds that came to an end."""
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
        "ENDED": data.get("ended", {}),
        "BARE_TAGS": tuple(v for v, entry in data["releases"].items() if entry.get("bare")),
        "DATES": releases.dates(),
        "PYTHONS": releases.pythons(),
    }
    return {f"{module_name(package)}_history.py": _module(**tables)}


def _alias_modules(home: Path, concepts: Concepts, titles: Mapping[str, str]) -> dict[str, str]:
    """The keys of other tools, for each kind of files that has a list of its own."""
    name, package = home.name, frameworks.described(home)["packages"][0]
    table, others = key_histories(home, package)
    known = {key for one in (table, *others.values()) for key in one["keys"]}
    derived = from_concepts(concepts, name, titles, known)
    own = aliases(_optional(home / "aliases.yaml"), derived)
    kinds = {kind: home / f"{kind}-aliases.yaml" for kind in others}
    return {
        f"{name}_aliases.py": _module(ALIASES=own),
        **{
            f"{name}_{kind}_aliases.py": _module(ALIASES=aliases(_optional(path), {}))
            for kind, path in kinds.items()
            if path.is_file()
        },
    }


def _read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    data = json.loads(text) if path.suffix == ".json" else parse_yaml(text)
    if isinstance(data, dict) and set(data) == {"aliases"}:
        return data["aliases"]
    return data


def _gpus(makers: dict[str, dict[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The GPUs of all makers by name."""
    return {
        name: {"vendor": vendor, "also": (), **row}
        for vendor, rows in makers.items()
        for name, row in rows.items()
    }
