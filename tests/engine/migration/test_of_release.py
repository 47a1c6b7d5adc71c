"""Which findings a migration is about: those of the release, whatever lies around the text."""

from __future__ import annotations

from typing import Any

from cfglint.diagnostic import Diagnostic, OtherFile
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.migration.of_release import concerns, findings_of, key_of, refusals
from cfglint.engine.settings.selection import EVERY_STEP
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText, Span
from tests.draws import each
from tests.linting import case_in, environment

AXOLOTL = load_framework("axolotl")
KNOWN = AXOLOTL.knowledge
CASE = Case.of_text(AXOLOTL, environment(["axolotl==0.21.0"]), EVERY_STEP)
STEP = min(KNOWN.migration_codes)
OF_RELEASES = min(KNOWN.codes_of_releases - KNOWN.migration_codes)
OF_ANY = min({rule.code for rule in KNOWN.all_rules()} - KNOWN.codes_of_releases)
OF_OTHERS = min(
    load_framework("llamafactory").knowledge.codes_of_releases - dict(KNOWN.labels()).keys()
)


def finding(code: str, **parts: Any) -> Diagnostic:
    plain: dict[str, Any] = {
        "code": code,
        "name": "a-rule",
        "severity": "warning",
        "confidence": "high",
        "upstream": "silent",
        "bites": "train",
        "message": "It is so.",
        "path": ("a",),
        "span": Span(0, 1),
        **parts,
    }
    return Diagnostic(**plain)


REFUSED = {"severity": "error", "upstream": "rejects", "bites": "start"}
ENDS_LATER = REFUSED | {"bites": "train"}
OTHER_FILE = OtherFile("b.yml", SourceText(""))


@each(
    ("code", "parts", "expected"),
    [
        (OF_ANY, {}, False),
        (OF_RELEASES, {}, False),
        (STEP, {}, True),
        # What the release refuses, by whichever rule.
        (OF_ANY, REFUSED, True),
        (OF_ANY, REFUSED | {"severity": "note", "undecided": True}, False),
        # What ends the run later is of the release if the rule is of some.
        (OF_RELEASES, ENDS_LATER, True),
        (OF_OTHERS, ENDS_LATER, True),
        (OF_ANY, ENDS_LATER, False),
        ("ACME001", ENDS_LATER, False),
        (OF_RELEASES, ENDS_LATER | {"severity": "warning"}, False),
        (OF_RELEASES, ENDS_LATER | {"undecided": True}, False),
        (OF_RELEASES, ENDS_LATER | {"upstream": "warns"}, False),
        # Another file is not the one that is migrated.
        (STEP, {"file": OTHER_FILE}, False),
        (OF_ANY, REFUSED | {"file": OTHER_FILE}, False),
    ],
)
def test_what_is_about_the_release(code: str, parts: dict[str, Any], expected: bool) -> None:
    assert concerns(finding(code, **parts), CASE) is expected


def test_refusals() -> None:
    refused, later = finding(OF_ANY, **REFUSED), finding(OF_RELEASES, **ENDS_LATER)
    assert refusals([later, refused, finding(STEP)]) == [refused]
    assert refusals([]) == []


def test_a_finding_is_known_by_rule_and_key() -> None:
    one = finding(STEP)
    assert key_of(one) == key_of(one.replaced(span=Span(5, 6), message="More."))
    assert key_of(one) != key_of(one.replaced(path=("b",)))
    assert key_of(one) != key_of(finding(OF_ANY))


def test_what_only_the_files_around_show_is_left_out() -> None:
    text = (
        "base_model: a/b\nlearning_rate: 0.1\nmicro_batch_size: 1\ndatasets: [{path: a, type: alpaca}]\n"
        "flash_attention: true\ndeepspeed: none.json\n"
    )
    case, source = case_in({".git/HEAD": ""}, text, target=["axolotl==0.21.0"])
    case = case.replaced(selection=EVERY_STEP)
    every = {key_of(one) for one in lint_source(source, case).diagnostics}
    found = {key_of(one) for one in findings_of(source, case)}
    # The file that is not there says nothing of the release; the older name does.
    assert found < every
    assert any(path == ("flash_attention",) for _, path in found)
    missing = {key for key in every if key[1] == ("deepspeed",)}
    assert missing
    assert not missing & found
    # Where nothing is of the release, all is as a check finds it.
    plain = SourceText(text.replace("flash_attention: true\n", ""))
    assert findings_of(plain, case) == lint_source(plain, case).diagnostics
    alone = Case.of_text(AXOLOTL, case.target, EVERY_STEP)
    assert findings_of(source, alone) == lint_source(source, alone).diagnostics
