"""The values of a config, with the changes of a remedy."""

from __future__ import annotations

import pytest

from cfglint.base.type_names import Any
from cfglint.roles.framework import load_framework
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.values import ScriptValues, Values, values_of
from cfglint.source.document import Path
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = load_framework("axolotl")
TEXT = (
    "a: 1\nb: {c: {d: 2}}\ne: null\nlist: [x, 3, y]\nword: $SIZE\nplugins: [m.n.P, m:Q, R]\n"
    "zero: 0\ntruth: true\n"
)


def values(changes: dict[Path, Any] | None = None) -> Values:
    document = language("yaml").read(SourceText(TEXT))
    return values_of(document, AXOLOTL, "0.21.0").changed(changes or {})


@each(
    ("changes", "path", "value"),
    [
        ({}, ("a",), 1),
        ({}, ("b", "c", "d"), 2),
        ({}, ("e",), None),
        ({}, ("none",), None),
        ({("a",): 5}, ("a",), 5),
        ({("a",): None}, ("a",), None),
        ({("b", "c"): {"d": 5}}, ("b", "c", "d"), 5),
        ({("b", "c"): {"x": 5}}, ("b", "c", "d"), None),
        ({("b", "c"): 5}, ("b", "c", "d"), None),
        ({("b", "c", "x"): 5}, ("b", "c", "d"), 2),
        ({("n",): {"m": 1}}, ("n", "m"), 1),
    ],
)
def test_a_value(changes: dict[Path, Any], path: tuple[str, ...], value: Any) -> None:
    assert values(changes).at(*path) == value


def test_changes_add_up() -> None:
    both = values({("a",): 5, ("x",): 1}).changed({("a",): 6})
    assert (both.at("a"), both.at("x"), both.release) == (6, 1, "0.21.0")


def test_lists_and_sizes() -> None:
    one = values()
    assert [one.names(key) for key in ("list", "word", "a", "e")] == [["x", "y"], ["$SIZE"], [], []]
    assert one.plugins() == {"P", "Q", "R"}
    assert [one.size(*keys) for keys in (("a",), ("zero", "a"), ("truth",), ("e", "b"))] == [
        1,
        1,
        1,
        1,
    ]
    assert values({("zero",): 7}).size("e", "zero", "a") == 7
    assert (one.since("0.20.0"), one.since("99.0"), one.of_command) == (True, False, False)


def test_what_only_a_run_shows() -> None:
    document = language("yaml").read(SourceText(TEXT))
    script = ScriptValues(document, AXOLOTL, "0.21.0")
    assert script.at("a") == 1
    assert values().at("word") == "$SIZE"
    with pytest.raises(NotCertainError, match="`word` is not known before the run starts"):
        script.at("word")
    for text in ("`nproc`", "x$Y"):
        with pytest.raises(NotCertainError):
            ScriptValues(
                language("yaml").read(SourceText(f'b: {{c: "{text}"}}\n')), AXOLOTL, "0.21.0"
            ).at("b", "c")
