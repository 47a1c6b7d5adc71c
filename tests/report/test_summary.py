"""The last lines of the report: each remark, and the words that depend on how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import AppliedFix, FileReport, Named
from cfglint.report.run import RunReport
from cfglint.report.style import Style
from cfglint.report.summary import brief, hanging, started_instead, summary
from cfglint.source.text import SourceText, Span
from tests.draws import each
from tests.report.building import check_snapshot, finding, report, swap, target

TEXT = "a: 1\nb: 2\nc: 3\n"
#: Files of other frameworks that a config names.
B, C, D = (Named(f"{n}.json", "deepspeed", "DeepSpeed", frozenset()) for n in "bcd")
FIXED: Mapping[str, Any] = {
    "fixed_source": SourceText("x"),
    "fixed": (AppliedFix("B2", "Second", 3), AppliedFix("A1", "First", 1)),
}


def run_of(*files: FileReport, **fields: Any) -> RunReport:
    given = {name: fields.pop(name) for name in ("dry", "unsafe_fixes") if name in fields}
    run = RunReport(files, fields.pop("skipped", []), **given)
    for name, value in fields.items():
        setattr(run, name, value)
    return run


def one(*found: Diagnostic, path: str = "a.yml", **fields: Any) -> FileReport:
    return report(path, TEXT, *found, **fields)


def fixable(old: str, safety: str = "safe") -> Diagnostic:
    start = TEXT.index(old)
    return finding("KEY001", Span(start, start + 1), fixes=(swap(TEXT, old, "x", safety=safety),))


def odd(**fields: Any) -> Diagnostic:
    return finding("KEY001", Span(0, 1), name="unknown-key", **fields)


def searched() -> RunReport:
    run = run_of(one())
    for path, why in (
        ("q", "too large"),
        ("r", "binary"),
        ("s", "binary"),
        ("t", "a hidden folder"),
    ):
        run.leave_out(path, why)
    return run


OTHERS = (finding("KEY001", Span(0, 1), other_releases=True), finding("KEY002", Span(5, 6)))
SECOND = one(fixable("1"), path="b.json")
THIRD = one(fixable("1"), path="c.json")
RULES = {"gpus": ("DST101",), "torch": ("KRN101",)}

CASES: dict[str, tuple[RunReport, Mapping[str, Any]]] = {
    "nothing found": (run_of(one()), {}),
    "nothing beside the baseline": (run_of(one(), one(path="b.yml"), known=2), {}),
    "fixable": (run_of(one(fixable("1"))), {}),
    "fixable, and unsafely": (run_of(one(fixable("1"), fixable("2", "unsafe"))), {}),
    "unsafely fixable": (run_of(one(fixable("2", "unsafe"))), {}),
    "unsafe fixes wanted": (run_of(one(fixable("2", "unsafe")), unsafe_fixes=True), {}),
    "a key of no stated release": (run_of(one(due_if_assumed=("k",), due=1)), {}),
    "two keys of no stated release": (run_of(one(due_if_assumed=("k", "l", "k"), due=3)), {}),
    "five keys of no stated release": (run_of(one(due_if_assumed=(*"klmno",), due=1)), {}),
    "keys beside findings": (run_of(one(*OTHERS, due_if_assumed=("k",), due=1)), {}),
    "a note at the upgrade": (run_of(one(due=1)), {}),
    "notes at the upgrade": (run_of(one(due=2), one(due=1, path="b.yml")), {}),
    "suppressed": (run_of(one(suppressed=1), one(suppressed=2, path="b.yml")), {}),
    "one undecided": (run_of(one(undecided={"gpus": 1})), {}),
    "several undecided": (run_of(one(undecided={"gpus": 1, "torch": 2, "gpu.name": 1})), {}),
    "undecided, in detail": (
        run_of(one(undecided={"gpus": 1, "torch": 2}, open_rules=RULES)),
        {"verbose": True},
    ),
    "skipped": (
        run_of(
            skipped=["x.yml", "::y.sh", "z.yml"],
            reasons={"x.yml": "empty"},
            started={"::y.sh": ("a.yml",)},
            notes=["And a note."],
        ),
        {},
    ),
    "nothing there": (run_of(notes=["A note."]), {}),
    "an unknown key": (run_of(one(odd())), {}),
    "an unknown key that is meant": (run_of(one(odd(meant="b"))), {}),
    "an unknown key that is refused": (run_of(one(odd(upstream="rejects", bites="start"))), {}),
    "an unknown key and one that is meant": (run_of(one(odd(meant="b"), odd(message="Odd."))), {}),
    "other releases": (run_of(one(*OTHERS)), {}),
    "several of other releases": (run_of(one(OTHERS[0], OTHERS[0].replaced(code="X"))), {}),
    "other releases wanted": (run_of(one(*OTHERS)), {"other_releases": True}),
    "a script that starts configs": (
        run_of(one(path="run.sh"), started={"run.sh": ("./a.yml", "$X.yml", "t.py", "n.ipynb")}),
        {},
    ),
    "a script that starts four": (
        run_of(one(path="./run.sh"), started={"run.sh": ("1.yml", "2.yml", "3.yml", "4.yml")}),
        {},
    ),
    "a script that starts what is checked": (
        run_of(
            one(path="run.sh"), one(path="to/b.yml"), started={"run.sh": ("b.yml",), "o": ("z",)}
        ),
        {},
    ),
    "what a search left out": (searched(), {}),
    "fixed": (run_of(one(**FIXED)), {}),
    "would be fixed": (run_of(one(**FIXED), one(path="b.yml", **FIXED), dry=True), {}),
    "only fixes, and nothing to fix": (run_of(one(fixable("1")), only_fixes=True), {}),
    "only fixes": (run_of(one(fixable("1"), **FIXED), only_fixes=True), {}),
    "not fixed": (
        run_of(
            one(rejected=(("A1", "it would lead to B2 in line 3"), ("A2", "no")), not_written="?")
        ),
        {},
    ),
    "names a file": (run_of(one(names=(B,))), {}),
    "names files": (run_of(one(names=(B, C)), one(path="z.yml")), {}),
    "two name files": (run_of(one(names=(B,)), one(path="z.yml", names=(C,))), {}),
    "two name files, in detail": (
        run_of(one(names=(B,)), one(path="z.yml", names=(C,))),
        {"verbose": True},
    ),
    "fixable beside, if named": (run_of(one(fixable("2"), names=(B,), elsewhere=(SECOND,))), {}),
    "fixable if two are named": (run_of(one(names=(B, C), elsewhere=(SECOND, THIRD))), {}),
    "fixable if three are named": (
        run_of(one(names=(B, C, D), elsewhere=(SECOND, THIRD, one(fixable("1"), path="d.json")))),
        {},
    ),
    "on two lines": (run_of(one(fixable("1"))), {"width": 79}),
    "on one line, which it fills": (run_of(one(fixable("1"))), {"width": 80}),
    "on three lines": (run_of(one(fixable("1"))), {"width": 39}),
    "an unknown release": (run_of(one(target=target("axolotl==0.99.0"))), {"width": 60}),
}


def test_the_lines_of_each_case() -> None:
    plain = Style(color=False)
    shown = [
        f"--- {name}\n{summary(run, plain, **{'width': 160, **options})}"
        for name, (run, options) in CASES.items()
    ]
    check_snapshot("summary.txt", "\n".join(shown))


def test_colors() -> None:
    style = Style(color=True)
    good, bad = run_of(one()), run_of(one(fixable("1")))
    assert summary(good, style, 100).startswith("\x1b[32mNo problems in 1 file\x1b[0m · checked")
    assert summary(bad, style, 100).startswith("\x1b[1m1 error\x1b[0m in 1 file (1 fixable")


@each(
    ("run", "expected"),
    [
        (run_of(), "No training configs found."),
        (run_of(skipped=["a"]), "Nothing was checked."),
        (run_of(one(fixable("1"))), "1 error in 1 file (1 fixable with --fix)"),
        (run_of(one(**FIXED)), "Fixed 2 findings; No problems in 1 file"),
        (run_of(one(**FIXED), dry=True), "Would fix 2 findings; No problems in 1 file"),
        (run_of(one(*OTHERS)), "1 error in 1 file"),
    ],
)
def test_on_one_line(run: RunReport, expected: str) -> None:
    assert brief(run) == f"{expected}\n"


@each(
    ("configs", "expected"),
    [
        ((), ""),
        (("1.yml",), "it starts 1.yml; check that instead"),
        (("1.yml", "2.yml", "3.yml"), "it starts 1.yml, 2.yml, 3.yml; check those instead"),
        ((*"12345",), "it starts 1, 2, 3 and 2 more; check those instead"),
    ],
)
def test_a_script_without_settings(configs: tuple[str, ...], expected: str) -> None:
    said = started_instead("a b.sh", run_of(started={"a b.sh": configs}))
    assert said.startswith(expected)
    assert said.endswith("`cfglint preflight 'a b.sh'`") == bool(configs)


@each(
    ("text", "width", "expected"),
    [
        ("aa bb", 5, ["aa bb"]),
        ("aa bb cc dd", 8, ["aa bb", "  cc dd"]),
        # No command of a CI runner at the beginning of a line.
        ("::a bb cc", 5, ["\\x3a:a", "  bb", "  cc"]),
    ],
)
def test_hanging(text: str, width: int, expected: list[str]) -> None:
    assert hanging(text, width) == expected
