"""Which rules are switched on, and what becomes of their findings."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.diagnostic import Diagnostic, Edit, Fix, SeverityName
from cfglint.engine.settings.selection import EVERY_RULE, EVERY_STEP, Selection
from cfglint.source.text import Span
from tests.draws import each

FOUND = Diagnostic(
    *("ABC123", "a-rule", "error", "high", "rejects", "start", "Wrong.", (), Span(0, 1)),
    fixes=(Fix("Repair", "safe", (Edit(0, 1, ""),), ()),),
)


@each(
    ("selection", "switched_on"),
    [
        ({}, True),
        ({"select": ("ABC",)}, True),
        ({"select": ("ABD",)}, False),
        ({"select": ("ALL",)}, True),
        ({"select": ("a-rule",)}, True),
        ({"select": ("a-rul",)}, False),
        ({"ignore": ("ABC",)}, False),
        ({"ignore": ("ABD",)}, True),
        ({"ignore": ("ALL",)}, False),
        ({"select": ("ABC123",), "ignore": ("ABC",)}, True),
        ({"select": ("ABC",), "ignore": ("ABC123",)}, False),
        ({"select": ("ABC",), "ignore": ("ABC",)}, False),
        ({"select": ("A", "ABC1"), "ignore": ("ABC",)}, True),
        ({"select": ("X",), "extend": ("ABC",)}, True),
        ({"extend": ("X",)}, True),
        ({"extend": ("ABC123",), "ignore": ("ABC",)}, True),
        ({"select": ("ABC123",), "silenced": ("ABC",)}, False),
        ({"silenced": ("X",)}, True),
    ],
)
def test_rules_that_are_switched_on(selection: dict[str, Any], switched_on: bool) -> None:
    assert Selection(**selection).has("ABC123", "a-rule") is switched_on


@each(
    ("selection", "expected"),
    [
        ({}, False),
        ({"preview": True}, True),
        ({"select": ("ABC",)}, False),
        ({"select": ("ABC123",)}, True),
        ({"extend": ("a-rule",)}, True),
    ],
)
def test_rules_of_no_release(selection: dict[str, Any], expected: bool) -> None:
    assert Selection(**selection).previews("ABC123", "a-rule") is expected


@each(
    ("finding", "by_default", "medium", "high", "low", "if_named"),
    [
        ({}, True, True, True, True, True),
        ({"confidence": "medium"}, True, True, False, True, True),
        ({"confidence": "low"}, True, False, False, True, True),
        ({"confidence": "low", "severity": "note"}, False, False, False, True, True),
        ({"confidence": "medium", "severity": "note"}, True, True, False, True, True),
        # It is lowered for want of a fact alone.
        (
            {"confidence": "low", "severity": "note", "own_severity": "error"},
            *(True, False, False, True, True),
        ),
        ({"confidence": "low", "other_releases": True}, False, False, False, True, True),
        ({"harmless": True}, False, False, False, True, True),
    ],
)
def test_findings_that_are_worth_reporting(
    finding: dict[str, Any], by_default: bool, medium: bool, high: bool, low: bool, if_named: bool
) -> None:
    found = FOUND.replaced(**finding)
    assert Selection().reports(found) is by_default
    assert Selection(confidence="medium").reports(found) is medium
    assert Selection(confidence="high").reports(found) is high
    assert Selection(confidence="low").reports(found) is low
    assert Selection(select=("ABC123",), confidence="high").reports(found) is if_named
    assert Selection(select=("ABC",)).reports(found) is by_default


@each(
    ("fixable", "unfixable", "repaired"),
    [
        ((), (), True),
        (("ABC",), (), True),
        (("X",), (), False),
        ((), ("ABC",), False),
        ((), ("X",), True),
        (("ABC123",), ("ABC",), True),
        (("ABC",), ("ABC123",), False),
        (("ABC",), ("ABC",), False),
        (("ALL",), ("ABC",), False),
        (("a-rule",), ("ABC",), True),
    ],
)
def test_findings_that_are_repaired(
    fixable: tuple[str, ...], unfixable: tuple[str, ...], repaired: bool
) -> None:
    (found,) = Selection(fixable=fixable, unfixable=unfixable).filtered([FOUND])
    assert bool(found.fixes) is repaired


@each(
    ("severities", "finding", "severity"),
    [
        ((("ABC", "note"),), {}, "note"),
        ((("X", "note"),), {}, "error"),
        ((("ABC123", "warning"), ("ABC", "note")), {}, "warning"),
        ((("ABC", "note"), ("ABC123", "warning")), {}, "warning"),
        ((("ABC", "error"),), {"severity": "warning"}, "error"),
        ((("ABC", "error"),), {"undecided": True}, "warning"),
        ((("ABC", "note"),), {"other_releases": True}, "error"),
    ],
)
def test_severities_that_a_project_gives(
    severities: tuple[tuple[str, SeverityName], ...], finding: dict[str, Any], severity: str
) -> None:
    (found,) = Selection(severities=severities).filtered([FOUND.replaced(**finding)])
    assert found.severity == severity


def test_the_least_severity() -> None:
    every = [FOUND.replaced(severity=one) for one in ("error", "warning", "note")]
    assert Selection().filtered(every) == every
    assert Selection(least="warning").filtered(every) == every[:2]
    # That which the project gives counts.
    given = Selection(least="warning", severities=(("ABC", "note"),))
    assert given.filtered(every) == []


def test_nothing_switched_off() -> None:
    uncertain = FOUND.replaced(confidence="low", severity="note", harmless=True)
    for selection in (EVERY_RULE, EVERY_STEP):
        assert selection.has("ABC123", "a-rule")
        assert selection.previews("ABC123", "a-rule")
        assert selection.reports(uncertain)
    assert (EVERY_RULE.migration, EVERY_STEP.migration) == (False, True)
