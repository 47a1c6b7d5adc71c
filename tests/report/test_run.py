"""Several reports as one run: what is joined, counted, and due."""

from __future__ import annotations

import os
from typing import Any

from cfglint.diagnostic import Diagnostic, OtherFile
from cfglint.engine.file_report import FileReport, Named
from cfglint.report.run import RunReport, count_phrase
from cfglint.source.text import SourceText, Span
from tests.draws import each
from tests.report.building import finding, report, swap

TEXT = "a: 1\nb: 2\nc: 3\n"
ONE, TWO, THREE = Span(0, 1), Span(5, 6), Span(10, 11)


def one(*found: Diagnostic, path: str = "a.yml", **fields: Any) -> FileReport:
    return report(path, TEXT, *found, **fields)


def fixable(span: Span, code: str = "KEY001", safety: str = "safe", **fields: Any) -> Diagnostic:
    fix = swap(TEXT, TEXT[span.start : span.end], "x", safety=safety)
    return finding(code, span, fixes=(fix,), **fields)


def shown(run: RunReport) -> list[tuple[str, list[tuple[str, str]]]]:
    """Path -> code and severity of what is found in it."""
    return [(file.path, [(d.code, d.severity) for d in file.diagnostics]) for file in run.files]


def test_one_file_that_two_name_is_reported_once() -> None:
    both, first = finding("X1", ONE), finding("X2", TWO, severity="note")
    louder, last = first.replaced(severity="error"), finding("X3", Span(2, 3))
    inner = one(both, first, path="b.json")
    run = RunReport([one(elsewhere=(inner,))], [])
    assert not run.add(one(both, louder, last, path="b.json"))
    assert run.add(one(path="c.yml"))
    assert shown(run) == [
        ("a.yml", []),
        ("b.json", [("X1", "error"), ("X3", "error"), ("X2", "error")]),
        ("c.yml", []),
    ]
    assert [run.is_whole(file) for file in run.files] == [True, True, True]


def test_a_less_severe_finding_does_not_lower_the_same_one() -> None:
    found = finding("X1", ONE)
    run = RunReport([one(found), one(found.replaced(severity="note"))], [])
    assert shown(run) == [("a.yml", [("X1", "error")])]


def test_the_report_of_its_own_framework_comes_first() -> None:
    own, other = one(finding("X1", ONE)), one(finding("X2", TWO), framework=None)
    for files in ([own, other], [other, own]):
        run = RunReport(files, [])
        assert shown(run) == [("a.yml", [("X1", "error"), ("X2", "error")])]
        assert run.files[0].framework == "axolotl"


def test_the_text_of_a_file_without_findings_may_be_left_out() -> None:
    for texts in (["", TEXT], [TEXT, ""]):
        files = [one(finding("X1", ONE)) if text else report("a.yml", "") for text in texts]
        assert RunReport(files, []).files[0].source.text == TEXT


@each("named_first", [True, False])
def test_what_is_known_better_from_the_file_that_names_another(named_first: bool) -> None:
    known = finding("X2", TWO, message="As the config sees it.")
    named = Named("b.json", "deepspeed", "DeepSpeed", frozenset({"X1"}), (known,))
    config, other = one(names=(named,)), one(finding("X1", ONE), finding("X2", TWO), path="b.json")
    run = RunReport([other, config] if named_first else [config, other], [])
    (found,) = next(file for file in run.files if file.path == "b.json").diagnostics
    assert found == known


def test_names_are_compared_by_the_files_behind_links() -> None:
    real = {"a.yml": "a.yml", "link.yml": "a.yml"}
    run = RunReport([one(finding("X1", ONE)), one(path="link.yml")], [], real=real.__getitem__)
    assert shown(run) == [("a.yml", [("X1", "error")])]


def test_left_out() -> None:
    run = RunReport([one()], [])
    for path, why in (("a.yml", "too large"), ("b", "too large"), ("c", "binary"), ("d", "hidden")):
        run.leave_out(path, why)
    # What is there is not left out.
    assert run.left_out == {"too large": 1, "binary": 1, "hidden": 1}
    assert run.left_out_as("too large") == ["a.yml", "b"]


def test_what_is_skipped_has_a_reason() -> None:
    run = RunReport([], [])
    run.skip("a.yml", "empty")
    assert (run.skipped, run.reasons) == (["a.yml"], {"a.yml": "empty"})


def test_fixable() -> None:
    launch = OtherFile("run.sh", SourceText(TEXT))
    same = fixable(ONE).replaced(span=THREE)
    config = one(fixable(ONE), same, fixable(TWO, safety="unsafe"), fixable(THREE, undecided=True))
    beside = one(fixable(ONE, file=launch), path="run.sh")
    named = one(fixable(ONE), fixable(TWO), path="b.json")
    names = Named("b.json", "deepspeed", "DeepSpeed", frozenset())
    run = RunReport([config.replaced(names=(names,), elsewhere=(beside, named))], [])
    # A fix of two findings is made once, and that of an undecided one not at all.
    assert (run.fixable(), run.unsafely_fixable()) == (2, 1)
    assert run.fixable_if_named() == {"b.json": 2}
    assert [run.is_whole(file) for file in run.files] == [True, False, False]


def test_counts() -> None:
    found = [
        finding("X1", ONE, severity="note"),
        finding("X2", TWO),
        finding("X3", THREE, other_releases=True),
    ]
    run = RunReport([one(*found, due=2), one(found[1], path="b.yml", due=1)], [])
    assert run.counts() == {"error": 3, "warning": 0, "note": 1}
    assert run.counts(other_releases=False) == {"error": 2, "warning": 0, "note": 1}
    assert list(run.counts()) == ["error", "warning", "note"]
    assert run.due() == 3
    assert count_phrase(run.counts()) == "3 errors, 1 note"
    assert count_phrase({"error": 0}) == ""


def test_what_is_open() -> None:
    files = [
        one(undecided={"gpus": 1, "gpu": 1}, open_rules={"gpus": ("KRN101", "DST101", "XYZ999")}),
        one(path="b.yml", undecided={"gpus": 3}, open_rules={"gpus": ("DST101",)}),
        one(path="c.yml", undecided={"gpus": 2}),
        one(path="d.yml", framework=None, open_rules={"torch": ("DST101",)}),
    ]
    run = RunReport(files, [])
    assert run.undecided() == {"gpus": 3, "gpu": 1}
    assert {fact: [code for code, _ in rules] for fact, rules in run.open_rules().items()} == {
        "gpus": ["DST101", "KRN101"]
    }


@each(
    ("threshold", "files", "severity", "preview", "fails"),
    [
        (None, "error", "error", False, True),
        (None, "error", "error", True, False),
        (None, "error", "warning", False, False),
        (None, "warning", "warning", False, True),
        ("warning", "error", "warning", False, True),
        ("warning", "error", "note", False, False),
        ("never", "error", "error", False, False),
    ],
)
def test_what_fails(threshold: Any, files: Any, severity: Any, preview: bool, fails: bool) -> None:
    found = finding("X1", ONE, severity=severity, preview=preview)
    assert RunReport([one(found, fail_on=files)], [], fail_on=threshold).failed() is fails


@each(
    ("path", "shown_as"),
    [
        ("/r/a.yml", "a.yml"),
        ("/r/to/a.yml", "to/a.yml"),
        ("/r", "."),
        ("/a.yml", None),
        ("/", None),
        ("/r/..a/b.yml", "..a/b.yml"),
        ("/link/a.yml", "a.yml"),
    ],
)
def test_the_path_from_the_root(path: str, shown_as: str | None) -> None:
    def real(name: str) -> str:
        return name.replace("/link", "/r", 1)

    run = RunReport([], [], real=real, root=lambda: "/r")
    assert run.path_from_root(path.replace("/", os.sep)) == shown_as


def test_the_most_important_first() -> None:
    late = finding("X1", ONE, bites="save")
    soon = finding("X2", TWO, bites="start")
    open_one = finding("X3", THREE, other_releases=True)
    minor = finding("X4", THREE, severity="note")
    run = RunReport([one(late, open_one), one(minor, soon, path="b.yml")], [])
    assert [found.code for _, found in run.by_importance()] == ["X2", "X1", "X4", "X3"]


@each(
    ("folded", "expected"),
    [
        ([1], ["1 finding in 1 file of Axolotl is not shown; see --all."]),
        ([1, 2, 0], ["3 findings in 2 files of Axolotl are not shown; see --all."]),
        ([0], []),
    ],
)
def test_files_of_the_project_itself(folded: list[int], expected: list[str]) -> None:
    files = [one(path=f"{n}.yml", copy_of="Axolotl", folded=k) for n, k in enumerate(folded)]
    run = RunReport([*files, one(folded=9)], [])
    run.conclude()
    assert run.notes == expected


def test_other_words_for_a_path() -> None:
    run = RunReport([], [])
    run.instead = {"stdin.yml": "standard input"}
    said = run.in_words("axolotl (/tmp/stdin.yml line 3), x/stdin.yml; (stdin.yml)")
    assert said == "axolotl (standard input line 3), standard input; (standard input)"
