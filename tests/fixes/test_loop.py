"""To the fix point, with guilty fixes rejected alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.fixes.actions import Action, DeleteKey, RenameKey, SetValue
from cfglint.fixes.loop import MAX_PASSES, fix_source
from cfglint.fixes.planning import plan
from cfglint.source.document import Document, Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText, Span

Check = Callable[[Document], "Diagnostic | None"]


def finding(code: str, path: Path, *fixes: Fix) -> Diagnostic:
    return Diagnostic(
        code=code,
        name=code.lower(),
        severity="error",
        confidence="high",
        upstream="silent",
        bites="start",
        message=code,
        path=path,
        span=Span(0, 1),
        fixes=fixes,
    )


def rule(code: str, key: str, *actions: Action, safety: str = "safe") -> Check:
    """A finding with a fix for every file that has a key."""

    def check(document: Document) -> Diagnostic | None:
        if document.entry((key,)) is None:
            return None
        made = plan(document, actions)
        fix = Fix(f"fix {code}", safety, made.edits, made.paths, made.drops_comments)  # type: ignore[arg-type]
        return finding(code, (key,), fix)

    return check


def linter(*checks: Check) -> Callable[[SourceText], Sequence[Diagnostic]]:
    def lint(source: SourceText) -> list[Diagnostic]:
        document = compose(source)
        return [found for found in (check(document) for check in checks) if found is not None]

    return lint


def test_several_passes() -> None:
    source = SourceText.from_str("\ufeffold: 1 # c\nx: 2\n")
    lint = linter(
        rule("B", "b", DeleteKey(("b",)), SetValue(("n",), 1)),
        rule("A", "a", RenameKey(("a",), "b")),
        rule("O", "old", RenameKey(("old",), "a")),
    )
    outcome = fix_source(source, lint)
    assert outcome.source.to_bytes() == "\ufeffx: 2\nn: 1\n".encode()
    assert [fix.code for fix in outcome.applied] == ["O", "A", "B"]
    assert (outcome.passes, outcome.cycle, outcome.converged) == (3, False, True)
    assert fix_source(outcome.source, lint).source is outcome.source


def test_unsafe_only_when_asked() -> None:
    source = SourceText.from_str("a: 1\n")
    lint = linter(rule("A", "a", RenameKey(("a",), "b"), safety="unsafe"))
    assert fix_source(source, lint).source is source
    assert fix_source(source, lint, unsafe=True).source.text == "b: 1\n"


def test_the_guilty_fix_is_rejected_alone() -> None:
    def liar(document: Document) -> Diagnostic | None:
        start = document.text.find("x: 1")
        fix = Fix("lie", "safe", (Edit(start, start + 4, "x: 9"),), (("y",),))
        return finding("L", ("x",), fix) if start >= 0 else None

    source = SourceText.from_str("a: 1\nk: 0\nx: 1\n")
    outcome = fix_source(source, linter(liar, rule("A", "a", RenameKey(("a",), "b"))))
    assert outcome.source.text == "b: 1\nk: 0\nx: 1\n"
    assert [fix.code for fix in outcome.applied] == ["A"]
    assert [(fix.code, fix.reason) for fix in outcome.rejected] == [
        ("L", "`x` would get another value")
    ]
    assert outcome.converged


def test_cycle() -> None:
    source = SourceText.from_str("a: 1\n")
    lint = linter(rule("A", "a", RenameKey(("a",), "b")), rule("B", "b", RenameKey(("b",), "a")))
    outcome = fix_source(source, lint)
    assert outcome.source is source
    assert outcome.cycle
    assert not outcome.applied
    assert [fix.code for fix in outcome.rejected] == ["A", "B"]


def test_endless_fix_stops() -> None:
    def grow(document: Document) -> Diagnostic:
        made = plan(document, (SetValue((f"k{len(document.root.entries)}",), 1),))
        return finding("G", (), Fix("grow", "safe", made.edits, made.paths))

    outcome = fix_source(SourceText.from_str("a: 1\n"), linter(grow))
    assert outcome.passes == MAX_PASSES == 20
    assert not outcome.converged


def test_a_file_that_cannot_be_read_is_left_alone() -> None:
    source = SourceText.from_str("a: [\n")
    assert fix_source(source, lambda _: []).source is source


def test_the_others_are_made_in_one_pass_without_the_guilty_one() -> None:
    def liar(document: Document) -> Diagnostic | None:
        start = document.text.find("x: 1")
        fix = Fix("lie", "safe", (Edit(start, start + 4, "x: 9"),), (("y",),))
        return finding("L", ("x",), fix) if start >= 0 else None

    source = SourceText.from_str("a: 1\nk: 0\nx: 1\nl: 0\nc: 1\n")
    rename = [rule(name, name, RenameKey((name,), f"{name}2")) for name in ("a", "c")]
    outcome = fix_source(source, linter(liar, *rename))
    assert outcome.source.text == "a2: 1\nk: 0\nx: 1\nl: 0\nc2: 1\n"
    assert (outcome.passes, outcome.converged, len(outcome.rejected)) == (1, True, 1)
