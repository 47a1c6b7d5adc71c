"""The campaign of slips knows the line and the cause that it measures by."""

from __future__ import annotations

import random

import pytest

from tools.campaigns.slips import MAKERS, Slip, judge, load, places

TEXT = """\
base_model: "a/b"
datasets:
  - path: 'x'  # it's a comment: no key
    type: alpaca
lora_target_modules: [q_proj, "v_proj"]
notes: |
  - no item
  key: no key
seed: 1
"""


def test_places_are_structure_alone() -> None:
    at = places(TEXT)
    assert [at.line(offset) for offset in at.colons] == [1, 2, 3, 4, 5, 6, 9]
    assert [at.line(offset) for offset in at.dashes] == [3]
    assert [at.line(offset) for offset in at.starts] == [1, 2, 3, 4, 5, 6, 9]
    assert [TEXT[start:end] for start, end, _ in at.quoted] == ['"a/b"', "'x'", '"v_proj"']
    assert [value for _, _, value in at.quoted] == [True, True, False]
    assert [TEXT[start] + TEXT[end] for start, end in at.flows] == ["[]"]


@pytest.mark.parametrize("kind", MAKERS)
def test_a_slip_changes_its_line_first(kind: str) -> None:
    at = places(TEXT)
    before = TEXT.split("\n")
    made = 0
    for seed in range(40):
        slip = MAKERS[kind](random.Random(seed), at)
        if slip is None:
            continue
        made += 1
        after = slip.text.split("\n")
        pairs = enumerate(zip(before, after, strict=False), 1)
        changed = [number for number, (one, two) in pairs if one != two]
        assert changed[0] == slip.line
        assert slip.kind == kind
        if kind != "backslash in quotes":
            assert slip.meant == TEXT
    assert made


def test_a_wrong_answer_is_counted_as_wrong() -> None:
    slip = Slip("colon lost", "a: 1\nbc 2\nd: 3\n", 2, "a: 1\nbc: 2\nd: 3\n")
    meant = load(slip.meant)[1]
    right = judge(slip, loads=False, meant=meant)
    assert (right.line, right.cause, right.fix, right.fixed) == (True, True, "safe", True)
    assert not judge(slip._replace(line=3), loads=False, meant=meant).line
    assert not judge(slip._replace(kind="tab"), loads=False, meant=meant).cause
    assert not judge(slip, loads=False, meant={"a": 1}).fixed
