"""The keys of a release in a few words each, from keys made by hand."""

from __future__ import annotations

import json
from typing import Any

from cfglint.base.logic import MISSING
from cfglint.environment.building import build_environment
from cfglint.knowledge.keys.release_keys import KeyStatus, Schema
from cfglint.knowledge.keys.table import KeyInfo
from cfglint.report.pages.key_list import (
    MAX_BYTES,
    KeyList,
    ListedKey,
    keys_of,
    offering,
    render,
    render_all,
    render_json,
)
from cfglint.roles.framework import load_framework
from tests.draws import each

AXOLOTL = load_framework("axolotl")
TARGET = build_environment(AXOLOTL.releases, pins=("axolotl==0.18.0",))


def key(
    name: str,
    type_: str | None = "int",
    default: Any = MISSING,
    *,
    section: str = "",
    choices: tuple[Any, ...] = (),
    required: bool = False,
    meaning: str = "",
    weight: int = 0,
    plugin: str = "",
    since: str = "0.4.1",
    rename: str | None = None,
) -> ListedKey:
    info = KeyInfo(since, None, type_ or "", None, rename)
    schema = None if type_ is None else Schema(type_, choices, {})
    status = KeyStatus(info, not plugin, plugin, schema)
    return ListedKey(section, name, status, default, required, meaning, weight)


def listed(*keys: ListedKey, **fields: Any) -> KeyList:
    return KeyList(framework=AXOLOTL, target=TARGET, keys=keys, **{"only_with": "", **fields})


@each(
    ("one", "expected"),
    [
        (key("a"), "a:int"),
        (key("a", None), "a"),
        (key("a", "int|null"), "a:int"),
        (key("a", "float", 0.1), "a:num=0.1"),
        (key("a", "any", True), "a=true"),
        (key("a", "str", "x/y-1.0"), "a:text=x/y-1.0"),
        (key("a", "str", "x y"), 'a:text="x y"'),
        (key("a", "int", None), "a:int"),
        (key("a", "list<str>|null", []), "a:list=[]"),
        (key("a", "str", "x" * 22), "a:text=" + "x" * 22),
        (key("a", "str", "x" * 23), "a:text=…"),
        (key("a", "int|float"), "a:int|num"),
        (key("a", "literal", choices=("x", "y")), "a:x|y"),
        (key("a", "literal", choices=(*"wxyz",)), "a:w|x|y|z"),
        (key("a", "literal|bool", choices=(*"vwxyz",)), "a:v|w|x|y|…|bool"),
    ],
)
def test_a_key_in_a_word(one: ListedKey, expected: str) -> None:
    heading, row = render(listed(one)).splitlines()
    assert heading == "Axolotl (axolotl 0.18.0, --target): 1 keys"
    assert row == f"Axolotl: {expected}"


def test_groups_and_weights() -> None:
    found = listed(
        key("light"),
        key("inner", section="rows[]", required=True),
        key("heavy", weight=3),
        key("old", rename="heavy", weight=9),
        key("of_plugin", plugin="LigerPlugin"),
        key("must", required=True),
        only_with="rl: dpo",
        title="A class",
    )
    assert render(found).splitlines() == [
        "A class with rl: dpo (axolotl 0.18.0, --target): 6 keys",
        "required: must:int",
        "Axolotl: heavy:int light:int",
        "LigerPlugin: of_plugin:int",
        "rows[]: inner:int",
        "1 more with --all. `cfglint explain KEY`: what one does.",
    ]


def test_a_long_list_is_cut() -> None:
    found = listed(*(key(f"key_{n:04}", weight=n) for n in range(500)))
    text = render(found)
    assert MAX_BYTES - 20 < len(text.encode()) <= MAX_BYTES
    shown = text.count(":int")
    assert "key_0499" in text
    assert f"{500 - shown} more with --all." in text


def test_all() -> None:
    found = listed(
        key("a", "int", 1, meaning="What it does."),
        key("b", "any", None),
        key("c", None, required=True),
        key("d", "bool", section="rows[]"),
    )
    assert render_all(found).splitlines() == [
        "Axolotl (axolotl 0.18.0, --target): 4 keys",
        "",
        "Axolotl:",
        "  a: a whole number. Default 1. What it does",
        "  b. Default null",
        "  c. Required",
        "",
        "rows[]:",
        "  d: true or false",
    ]


def test_as_json() -> None:
    found = listed(
        key("a", "literal", "x", choices=("x", "y"), meaning="It."),
        key("b", "any", section="rows[]", required=True, plugin="P"),
    )
    (data,) = json.loads(render_json([found]))["lists"]
    keys = data.pop("keys")
    assert data == {
        "framework": "axolotl",
        "kind": "",
        "title": "Axolotl",
        "only_with": "",
        "package": "axolotl",
        "release": "0.18.0",
        "from": "--target",
    }
    assert keys == [
        {
            "name": "a",
            "type": "x|y",
            "accepts": "x, y",
            "choices": ["x", "y"],
            "required": False,
            "plugin": "",
            "since": "0.4.1",
            "meaning": "It.",
            "default": "x",
        },
        {
            "name": "rows[].b",
            "type": "",
            "accepts": "",
            "choices": [],
            "required": True,
            "plugin": "P",
            "since": "0.4.1",
            "meaning": "",
        },
    ]


def test_the_keys_of_a_release() -> None:
    found = {one.full_name: one for one in keys_of(AXOLOTL, TARGET)}
    assert found["base_model"].required
    assert not found["micro_batch_size"].required
    assert found["micro_batch_size"].default == 1
    assert found["liger_rope"].group == "LigerPlugin"
    assert found["datasets[].path"].group == "datasets[]"
    assert found["lora_r"].weight >= 3  # it has a meaning, and rules
    assert not any(one.name == "*" for one in found.values())
    # Keys of later releases are none of them.
    newest = build_environment(AXOLOTL.releases)
    later = {one.full_name for one in keys_of(AXOLOTL, newest)} - found.keys()
    assert later
    assert {one.section for one in keys_of(AXOLOTL, TARGET, "trl")} == {"trl"}


def test_the_key_that_offers_a_word() -> None:
    assert offering(AXOLOTL, TARGET, "orpo") == "`rl: orpo`"
    assert offering(AXOLOTL, TARGET, "nothing") == ""


def test_the_package_below() -> None:
    framework = load_framework("trl")
    target = build_environment(framework.releases, pins=("trl==0.20.0",))
    found = KeyList(framework=framework, target=target, only_with="", keys=())
    below = key("fp16", since="transformers 4.36.0")
    assert (below.package, below.group) == ("transformers", "transformers")
    assert found.label(below).startswith("transformers 4.")
    assert found.label(key("x")) == "TRL"
