"""Rule files: what the model refuses, in words that help, and how fresh the compiled form is."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.freshness import refresh
from cfglint.knowledge.compiling.loading import load_derivations, load_rules
from cfglint.knowledge.rules.predicates import PREDICATES
from tests.shipped import RULES, shipped_rules

RULE: dict[str, Any] = {
    "code": "PAK999", "name": "a-rule", "summary": "S", "framework": "axolotl", "severity": "error",
    "confidence": "high", "bites": "start", "upstream": "silent", "when": {"a": {"eq": 1}}, "at": ["a"],
    "message": "m", "cost": "c", "why": "w",
    "examples": [{"bad": "a: 1  # <- PAK999\n"}, {"good": "a: 2\n"}],
}  # fmt: skip


def write(folder: Path, rule: dict[str, Any], name: str = "a-rule") -> Path:
    path = folder / "axolotl" / "packing" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(rule), encoding="utf-8")
    return path


#: How a sentence, or its part behind a colon or a comma, begins that says what to do.
ADVICE = re.compile(
    r"(^|[.:;,] |\b(or|and|then) )(Add|Ask|Begin|Change|Choose|Cut|Delete|Drop|Give|Install|Leave|Lower"
    r"|List|Move|Name|Pass|Put|Raise|Remove|Rename|Save|Set|Shorten|Take|Train|Turn|Upgrade|Use|Write)\b",
    re.IGNORECASE,
)


def test_every_message_without_a_fix_gives_the_advice() -> None:
    """Few readers open the explanation, so advice must not be only there."""
    hidden = {
        file.rule.code
        for file in shipped_rules()
        if "**What to do:**" in file.rule.why
        and not (file.rule.fix or "{did you mean}" in file.rule.message)
        and not ADVICE.search(" ".join([file.rule.message, *(p.say for p in file.rule.remedy)]))
    }
    assert not hidden


def test_a_prefix_has_one_folder() -> None:
    """Of a framework, beside those about pairs of files: a code tells where its file is."""
    folders: dict[tuple[str, str], set[str]] = {}
    for file in shipped_rules():
        if file.rule.edge is not None:
            continue
        home, folder, _ = file.path.relative_to(RULES).parts
        folders.setdefault((home, file.rule.code.rstrip("0123456789")), set()).add(folder)
    assert {prefix: found for prefix, found in folders.items() if len(found) > 1} == {}


def test_every_rule_has_references() -> None:
    """Except those about cfglint itself, for which there is no other source."""
    unknown = {file.rule.code for file in shipped_rules() if not file.rule.references}
    assert unknown == {"CFG001", "CFG002", "CFG003", "CFG004", "ENV503", "ENV506", "SWP010"}


def test_implied_fields_may_be_left_out(tmp_path: Path) -> None:
    said = {**RULE, "upstream": "rejects", "when": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]}
    for key in ("name", "framework", "cost"):
        del said[key]
    write(tmp_path, said)
    (file,) = load_rules(tmp_path)
    assert (file.rule.name, file.rule.framework) == ("a-rule", "axolotl")
    assert (file.rule.cost, file.rule.view) == ("the run does not start", "raw")
    assert file.rule.when == {"all": said["when"]}


def test_a_rule_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, RULE)
    (file,) = load_rules(tmp_path)
    assert (file.rule.code, file.path) == ("PAK999", path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"code": "Pak1"}, "code: String should match pattern"),
        ({"name": "A Rule"}, "name: String should match"),
        ({"name": "other-rule"}, "the rule is named other-rule"),
        ({"framework": "trl"}, "the framework of a rule in this folder is axolotl"),
        ({"severity": "fatal"}, "severity: Input should be 'error'"),
        ({"extra": 1}, "extra: Extra inputs are not permitted"),
        ({"when": None}, "either `when` or `check`"),
        ({"check": "x"}, "either `when` or `check`"),
        ({"when": {"a": {"equals": 1}}}, "when: unknown predicate 'equals'"),
        ({"at": []}, "`at` is missing"),
        ({"cost": None}, "cost"),
        ({"applies": {"axolotl": "newest"}}, "applies.axolotl"),
        ({"applies": {"axolotl": 0.1}}, "is not a version specifier; quote it"),
        ({"each": "a b"}, "each: 'a b' is not a key path"),
        ({"summary": "x" * 121}, "summary: String should have at most 120"),
        ({"references": [{"kind": "docs", "title": "t", "url": "http://x"}]}, "references.0.url"),
        ({"fix": [{"title": "t", "safety": "safe", "edits": [{}]}]}, "an edit is one of"),
        (
            {
                "fix": [
                    {"title": "t", "safety": "safe", "edits": [{"delete": "a", "set": {"b": 1}}]}
                ]
            },
            "an edit is one of",
        ),
        (
            {
                "fix": [
                    {
                        "title": "t",
                        "safety": "unsafe",
                        "edits": [{"delete": "a"}],
                        "leads_to": ["PAK001"],
                    }
                ]
            },
            "an unsafe fix may lead to anything",
        ),
        ({"message": "{remedy}"}, "`remedy` needs `when`, and `{remedy}` in the message"),
        ({"remedy": [{"say": "Stop."}]}, "`remedy` needs `when`, and `{remedy}` in the message"),
        (
            {"message": "{remedy}", "remedy": [{"when": [{"a": {"is": 1}}], "say": "Stop."}]},
            "remedy.0.when: `is` expects true, false or null",
        ),
        ({"examples": [{"bad": "a: 1  # <- PAK999\n"}] * 2}, "needs a good example"),
        ({"examples": [{"good": "a: 1\n"}] * 2}, "needs a bad example"),
        ({"examples": [{"bad": "a: 1\n"}, {"good": "a: 2\n"}]}, "has to mark its line"),
        ({"examples": [{"bad": "a", "good": "b"}, {"good": "c"}]}, "either bad or good"),
        ({"examples": [{"good": "b", "fixed": "c"}, {"good": "c"}]}, "only a bad example"),
    ],
    ids=str,
)
def test_what_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    path = write(tmp_path, {**RULE, **change})
    with pytest.raises(RuleFileError) as caught:
        load_rules(tmp_path)
    assert words in str(caught.value)
    assert all(line.startswith(f"{path}:") for line in str(caught.value).splitlines())


def test_all_problems_of_all_files_are_reported_at_once_with_their_lines(tmp_path: Path) -> None:
    first = tmp_path / "axolotl" / "packing" / "a-rule.yaml"
    first.parent.mkdir(parents=True)
    first.write_text(
        "code: PAK999\nsummary: S\nseverity: fatal\nupstream: silent\nwhen: {a: {equals: 1}}\n"
        "message: m\nexamples:\n  - bad: |\n      a: 1\n",
        encoding="utf-8",
    )
    second = write(tmp_path, {**RULE, "code": "PAK998", "view": "late-ish"}, "b-rule")
    with pytest.raises(RuleFileError) as caught:
        load_rules(tmp_path)
    assert caught.value.problems[:-2] == (
        f"{first}:1: `at` is missing: the keys that may carry the finding",
        f"{first}:1: `bites` is missing: when the problem shows: start, data, model-load, train,"
        " evaluation, save or silent",
        f"{first}:1: `confidence` is missing: how sure the evidence is: high, medium or low",
        f"{first}:1: `cost` is missing: what the finding costs, and when; it may only be left out"
        " where it follows from `bites` and `upstream`, as from `start` and `rejects`",
        f"{first}:1: `why` is missing: what happens, when, and how that is known",
        f"{first}:3: severity: Input should be 'error', 'warning' or 'note'",
        f"{first}:5: when: unknown predicate 'equals'; expected one of {', '.join(PREDICATES)}",
        f"{first}:7: a rule needs a good example",
        f"{first}:8: a bad example has to mark its line with `# <- PAK999`",
    )
    assert [line.partition(": ")[0].rpartition(":")[0] for line in caught.value.problems[-2:]] == [
        str(second),
        str(second),
    ]
    assert caught.value.brief.endswith("(and 10 more problems; `cfglint rules test` lists them)")


@pytest.mark.parametrize("change", [{"name": "b-rule"}, {"code": "PAK998"}])
def test_codes_and_names_are_single(tmp_path: Path, change: dict[str, Any]) -> None:
    write(tmp_path, RULE)
    second = {**RULE, **change}
    if "code" in change:
        second["examples"] = [{"bad": "a: 1  # <- PAK998\n"}, {"good": "a: 2\n"}]
    path = tmp_path / "axolotl" / "other" / f"{second['name']}.yaml"
    path.parent.mkdir()
    path.write_text(yaml.safe_dump(second), encoding="utf-8")
    with pytest.raises(RuleFileError, match="is already the rule in"):
        load_rules(tmp_path)


@pytest.mark.parametrize("text", ["a: [", "\x00", "- a"])
def test_files_that_are_no_rules(tmp_path: Path, text: str) -> None:
    write(tmp_path, RULE).write_text(text, encoding="utf-8")
    with pytest.raises(RuleFileError, match="a-rule"):
        load_rules(tmp_path)


@pytest.mark.parametrize(
    "parts",
    [
        {"name": "x"},
        [{"name": "x", "reason": "r"}],
        [{"name": "x", "reason": "r", "convert": {"a": "upper"}}],
        [{"name": "x", "reason": "r", "set": {"a": 1}, "view": "raw"}],
        [{"name": "x", "reason": "r", "set": {"a": 1}, "when": {"a": 1}}],
    ],
    ids=str,
)
def test_derivations_that_are_refused(tmp_path: Path, parts: Any) -> None:
    path = tmp_path / "derivations.yaml"
    path.write_text(yaml.safe_dump(parts), encoding="utf-8")
    with pytest.raises(RuleFileError):
        load_derivations(path)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Counts compilations instead of doing them."""
    calls: list[Path] = []

    def write_nothing(_rules: Path, compiled: Path) -> None:
        calls.append(compiled)

    monkeypatch.setattr("cfglint.knowledge.compiling.freshness.write", write_nothing)
    return calls


def test_compiled_again_only_after_a_change(tmp_path: Path, written: list[Path]) -> None:
    rules, compiled = tmp_path / "rules", tmp_path / "compiled"
    compiled.mkdir()
    path = write(rules, RULE)

    def compilations() -> int:
        refresh(str(rules), str(compiled))
        return len(written)

    assert compilations() == 1
    assert compilations() == 1
    path.write_text(path.read_text() + "# a comment\n")
    assert compilations() == 2
    os.utime(path, ns=(1, 1))
    assert compilations() == 3
    write(rules, RULE, "another")
    assert compilations() == 4
    path.unlink()
    assert compilations() == 5
    (path.parent / "notes.txt").write_text("no rule")
    assert compilations() == 5
