"""What each kind of item in a `defaults:` list lays over a config."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.frameworks.verl.defaults_lists import (
    Composition,
    ConfigFile,
    NotComposed,
    ParentMissing,
)
from tests.draws import each

PARTS: dict[str, Any] = {
    "base": {"a": 1, "list": [1, 2], "in": {"x": 1, "y": 2}},
    "other": {"a": 2},
    "empty": None,
    "data/small": {"size": 1},
    "data/large": {"size": 9, "more": True},
    "data/nested": {"defaults": ["small", "/other@there"], "own": 1},
    "model/inner/deep": {"d": 1},
    "model/inner/user": {"defaults": ["../top", "deep@here"]},
    "model/top": {"t": 1},
    "typed": {"typed": 1},
}


def composition(
    main: Any, chosen: dict[str, Any] | None = None, texts: dict[str, str] | None = None
) -> Composition:
    """A config with these files around it."""
    files = {**PARTS, "main": main}

    def load(name: str) -> ConfigFile | None:
        return ConfigFile(files[name], (texts or {}).get(name, "")) if name in files else None

    return Composition(load, chosen or {})


@each(
    ("defaults", "own", "tree"),
    [
        # Its own keys come last unless it says where.
        (["base"], {"a": 5}, {"a": 5, "list": [1, 2], "in": {"x": 1, "y": 2}}),
        (["_self_", "other"], {"a": 5}, {"a": 2}),
        (["other", "_self_"], {"a": 5}, {"a": 5}),
        (["base", "other"], {}, {"a": 2, "list": [1, 2], "in": {"x": 1, "y": 2}}),
        # Mappings are merged; lists, and values beside mappings, take the place of what was there.
        (["base"], {"list": [3]}, {"a": 1, "list": [3], "in": {"x": 1, "y": 2}}),
        (["base"], {"in": {"y": 3}}, {"a": 1, "list": [1, 2], "in": {"x": 1, "y": 3}}),
        (["base"], {"in": 4}, {"a": 1, "list": [1, 2], "in": 4}),
        (["other"], {"a": {"b": 1}}, {"a": {"b": 1}}),
        # A value that has to be given leaves one that is there.
        (["other"], {"a": "???", "b": "???"}, {"a": 2, "b": "???"}),
        (["other"], {1: 2}, {"a": 2, "1": 2}),
        # Groups, and the package that each fills.
        ([{"data": "small"}], {}, {"data": {"size": 1}}),
        ([{"data": "small.yaml"}], {}, {"data": {"size": 1}}),
        ([{"data@rows": "small"}], {}, {"rows": {"size": 1}}),
        ([{"data@a.b": "small"}], {}, {"a": {"b": {"size": 1}}}),
        ([{"data@": "small"}], {}, {"size": 1}),
        ([{"data": ["large", "small"]}], {}, {"data": {"size": 1, "more": True}}),
        ([{"data": None}], {}, {}),
        ([{"data": []}], {}, {}),
        ([{"optional data": "small"}], {}, {"data": {"size": 1}}),
        ([{"optional data": "none"}], {}, {}),
        ([{"/data": "nested"}], {}, {"data": {"size": 1, "there": {"a": 2}, "own": 1}}),
        ([{"model/inner": "user"}], {}, {"model": {"inner": {"t": 1, "here": {"d": 1}}}}),
        (["other@x"], {}, {"x": {"a": 2}}),
        (["/other"], {}, {"a": 2}),
        (["empty"], {}, {}),
        # What another one names.
        ([{"data": "small"}, {"model@m": "${data}_x"}], {}, None),
        (
            [{"data": "large"}, {"data@m": "${data}"}],
            {},
            {"data": PARTS["data/large"], "m": PARTS["data/large"]},
        ),
        ([{"data@m": "${data}"}, {"data": "large"}], {}, None),
        ([{"data": "none"}], {}, None),
        ([{"data": 3}], {}, None),
        ([{"data": "small", "model": "top"}], {}, None),
        ([{"data@_global_": "small"}], {}, None),
        ([None], {}, None),
    ],
)
def test_a_list(defaults: list[Any], own: dict[Any, Any], tree: dict[str, Any] | None) -> None:
    composed = composition({"defaults": defaults, **own})
    if tree is None:
        with pytest.raises(NotComposed):
            composed.composed("main")
    else:
        assert composed.composed("main") == tree


@each(
    ("chosen", "size", "unused", "choices"),
    [
        ({}, 1, set(), {"data": "small"}),
        ({"data": "large"}, 9, set(), {"data": "large"}),
        ({"data": "large", "x": "y"}, 9, {"x"}, {"data": "large"}),
        ({"data@rows": "large"}, 1, {"data@rows"}, {"data": "small"}),
    ],
)
def test_what_a_command_chooses(
    chosen: dict[str, str], size: int, unused: set[str], choices: dict[str, str]
) -> None:
    composed = composition({"defaults": [{"data": "small"}]}, chosen)
    assert composed.composed("main")["data"]["size"] == size
    assert composed.unused == unused
    assert composed.choices == choices


def test_the_name_of_a_group_with_a_package() -> None:
    composed = composition({"defaults": [{"data@rows": "small"}]}, {"data@rows": "large"})
    assert composed.composed("main") == {"rows": {"size": 9, "more": True}}
    assert composed.choices == {"data@rows": "large"}


@each(("chosen", "size"), [({}, 9), ({"data": "small"}, 1)])
def test_a_config_overrides_what_its_parent_chooses(chosen: dict[str, str], size: int) -> None:
    """A command comes before it."""
    files: dict[str, Any] = {
        "middle": {"defaults": [{"data": "small"}]},
        "main": {"defaults": ["middle", {"override data": "large"}]},
    }
    loaded = {**PARTS, **files}
    composed = Composition(lambda name: ConfigFile(loaded[name]), chosen)
    assert composed.composed("main")["data"]["size"] == size


@each(
    ("header", "tree"),
    [
        ("# @package _global_\n", {"size": 1}),
        ("x: 1\n#@package _global_  \n", {"size": 1}),
        ("# about @package _global_\n", {"data": {"size": 1}}),
        ("# @package other\n", None),
    ],
)
def test_a_package_in_a_comment(header: str, tree: dict[str, Any] | None) -> None:
    composed = composition({"defaults": [{"data": "small"}]}, texts={"data/small": header})
    if tree is None:
        with pytest.raises(NotComposed):
            composed.composed("main")
    else:
        assert composed.composed("main") == tree


def test_the_first_config_is_at_the_top_whatever_its_comment_says() -> None:
    assert composition({"a": 1}, texts={"main": "# @package other\n"}).composed("main") == {"a": 1}


@each(
    ("main", "name"),
    [
        ({"defaults": ["gone"]}, "gone"),
        ({"defaults": [{"data": "gone"}]}, "data/gone"),
        ({"defaults": [{"model/inner": "gone"}]}, "model/inner/gone"),
    ],
)
def test_the_name_of_a_missing_parent(main: dict[str, Any], name: str) -> None:
    with pytest.raises(ParentMissing, match=f"{name} is missing") as caught:
        composition(main).composed("main")
    assert caught.value.name == name


@each("main", [[1], "text", {"defaults": {"data": "small"}}])
def test_what_is_no_config(main: Any) -> None:
    with pytest.raises(NotComposed):
        composition(main).composed("main")


def _nested(depth: int) -> dict[str, Any]:
    tree: dict[str, Any] = {"end": 1}
    for _ in range(depth):
        tree = {"k": tree}
    return tree


@each(
    ("main", "is_followed"),
    [
        ({"defaults": ["other"] * 150}, True),
        ({"defaults": ["other"] * 250}, False),
        ({f"k{number}": 1 for number in range(15_000)}, True),
        ({f"k{number}": 1 for number in range(25_000)}, False),
        (_nested(15), True),
        (_nested(25), False),
    ],
)
def test_how_much_is_followed(main: dict[str, Any], is_followed: bool) -> None:
    composed = composition(main)
    if is_followed:
        assert composed.composed("main")
    else:
        with pytest.raises(NotComposed, match="too many"):
            composed.composed("main")


@each(("depth", "is_followed"), [(15, True), (25, False)])
def test_how_many_parents_above_each_other(depth: int, is_followed: bool) -> None:
    files = {f"p{number}": {"defaults": [f"p{number + 1}"]} for number in range(depth)}
    files[f"p{depth}"] = {}
    composed = Composition(lambda name: ConfigFile(files[name]), {})
    if is_followed:
        assert composed.composed("p0") == {}
    else:
        with pytest.raises(NotComposed):
            composed.composed("p0")
