"""Verification says no to everything that was not declared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from cfglint.diagnostic import Edit, Fix
from cfglint.fixes.verification import verify
from cfglint.source.document import Path
from cfglint.source.languages.yaml import PYYAML, compose
from cfglint.source.text import SourceText
from tests.draws import each

Safety = Literal["", "safe", "unsafe"]


def verdict(
    before: str, after: str, *paths: Path, edits: Sequence[Edit] | None = None, drops: Safety = ""
) -> str | None:
    """What verification says; `drops`: it is the purpose of a fix of this kind to drop comments."""
    document = compose(SourceText.from_str(before))
    fix = Fix("", drops, tuple(edits or ()), (), drops_comments=True) if drops else None
    return verify(document, after, paths, edits=edits, dropping=[fix] if fix else [])


ACCEPTED = [
    ("a: 1\nb: 2\n", "a: 1\nb: 3\n", [("b",)]),
    ("a: 1\nb: 2\n", "a: 1\n", [("b",)]),
    ("a: 1\nb: 2\n", "a: 1\nc: 1\nb: 2\n", [("c",)]),
    ("a: 1\nb: 2\n", "b: 2\na: 1\n", [("a",)]),
    ("a: {b: 1, c: .nan}\n", "a: {c: .nan}\n", [("a", "b")]),
    ("a: [1, 2]\n", "a: [1, 2, 3]\n", [("a", 2)]),
    ("a: 1\nb: 2\na: 3\n", "b: 2\na: 3\n", [("a",)]),
    ("a: |\n  x", "a: |-\n  x\nb: 1", [("b",)]),
]


@each(("before", "after", "paths"), ACCEPTED)
def test_accepted(before: str, after: str, paths: list[Path]) -> None:
    assert verdict(before, after, *paths) is None


REJECTED = [
    ("a: 1\nb: 2\n", "a: 1\nb: 3\n", [("a",)], "`b` would get a different value"),
    ("a: 1\n", "a: true\n", [], "a different value"),
    ("a: 1\n", "a: 1.0\n", [], "a different value"),
    ("a: 1\n", "a: 01\n", [], "spelled"),
    ("a: 'x'\n", "a: x\n", [], "spelled"),
    ("a: 1\nb: 2\n", "b: 2\na: 1\n", [], "order"),
    ("a: 1\nb: 2\n", "a: 1\n", [("c",)], "keys"),
    ("a: [1, 2]\n", "a: [1]\n", [("a", 0)], "length"),
    ("a: {b: 1}\n", "a: {b: 1, c: 2}\n", [("a", "d")], "keys of `a`"),
    ("a: 1 # c\n", "a: 2\n", [("a",)], "comment would be lost"),
    ("a: 1\n", "a: 2 # c\n", [("a",)], "comment would appear"),
    ("a: 1\n", "a: 2", [("a",)], "end of the file"),
    ("a: 1\r\nb: 1\r\n", "a: 1\r\nb: 2\n", [("b",)], "line endings"),
    ("a: 1\n", "\ufeffa: 1\n", [], "byte-order mark"),
    ("a: 1\n", "a: [\n", [("a",)], "could not be read"),
    ("a: 1\n", "a: 1\t# c\n", [("a",)], "could not be read"),
]


@each(("before", "after", "paths", "words"), REJECTED)
def test_rejected(before: str, after: str, paths: list[Path], words: str) -> None:
    assert words in str(verdict(before, after, *paths))


def test_dropped_comments_must_lie_in_the_edits() -> None:
    before = "a: 1 # x\nb: 2\n# y\n"
    first, both = [Edit(0, 9, "")], [Edit(0, 9, ""), Edit(14, 18, "")]
    assert verdict(before, "b: 2\n# y\n", ("a",), drops="unsafe", edits=first) is None
    assert verdict(before, "b: 2\n", ("a",), drops="unsafe", edits=both) is None
    assert "lost" in str(verdict(before, "b: 2\n", ("a",), drops="unsafe", edits=None))
    assert "lost" in str(verdict(before, "b: 2\n# y\n", ("a",), edits=first))


def test_a_safe_fix_drops_no_comment_but_those_for_cfglint() -> None:
    for comment, reason in (("# x", "lost"), ("# cfglint: ignore[A]", "None")):
        before = f"a: 1 {comment}\nb: 2\n"
        edits = [Edit(0, before.index("b"), "")]
        assert reason in str(verdict(before, "b: 2\n", ("a",), drops="safe", edits=edits))
        assert verdict(before, "b: 2\n", ("a",), drops="unsafe", edits=edits) is None


def test_edits_must_explain_the_text() -> None:
    reason = verdict("a: 1\nb:  2\n", "a: 3\nb: 2\n", ("a",), edits=[Edit(3, 4, "3")])
    assert reason == "lines outside the edits are not the same"


def test_part_of_a_comment_may_go() -> None:
    before = "a: 1 # cfglint: ignore[A, B]\n"
    after = "a: 1 # cfglint: ignore[B]\n"
    start = before.index("A, ")
    assert verdict(before, after, drops="safe", edits=[Edit(start, start + 3, "")]) is None
    assert "appear" in str(verdict(before, after, edits=[Edit(start, start + 3, "")]))


def doubts(before: str, after: str) -> str | None:
    return PYYAML.doubts(compose(SourceText(before)), SourceText(after))


def test_ruamel_has_a_say() -> None:
    before = "# c\na: 1e-5\nl:\n- x # d\na: &x {b: no}\nd: *x\n"
    assert doubts(before, before.replace("1e-5", "1.0e-5")) is None
    # ruamel.yaml reads another text here, fix or no fix.
    assert doubts("a: >\n\n  x\n  y\n", "a: >\n\n  x\n  y\nb: 1\n") is None
    assert doubts("a: 1\n", "a: [\n") is not None


def test_a_call_within_a_call_is_compared_where_it_is() -> None:
    from cfglint.roles.framework import load_framework

    text = (
        "from trl import SFTConfig, SFTTrainer\n"
        "SFTTrainer(m, args=f(SFTConfig(output_dir='o', old=1)), packing=True)\n"
    )
    program = load_framework("trl_programs").language.read(SourceText.from_str(text))
    new = text.replace("old=1", "new=1")
    declared: list[Path] = [("SFTConfig", "old"), ("SFTConfig", "new")]
    assert verify(program, new, declared) is None
    assert verify(program, new, declared[:1]) is not None
    for other in (text.replace("f(SFT", "g(SFT"), new.replace("f(SFT", "g(SFT")):
        assert verify(program, other, declared) == (
            "`SFTTrainer.args` would be spelled differently"
        )
