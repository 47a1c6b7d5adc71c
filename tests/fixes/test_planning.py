"""Whole texts before and after each kind of action."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import yaml

from cfglint.diagnostic import OtherFile
from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteEntry,
    DeleteKey,
    MoveKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import Plan, plan
from cfglint.fixes.verification import verify
from cfglint.runs.settings.merged import MergedSettings, source_map
from cfglint.source.document import Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each


def planned(before: str, *actions: Action, after: Path | None = None) -> tuple[str, Plan]:
    """The text after the actions; the plan must pass verification."""
    document = compose(SourceText.from_str(before))
    made = plan(document, actions, after=after)
    assert made.refused is None, made.refused
    result = apply_edits(before, made.edits)
    reason = verify(document, result, made.paths, edits=made.edits)
    assert reason is None
    return result, made


def refusal(before: str, *actions: Action) -> str:
    """The reason why actions are refused."""
    made = plan(compose(SourceText.from_str(before)), actions)
    assert made.refused is not None, apply_edits(before, made.edits)
    assert not made.edits
    assert made.refused.endswith(".")
    return made.refused


DELETE = [
    # Comments stay.
    ("# x\n\n# y\na: 1 # z\n# v\nb: 2\n", ("a",), "# x\n\n# y\n# z\n# v\nb: 2\n"),
    ("a: 1\n  # deeper\nb: 2\n# end\n", ("b",), "a: 1\n  # deeper\n# end\n"),
    ("a: 1\n\nb: 2\n\nc: 3\n", ("b",), "a: 1\n\n\nc: 3\n"),
    ("a: 1\nb: 2", ("b",), "a: 1"),
    ("a: 1\n\n\nb: 2", ("b",), "a: 1"),
    ("a: 1\r\n# c\r\nb: 2\r\nc: 3\r\n", ("b",), "a: 1\r\n# c\r\nc: 3\r\n"),
    ("a: 1\r\nb: 2", ("b",), "a: 1"),
    ("a: 1\n", ("a",), "{}\n"),
    ("a: 1", ("a",), "{}"),
    ("a:\n  b: 1 # c\nd: 2\n", ("a", "b"), "a: {}\n  # c\nd: 2\n"),
    ("a: # k\n  b: 1\n  # left\nd: 2\n", ("a", "b"), "a: {} # k\n  # left\nd: 2\n"),
    ("a:\n  b:\n    c: 1\n  d: 2\n", ("a", "b"), "a:\n  d: 2\n"),
    ("a:\n", ("a",), "{}\n"),
    ("a:\nb:\n", ("a",), "b:\n"),
    ("a: |\n  x\n\n  y\nb: 1\n", ("a",), "b: 1\n"),
    ("b: 1\na: |\n  x", ("a",), "b: 1"),
    ("a: 'x\n  y'\nb: 1\n", ("a",), "b: 1\n"),
    ("#!/bin/x\na: 1\nb: 2\n", ("a",), "#!/bin/x\nb: 2\n"),
    # The dash slides to the next sibling.
    ("l:\n- a: 1 # c\n  b: 2\n", ("l", 0, "a"), "l:\n# c\n- b: 2\n"),
    ("l:\n- a: 1\n  # k\n  b: 2\n", ("l", 0, "a"), "l:\n- # k\n  b: 2\n"),
    ("l:\n  - a:\n      - 1\n\n    b: 2\n", ("l", 0, "a"), "l:\n  - b: 2\n"),
    ("l:\n- a: 1\n", ("l", 0, "a"), "l:\n- {}\n"),
    ("l:\n-\n  a: 1\n", ("l", 0, "a"), "l:\n- {}\n"),
    ("l:\n- - a\n  - b\n", ("l", 0, 0), "l:\n- - b\n"),
    # Items.
    ("l:\n  # one\n  - a\n  - b # two\n", ("l", 0), "l:\n  # one\n  - b # two\n"),
    ("l:\n- a\n-\n- b\n", ("l", 1), "l:\n- a\n- b\n"),
    ("l:\n- a: 1\n  b: 2\nk: 1\n", ("l", 0), "l: []\nk: 1\n"),
    # Flow.
    ("a: {b: 1, c: 2, d: 3}\n", ("a", "b"), "a: {c: 2, d: 3}\n"),
    ("a: {b: 1, c: 2, d: 3} # k\n", ("a", "c"), "a: {b: 1, d: 3} # k\n"),
    ("a: {b: 1, c: 2, d: 3}\n", ("a", "d"), "a: {b: 1, c: 2}\n"),
    ("a: { b: 1 }\n", ("a", "b"), "a: {}\n"),
    ("a: {\n  b: 1,\n  c: 2,\n}\n", ("a", "c"), "a: {\n  b: 1,\n}\n"),
    ("a: {\n  b: 1,\n  c: 2,\n}\n", ("a", "b"), "a: {\n  c: 2,\n}\n"),
    ("a: [x, {b: [1]}]\n", ("a", 1), "a: [x]\n"),
    ("{a: 1, b: 2}\n", ("a",), "{b: 2}\n"),
]


@each(("before", "path", "after"), DELETE)
def test_delete(before: str, path: Path, after: str) -> None:
    assert planned(before, DeleteKey(path))[0] == after


SET = [
    ("a: 1 # c\n", ("a",), 1e-5, "a: 1.0e-05 # c\n"),
    ("a: 'x'\n", ("a",), "it's", "a: 'it''s'\n"),
    ('a: "x"\n', ("a",), "y", 'a: "y"\n'),
    ("a: x\n", ("a",), "no", 'a: "no"\n'),
    ("a: x\n", ("a",), "two words", "a: two words\n"),
    ("a: x\n", ("a",), None, "a: null\n"),
    ("a:   # c\nb: 1\n", ("a",), True, "a: true   # c\nb: 1\n"),
    ("a:", ("a",), 1, "a: 1"),
    ("a:\n  x\nb: 1\n", ("a",), "y", "a:\n  y\nb: 1\n"),
    ("a: | # c\n  x\n  y\nb: 1\n", ("a",), "z", "a: z # c\nb: 1\n"),
    ("a: x # c\nb: 1\n", ("a",), [1, "no"], 'a: # c\n  - 1\n  - "no"\nb: 1\n'),
    ("a: x # c\nb:\n- 1\n", ("a",), [{"p": 1, "q": 2}], "a: # c\n- p: 1\n  q: 2\nb:\n- 1\n"),
    ("a:\n    k: 1\nb:\n", ("b",), {"c": {"d": 1}}, "a:\n    k: 1\nb:\n    c:\n        d: 1\n"),
    ("a: [1, 2] # c\n", ("a",), ["x, y"], 'a: ["x, y"] # c\n'),
    ("a: []\n", ("a",), ["x"], "a:\n  - x\n"),
    ("a: # c\n  - 1\n  - 2\nb: 1\n", ("a",), False, "a: false # c\nb: 1\n"),
    ("a:\n  - 1\n  - 2\nb: 1\n", ("a",), {"c": 1}, "a:\n  c: 1\nb: 1\n"),
    ("l:\n  - x # c\n  - y\n", ("l", 0), {"a": 1, "b": 2}, "l:\n  - a: 1 # c\n    b: 2\n  - y\n"),
    ("l:\n  - a: 1\n    b: 2\n  - y\n", ("l", 0), 3, "l:\n  - 3\n  - y\n"),
    ("l:\n  -\n  - y\n", ("l", 0), 3, "l:\n  - 3\n  - y\n"),
    ("a: {b: 1, c: }\n", ("a", "c"), "x", "a: {b: 1, c: x }\n"),
    ("a: {b: 1, c}\n", ("a", "c"), 2, "a: {b: 1, c: 2}\n"),
    ("a: {\n  b: 1, # c\n  d: 2}\n", ("a", "b"), 3, "a: {\n  b: 3, # c\n  d: 2}\n"),
    # Missing keys.
    ("a: 1\n\n# end\n", ("b",), 2, "a: 1\nb: 2\n\n# end\n"),
    ("a: 1", ("b",), 2, "a: 1\nb: 2"),
    ("a: 1\r\n", ("b",), [1], "a: 1\r\nb:\r\n  - 1\r\n"),
    ("a: 1\n", ("b", "c", "d"), 2, "a: 1\nb:\n  c:\n    d: 2\n"),
    ("a:\nb: 1\n", ("a", "c"), 2, "a:\n  c: 2\nb: 1\n"),
    ("a: {}\n", ("a", "c"), 2, "a: {c: 2}\n"),
    ("a: {}\n", ("a", "c"), [2], "a:\n  c:\n    - 2\n"),
    ("a: { b: 1 }\n", ("a", "c"), [2], "a: { b: 1, c: [2] }\n"),
    ('a: {"b": 1}\n', ("a", "c"), "x", 'a: {"b": 1, "c": "x"}\n'),
    ("a: {\n    b: 1,\n    c: 2\n}\n", ("a", "d"), 3, "a: {\n    b: 1,\n    c: 2,\n    d: 3\n}\n"),
    ("a: {\n  b: 1,\n}\n", ("a", "d"), 3, "a: {\n  b: 1,\n  d: 3,\n}\n"),
    ("l:\n- a: 1\n  # c\n\n- b: 1\n", ("l", 0, "k"), 2, "l:\n- a: 1\n  k: 2\n  # c\n\n- b: 1\n"),
    ("a: |\n  x", ("b",), 1, "a: |-\n  x\nb: 1"),
    ("a: |+\n  x\n\n", ("b",), 1, "a: |+\n  x\n\nb: 1\n"),
    ("a: >\n  x\n\n# c\n", ("b",), 1, "a: >\n  x\nb: 1\n\n# c\n"),
    ("a:\n  b: 1\n  # inside a\n# c\n", ("d",), 1, "a:\n  b: 1\n  # inside a\nd: 1\n# c\n"),
]  # fmt: skip


@each(("before", "path", "value", "after"), SET)
def test_set(before: str, path: Path, value: Any, after: str) -> None:
    assert planned(before, SetValue(path, value))[0] == after


def test_insert_below_an_entry() -> None:
    before = "a:\n  x: 1\n  # in a\n# about b\nb: 1 # t\n"
    action = SetValue(("n",), 1)
    assert (
        planned(before, action, after=("a",))[0]
        == "a:\n  x: 1\n  # in a\nn: 1\n# about b\nb: 1 # t\n"
    )
    # A place inside an entry counts as the entry.
    assert planned(before, action, after=("a", "x"))[0] == (
        "a:\n  x: 1\n  # in a\nn: 1\n# about b\nb: 1 # t\n"
    )
    # An entry of another mapping does not count.
    inside = SetValue(("a", "n"), 1)
    assert planned(before, inside, after=("b",))[0] == (
        "a:\n  x: 1\n  n: 1\n  # in a\n# about b\nb: 1 # t\n"
    )
    assert planned("a: {x: 1, y: 2}\n", SetValue(("a", "n"), 3), after=("a", "x"))[0] == (
        "a: {x: 1, n: 3, y: 2}\n"
    )


def test_nothing_to_do() -> None:
    assert planned("a: 1\n", SetValue(("a",), 1))[1].edits == ()
    assert planned("a: 1\n", SetValue(("a",), 1.0))[0] == "a: 1.0\n"
    assert planned("a: 1\n", RenameKey(("a",), "a"))[1].edits == ()


APPEND = [
    ("l:\n  - a\n  # c\nk: 1\n", ("l",), "b", "l:\n  - a\n  - b\n  # c\nk: 1\n"),
    ("l:\n- 'a'", ("l",), "b", "l:\n- 'a'\n- 'b'"),
    ("l:\n  - a\n", ("l",), {"p": 1, "q": [2]}, "l:\n  - a\n  - p: 1\n    q:\n      - 2\n"),
    ("l: [a, b] # c\n", ("l",), "c", "l: [a, b, c] # c\n"),
    ("l: []\n", ("l",), "c", "l: [c]\n"),
    ("l: []\n", ("l",), {"p": 1}, "l:\n  - p: 1\n"),
    ("l:\nk: 1\n", ("l",), "c", "l:\n  - c\nk: 1\n"),
    ("k: 1\n", ("l",), "c", "k: 1\nl:\n  - c\n"),
    ("l: [\n  a,\n  b,\n]\n", ("l",), "c", "l: [\n  a,\n  b,\n  c,\n]\n"),
]


@each(("before", "path", "value", "after"), APPEND)
def test_append(before: str, path: Path, value: Any, after: str) -> None:
    assert planned(before, AppendItem(path, value))[0] == after


RENAME = [
    ("a: 1 # c\n", ("a",), "b", "b: 1 # c\n"),
    ("'a' : 1\n", ("a",), "b", "'b' : 1\n"),
    ("a: &x 1\nb: *x\n", ("b",), "c", "a: &x 1\nc: *x\n"),
    ("l:\n- a:\n    x: 1\n", ("l", 0, "a"), "no", 'l:\n- "no":\n    x: 1\n'),
    ("a: {b: 1}\n", ("a", "b"), "c,d", 'a: {"c,d": 1}\n'),
]


@each(("before", "path", "name", "after"), RENAME)
def test_rename(before: str, path: Path, name: str, after: str) -> None:
    assert planned(before, RenameKey(path, name))[0] == after


MOVE = [
    ("a: 1\nb: 2\n", ("a",), ("c",), "c: 1\nb: 2\n"),
    (
        "# k\na: 0x10 # t\nb:\n    c: 1\n",
        ("a",),
        ("b", "d"),
        "b:\n    c: 1\n    # k\n    d: 0x10 # t\n",
    ),
    ("b:\n  c: # t\n    - 1\nd: 1\n", ("b", "c"), ("c",), "b: {}\nd: 1\nc: # t\n  - 1\n"),
    ("a: 1 # t\nb: 2\n", ("a",), ("n", "m", "a"), "n:\n  m:\n    a: 1 # t\nb: 2\n"),
    ("a: 1 # t\nn:\n", ("a",), ("n", "x"), "n:\n  x: 1 # t\n"),
    ("a: 1\nn: {b: 2}\n", ("a",), ("n", "x"), "n: {b: 2, x: 1}\n"),
    ("n: {b: 2, c: 3}\n", ("n", "b"), ("b",), "n: {c: 3}\nb: 2\n"),
    ("a: 1\nb: null\nc: 2\n", ("a",), ("b",), "b: 1\nc: 2\n"),
    ("a: |\n  x\n\n  y\nn:\n  m: 1\n", ("a",), ("n", "x"), "n:\n  m: 1\n  x: |\n    x\n\n    y\n"),
]


@each(("before", "path", "new_path", "after"), MOVE)
def test_move(before: str, path: Path, new_path: Path, after: str) -> None:
    result, _ = planned(before, MoveKey(path, new_path))
    assert result == after


def test_delete_entry_removes_the_ignored_duplicate() -> None:
    before = "a: 1 # old\nb: 2\na: 3\n"
    result, made = planned(before, DeleteEntry((), 0))
    assert result == "# old\nb: 2\na: 3\n"
    assert made.paths == (("a",),)
    assert planned(before, DeleteEntry((), 2))[0] == "a: 1 # old\nb: 2\n"
    assert "more than once" in refusal(before, DeleteKey(("a",)))
    assert "more than once" in refusal(before, SetValue(("a", "x"), 1))


def test_rewrite_scalar() -> None:
    assert planned("a: 1e-5 # c\n", RewriteScalar(("a",), "1.0e-5"))[0] == "a: 1.0e-5 # c\n"
    assert planned("a: [on]\n", RewriteScalar(("a", 0), "'on'"))[0] == "a: ['on']\n"
    assert "single value" in refusal("a: [on]\n", RewriteScalar(("a",), "'on'"))


SEVERAL = [
    ("a: 1\nb: 2\nc: 3\n", (DeleteKey(("a",)), SetValue(("n",), 1)), "b: 2\nc: 3\nn: 1\n"),
    ("a: 1\nb: 2\n", (DeleteKey(("b",)), SetValue(("n",), 1)), "a: 1\nn: 1\n"),
    ("a: 1\nb: 2\n", (SetValue(("m",), 1), SetValue(("n",), 2)), "a: 1\nb: 2\nm: 1\nn: 2\n"),
    ("a: 1\nb: 2\n", (DeleteKey(("a",)), DeleteKey(("b",))), "{}\n"),
    ("a: 1\n", (SetValue(("m", "x"), 1), SetValue(("m", "y"), 2)), "a: 1\nm:\n  x: 1\n  y: 2\n"),
    # Both stand at the end of the file, and the deeper one comes first.
    ("a:\n  b: 1\n", (SetValue(("d",), 3), SetValue(("a", "c"), 2)), "a:\n  b: 1\n  c: 2\nd: 3\n"),
    ("a:\n  b: 1\n", (SetValue(("a", "c"), 2), SetValue(("d",), 3)), "a:\n  b: 1\n  c: 2\nd: 3\n"),
    ("a: 1\n", (RenameKey(("a",), "b"), SetValue(("b",), 2)), "b: 2\n"),
    ("l:\n- a\n- b\n- c\n", (DeleteKey(("l", 0)), DeleteKey(("l", 0))), "l:\n- c\n"),
    ("l: [a]\n", (AppendItem(("l",), 1), AppendItem(("l",), 2)), "l: [a, 1, 2]\n"),
    ("x:\n  a: 1\n\n  b: 2\n", (DeleteKey(("x", "a")), DeleteKey(("x", "b"))), "x: {}\n\n"),
]


@each(("before", "actions", "after"), SEVERAL)
def test_several_actions(before: str, actions: tuple[Action, ...], after: str) -> None:
    assert planned(before, *actions)[0] == after


REFUSED = [
    ("a: &x {b: 1}\nc: *x\n", SetValue(("c", "b"), 2), "anchor"),
    ("a: &x {b: 1}\nc: *x\n", SetValue(("a", "b"), 2), "anchor"),
    ("a: &x {b: 1}\nc: *x\n", DeleteKey(("c",)), "anchor"),
    ("d: &x {a: 1}\nc:\n  <<: *x\n  b: 1\n", DeleteKey(("c", "b")), "merge"),
    ("d: &x {a: 1}\nc:\n  <<: *x\n  b: 1\n", SetValue(("c", "a"), 2), "merge"),
    ("!!merge x: {a: 1}\nb: 2\n", SetValue(("a",), 3), "merge"),
    ("!!merge x: {a: 1}\nb: 2\n", DeleteKey(("b",)), "merge"),
    ("&k <<: {a: 1}\n*k : {z: 2}\nb: 2\n", SetValue(("z",), 3), "merge"),
    ("a: !!str 1\nb: 2\n", SetValue(("a",), 2), "tag"),
    ("a:\n  b: !!int '1'\nc: 1\n", DeleteKey(("a",)), "tag"),
    ("? a\n: 1\nb: 2\n", RenameKey(("a",), "c"), "? key"),
    ("a: [ # c\n  1,\n  2]\n", AppendItem(("a",), 3), "There are comments"),
    ("a: [1, b: 2]\n", DeleteKey(("a", 1, "b")), "braces"),
    ("a: 1\nb: 2\n", RenameKey(("a",), "b"), "already"),
    ("a: 1\n", DeleteKey(("b",)), "not in the file"),
    ("a: 1\n", SetValue(("a", "b"), 2), "not a mapping"),
    ("a: 1\n", AppendItem(("a",), 2), "not a list"),
    ("a: 1\n", SetValue(("l", 0), 2), "not in the file"),
    ("a:\n  b: 1\n", MoveKey(("a",), ("a", "b", "c")), "into itself"),
    ("a: 1\nb: 2\n", MoveKey(("a",), ("b",)), "already"),
    ("a: |\n  x\nn:\n  m: 1", MoveKey(("a",), ("n", "x")), "end of the file"),
    ("n:\n  m: 1\na: |\n  x", MoveKey(("a",), ("n", "x")), "end of the file"),
    ("n:\n  m: 1\n\n    # c\na: |\n  x\n", MoveKey(("a",), ("n", "x")), "comment below"),
    ("a: |+\n  x\n\nn:\n  m: 1\n", MoveKey(("a",), ("n", "x")), "Blank lines"),
    ("n:\n  m: 1\n     \na: |\n  x\n", MoveKey(("a",), ("n", "x")), "Spaces on a line below"),
    ("a: |\n  x\nb: 1\n    \nd: 1\n", DeleteKey(("b",)), "Spaces on a line below"),
    ("a: 1\n", SetValue(("b",), object()), "kind"),
    ("a: \u2028\nb: 1\n", DeleteKey(("b",)), "line breaks"),
    ("a: |\n  x\nb: 1\n  # c\nd: 1\n", DeleteKey(("b",)), "block text"),
    ("a: |\n  x\nb: 1", DeleteKey(("b",)), "block text"),
    ("a: |+\n  x\n\nb: 1\n\nc: 1\n", DeleteKey(("b",)), "block text"),
]


def test_a_new_key_does_not_come_between_a_key_and_its_value() -> None:
    actions = (SetValue(("b",), 2), SetValue(("a",), {"x": 1}))
    for text, after in (
        ("k: 1\na:\n", "k: 1\na:\n  x: 1\nb: 2\n"),
        ("k: 1\na:", "k: 1\na:\n  x: 1\nb: 2"),
    ):
        document = compose(SourceText.from_str(text))
        for order in (actions, actions[::-1]):
            assert apply_edits(text, plan(document, order).edits) == after


@each(("before", "action", "words"), REFUSED)
def test_refused(before: str, action: Action, words: str) -> None:
    assert words in refusal(before, action)


def test_planning_imports_nothing_slow() -> None:
    code = (
        "import sys, cfglint.fixes.planning, cfglint.fixes.applying\n"
        "from cfglint.fixes.actions import DeleteKey\n"
        "from cfglint.source.text import SourceText\n"
        "from cfglint.source.languages.yaml import compose\n"
        "document = compose(SourceText.from_str('a: 1\\nb: 2\\n'))\n"
        "cfglint.fixes.planning.plan(document, (DeleteKey(('a',)),))\n"
        "slow = ('ruamel', 'difflib', 'hashlib', 'dataclasses', 'inspect', 'json', 'tempfile')\n"
        "print([name for name in slow if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout == "[]\n"


def test_every_expectation_is_what_pyyaml_reads() -> None:
    for before, path, value, after in SET:
        data = yaml.safe_load(after)
        for part in path:
            data = data[part]
        assert data == value, before


def test_steps_that_leave_no_line_break_of_the_files_kind() -> None:
    actions = (DeleteKey(("a",)), SetValue(("n", "x"), 1), SetValue(("n", "y"), 1))
    assert "line break" in refusal("a: 1\r\nb: 1", *actions)


def test_a_fix_of_settings_from_several_files_is_refused() -> None:
    document = compose(SourceText("a: 1\n"))
    file = OtherFile("/b.yml", SourceText("b: 2\n"))
    sources, _ = source_map(document).with_file(file)
    settings = MergedSettings(document, document.root, sources)
    assert plan(settings, (SetValue(("a",), 2),)).refused == "The values are in several files."
    assert plan(document, (SetValue(("a",), 2),)).refused is None
