"""SARIF: valid, within GitHub's limits, and the same finding has the same fingerprint."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cfglint.diagnostic import Edit, Fix, Related
from cfglint.report.formats import sarif
from cfglint.report.formats.line_hashes import line_hashes
from cfglint.report.run import RunReport
from cfglint.source.text import SourceText, Span
from tests.cli.files import CLEAN, MISSPELT
from tests.cli.running import run
from tests.draws import each
from tests.report import official
from tests.report.building import at, finding, related, report
from tests.report.cases import CASES


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    top = tmp_path / "repository"
    (top / ".git").mkdir(parents=True)
    (top / "configs").mkdir()
    monkeypatch.chdir(top)
    return top


def results(made: RunReport) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = official.sarif(sarif.render(made))["results"]
    return found


@each("case", CASES)
def test_every_report_is_valid(case: str) -> None:
    made = CASES[case]()
    log = official.sarif(sarif.render(made))
    assert len(log["results"]) == sum(len(file.diagnostics) for file in made.files)
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    assert rules == sorted(set(rules))
    for result in log["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]


def test_nothing_found() -> None:
    log = official.sarif(sarif.render(RunReport([report("train.yml", "a: 1\n")], [])))
    assert log["results"] == log["tool"]["driver"]["rules"] == []
    assert log["invocations"] == [{"executionSuccessful": True}]


def test_a_file_that_could_not_be_checked_is_a_notification() -> None:
    made = RunReport([], [])
    made.failures.append("train.yml: cannot be read: Permission denied")
    (invocation,) = official.sarif(sarif.render(made))["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("train.yml: cannot be read")


def test_a_finding_in_full() -> None:
    text = "base: a\nkey: 1\nother: é😀 2\n"
    found = finding(
        "AAA001",
        at(text, "😀 2"),
        severity="note",
        path=("datasets", 0, "type"),
        related=(related(text, "key: 1", "because of this"),),
        fixes=(
            Fix("Write it", "unsafe", (Edit(*at(text, "2\n"), "3\n4\n"), Edit(0, 0, "# x\n")), ()),
            Fix("By hand", "safe", (), (), refused="an anchor"),
        ),
    )
    (result,) = results(RunReport([report("train.yml", text, found)], []))
    place = result["locations"][0]["physicalLocation"]
    region = {"startLine": 3, "startColumn": 9, "endLine": 3, "endColumn": 12}
    assert place["artifactLocation"] == {"uri": "train.yml", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == region
    logical = result["locations"][0]["logicalLocations"][0]
    assert logical["fullyQualifiedName"] == "datasets[0].type"
    assert result["level"] == "note"
    assert result["relatedLocations"][0]["message"] == {"text": "because of this"}
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 2
    # The offered fix, carried out by what the report says.
    (fix,) = result["fixes"]
    lines = text.split("\n")
    for one in fix["artifactChanges"][0]["replacements"]:
        place = one["deletedRegion"]
        starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
        begin = starts[place["startLine"] - 1] + place["startColumn"] - 1
        end = starts[place["endLine"] - 1] + place["endColumn"] - 1
        text = text[:begin] + one["insertedContent"]["text"] + text[end:]
    assert text == "# x\nbase: a\nkey: 1\nother: é😀 3\n4\n"
    assert fix["description"]["text"] == "Write it (unsafe)"


def test_rules_are_described(repository: Path) -> None:
    Path("train.yml").write_text(MISSPELT, encoding="utf-8")
    assert run("train.yml", "--output", "sarif:out.sarif").code == 1
    log = official.sarif(Path("out.sarif").read_text(encoding="utf-8"))
    (rule,) = log["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"]) == ("KEY001", "unknown-key")
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["properties"]["precision"] == "high"
    assert rule["properties"]["problem.severity"] == "error"
    assert rule["shortDescription"]["text"].startswith("A key that no release")
    assert "{" not in rule["fullDescription"]["text"]
    assert "**Cost:** the setting has no effect" in rule["help"]["markdown"]
    assert "ignore[KEY001]" in rule["help"]["text"]


def test_a_projects_own_rule_is_described(repository: Path) -> None:
    rules = Path("lint-rules/saving")
    rules.mkdir(parents=True)
    page = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rule = page.split("```yaml\n", 1)[1].split("```", 1)[0].replace("SAV999", "ORG001")
    (rules / "output-in-tmp.yaml").write_text(rule, encoding="utf-8")
    Path("cfglint.toml").write_text('rules = ["lint-rules"]\n', encoding="utf-8")
    Path("train.yml").write_text(
        CLEAN.replace("output_dir: ./out", "output_dir: /tmp/out"), encoding="utf-8"
    )
    result = run("train.yml", "--output", "sarif:out.sarif", "--select", "ORG001")
    assert result.err == ""
    log = official.sarif(Path("out.sarif").read_text(encoding="utf-8"))
    (described,) = log["tool"]["driver"]["rules"]
    assert described["id"] == "ORG001"
    assert "Filesystem Hierarchy Standard" in described["help"]["markdown"]


LINES = "base_model: a/b\nsample_pakcing: true\nlearning_rate: 0.1\n"


@each(
    ("moved", "same"),
    [
        (LINES, True),
        ("# one\n\n# two\nmicro_batch_size: 2\n" + LINES, True),
        (LINES.replace("true\n", "true  # why\n"), True),
        (LINES.replace("sample_pakcing", "eval_pakcing"), False),
    ],
)
def test_fingerprints_survive_moved_lines(moved: str, same: bool) -> None:
    def fingerprint(text: str) -> str:
        key = "eval_pakcing" if "eval_pakcing" in text else "sample_pakcing"
        found = finding("KEY001", at(text, key), path=(key,))
        (result,) = results(RunReport([report("train.yml", text, found)], []))
        return str(result["partialFingerprints"]["cfglintFinding/v1"])

    assert (fingerprint(LINES) == fingerprint(moved)) is same


def test_items_of_a_list_have_fingerprints_of_their_own() -> None:
    text = "datasets:\n  - x: 1\n  - x: 2\n"
    found = [
        finding("KEY001", at(text, f"x: {number + 1}"), path=("datasets", number, "x"))
        for number in range(2)
    ]
    log = results(RunReport([report("train.yml", text, *found)], []))
    prints = [one["partialFingerprints"]["cfglintFinding/v1"] for one in log]
    assert len(set(prints)) == 2
    assert (
        log[0]["partialFingerprints"]["primaryLocationLineHash"] == line_hashes(SourceText(text))[1]
    )


@each(
    ("text", "hashes"),
    [
        # As GitHub's upload action (src/fingerprints.ts) works them out.
        ("a: 1\r\nb: 2\r\n", ["132b7ee912c57691:1", "5d56533273a3bbdb:1", "c129715d7a2bc9a3:1"]),
        ("\ufeffa: 1\nb\n", ["7c2a6a1cd07148e4:1", "ade70578248be16f:1", "c129715d7a2bc9a3:1"]),
        ("a\r \nb\rc\n", ["5dac9960e82853e9:1", "e8678f64ecf7af62:1", "9ed7939040abc6c0:1"]),
        (
            "x: \U0001f600\n\ta: é\n" * 60,
            ["d10712b185b210d:1", "c456848637c3c9ae:1", "d10712b185b210d:2"],
        ),
    ],
)
def test_line_hashes_are_githubs(text: str, hashes: list[str]) -> None:
    assert line_hashes(SourceText.from_str(text))[:3] == hashes


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("configs/train.yml", "configs/train.yml"),
        ("./configs/../train.yml", "train.yml"),
        ("with space#1%?.yml", "with%20space%231%25%3F.yml"),
        ("a:b.yml", "a%3Ab.yml"),
        ("训练.yml", "%E8%AE%AD%E7%BB%83.yml"),
        ("caf\udce9.yml", "caf%E9.yml"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="such names are for POSIX")
def test_paths_count_from_the_root_and_are_encoded(path: str, address: str) -> None:
    (result,) = results(RunReport([report(path, "a: 1\n", finding("AAA001", Span(0, 1)))], []))
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": address, "uriBaseId": "%SRCROOT%"}


def test_the_root_is_the_top_of_the_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "configs" / "train.yml").write_text(MISSPELT, encoding="utf-8")
    (repository / "other.yml").write_text(MISSPELT, encoding="utf-8")
    outside = repository.parent / "outside.yml"
    outside.write_text(MISSPELT, encoding="utf-8")
    monkeypatch.chdir(repository / "configs")
    names = ("train.yml", "../other.yml", str(outside))
    run(*names, "--isolated", "--format", "sarif", "--output", "out.sarif")
    log = official.sarif(Path("out.sarif").read_text(encoding="utf-8"))
    places = [
        result["locations"][0]["physicalLocation"]["artifactLocation"] for result in log["results"]
    ]
    assert places == [
        {"uri": "configs/train.yml", "uriBaseId": "%SRCROOT%"},
        {"uri": "other.yml", "uriBaseId": "%SRCROOT%"},
        {"uri": outside.as_uri()},
    ]


def test_the_limits_are_githubs() -> None:
    """They are documented with its support of SARIF; the tests below have smaller ones."""
    assert (sarif._MAX_RESULTS, sarif._MAX_LOCATIONS) == (25_000, 1_000)
    assert len(sarif._short("x" * 2_000)) == 1_024


def test_results_over_githubs_limit_are_left_out_with_a_notification(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sarif, "_MAX_RESULTS", 25)
    text = "a: 1\n"
    many = [
        finding("AAA001", Span(0, 1), severity="note", path=(f"k{number}",)) for number in range(25)
    ]
    many += [finding("AAA002", Span(2, 3), severity="error")]
    log = json.loads(sarif.render(RunReport([report("train.yml", text, *many)], [])))["runs"][0]
    assert len(log["results"]) == 25
    # The least severe are left out.
    assert log["results"][0]["ruleId"] == "AAA002"
    (notification,) = log["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("1 finding of the least severe")


def test_places_stay_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "_MAX_LOCATIONS", 100)
    text = "a: 1\n"
    found = finding(
        "AAA001", Span(0, 1), related=tuple(Related(Span(0, 1), "x") for _ in range(150))
    )
    (result,) = results(RunReport([report("train.yml", text, found)], []))
    assert len(result["locations"]) + len(result["relatedLocations"]) == 100


def test_a_message_holds_no_link() -> None:
    found = finding("AAA001", Span(0, 1), message="`[click](https://evil.example)` is no number")
    (result,) = results(RunReport([report("train.yml", "a: 1\n", found)], []))
    assert "](" not in result["message"]["text"]
