"""Releases that import what others lack, from a table made by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from cfglint.base.packing import pack
from cfglint.knowledge import compiled
from cfglint.knowledge.releases import together
from tests.draws import each

NAMES = {
    "models.Old": (None, "3.0", [("1.0", "2.0", "lib", "train", "")]),
    "models.Older": (None, "2.0", [("1.0", "1.0", "lib", "train eval", "")]),
    "utils.New": ("2.0", None, [("2.0", "3.0", "lib", "train", "extra>=1.0")]),
    "Newer": ("3.0", None, [("3.0", "3.0", "lib", "eval", "")]),
}


def importers(rows: Sequence[tuple[str, ...]]) -> list[dict[str, str]]:
    fields = together.Importer._fields
    named = [
        {"first": first, "last": last, "package": package, "entries": entries, "needs": needs}
        for first, last, package, entries, needs in rows
    ]
    return [{field: row[field] for field in fields} for row in named]


TABLE = SimpleNamespace(
    RELEASES={"base": ("1.0", "2.0", "3.0"), "lib": ("1.0", "2.0", "3.0")},
    MODULES={"scikit-base": "skbase"},
    REACHED={
        "lib": {"1.0 2.0": {"train": "base:models other"}, "3.0 3.0": {"train": "base:utils"}},
        "other": {"1.0 9.0": {together.WHOLE: "base:deep"}},
    },
    NAMES={
        "base": pack(
            {
                name: (came, gone, [list(row.values()) for row in importers(rows)])
                for name, (came, gone, rows) in NAMES.items()
            }
        )
    },
    REQUIRED={"lib": {"1.0 2.0": {"base": ">=2.0"}, "3.0 3.0": {"base": ">=3.0"}}},
)


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    load = compiled.load

    def instead(name: str) -> Any:
        return TABLE if name == "imports" else load(name)

    monkeypatch.setattr(compiled, "load", instead)
    together.names_of.cache_clear()
    yield
    together.names_of.cache_clear()


def test_names() -> None:
    names = together.names_of("base")
    assert list(names) == list(NAMES)
    assert (names["utils.New"].module, names["utils.New"].last_part) == ("base.utils", "New")
    assert (names["Newer"].module, names["Newer"].last_part) == ("base", "Newer")
    assert together.names_of("nothing") == {}
    assert (together.module_of("scikit-base"), together.module_of("a-b")) == ("skbase", "a_b")
    assert (together.package_of("skbase"), together.package_of("a_b")) == ("scikit-base", "a-b")


@each(
    ("name", "version", "expected"),
    [
        ("models.Old", "2.9", False),
        ("models.Old", "3.0", True),
        ("utils.New", "1.0", True),
        # Of the releases between it and the one before nothing is known.
        ("utils.New", "1.5", False),
        ("utils.New", "2.0", False),
        ("utils.New", "0.9", False),
        ("Newer", "2.0", True),
        ("Newer", "1.5", True),
    ],
)
def test_what_a_release_lacks(name: str, version: str, expected: bool) -> None:
    assert together.names_of("base")[name].lacking(version) is expected


@each(
    ("stated", "expected"),
    [
        ({"lib": ("1.0",)}, {"lib": {"train"}}),
        ({"lib": ("1.0",), "base": ("1.0",)}, {"lib": {"train"}, "base": {"models"}}),
        (
            {"lib": ("1.0",), "other": ("2.0",), "base": ("1.0",)},
            {"lib": {"train"}, "other": {together.WHOLE}, "base": {"models", "deep"}},
        ),
        ({"lib": ("3.0",), "base": ("1.0",)}, {"lib": {"train"}, "base": {"utils"}}),
        # Of several releases it has to be true of all.
        ({"lib": ("2.0", "3.0"), "base": ("1.0",)}, {"lib": {"train"}}),
    ],
)
def test_what_is_imported(stated: dict[str, Sequence[str]], expected: dict[str, set[str]]) -> None:
    found = together.reached("lib", ["train"], stated)
    assert {package: entries for package, entries in found.items() if package in stated} == expected


@each(
    ("entries", "stated", "expected"),
    [
        ({"train"}, {"lib": ("1.0",), "base": ("2.0",)}, ("models.Older", True)),
        # The name that more releases lack.
        ({"train"}, {"lib": ("1.0",), "base": ("3.0",)}, ("models.Older", True)),
        ({"train"}, {"lib": ("2.0",), "base": ("3.0",)}, ("models.Old", True)),
        ({"eval"}, {"lib": ("2.0",), "base": ("3.0",)}, None),
        ({"train"}, {"lib": ("2.0",), "base": ("2.0",)}, None),
        ({"train"}, {"lib": ("2.0",), "base": ("2.0", "3.0")}, None),
        # A name that came later, where the other package is there that it needs.
        ({"train"}, {"lib": ("3.0",), "base": ("1.0",)}, None),
        ({"train"}, {"lib": ("3.0",), "base": ("1.0",), "extra": ("1.0",)}, ("utils.New", False)),
        ({"train"}, {"lib": ("3.0",), "base": ("1.0",), "extra": ("0.9",)}, None),
        (
            {"train", "eval"},
            {"lib": ("3.0",), "base": ("1.0",), "extra": ("1.0",)},
            ("Newer", False),
        ),
    ],
)
def test_what_is_broken(
    entries: set[str], stated: dict[str, Sequence[str]], expected: tuple[str, bool] | None
) -> None:
    found = together.broken("lib", entries, "base", stated)
    assert (None if found is None else (found.name.name, found.is_gone)) == expected


def test_the_release_to_upgrade_to() -> None:
    stated = {"lib": ("1.0",), "base": ("3.0",)}
    assert together.upgrade("lib", {"train"}, "base", stated) == "3.0"
    assert together.upgrade("lib", {"eval"}, "base", stated) == "2.0"
    late = {"lib": ("3.0",), "base": ("3.0",)}
    assert together.upgrade("lib", {"train"}, "base", late) is None


def test_a_range_outside_of_which_the_import_ends() -> None:
    assert together.refused("lib", "1.5", "base") == ">=2.0"
    assert together.refused("lib", "3.0", "base") == ">=3.0"
    assert together.refused("lib", "1.5", "extra") is None
    assert together.refused("lib", "4.0", "base") is None
    assert together.refused("other", "1.0", "base") is None
