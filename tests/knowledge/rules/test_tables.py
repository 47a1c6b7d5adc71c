"""The generated tables under ``rules/axolotl`` agree with themselves and with each other."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tests.draws import each

FOLDER = Path(__file__).parents[3] / "rules" / "axolotl"

HISTORIES = {
    "type": "types",
    "default": "defaults",
    "enum": "enums",
    "constraints": "constraints_history",
    "alias": "alias_history",
    "plugin": "plugin_history",
    "models": "models_history",
    "required": "required_history",
}
KEY_FIELDS = {
    "since",
    "removed",
    "absent",
    "deprecated",
    "coerced",
    "rename",
    "replaced_by",
    "alias_of",
    "alias_since",
    "coerced_history",
    "model_types",
    "model_types_history",
}
TYPE_WORD = re.compile(
    r"(any|bool|int|float|str|null|literal|(enum|model):\w+|ext:[\w.]+|list|dict|tuple)$"
)


def _json(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


TABLE: dict[str, Any] = _json("tables/axolotl.json")
KEYS: dict[str, dict[str, Any]] = TABLE["keys"]
RELEASES: list[str] = TABLE["releases"]
NEWEST = RELEASES[-1]
LIVE = {path for path, entry in KEYS.items() if "removed" not in entry}
PINS: dict[str, Any] = _json("releases.json")
MODELS: list[dict[str, Any]] = _json("../models.json")
ALIASES: list[dict[str, Any]] = yaml.safe_load((FOLDER / "aliases.yaml").read_text("utf-8"))


def _parent(path: str) -> str:
    return re.sub(r"(\[\]|\.\*)+$", "", path.rpartition(".")[0])


def _writable(path: str) -> bool:
    """A key of the newest release, or an entry of a mapping that nobody checks."""
    if path in LIVE:
        return True
    parent = _parent(path)
    return parent in LIVE and re.search(r"(^|\|)(any|dict<)", KEYS[parent]["type"]) is not None


def test_key_lines_are_sorted_and_single() -> None:
    lines = (FOLDER / "tables/axolotl.json").read_text(encoding="utf-8").splitlines()
    start = lines.index(' "keys": {')
    paths = [line.split('"')[1] for line in lines[start + 1 : -2]]
    assert paths == sorted(KEYS)
    assert list(TABLE["plugins"]) == sorted(TABLE["plugins"])
    assert list(TABLE["sections"]) == sorted(TABLE["sections"])


def test_releases_are_in_order() -> None:
    assert sorted(RELEASES, key=Version) == RELEASES
    assert "0.4.1" in RELEASES[:1]
    assert list(PINS["releases"]) == sorted(PINS["releases"], key=Version)
    assert PINS["newest"] == NEWEST
    assert set(RELEASES) == set(PINS["releases"])


def test_key_entries() -> None:
    for path, entry in KEYS.items():
        check_key_entry(path, entry)


def check_key_entry(path: str, entry: dict[str, Any]) -> None:
    assert set(entry) <= KEY_FIELDS | set(HISTORIES) | set(HISTORIES.values()), path
    spans = [entry["since"], *entry.get("absent", []), entry.get("removed", NEWEST)]
    numbers = [RELEASES.index(release) for release in spans]
    assert numbers == sorted(numbers), path
    assert entry.get("default", 0) is not None, path
    words = re.split(r"[|<>,]+", entry["type"].rstrip(">"))
    assert all(TYPE_WORD.match(word) for word in words), (path, entry["type"])
    for name, history in HISTORIES.items():
        if history in entry:
            changes = entry[history]
            assert changes[0][0] == entry["since"], path
            assert len(changes) > 1, path
            numbers = [RELEASES.index(release) for release, _ in changes]
            assert numbers == sorted(numbers), path
            if name == "type":
                assert changes[-1][1] == entry["type"], path
    parent = _parent(path)
    assert not parent or parent in KEYS, path
    assert entry.get("plugin") is None or entry["plugin"] in TABLE["plugins"], path


def test_what_differs_between_classes_or_releases() -> None:
    for path, entry in KEYS.items():
        assert all(TYPE_WORD.search(word) for word in entry.get("model_types", {}).values()), path
        known = [RELEASES.index(release) for release, _ in entry.get("coerced_history", ())]
        assert known == sorted(known), path


def test_default_is_one_of_the_listed_values() -> None:
    for path, entry in KEYS.items():
        closed = set(entry["type"].split("|")) <= {"literal", "null"}
        if closed and "default" in entry:
            assert entry["default"] in entry["enum"], path


def test_sections_belong_to_models() -> None:
    for path, entry in TABLE["sections"].items():
        if path:
            assert "model:" in str(KEYS[re.sub(r"(\[\]|\.\*)+$", "", path)]), path
        assert entry["since"] in RELEASES
        assert entry["forbids_unknown_since"] in [None, *RELEASES]


def test_renames_lead_somewhere() -> None:
    """A rename keeps the value, so old and new key have a kind of value in common."""
    renamed = {path: entry for path, entry in KEYS.items() if "rename" in entry}
    assert renamed
    for path, entry in renamed.items():
        target = entry["rename"]
        assert target != path
        assert _writable(target), path
        if target in LIVE:
            kinds = set(entry["type"].split("|")) & set(KEYS[target]["type"].split("|"))
            assert kinds - {"null"}, path


def test_replacements_say_every_value() -> None:
    for path, entry in KEYS.items():
        if "replaced_by" in entry:
            assert "rename" not in entry, path
            assert entry["replaced_by"]["to"] in LIVE, path
            # None: no value of the one key is one of the other.
            assert isinstance(entry["replaced_by"]["values"], dict), path


def test_aliases() -> None:
    for alias in ALIASES:
        names = alias["foreign"]
        for name in [names] if isinstance(names, str) else names:
            check_alias({**alias, "foreign": name})


def check_alias(alias: dict[str, Any]) -> None:
    fields = {"foreign", "from", "to", "value", "values", "unless", "advice", "confidence"}
    assert set(alias) <= fields, alias
    assert LIVE.issuperset(alias.get("unless", ())), alias
    assert alias["confidence"] in {"high", "medium", "low"}, alias
    if "to" not in alias:
        # Other keys that carry out the wish: the advice has to name them.
        other_place = {"by other keys", "a file of its own", "an option of the launcher"}
        assert alias.get("value") in {None, *other_place}, alias
        assert "value" not in alias or "advice" in alias, alias
    else:
        assert "value" in alias, alias
    # What an older release had and no release replaced needs no advice.
    assert "to" in alias or "advice" in alias or alias["from"] == "older releases", alias
    assert alias["foreign"] not in LIVE, alias
    parent, _, name = alias["foreign"].rpartition(".")
    spellings = {
        spelling
        for path in LIVE
        if path.rpartition(".")[0] == parent
        for spelling in KEYS[path].get("alias", [])
    }
    assert name not in spellings, alias
    if "to" in alias:
        assert _writable(alias["to"]), alias
    if "values" in alias:
        for value in alias["values"].values():
            if value is None:
                continue  # leaving the key out is all it asks for
            assert alias["value"] != "same", alias
            target = KEYS[alias["to"]]
            kinds = set(target["type"].split("|"))
            if isinstance(value, bool):
                assert kinds & {"bool", "any"}, alias
            else:
                assert "str" in kinds or value in target["enum"], alias


def test_aliases_are_sorted_and_single() -> None:
    names = [alias["foreign"] for alias in ALIASES if isinstance(alias["foreign"], str)]
    assert names == sorted(set(names))


@each("version", PINS["releases"])
def test_pins(version: str) -> None:
    entry = PINS["releases"][version]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", entry["date"])
    SpecifierSet(entry.get("python", ""))
    assert {"transformers", "trl", "peft", "accelerate"} <= set(entry["pins"])
    for specifier in entry["pins"].values():
        assert specifier
        SpecifierSet(specifier)


def test_dates_follow_versions() -> None:
    dates = [entry["date"] for entry in PINS["releases"].values()]
    assert dates == sorted(dates)


def test_every_model_example_finds_its_own_row() -> None:
    patterns = [re.compile(row["pattern"], re.IGNORECASE) for row in MODELS]
    for position, row in enumerate(MODELS):
        name = row["example"].rpartition("/")[2]
        first = next(i for i, pattern in enumerate(patterns) if pattern.search(name))
        assert first == position, row["example"]


def test_model_rows() -> None:
    templates = set(KEYS["chat_template"]["enum"])
    lines = (FOLDER.parent / "models.json").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(MODELS) + 2
    for row in MODELS:
        assert row["confidence"] in {"high", "medium", "low"}
        assert row.get("template") is None or row["template"] in templates
        assert row.get("active_b", 0) <= row.get("params_b", row.get("active_b", 0))
        assert all(isinstance(name, str) for name in row.get("decoder_layer", []))
        assert set(row.get("tokens", {})) in ({}, {"bos", "eos", "pad", "eos_chat"}) or not row.get(
            "tokens"
        )


def test_the_release_that_brought_a_model() -> None:
    """All models of a type came with one release, and the rules compare each of these releases."""
    of_types: dict[str, set[str | None]] = {}
    for row in MODELS:
        of_types.setdefault(row.get("model_type", ""), set()).add(row.get("transformers"))
    assert {name for name, found in of_types.items() if len(found) > 1} == set()
    releases = {one for found in of_types.values() for one in found if one is not None}
    shared = FOLDER.parent / "shared" / "environment" / "model-of-later-transformers.yaml"
    compared = re.findall(
        r"model\.transformers: \{eq: ([\d.]+)\}\}, \{target: \{transformers: <([\d.]+)",
        shared.read_text(encoding="utf-8"),
    )
    assert all(first == second for first, second in compared)
    assert {first for first, _ in compared} == releases
    own = FOLDER.parent / "llamafactory" / "arguments" / "model-beyond-accepted-transformers.yaml"
    text = own.read_text(encoding="utf-8")
    newest = max(releases, key=lambda one: tuple(map(int, one.split("."))))
    assert text.count(f"{newest}]") == text.count("target: {llamafactory: ==")
