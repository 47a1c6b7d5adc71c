"""The history of keys, of a table made by hand with releases 1 to 9."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from cfglint.base.packing import pack
from cfglint.knowledge.keys.table import ALWAYS, KeyInfo, KeyTable, ReadWhen
from cfglint.source.document import Document, Path
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

SCHEMAS: dict[str, dict[str, Any]] = {
    "b": {
        "enums": [("1", ["x", "y"]), ("3", {"add": ["z"], "drop": ["x"]}), ("5", None)],
        "types": [("1", "str"), ("3", "literal")],
    },
    "c": {"type": "int", "types": [("1", "str|int"), ("3", "int")], "enum": [1, 2]},
    "d": {"coerced_history": [("1", True), ("4", False)], "coerced": True},
    "p": {
        "constraints": {"pattern": "[a-z]+"},
        "constraints_history": [("2", {"pattern": "x"})],
        "types": [("1", "str|null")],
    },
    "rows[].a": {
        "models": ["One"],
        "models_history": [("2", ["One", "Two"])],
        "model_types": {"Two": "float"},
        "auto": True,
    },
    "rows[].b": {"auto_history": [("2", True)]},
}
MODULE: dict[str, Any] = {
    "SECTIONS": {
        "": {
            "a": ("1", None, "int", -1, None),
            "b": ("1", None, "literal", -1, None),
            "c": ("2", "5", "int|null", 0, "a"),
            "d": ("1", "3", "str", -1, "s.x"),
            "p": ("1", None, "str|null", -1, None),
            "kwargs": ("1", None, "dict<str,any>|null", -1, None),
            "s": ("3", None, "model:S", 1, None),
        },
        "s": {"x": ("3", None, "int", 1, None), "old": ("1", "2", "int", -1, "a")},
        "rows[]": {"a": ("1", None, "int", -1, None), "b": ("1", None, "int", -1, None)},
        "groups.*.params": {"q": ("1", None, "int", -1, None)},
    },
    "PLUGINS": ("pkg.First", "pkg.inner.Second"),
    "FORBIDS_UNKNOWN": {"s": "4"},
    "BUILTIN_PLUGINS": {"pkg.First": "6"},
    "SECTION_SINCE": {"s": "3"},
    "SECTION_REMOVED": {"rows[]": "8"},
    "REACTIONS": {"d": ("3", "rejects", "")},
    "SCHEMAS": {name: pack(row) for name, row in SCHEMAS.items()},
    "REQUIRED": ("a",),
    "REQUIRED_UNTIL": {"b": "4"},
    "READERS": {"rows[]": (("1", "hand"), ("4", "model")), "rows[].b": (("1", "model"),)},
    "ABSENT": {"a": ("2",), "s.x": ("5",)},
    "READ_WHEN": {
        "s": {"when": {"b": ["x"]}, "when_not_history": [("4", {"a": ["1"]})]},
        "rows[].a": {"read_since": "3"},
    },
    "REQUIRED_INSIDE": {},
    "DEFAULTS": {"a": 1},
}
TABLE = KeyTable(SimpleNamespace(**MODULE))


def up_to(release: int) -> Callable[[str], bool]:
    return lambda since: int(since) <= release


def test_infos() -> None:
    assert TABLE.info("", "a") == KeyInfo("1", None, "int", None, None)
    assert TABLE.info("", "c") == KeyInfo("2", "5", "int|null", "pkg.First", "a")
    assert TABLE.info("s", "x") == KeyInfo("3", None, "int", "pkg.inner.Second", None)
    assert TABLE.info("", "x") is None
    assert TABLE.info("nowhere", "x") is None
    assert TABLE.plugin_classes == {"First", "Second"}
    assert not TABLE.names_are_free
    free = KeyTable(
        SimpleNamespace(**{**MODULE, "SECTIONS": {"": {"*": ("1", None, "", -1, None)}}})
    )
    assert free.names_are_free
    assert not free.is_closed("")


def test_lists_of_keys() -> None:
    assert TABLE.current("") == ["a", "b", "p", "kwargs", "s"]
    assert TABLE.former("") == ["c", "d"]
    assert TABLE.current("nowhere") == TABLE.former("nowhere") == []
    assert TABLE.renamed_to("a") == ["c", "s.old"]
    assert TABLE.renamed_to("s.x") == ["d"]
    assert list(TABLE.names("s")) == ["x", "old"]
    assert TABLE.names("nowhere") == {}


def test_what_a_file_must_have() -> None:
    assert TABLE.required() == ("a",)
    assert TABLE.required(up_to(3)) == ("a", "b")
    assert TABLE.required(up_to(4)) == ("a",)
    without = KeyTable(SimpleNamespace(**{**MODULE, "REQUIRED_UNTIL": {}}))
    assert without.required(up_to(3)) == ("a",)


@each(
    ("section", "key", "release", "expected"),
    [
        ("", "a", 1, ("int", (), {})),
        ("", "nothing", 1, None),
        ("", "b", 2, ("str", ("x", "y"), {})),
        ("", "b", 3, ("literal", ("y", "z"), {})),
        ("", "b", 5, ("literal", (), {})),
        ("", "c", 2, ("str|int", (1, 2), {})),
        ("", "c", 3, ("int", (1, 2), {})),
        # Of a value that is converted, the type says nothing.
        ("", "d", 3, None),
        ("", "d", 4, ("str", (), {})),
        ("", "p", 1, ("match<[a-z]+>|null", (), {"pattern": "[a-z]+"})),
        ("", "p", 2, ("match<x>|null", (), {"pattern": "x"})),
        ("rows[]", "a", 1, ("int", (), {"reader": "hand", "auto": True})),
        ("rows[]", "a", 4, ("int", (), {"reader": "model", "auto": True})),
        ("rows[]", "b", 1, ("int", (), {"reader": "hand", "auto": False})),
        ("rows[]", "b", 2, ("int", (), {"reader": "model", "auto": True})),
    ],
)
def test_types(section: str, key: str, release: int, expected: Any) -> None:
    assert TABLE.schema(section, key, up_to(release)) == expected


def test_types_of_words_and_classes() -> None:
    assert TABLE.schema("", "d", up_to(1), of_words=True) == ("str", (), {})
    assert TABLE.models("rows[]", "a", up_to(1)) == ("One",)
    assert TABLE.models("rows[]", "a", up_to(2)) == ("One", "Two")
    assert TABLE.models("rows[]", "b", up_to(2)) == ()
    of_two = TABLE.schema("rows[]", "a", up_to(1), "Two")
    assert of_two is None
    of_two = TABLE.schema("rows[]", "a", up_to(2), "Two")
    assert of_two is not None
    assert of_two[0] == "float"
    of_one = TABLE.schema("rows[]", "a", up_to(2), "One")
    assert of_one is not None
    assert of_one[0] == "int"
    assert TABLE.schema("rows[]", "b", up_to(2), "Two") is not None


def test_readers() -> None:
    assert [TABLE.reader("rows[]", up_to(release)) for release in (0, 1, 3, 4)] == [
        *("", "hand", "hand", "model"),
    ]
    assert TABLE.reader("s", up_to(9)) == ""
    assert TABLE.is_read("rows[]")
    assert not TABLE.is_read("rows[].b")
    assert not TABLE.is_read("s")


def test_words_that_come_and_go() -> None:
    assert TABLE.choice_since("", "b", "z", up_to(2)) == "3"
    assert TABLE.choice_since("", "b", "z", up_to(3)) is None
    assert TABLE.choice_since("", "b", "x", up_to(0)) == "1"
    assert TABLE.choice_since("", "b", "w", up_to(0)) is None
    assert TABLE.choice_since("", "a", "w", up_to(0)) is None
    assert TABLE.has_offered("", "b", "x", up_to(5))
    assert TABLE.has_offered("", "b", "z", up_to(3))
    assert not TABLE.has_offered("", "b", "z", up_to(2))
    assert not TABLE.has_offered("", "a", "x", up_to(9))
    assert TABLE.took_any_text("", "b", up_to(1))
    assert TABLE.took_any_text("", "b", up_to(9))
    assert not TABLE.took_any_text("", "b", up_to(0))
    assert not TABLE.took_any_text("", "a", up_to(9))
    # A text that has to match a pattern is not any text.
    assert not TABLE.took_any_text("", "p", up_to(9))


def document(text: str) -> Document:
    found = language("yaml").read(SourceText(text))
    assert isinstance(found, Document)
    return found


@each(
    ("text", "expected"),
    [
        ("a: 1\n", None),
        ("a: 1\nc: 1\n", "2"),
        ("s: {}\nc: 1\n", "3"),
        # Nothing was set.
        ("s:\nc: 1\n", "2"),
        ("s: null\n", None),
        ("unknown: 1\n", None),
    ],
)
def test_the_earliest_release_of_a_file(text: str, expected: str | None) -> None:
    assert TABLE.earliest_release(document(text), tuple("123456789")) == expected


def test_sections() -> None:
    assert TABLE.sections() == ["", "s", "rows[]", "groups.*.params"]
    assert [TABLE.is_closed(one) for one in ("", "s", "rows[]", "kwargs", "nowhere")] == [
        *(True, True, True, False, False),
    ]
    assert (TABLE.section_since("s"), TABLE.section_since("")) == ("3", None)
    assert (TABLE.section_removed("rows[]"), TABLE.section_removed("s")) == ("8", None)
    assert (TABLE.forbids_unknown_since("s"), TABLE.forbids_unknown_since("")) == ("4", None)
    assert (TABLE.reaction("d"), TABLE.reaction("a")) == (("3", "rejects", ""), None)
    assert [TABLE.is_absent("", "a", one) for one in "123"] == [False, True, False]
    assert TABLE.is_absent("s", "x", "5")
    assert not TABLE.is_absent("s", "old", "5")


@each(
    ("path", "section"),
    [
        ((), ""),
        (("s",), "s"),
        (("rows", 3), "rows[]"),
        (("rows", 3, "a", "b"), "rows[].a.b"),
        (("groups", "mine", "params"), "groups.*.params"),
        (("groups", "my.own", "params"), "groups.*.params"),
        (("groups", "mine", "other"), "groups.mine.other"),
        (("groups", "mine", "params", "q"), "groups.mine.params.q"),
    ],
)
def test_the_section_at_a_path(path: Path, section: str) -> None:
    assert TABLE.section_at(path) == section


@each(
    ("place", "release", "expected"),
    [
        ("a", 1, ALWAYS),
        ("s", 1, ReadWhen({"b": ["x"]}, {})),
        ("s", 4, ReadWhen({"b": ["x"]}, {"a": ["1"]})),
        ("rows[].a", 2, None),
        ("rows[].a", 3, ReadWhen({}, {})),
    ],
)
def test_what_a_key_depends_on(place: str, release: int, expected: ReadWhen | None) -> None:
    assert TABLE.read_when(place, up_to(release)) == expected


def test_plugins() -> None:
    assert TABLE.plugins == ("pkg.First", "pkg.inner.Second")
    assert TABLE.releases_of_plugin("pkg.First") == {"2"}
    assert TABLE.releases_of_plugin("pkg.inner.Second") == {"3"}
    assert TABLE.releases_of_plugin("pkg.None") == frozenset()
    assert (TABLE.is_builtin("pkg.First"), TABLE.is_builtin("pkg.inner.Second")) == (True, False)
    assert (TABLE.builtin_since("pkg.First"), TABLE.builtin_since("pkg.None")) == ("6", None)


@each(
    ("path", "type_", "free"),
    [
        ((), None, None),
        (("a",), "int", None),
        (("rows", 0), None, None),
        (("rows", 0, "a"), "int", None),
        (("kwargs", "x"), None, "kwargs"),
        (("kwargs", "x", "y"), None, "kwargs"),
        (("s", "x", "y"), None, None),
        (("nothing", "x"), None, None),
    ],
)
def test_types_at_paths(path: Path, type_: str | None, free: str | None) -> None:
    assert TABLE.type_at(path) == type_
    assert TABLE.free_form_parent(path) == free
