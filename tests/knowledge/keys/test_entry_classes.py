"""The classes that the entries of a list may be of."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.keys.entry_classes import EntryClasses
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each

ROWS: dict[str, Any] = {
    "plain[]": {"classes": {"A": "", "B": "2"}, "below": {"type": {"A": "TypeOfA"}}},
    "rows[]": {
        "classes": {"A": "", "B": ""},
        "below": {},
        "chosen": {
            "since": "2",
            "by": (
                {"key": "kind", "in_entry": False, "words": {"b": "3"}, "becomes": "B"},
                {"key": "type", "in_entry": True, "words": {"c": "2"}, "becomes": "C"},
            ),
            "otherwise": "A",
        },
    },
}


@each(
    ("section", "text", "release", "classes"),
    [
        ("others[]", "kind: b\n", "3", ()),
        ("plain[]", "kind: b\n", "1", ("A",)),
        ("plain[].type", "kind: b\n", "2", ("A", "B")),
        # The keys of an entry decide, in the first release.
        ("rows[]", "kind: b\n", "1", ("A", "B")),
        ("rows[]", "kind: b\n", "2", ("A",)),
        ("rows[]", "kind: b\n", "3", ("B",)),
        ("rows[]", "rows: [{type: c}]\n", "3", ("C",)),
        # The first one that holds.
        ("rows[]", "kind: b\nrows: [{type: c}]\n", "3", ("B",)),
        ("rows[]", "kind: [b]\n", "3", ("A",)),
    ],
)
def test_of_an_entry(section: str, text: str, release: str, classes: tuple[str, ...]) -> None:
    known = EntryClasses(ROWS, lambda since: since <= release)
    document = compose(SourceText(text))
    assert known.of_entry(section, ("rows", 0), document) == classes


def test_of_a_section_below_an_entry() -> None:
    known = EntryClasses(ROWS, lambda since: True)
    assert known.of_section("plain[].type", "A") == "TypeOfA"
    assert known.of_section("plain[].type", "B") == "B"
    assert known.of_section("plain[]", "A") == "A"
