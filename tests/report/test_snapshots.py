"""The whole output of every format, compared with files.

`CFGLINT_UPDATE_SNAPSHOTS=1 pytest tests/report` writes the files anew; read the difference.
"""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from cfglint.diagnostic import Fix
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.rules.knowledge import Knowledge, ProjectRules
from cfglint.knowledge.rules.rule import Details, FixTemplate, Rule, Words
from cfglint.report.formats import diff, text
from cfglint.report.pages import explain
from cfglint.report.run import RunReport
from cfglint.report.snippet import display_width
from cfglint.report.style import Style
from cfglint.source.text import SourceText
from tests.report.building import SNAPSHOTS, at, check_snapshot, report
from tests.report.cases import CASES, grouped

FORMATS = {
    "text": "txt",
    "concise": "txt",
    "agent": "txt",
    "json": "json",
    "github": "txt",
    "markdown": "md",
    "gitlab": "json",
    "junit": "xml",
    "statistics": "txt",
}
COLORED = ("mixed", "grouped", "several", "skipped")
NARROW = ("mixed", "grouped", "wide", "long")
#: Name -> (path, text before, text after, byte-order mark).
CHANGES = {
    "plain": ("train.yml", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 3\nc: 3\n", False),
    "crlf": ("windows.yml", "a: 1\r\nb: 2\r\n", "a: 1\r\nb: 3\r\n", False),
    "no-newline": ("sub/x.yml", "a: 1\nb: 2", "a: 1\nb: 3", False),
    "grows": ("x.yml", "a: 1", "a: 1\nb: 2\n", False),
    "mark": ("mark.yml", "a: 1\n", "a: 2\n", True),
    "emptied": ("x.yml", "a: 1\n", "", False),
    "odd-name": ('a "b"\\\t数.yml', "a: 1\n", "a: 2\n", False),
    "spaces": ("with space.yml", "a: 1\n", "a: 2\n", False),
    "separators": ("x.yml", "a: \u2028\x85\x0c\nb: 1\n", "a: \u2028\x85\x0c\nb: 2\n", False),
    "commands": ("x.yml", "a: 1\n::error::x\n", "a: 2\n::error::x\n", False),
}


@pytest.fixture(autouse=True)
def _steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cfglint.__version__", "0.0.0")
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("format_", FORMATS)
def test_format(case: str, format_: str) -> None:
    printed = import_module(f"cfglint.report.formats.{format_}").render(CASES[case]())
    assert printed == "" or printed.endswith("\n")
    check_snapshot(f"{case}.{format_}.{FORMATS[format_]}", printed)


@pytest.mark.parametrize("case", COLORED)
def test_colored(case: str) -> None:
    printed = text.render(CASES[case](), style=Style(color=True))
    check_snapshot(f"{case}.colored.txt", printed)
    # Each line switches its own colors off.
    for line in printed.split("\n"):
        assert line.count("\x1b[0m") * 2 == line.count("\x1b[")


@pytest.mark.parametrize("case", NARROW)
def test_narrow(case: str) -> None:
    printed = text.render(CASES[case](), width=60)
    check_snapshot(f"{case}.narrow.txt", printed)
    # A path is never cut: it could neither be clicked nor searched for.
    lines = [line for line in printed.split("\n") if not line.startswith("a/a/")]
    assert max(map(display_width, lines)) <= 60


@pytest.mark.parametrize("case", ["mixed", "grouped"])
def test_narrow_and_colored(case: str) -> None:
    printed = text.render(CASES[case](), style=Style(color=True), width=60)
    plain = (SNAPSHOTS / f"{case}.narrow.txt").read_text("utf-8")
    assert re.sub(r"\x1b\[[0-9;]+m", "", printed) == plain


def test_everything_in_full() -> None:
    check_snapshot("grouped.verbose.txt", text.render(grouped(), verbose=True))


@pytest.mark.parametrize("case", CASES)
def test_errors_come_first(case: str) -> None:
    made = CASES[case]()
    for file in made.files:
        if any(found.severity == "error" for found in file.diagnostics):
            first, *_ = text.findings([file], Style(color=False), 100).splitlines()
            assert "  error  " in first or made.files[0].path.startswith("a/a/")


def _changed(name: str) -> RunReport:
    path, before, after, bom = CHANGES[name]
    file = report(
        path,
        before,
        bom=bom,
        original=SourceText(before, bom=bom),
        fixed_source=SourceText(after, bom=bom),
    )
    return RunReport([file, report("untouched.yml", "a: 1\n")], [], dry=True)


@pytest.mark.parametrize("name", CHANGES)
def test_diff(name: str) -> None:
    check_snapshot(f"diff.{name}.txt", diff.render(_changed(name).files))


def test_a_colored_diff() -> None:
    printed = diff.render(_changed("plain").files, for_terminal=True, style=Style(color=True))
    check_snapshot("diff.plain.colored.txt", printed)


@pytest.mark.parametrize("name", ["odd-name", "separators"])
def test_diff_for_reading(name: str) -> None:
    check_snapshot(
        f"diff.{name}.terminal.txt", diff.render(_changed(name).files, for_terminal=True)
    )


RULE = Rule(
    "PAK901",
    "rule-of-an-example",
    "axolotl",
    "warning",
    "medium",
    "evaluation",
    "warns",
    {"axolotl": Applies(">=0.4,<0.5", 0, 0)},
    None,
    None,
    None,
    "raw",
    (("a",),),
    (),
    False,
    (FixTemplate("Do it", "safe", ()), FixTemplate("Or that", "unsafe", ())),
)
DETAILS = Details(
    "What the rule is about",
    "First paragraph\nof two lines.\n\nSecond: `code`.",
    (("fix", "a pull request", "https://example.org/1"), ("report", "an issue", "https://x.y/2")),
    (("axolotl", ">=0.4,<0.5"), ("torch", "<2.5")),
    (
        {
            "bad": "a: 1  # <- PAK901\n",
            "target": {"axolotl": "0.4.1", "gpus": 8},
            "fixed": "a: 2\n",
        },
        {"good": "a: 2\n"},
    ),
)
RULE_TEXTS = Words("The message", "a day", "", ())


def knowledge(details: Details) -> Knowledge:
    return Knowledge("axolotl", ProjectRules((), {RULE.code: RULE_TEXTS}, {RULE.code: details}))


@pytest.mark.parametrize("color", [False, True])
def test_explain(color: bool) -> None:
    printed = explain.render(RULE, knowledge(DETAILS), Style(color=color))
    check_snapshot(f"explain.{'colored' if color else 'plain'}.txt", printed)


def test_explain_with_the_least() -> None:
    least = knowledge(Details("Short", "Why.", (), (), ()))
    rule = RULE.replaced(fixes=(), severity="note")
    printed = explain.render(rule, least, Style(color=False))
    check_snapshot("explain.least.txt", printed)


def test_every_stored_file_is_compared() -> None:
    wanted = {f"{case}.{name}.{ending}" for case in CASES for name, ending in FORMATS.items()}
    wanted |= {f"{case}.colored.txt" for case in COLORED}
    wanted |= {f"{case}.narrow.txt" for case in NARROW}
    wanted |= {f"diff.{name}.txt" for name in CHANGES}
    wanted |= {f"diff.{name}.terminal.txt" for name in ("odd-name", "separators")}
    wanted |= {f"explain.{name}.txt" for name in ("plain", "colored", "least")}
    wanted |= {"end-to-end.txt", "end-to-end-conditional.txt"}
    wanted |= {"grouped.verbose.txt", "diff.plain.colored.txt"}
    # Of tests in other files.
    wanted |= {"effective.txt", "effective-changes.txt", "migration.md", "migration.txt"}
    wanted |= {"preflight.agent.txt", "preflight.txt", "summary.txt"}
    assert {path.name for path in SNAPSHOTS.iterdir()} == wanted


def test_a_fix_without_changed_lines_is_named_only() -> None:
    source = "a: 1\n"
    from tests.report.building import finding

    found = finding("AAA001", at(source, "a"), fixes=(Fix("Nothing", "safe", (), ()),))
    printed = text.render(RunReport([report("a.yml", source, found)], []))
    assert "fix: Nothing\n" in printed
    assert "  - " not in printed
