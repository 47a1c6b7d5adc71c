"""What rules say, as it is compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cfglint.base.packing import unpack
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.knowledge.compiling.model import RuleModel
from cfglint.knowledge.compiling.texts import (
    compiled_details,
    compiled_words,
    details_of,
    one_line,
    shared_tables,
)

FIELDS: dict[str, Any] = {
    "code": "KEY001",
    "name": "a-rule",
    "summary": "It is so",
    "framework": "any",
    "severity": "warning",
    "confidence": "high",
    "bites": "train",
    "upstream": "silent",
    "check": "a-check",
    "message": "It\n  is so.",
    "cost": "the\nrun",
    "why": "  Because.\nIndeed.\n",
    "references": [{"kind": "docs", "title": "t", "url": "https://a.example/b"}],
    "examples": [
        {"framework": "trl", "bad": "a: 1  # <- KEY001"},
        {"framework": "trl", "good": "a: 2", "repeat": 1},
    ],
}


def file(**fields: Any) -> RuleFile:
    return RuleFile(RuleModel.model_validate(FIELDS | fields), Path("a-rule.yaml"))


def test_words() -> None:
    related = [{"path": "b", "note": "the\n  other"}]
    assert compiled_words(file(related=related).rule) == (
        *("It is so.", "the run", "", ("the other",)),
    )
    assert compiled_words(file(if_undecided="It\nmay be.").rule)[2] == "It may be."
    assert one_line(" a\n\n b\tc ") == "a b c"


def test_details() -> None:
    applies = {"trl": "<1.0", "axolotl": {"spec": "==0.4.1", "commits": ["a1b2c3d4e"]}}
    assert compiled_details(file(applies=applies).rule) == (
        "It is so",
        "Because.\nIndeed.",
        (("docs", "t", "https://a.example/b"),),
        (("trl", "<1.0"), ("axolotl", "==0.4.1")),
        # Of an example that alone which it says.
        (
            {"framework": "trl", "bad": "a: 1  # <- KEY001"},
            {"framework": "trl", "good": "a: 2"},
        ),
    )


def test_what_a_rule_says_otherwise_of_a_framework() -> None:
    same = {"severity": "error"}
    one = file(differs={"trl": {"summary": "It is otherwise"}, "axolotl": same})
    common, otherwise = details_of([one, file(code="KEY002", name="b", examples=[
        {"framework": "trl", "bad": "a: 1  # <- KEY002"}, {"framework": "trl", "good": ""},
    ])])  # fmt: skip
    assert sorted(common) == ["KEY001", "KEY002"]
    assert unpack(common["KEY001"])[0] == "It is so"
    # A severity is no text of `explain`.
    assert list(otherwise) == ["trl"]
    assert {code: unpack(row)[0] for code, row in otherwise["trl"].items()} == {
        "KEY001": "It is otherwise"
    }


def test_rules_of_every_framework(tmp_path: Path) -> None:
    home = tmp_path / "own"
    home.mkdir()
    (home / "framework.yaml").write_text("title: Own\npackages: [own]\nlanguage: yaml\n")
    others = file(
        code="KEY002",
        framework="trl",
        examples=[{"bad": "a: 1  # <- KEY002"}, {"good": ""}],
    )
    found = shared_tables([file(), others], [], [home])
    assert found == {"EVERYWHERE": ("KEY001",), "FRAMEWORKS": {"own": "Own"}, "SHARED": ()}
