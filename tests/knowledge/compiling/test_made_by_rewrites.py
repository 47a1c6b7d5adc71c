"""A rule about a value that is made is looked up by what makes it."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.knowledge.compiling.derivation_model import DerivationModel
from cfglint.knowledge.compiling.made_by_rewrites import Makers, needed_by
from cfglint.knowledge.compiling.necessary import KeysBehind
from tests.draws import each
from tests.knowledge.rules.index.test_triggers import tokens


def derivation(**parts: Any) -> DerivationModel:
    return DerivationModel.model_validate({"name": "x", "reason": "because", **parts})


DERIVATIONS = [
    derivation(rename={"old": "new"}),
    derivation(rename={"new": "newest"}),
    derivation(when={"flag": {"truthy": True}}, set={"backend": "fast"}),
    derivation(when={"other": {"eq": "x"}}, set={"backend": False}),
    derivation(when={"a": {"set": True}}, set={"section.inner": {"key": "a"}}),
    derivation(strip_prefix={"section": "s_"}),
    derivation(convert={"word": "lower"}),
    derivation(each=["rows"], when={"item.old": {"set": True}}, set={"item.kind": "text"}),
    derivation(view="effective", set={"never": 1}),
]


@each(
    ("token", "expanded"),
    [
        ("plain!", {"plain!"}),
        ("new", {"new", "old"}),
        ("newest=x", {"newest=x", "new", "old"}),
        ("backend=fast", {"backend=fast", "flag!"}),
        ("backend=slow", {"backend=slow"}),
        ("backend!", {"backend!", "flag!"}),
        ("backend", {"backend", "flag!", "other=x"}),
        ("section.inner", {"section.inner", "section.s_inner", "a"}),
        ("section.s_inner", {"section.s_inner"}),
        ("section!", {"section!", "a"}),
        ("word=x", {"word=x", "word?"}),
        ("rows[].kind", {"rows[].kind", "rows!"}),
        ("never", {"never"}),
    ],
)
def test_expand(token: str, expanded: set[str]) -> None:
    assert Makers(DERIVATIONS, KeysBehind()).expand([frozenset(tokens(token))]) == [
        tokens(*expanded)
    ]


def test_a_rewrite_that_might_be_done_anywhere_is_refused() -> None:
    with pytest.raises(ValueError, match="view: effective"):
        needed_by(derivation(when={"a": {"set": False}}, set={"b": 1}), KeysBehind())


@each(
    ("parts", "needed"),
    [
        ({"each": ["rows"], "set": {"item.kind": "x"}}, [{"rows!"}]),
        ({"each": ["data.rows", "other"], "set": {"item.kind": "x"}}, [{"data!", "other!"}]),
        ({"when": {"a": {"set": True}}, "set": {"b": 1}}, [{"a"}]),
        ({"rename": {"a.b": "c", "d": "e"}}, [{"a?", "d?"}]),
        ({"strip_prefix": {"section": "s_"}}, [{"section?"}]),
        ({"convert": {"a": "lower"}}, [{"a?"}]),
        ({"delete": ["a.b"]}, [{"a?"}]),
    ],
)
def test_what_a_rewrite_needs(parts: dict[str, Any], needed: list[set[str]]) -> None:
    """One key of each of some sets."""
    found = needed_by(derivation(**parts), KeysBehind())
    assert found == [tokens(*one) for one in needed]
