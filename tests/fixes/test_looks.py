"""What a person sees in the file afterwards: columns, headings, places, list style."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cfglint.fixes.actions import Action, DeleteKey, MoveKey, SetValue
from cfglint.source.document import Path
from tests.draws import each
from tests.fixes.test_planning import planned

COLUMNS: list[tuple[str, Any, str]] = [
    # The comment stands below another one: it stays there.
    ("b: 0.9       # y\na: 1e-8      # x\n", 2, "b: 0.9       # y\na: 2         # x\n"),
    ("a: 1         # x\nb: 0.9       # y\n", 0.00001, "a: 1.0e-05   # x\nb: 0.9       # y\n"),
    ("b: 0.9   # y\r\na: 1.0   # x\r\n", 1, "b: 0.9   # y\r\na: 1     # x\r\n"),
    ("b: 0.9   # y\na:       # x\n", "long1", "b: 0.9   # y\na: long1 # x\n"),
    # There is no room, or nothing to keep in line with.
    ("b: 0.9   # y\na:       # x\n", "long12", "b: 0.9   # y\na: long12       # x\n"),
    ("b: 0.9 # y\na: 1.0   # x\n", 1, "b: 0.9 # y\na: 1   # x\n"),
    ("a: 1.0   # x", 1, "a: 1   # x"),
    ("a: 1.0\nb: 'a   # x'\n", 1, "a: 1\nb: 'a   # x'\n"),
]


@each(("before", "value", "after"), COLUMNS)
def test_comments_keep_their_column(before: str, value: Any, after: str) -> None:
    assert planned(before, SetValue(("a",), value))[0] == after


STAYING = [
    # Above the key, whatever it is about.
    ("x: 1\n\n# Data\na: 1\nb: 2\n", "x: 1\n\n# Data\nb: 2\n"),
    ("# What it is\n# and why\na: 1\nb: 2\n", "# What it is\n# and why\nb: 2\n"),
    ("# ====\n# Head\n# ====\na: 1\nb: 2\n", "# ====\n# Head\n# ====\nb: 2\n"),
    ("# a: 2\n#  - 3\na: 1\nb: 2\n", "# a: 2\n#  - 3\nb: 2\n"),
    ("x: 1\r\n# why\r\na: 1", "x: 1\r\n# why"),
    # On the line of the key.
    ("x: 1\na: 1  # why\nb: 2\n", "x: 1\n# why\nb: 2\n"),
    ("x: 1\na: 1  # why", "x: 1\n# why"),
    ("a: 1  # why\n", "# why\n{}\n"),
    ("x: |\n  t\na: 1  # why\nb: 2\n", "x: |\n  t\n# why\nb: 2\n"),
    ("x: |+\n  t\n\na: 1  # why\n\nb: 2\n", "x: |+\n  t\n\n# why\n\nb: 2\n"),
    # Inside its value.
    ("a:  # why\n  # - 1\n  - 2  # two\nb: 3\n", "# why\n  # - 1\n  # two\nb: 3\n"),
    ("a:\n  # - 1\n  - 2\nb: 3\n", "# - 1\nb: 3\n"),
    ("a: [  # one\n  1,  # two\n]\nb: 3\n", "# one\n  # two\nb: 3\n"),
    ("a: |  # why\n  # text\nb: 3\n", "# why\nb: 3\n"),
    ("x: |\n  t\na:\n  # - 1\n    # deep\n  - 2\nb: 3\n", "x: |\n  t\n# - 1\n# deep\nb: 3\n"),
]


@each(("before", "after"), STAYING)
def test_comments_of_a_deleted_key_stay(before: str, after: str) -> None:
    assert planned(before, DeleteKey(("a",)))[0] == after


@each(
    ("before", "after"),
    [
        ("l:\n- a: 1  # why\n  b: 2\n", "l:\n# why\n- b: 2\n"),
        ("l:\n  - a:\n      # x\n      y: 1  # z\n    b: 2\n", "l:\n  # x\n  # z\n  - b: 2\n"),
        ("l:\n- x: |\n    t\n- a: 1  # why\n  b: 2\n", None),
        ("l:\n- a: 1  # why\n- 2\n", "l:\n- {}  # why\n- 2\n"),
        ("l:\n- a:\n    # x\n    y: 1  # z\n- 2\n", "l:\n- {}\n# x\n# z\n- 2\n"),
    ],
)
def test_comments_of_the_first_key_of_an_item_stay(before: str, after: str | None) -> None:
    index = 1 if after is None else 0
    after = after or "l:\n- x: |\n    t\n# why\n- b: 2\n"
    assert planned(before, DeleteKey(("l", index, "a")))[0] == after


def test_comments_inside_a_replaced_value_follow_the_new_one() -> None:
    before = "a:  # why\n  # - 1\n  - 2  # two\nb: 3\n"
    assert planned(before, SetValue(("a",), 5))[0] == "a: 5  # why\n# - 1\n# two\nb: 3\n"
    after = "a:  # why\n  k: 1\n# - 1\n# two\nb: 3\n"
    assert planned(before, SetValue(("a",), {"k": 1}))[0] == after


HEADINGS = [
    # One line above three entries or more is about all of them.
    ("x: 1\n\n# Data\na: 1\nb: 2\nc: 3\n", True),
    ("# Head\r\na: 1\r\nb: 2\r\nc: 3\r\n", True),
    # Two entries, more lines, a word of the key, text right above: it is about the entry.
    ("x: 1\n\n# Data\na: 1\nb: 2\n", False),
    ("x: 1\n\n# Data\na: 1\nb: 2\n\nc: 3\n", False),
    ("x: 1\n\n# Data\na: 1\nb: 2\n# more\nc: 3\n", False),
    ("x: 1\n# Data\na: 1\nb: 2\nc: 3\n", False),
]


def heads_the_new_mapping(before: str, key: str) -> bool:
    """Whether the comment above a key heads the mapping that is made for the key."""
    after = planned(before, MoveKey((key,), ("new", key)))[0]
    lines = after.splitlines()
    at = lines.index("new:")
    return at > 0 and lines[at - 1].startswith("#")


@each(("before", "heads"), HEADINGS)
def test_a_heading_of_several_entries_heads_the_new_mapping(before: str, heads: bool) -> None:
    assert heads_the_new_mapping(before, "a") == heads


def test_a_heading_with_the_name_of_the_key_is_its_own_unless_others_have_it_too() -> None:
    before = "\n# Evaluation\neval_steps: 1\nsave_steps: 2\nbf16: true\n"
    assert not heads_the_new_mapping(before, "eval_steps")
    before = "\n# LoRA settings\nlora_r: 1\nlora_alpha: 2\nbf16: true\n"
    assert heads_the_new_mapping(before, "lora_r")


_PARTS = st.sampled_from(["length", "prompt", "lengths", "batch", "eval", "max", "steps"])
_KEY = st.lists(_PARTS, min_size=2, max_size=3, unique=True).map("_".join)


@given(_KEY, _KEY, st.lists(_PARTS, min_size=1, max_size=3), st.booleans())
def test_of_two_entries_a_heading_is_for_both_when_it_has_a_word_of_the_second(
    first: str, second: str, words: list[str], follows: bool
) -> None:
    """Whatever it is called, in the singular or the plural: `# Sequence lengths` above two lengths."""
    assume(first != second and not second.startswith(f"{first}_"))
    heading = f"# {' '.join(words).title()}\n"
    rest = f"{second}: 2\n" + ("\nz: 3\n" if follows else "")
    singular = {word.rstrip("s") for word in words}
    named = not singular.isdisjoint(part.rstrip("s") for part in second.split("_"))
    assert heads_the_new_mapping(f"x: 1\n\n{heading}{first}: 1\n{rest}", first) == named


@each(
    ("before", "heads"),
    [
        ("# FSDP\nfsdp: x\n\nfsdp_config:\n  a: 1\n", True),
        # The next one has a comment of its own, or is no relative.
        ("# FSDP\nfsdp: x\n# more\nfsdp_config: 1\n", False),
        ("# FSDP\nfsdp: x\nfsdpx: 1\n", False),
        ("fsdp_config: 1\n# FSDP\nfsdp: x\n", False),
    ],
)
def test_a_heading_is_also_for_a_key_that_is_named_after_this_one(before: str, heads: bool) -> None:
    assert heads_the_new_mapping(before, "fsdp") == heads


def test_a_moved_entry_takes_its_heading_along() -> None:
    before = "# Tokens\na: 1\nb: 2\nn:\n  m: 1\n"
    after = "b: 2\nn:\n  m: 1\n  # Tokens\n  a: 1\n"
    assert planned(before, MoveKey(("a",), ("n", "a")))[0] == after
    # It heads the new mapping when that is made for the entry.
    before = "x: 1\n\n# Tokens\na: 1\nb: 2\nc: 3\n"
    after = "x: 1\n\n# Tokens\nn:\n  a: 1\nb: 2\nc: 3\n"
    assert planned(before, MoveKey(("a",), ("n", "a")))[0] == after


NEW_PARENTS: list[tuple[str, Path, str]] = [
    ("x: 1\n# about a\na: 1 # t\ny: 2\n", ("n", "b"), "x: 1\nn:\n  # about a\n  b: 1 # t\ny: 2\n"),
    ("a: |\n  x\n\n  y\nb: 1\n", ("n", "a"), "n:\n  a: |\n    x\n\n    y\nb: 1\n"),
    ("x: 1\r\na: 1", ("n", "m", "a"), "x: 1\r\nn:\r\n  m:\r\n    a: 1"),
]


@pytest.mark.parametrize(("before", "new_path", "after"), NEW_PARENTS)
def test_a_new_mapping_takes_the_place_of_its_first_entry(
    before: str, new_path: Path, after: str
) -> None:
    assert planned(before, MoveKey(("a",), new_path))[0] == after


def test_the_first_entry_of_an_item_moves_to_the_end_of_the_item() -> None:
    before = "l:\n- a: 1\n  b: 2\n- c: 3\n"
    after = "l:\n- b: 2\n  n:\n    a: 1\n- c: 3\n"
    assert planned(before, MoveKey(("l", 0, "a"), ("l", 0, "n", "a")))[0] == after


def test_several_new_keys_stand_in_order() -> None:
    actions = [SetValue(("b",), 1), SetValue(("c",), 2), SetValue(("d",), 3)]
    assert (
        planned("{a: 1, z: 2}\n", *actions, after=("a",))[0] == "{a: 1, b: 1, c: 2, d: 3, z: 2}\n"
    )
    assert planned("a: 1\nz: 2\n", *actions, after=("a",))[0] == "a: 1\nb: 1\nc: 2\nd: 3\nz: 2\n"


PLACES: list[tuple[str, tuple[Action, ...], Path, str]] = [
    (
        "a: 1\n\n# about bee\nbee: 2 # t\nc: 3\n",
        (DeleteKey(("bee",)), SetValue(("n",), 1)),
        ("bee",),
        "a: 1\n\n# about bee\n# t\nn: 1\nc: 3\n",
    ),
    ("a: 1\nb: 2", (DeleteKey(("b",)), SetValue(("n",), 1)), ("b",), "a: 1\nn: 1"),
    ("a: 1\n", (DeleteKey(("a",)), SetValue(("n",), 1)), ("a",), "n: 1\n"),
    (
        "l:\n- a: 1\n  b: 2\n- c: 3\n",
        (DeleteKey(("l", 0, "a")), SetValue(("l", 0, "n"), [1])),
        ("l", 0, "a"),
        "l:\n- n:\n  - 1\n  b: 2\n- c: 3\n",
    ),
    # The entry is written again: the steps stay in order.
    ("a: 1\nb: 2\n", (DeleteKey(("a",)), SetValue(("a",), 3)), ("a",), "b: 2\na: 3\n"),
]


@each(("before", "actions", "place", "after"), PLACES)
def test_what_replaces_an_entry_takes_its_place(
    before: str, actions: tuple[Action, ...], place: Path, after: str
) -> None:
    assert planned(before, *actions, after=place)[0] == after


def test_lists_are_written_as_the_file_writes_lists() -> None:
    new = SetValue(("n",), ["x", "y, z"])
    assert planned("a: [1]\nl:\n- b: [2]\n", new)[0].endswith('n: [x, "y, z"]\n')
    assert planned("a: [1]\nb:\n- 1\n", new)[0].endswith("n:\n- x\n- y, z\n")
    assert planned("a: []\n", new)[0].endswith("n:\n  - x\n  - y, z\n")
    assert "\n" in planned("a: [1]\n", SetValue(("n",), [{"k": 1}]))[0].removesuffix("\n")
