"""One rule as it is compiled."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.knowledge.compiling.masks import ReleaseTable
from cfglint.knowledge.compiling.model import EditAction, RuleModel
from cfglint.knowledge.compiling.rules import compiled_rule
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.rules.rule import FixTemplate, Rule
from tests.draws import each
from tests.knowledge.compiling.sample_rule import FIELDS

RELEASES = ReleaseTable(
    "own",
    "1.2",
    {
        "1.0": {"pins": {"torch": "==2.4.0"}},
        "1.1": {"pins": {}},
        "1.2": {"pins": {"torch": ">=2.6"}},
    },
)


def compiled(**fields: Any) -> Rule:
    return compiled_rule(RuleModel.model_validate(FIELDS | fields), RELEASES)


def test_what_a_rule_need_not_say() -> None:
    rule = compiled()
    assert rule.when == ("test", ("key", ("a",)), (("eq", 1),))
    assert (rule.check, rule.each, rule.edge, rule.applies) == (None, None, None, {})
    assert (rule.conditional, rule.preview, rule.of_stated) == (False, False, False)
    assert (rule.migration, rule.harmless, rule.later, rule.view) == ("", "", "", "raw")
    assert (rule.fixes, rule.remedies, rule.related) == ((), (), ())


def test_what_a_rule_says() -> None:
    rule = compiled(
        each="list.of",
        at=["item.x", "a.b"],
        related=[{"path": "c.d", "note": "n"}],
        later="trl",
        migration="also",
        harmless="until-upgrade",
        message="Now {remedy}.",
        fix=[{"title": "Delete it", "safety": "safe", "edits": [{"delete": "a"}]}],
        remedy=[{"when": {"b": {"eq": 2}}, "say": "do\n  so"}, {"say": "or not"}],
    )
    assert rule.each == ("list", "of")
    assert (rule.at, rule.related) == ((("item", "x"), ("a", "b")), (("c", "d"),))
    assert (rule.later, rule.migration, rule.harmless) == ("trl", "also", "until-upgrade")
    assert rule.remedies == ((("test", ("key", ("b",)), (("eq", 2),)), "do so"), (None, "or not"))
    assert compiled(harmless=True).harmless == "always"
    assert compiled(severity="warning", if_undecided="It may be.").conditional


@each(
    ("applies", "expected"),
    [
        # One bit a release, the oldest the lowest: surely, and perhaps.
        ({"own": ">=1.1"}, {"own": Applies(">=1.1", 0b110, 0)}),
        ({"torch": ">=2.5"}, {"torch": Applies(">=2.5", 0b100, 0b010)}),
        # Of commits between releases none is sure.
        (
            {"own": {"spec": "<1.2", "commits": ["a1b2c3d..d4e5f6a"]}},
            {"own": Applies("<1.2", 0, 0b011, ("a1b2c3d..d4e5f6a",))},
        ),
    ],
)
def test_releases(applies: dict[str, Any], expected: dict[str, Applies]) -> None:
    assert compiled(applies=applies).applies == expected


@each(
    ("edit", "action"),
    [
        ({"set": {"a.b": 1}}, ("set", ("a", "b"), 1)),
        ({"set": {"a": None}}, ("set", ("a",), None)),
        ({"delete": "a.b"}, ("delete", ("a", "b"))),
        ({"rename": {"a.b": "a.c"}}, ("rename", ("a", "b"), ("a", "c"))),
    ],
)
def test_fixes(edit: dict[str, Any], action: tuple[Any, ...]) -> None:
    fix = {"title": "So", "safety": "unsafe", "edits": [edit], "look_at": "the\n  rest"}
    assert compiled(fix=[fix]).fixes == (FixTemplate("So", "unsafe", (action,), (), "the rest"),)
    safe = {"title": "So", "safety": "safe", "edits": [edit], "leads_to": ["KEY002"]}
    assert compiled(fix=[safe]).fixes == (FixTemplate("So", "safe", (action,), ("KEY002",)),)


@each("edit", [{"set": {"a": 1, "b": 2}}, {"set": {}}, {"rename": {"a": "b", "c": "d"}}])
def test_an_edit_is_of_one_key(edit: dict[str, Any]) -> None:
    assert EditAction.model_validate(edit)
    with pytest.raises(ValueError, match="KEY001: one key an edit"):
        compiled(fix=[{"title": "So", "safety": "safe", "edits": [edit]}])
