"""To the fix point, with guilty fixes rejected alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.fixes.actions import Action, DeleteKey, RenameKey, SetValue
from cfglint.fixes.loop import MAX_PASSES, fix_source
from cfglint.fixes.passes import MAX_TRIALS
from cfglint.fixes.planning import plan
from cfglint.source.document import Document, Path
from cfglint.source.languages.yaml import PYYAML, compose
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


def rule(code: str, key: str, *actions: Action, safety: str = "safe", leads_to: str = "") -> Check:
    """A finding with a fix for every file that has a key; `leads_to` is a code a letter."""

    def check(document: Document) -> Diagnostic | None:
        if document.entry((key,)) is None:
            return None
        made = plan(document, actions)
        fix = Fix(
            f"fix {code}",
            safety,  # type: ignore[arg-type]
            made.edits,
            made.paths,
            leads_to=tuple(leads_to),
        )
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
        rule("A", "a", RenameKey(("a",), "b"), leads_to="B"),
        rule("O", "old", RenameKey(("old",), "a"), leads_to="A"),
    )
    outcome = fix_source(source, lint)
    assert outcome.source.to_bytes() == "\ufeff# c\nx: 2\nn: 1\n".encode()
    assert [fix.code for fix in outcome.applied] == ["O", "A", "B"]
    assert (outcome.passes, outcome.cycle, outcome.converged) == (3, False, True)
    assert fix_source(outcome.source, lint).source is outcome.source


def test_each_fix_has_the_line_that_it_had_before_fixing() -> None:
    def at_key(key: str, *actions: Action) -> Check:
        def check(document: Document) -> Diagnostic | None:
            found = rule(key.upper(), key, *actions)(document)
            span = document.span((key,))
            return found and found.replaced(span=span)

        return check

    source = SourceText.from_str("gone: 1\nk: 0\nold: 2\nlast: 3\n")
    lint = linter(
        at_key("gone", DeleteKey(("gone",))),
        at_key("old", RenameKey(("old",), "a")),
        # It would take the first line away, too, so it has to wait for the next pass.
        lambda document: at_key(
            "last",
            *([DeleteKey(("gone",))] if document.entry(("gone",)) else []),
            RenameKey(("last",), "b"),
        )(document),
    )
    outcome = fix_source(source, lint)
    assert (outcome.source.text, outcome.passes) == ("k: 0\na: 2\nb: 3\n", 2)
    assert [(fix.code, fix.line) for fix in outcome.applied] == [
        ("GONE", 1),
        ("OLD", 3),
        ("LAST", 4),
    ]


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
        ("L", "`x` would get a different value")
    ]
    assert outcome.converged


def test_cycle() -> None:
    source = SourceText.from_str("a: 1\n")
    lint = linter(
        rule("A", "a", RenameKey(("a",), "b"), leads_to="B"),
        rule("B", "b", RenameKey(("b",), "a"), leads_to="A"),
    )
    outcome = fix_source(source, lint)
    assert outcome.source is source
    assert outcome.cycle
    assert not outcome.applied
    assert [fix.code for fix in outcome.rejected] == ["A", "B"]


def test_endless_fix_stops() -> None:
    def grow(document: Document) -> Diagnostic:
        made = plan(document, (SetValue((f"k{len(document.root.entries)}",), 1),))
        return finding("G", (), Fix("grow", "safe", made.edits, made.paths, leads_to=("G",)))

    outcome = fix_source(SourceText.from_str("a: 1\n"), linter(grow))
    assert outcome.passes == MAX_PASSES == 20
    assert not outcome.converged


def test_a_safe_fix_that_leads_to_another_finding_is_not_made() -> None:
    source = SourceText.from_str("a: 1\nx: 2\n")
    new = rule("N", "b")
    lint = linter(
        rule("A", "a", RenameKey(("a",), "b")), rule("X", "x", RenameKey(("x",), "y")), new
    )
    outcome = fix_source(source, lint)
    assert outcome.source.text == "a: 1\ny: 2\n"
    assert [fix.code for fix in outcome.applied] == ["X"]
    assert [(fix.code, fix.reason) for fix in outcome.rejected] == [("A", "it would lead to N (n)")]
    assert outcome.converged
    # A person who asks for unsafe fixes has decided.
    assert fix_source(source, lint, unsafe=True).source.text == "b: 1\ny: 2\n"
    # Or the fix says so itself.
    declared = rule("A", "a", RenameKey(("a",), "b"), leads_to="N")
    assert fix_source(source, linter(declared, new)).source.text == "b: 1\nx: 2\n"


def test_a_declaration_covers_no_other_fix() -> None:
    source = SourceText.from_str("a: 1\nx: 2\n")
    lint = linter(
        rule("A", "a", RenameKey(("a",), "b"), leads_to="N"),
        rule("X", "x", RenameKey(("x",), "y")),
        rule("N", "b"),
        lambda document: finding("N", ("y",)) if document.entry(("y",)) else None,
    )
    outcome = fix_source(source, lint)
    assert outcome.source.text == "b: 1\nx: 2\n"
    assert [fix.code for fix in outcome.rejected] == ["X"]


def test_what_takes_the_place_of_the_repaired_finding_is_new() -> None:
    source = SourceText.from_str("a: 1\n")
    again = linter(rule("A", "a", RenameKey(("a",), "b")), rule("A", "b"))
    assert fix_source(source, again).source is source


def test_fixes_that_are_right_only_together_are_made() -> None:
    source = SourceText.from_str("a: 1\nx: 2\n")

    def half(document: Document) -> Diagnostic | None:
        done = [document.entry((key,)) is not None for key in ("b", "y")]
        return finding("H", ()) if any(done) and not all(done) else None

    lint = linter(
        rule("A", "a", RenameKey(("a",), "b")), rule("X", "x", RenameKey(("x",), "y")), half
    )
    assert fix_source(source, lint).source.text == "b: 1\ny: 2\n"


def test_the_search_for_the_guilty_ends() -> None:
    count = 4 * MAX_TRIALS
    source = SourceText.from_str("".join(f"k{number}: 1\n" for number in range(count)))
    runs = 0

    def lint(text: SourceText) -> list[Diagnostic]:
        nonlocal runs
        runs += 1
        document = compose(text)
        found = []
        for number in range(count):
            for check in (
                rule("A", f"k{number}", RenameKey((f"k{number}",), f"n{number}")),
                rule("N", f"n{number}"),
            ):
                diagnostic = check(document)
                if diagnostic is not None:
                    found.append(diagnostic)
        return found

    outcome = fix_source(source, lint)
    assert outcome.source is source
    assert runs <= 2 * MAX_TRIALS
    assert len({fix.path for fix in outcome.rejected}) == count


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


def test_a_safe_fix_takes_away_no_setting_that_an_earlier_one_wrote() -> None:
    both = linter(
        rule("A", "ration", RenameKey(("ration",), "ratio"), leads_to="B"),
        lambda document: (
            rule("B", "ratio", DeleteKey(("ratio",)))(document)
            if document.entry(("steps",))
            else None
        ),
        rule("X", "x", RenameKey(("x",), "y")),
    )
    source = SourceText.from_str("steps: 1\nration: 2\nx: 3\n")
    outcome = fix_source(source, both)
    # The report on the file announces the new name only.
    assert outcome.source.text == "steps: 1\nration: 2\ny: 3\n"
    assert [(fix.code, fix.reason) for fix in outcome.rejected] == [
        ("A", "it would lead to B (b), whose fix would remove the setting")
    ]
    assert outcome.converged
    assert fix_source(outcome.source, both).source is outcome.source
    assert fix_source(source, both, unsafe=True).source.text == "steps: 1\ny: 3\n"


def test_what_the_report_announces_is_removed() -> None:
    both = linter(
        rule("A", "old", RenameKey(("old",), "new"), leads_to="B"),
        rule("B", "gone", DeleteKey(("gone",))),
        rule("C", "new", DeleteKey(("new",)), SetValue(("newer",), 1)),
    )
    source = SourceText.from_str("old: 1\ngone: 2\nk: 3\n")
    assert fix_source(source, both).source.text == "old: 1\nk: 3\n"
    declared = linter(
        rule("A", "old", RenameKey(("old",), "new"), leads_to="C"),
        rule("C", "new", DeleteKey(("new",)), SetValue(("newer",), 1)),
    )
    # What replaces a setting does not take it away.
    assert fix_source(source, declared).source.text == "gone: 2\nk: 3\nnewer: 1\n"


def test_a_rejected_fix_is_not_offered_any_longer() -> None:
    lint = linter(rule("A", "a", RenameKey(("a",), "b")), rule("N", "b"))
    source = SourceText.from_str("a: 1\n")
    outcome = fix_source(source, lint)
    (found,) = outcome.left(lint(outcome.source))
    assert found.fix() is None
    assert [fix.refused for fix in found.fixes] == ["It would lead to N (n)."]


def test_where_the_last_word_differs_the_passes_are_made_with_that_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lint = linter(rule("A", "a", RenameKey(("a",), "b")))
    source = SourceText.from_str("a: 1\n")
    readings = []
    read = PYYAML.read

    def recorded(text: SourceText, *, pure: bool = False) -> Document:
        readings.append(pure)
        return read(text, pure=pure)

    monkeypatch.setattr(PYYAML, "read", recorded)
    assert fix_source(source, lint).source.text == "b: 1\n"
    # Before and after; the second opinion reads the result once more.
    assert readings.count(True) == 3
    monkeypatch.setattr("cfglint.fixes.verification.readers_disagree", lambda _document: True)
    readings.clear()
    assert fix_source(source, lint).source.text == "b: 1\n"
    assert readings.count(True) > 3
