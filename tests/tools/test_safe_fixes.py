"""Safe fixes help: the law holds on a sample, and its judge sees when it does not."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from cfglint.diagnostic import Diagnostic, Fix, SeverityName
from cfglint.fixes.actions import Action, RenameKey, SetValue
from cfglint.fixes.planning import plan
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText, Span
from tools.campaigns import safe_fixes
from tools.campaigns.safe_fixes import (
    Sample,
    cases,
    examples,
    generated,
    judge,
    new_findings,
    unread_keys,
)


def finding(code: str, severity: SeverityName = "warning", *fixes: Fix) -> Diagnostic:
    return Diagnostic(
        code=code,
        name=code.lower(),
        severity=severity,
        confidence="high",
        upstream="silent",
        bites="start",
        message=code,
        path=("old",),
        span=Span(0, 1),
        fixes=fixes,
    )


def test_the_law_holds_on_a_sample() -> None:
    chosen = random.Random(7).sample([*cases(examples())], 250)
    chosen += random.Random(7).sample([*cases(generated(40))], 50)
    verdicts = [judge(case) for case in chosen]
    assert sum(verdict.counts["fixes"] for verdict in verdicts) > 5
    assert not [(each.case.name, each.problems) for each in verdicts if each.problems]


def test_new_findings_are_counted_by_code_and_severity() -> None:
    before = [finding("A"), finding("B", "note")]
    assert not new_findings(before, [finding("A")])
    assert not new_findings(before, [finding("A", "note"), finding("B", "note")])
    assert new_findings(before, [finding("A"), finding("A")]) == {"A": 1}
    assert new_findings(before, [finding("A"), finding("B", "error")]) == {"B": 1}


@pytest.mark.parametrize(
    ("framework", "release", "after", "unread"),
    [
        ("axolotl", "0.21.0", {"seed": 1}, []),
        ("axolotl", "0.21.0", {"vllm": {"gpu_memory_utilization": 0.5}}, []),
        (
            "axolotl",
            "0.21.0",
            {"vllm": {"vllm_gpu_memory_utilization": 0.5}},
            ["vllm.vllm_gpu_memory_utilization"],
        ),
        ("axolotl", "0.7.0", {"vllm": {"gpu_memory_utilization": 0.5}}, ["vllm"]),
        ("axolotl", "0.21.0", {"fsdp": ["full_shard"]}, ["fsdp"]),
        ("axolotl", "0.19.0", {"fsdp": ["full_shard"]}, []),
        ("axolotl", "0.21.0", {"datasets": [{"pth": "a"}]}, ["datasets[].pth"]),
        ("axolotl", "0.21.0", {"bnb_config_kwargs": {"anything": 1}}, []),
        ("accelerate", "1.15.0", {"fp8_config": {"opt_level": "O2"}}, []),
        ("accelerate", "1.15.0", {"fp8_config": {"opt_lvl": "O2"}}, ["fp8_config.opt_lvl"]),
    ],
)
def test_unread_keys(framework: str, release: str, after: object, unread: list[str]) -> None:
    assert unread_keys({}, after, framework, release) == unread
    assert unread_keys(after, after, framework, release) == []


def linter(*actions: Action) -> Callable[[SourceText], list[Diagnostic]]:
    """Finds `old`, with a fix that its engine takes for harmless."""

    def lint(source: SourceText) -> list[Diagnostic]:
        document = compose(source)
        if document.entry(("old",)) is None:
            return [finding("NEW")]
        made = plan(document, actions)
        return [finding("OLD", "warning", Fix("do", "safe", made.edits, made.paths))]

    return lint


def test_the_judge_sees_a_broken_law(monkeypatch: pytest.MonkeyPatch) -> None:
    lint = linter(RenameKey(("old",), "seed"), SetValue(("trian",), 1))

    class Result:
        def __init__(self, source: SourceText) -> None:
            self.diagnostics = lint(source)

    monkeypatch.setattr(safe_fixes, "lint_source", lambda text, *_: Result(text))
    # The engine would have held it back.
    monkeypatch.setattr("cfglint.fixes.consequences.undeclared", lambda *_: None)
    verdict = judge(Sample("a", "axolotl", "0.21.0", "base_model: a/b\nold: 1\n"))
    assert verdict.problems == (
        "OLD -> NEW",
        "`trian` is written, and 0.21.0 does not read it",
    )


def test_what_the_engine_holds_back_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    lint = linter(RenameKey(("old",), "seed"))

    class Result:
        def __init__(self, source: SourceText) -> None:
            self.diagnostics = lint(source)

    monkeypatch.setattr(safe_fixes, "lint_source", lambda text, *_: Result(text))
    verdict = judge(Sample("a", "axolotl", "0.21.0", "base_model: a/b\nold: 1\n"))
    assert not verdict.problems
    assert verdict.held_back == {"OLD: it would lead to NEW (new)": 1}
