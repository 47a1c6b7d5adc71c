"""Which rules are tried on a file: those that are switched on and of its release, as far as it has something for them."""

from __future__ import annotations

from typing import Any

from cfglint.checks.context import CheckContext
from cfglint.engine.case import Case
from cfglint.engine.ready_rules import ReadyRules
from cfglint.engine.settings.selection import EVERY_RULE, EVERY_STEP, Selection
from cfglint.environment.surroundings import nowhere
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.knowledge.rules.knowledge import ProjectRules
from cfglint.knowledge.rules.rule import Rule, Words
from cfglint.roles.framework import load_framework
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment

AXOLOTL = load_framework("axolotl")
KNOWN = AXOLOTL.knowledge
EVERY = KNOWN.every_rule
RULE = KNOWN.named("no-dataset").replaced(applies={}, severity="error")


def case(*target: str, selection: Selection = EVERY_RULE, framework: Any = AXOLOTL) -> Case:
    return Case.of_text(framework, environment(target), selection)


def tried(text: str, given: Case, found: int = EVERY, edge: str | None = None) -> set[str]:
    """The codes of the rules that are tried on a text."""
    document = compose(SourceText(text))
    ctx = CheckContext(document, given.framework, given.target, nowhere())
    return {one.rule.code for one in ReadyRules.of(given).on(found, ctx, edge)}


def of_releases(*versions: str) -> dict[str, Applies]:
    """Releases of Axolotl to which a rule applies."""
    mask = sum(1 << KNOWN_VERSIONS.index(version) for version in versions)
    return {"axolotl": Applies(f"=={versions[0]}", mask, 0)}


KNOWN_VERSIONS = AXOLOTL.releases.versions


@each(
    ("selection", "parts", "there"),
    [
        ({}, {}, True),
        ({"select": ("DAT",)}, {}, True),
        ({"select": ("KEY",)}, {}, False),
        ({"ignore": (RULE.code,)}, {}, False),
        ({"select": ("no-dataset",)}, {}, True),
        ({}, {"preview": True}, False),
        ({"preview": True}, {"preview": True}, True),
        ({"select": (RULE.code,)}, {"preview": True}, True),
        ({"select": ("DAT",)}, {"preview": True}, False),
    ],
)
def test_rules_that_are_switched_on(
    selection: dict[str, Any], parts: dict[str, Any], there: bool
) -> None:
    ready = ReadyRules.of(case(selection=Selection(**selection)))
    assert (ready.trial(RULE.replaced(**parts)) is not None) is there


@each(
    ("target", "of", "conditional", "versions"),
    [
        (("axolotl==0.18.0",), "0.18.0", False, True),
        (("axolotl==0.18.0",), "0.17.0", False, False),
        (("axolotl==0.18.0",), "0.18.0", True, True),
        # Where none is stated the newest is assumed, unless the rule says what is so otherwise.
        ((), "0.21.0", False, True),
        ((), "0.17.0", False, False),
        ((), "0.17.0", True, None),
    ],
)
def test_releases(target: tuple[str, ...], of: str, conditional: bool, versions: object) -> None:
    one = RULE.replaced(applies=of_releases(of), conditional=conditional)
    trial = ReadyRules.of(case(*target)).trial(one)
    if versions is False:
        assert trial is None
    else:
        assert trial is not None
        assert trial.versions is versions


def test_a_condition_or_a_check() -> None:
    ready = ReadyRules.of(case())
    trial = ready.trial(RULE)
    assert trial is not None
    assert (trial.test is KNOWN.test(RULE), trial.check, trial.doubt) == (True, None, "")
    trial = ready.trial(KNOWN.named("unknown-key"))
    assert trial is not None
    assert (trial.test, trial.check is None) == (None, False)
    # A check of what is not around a text finds nothing.
    assert ready.trial(KNOWN.named("requirements-apart")) is None


@each(
    ("severity", "of", "conditional", "target", "doubted"),
    [
        ("warning", ("0.21.0",), False, (), True),
        ("error", ("0.21.0",), False, (), False),
        ("note", ("0.21.0",), False, (), False),
        # An older release is affected as well.
        ("warning", KNOWN_VERSIONS, False, (), False),
        ("warning", ("0.21.0",), True, (), False),
        ("warning", ("0.21.0",), False, ("axolotl==0.21.0",), False),
    ],
)
def test_a_warning_of_the_assumed_release_is_doubted(
    severity: str, of: tuple[str, ...], conditional: bool, target: tuple[str, ...], doubted: bool
) -> None:
    files: dict[str, Any] = {"severity": severity, "conditional": conditional}
    trial = ReadyRules.of(case(*target)).trial(RULE.replaced(applies=of_releases(*of), **files))
    assert trial is not None
    assert bool(trial.doubt) is doubted


def test_only_rules_with_something_to_look_at_are_tried() -> None:
    plain = tried("base_model: a/b\n", case())
    assert "KEY001" not in plain
    assert "KEY001" in tried("base_model: a/b\nno_such_key: 1\n", case())
    assert RULE.code in plain
    # Rules about what is not found in the file are left out before.
    assert tried("base_model: a/b\nno_such_key: 1\n", case(), 0) == set()
    number = next(n for n in range(EVERY.bit_length()) if KNOWN.rule(n).code == RULE.code)
    assert tried("base_model: a/b\n", case(), 1 << number) == {RULE.code}


def test_rules_of_two_files() -> None:
    edges = {rule.code for rule in KNOWN.rules_on_edge("deepspeed")}
    text = "base_model: a/b\n"
    assert tried(text, case(), edge="deepspeed") <= edges
    assert tried(text, case(), edge="deepspeed")
    assert not tried(text, case()) & edges
    assert tried(text, case(), edge="no-framework") == set()


def test_what_is_tried_on_every_file() -> None:
    own = RULE.replaced(
        code="ACME001", name="own-rule", when=parse_condition({"a": {"eq": 1}}), framework="axolotl"
    )
    rules = ProjectRules((own,), {"ACME001": Words("m", "c", "", ())}, {})
    with_rules = case(framework=type(AXOLOTL)(rules))
    for _ in range(2):
        assert tried("base_model: a/b\n", with_rules, 0) == {"ACME001"}
    steps = {rule.code for rule in KNOWN.migration_rules}
    found = tried("base_model: a/b\n", case(selection=EVERY_STEP), 0)
    assert found
    assert found <= steps
    switched_off = case(selection=Selection(ignore=("ACME",)), framework=with_rules.framework)
    assert tried("base_model: a/b\n", switched_off, 0) == set()


def test_files_of_a_run_share_what_was_computed() -> None:
    one = case()
    assert ReadyRules.of(one) is ReadyRules.of(one)
    again = one.replaced(around=one.around.replaced(path="other.yml"))
    assert ReadyRules.of(again) is ReadyRules.of(one)
    for other in (
        one.replaced(selection=Selection()),
        one.replaced(target=environment()),
        one.replaced(framework=type(AXOLOTL)()),
        one.replaced(around=one.around.replaced(folder="p")),
        one.replaced(around=one.around.replaced(schemas=("s",))),
        one.replaced(around=one.around.replaced(launches=("line",))),
    ):
        assert ReadyRules.of(other) is not ReadyRules.of(one)


def test_a_rule_that_fails_to_look_is_tried(monkeypatch: Any) -> None:
    def fails(_ctx: CheckContext) -> list[Rule]:
        raise ValueError

    names = ("unknown-key",)
    monkeypatch.setattr("cfglint.engine.ready_rules.LOOKED_THROUGH", ((fails, names),))
    assert "KEY001" in tried("base_model: a/b\n", case())
