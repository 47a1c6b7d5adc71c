"""The likeliest of several explanations, for slips of the hand in a whole file."""

from __future__ import annotations

import random

import pytest
import yaml

from cfglint.source.diagnosis import Diagnosis, diagnose
from tests.draws import each
from tools.campaigns.slips import CAUSES, MAKERS, Slip, places

TEXT = """\
base_model: "org/model-8b"  # ours
load_in_8bit: true

datasets:
  - path: data/a.jsonl
    type: chat_template
    field_messages: "turns"
    roles:
      user: ["human", "user"]
      assistant: [gpt, 'model']
  - path: 'data/b.jsonl'
    type: alpaca
lora_target_modules:
  - q_proj
  - v_proj
notes: |
  - no item
  key: no key
fsdp_config:
  fsdp_offload_params: false
  mixed: {param: bf16, reduce: "fp32"}
learning_rate: 0.0002
special_tokens:
  pad_token: "<pad>"
wandb_name: run-3
"""
#: How many of the first six slips of a kind PyYAML refuses, and of how many it is sure that no other
#: explanation gives a sensible file.
COUNTS = {
    "colon lost": (5, 5),
    "space after colon lost": (5, 5),
    "= for :": (5, 5),
    "one space more": (6, 4),
    "one space fewer": (5, 2),
    "dash lost": (4, 4),
    "dash doubled": (4, 4),
    "tab": (6, 5),
    "open quote": (6, 5),
    "open bracket": (3, 3),
    "text after quote": (6, 6),
    "conflict marker": (6, 0),
    "shell line": (6, 6),
    "curly quotes": (5, 1),
    "backslash in quotes": (6, 6),
}


def explained(text: str) -> Diagnosis | None:
    with pytest.raises(yaml.MarkedYAMLError) as caught:
        yaml.compose(text, Loader=yaml.SafeLoader)
    problem, context = caught.value.problem_mark, caught.value.context_mark
    assert problem is not None
    return diagnose(text, problem.index, -1 if context is None else context.index)


def slips(kind: str) -> list[Slip]:
    made = [MAKERS[kind](random.Random(seed), places(TEXT)) for seed in range(16)]
    return list({slip.text: slip for slip in made if slip is not None}.values())[:6]


def refused(text: str) -> bool:
    try:
        yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError:
        return True
    return False


@each("kind", COUNTS)
def test_the_slip_that_was_made(kind: str) -> None:
    made = [slip for slip in slips(kind) if refused(slip.text)]
    only = 0
    for slip in made:
        found = explained(slip.text)
        assert found is not None
        assert slip.text.count("\n", 0, found.slip.span.start) + 1 == slip.line
        assert found.slip.cause.value in CAUSES[kind]
        assert found.loads is (kind != "conflict marker")
        only += found.only
        # What was meant by text after a quote nobody knows; one more space may be right, too.
        if kind not in ("text after quote", "one space more"):
            assert yaml.safe_load(found.slip.applied(slip.text)) == yaml.safe_load(slip.meant)
    assert (len(made), only) == COUNTS[kind]


def test_every_kind_is_tried() -> None:
    assert set(COUNTS) == set(MAKERS)


def test_a_second_slip_further_down() -> None:
    found = explained("a: 1\nb 2\nc: 3\nd: 4\n  e 5\nf: [\n")
    assert found is not None
    assert (found.slip.span.start, found.loads, found.only) == (5, False, False)


@each(
    ("text", "cause", "only"),
    [
        # It may have been cut off there.
        ("a: 1\nb: [c, d", "open-bracket", False),
        ("a: 1\nb: [c, d\n", "open-bracket", True),
        ('a: 1\nb: "c', "open-quote", False),
        ('a: 1\nb: "c\n', "open-quote", True),
        ("a: 1\n```\nb: 2\n", "code-fence", True),
        # A key and a value, or a value of two words.
        ("a: 1\nb c: 2: 3\n", "second-colon", True),
    ],
)
def test_only(text: str, cause: str, only: bool) -> None:
    found = explained(text)
    assert found is not None
    assert (found.slip.cause.value, found.loads, found.only) == (cause, True, only)


@pytest.mark.parametrize("text", ["", "%a\n"])
def test_what_has_no_explanation(text: str) -> None:
    assert diagnose(text, len(text)) is None


@pytest.mark.parametrize("above", [0, 700, 2_000])
def test_a_slip_in_a_large_file(above: int) -> None:
    head = "".join(f"key_{number}: value\n" for number in range(above))
    text = head + "list:\n  - a\nbad 1\ngood: 2\n" + head
    found = explained(text)
    assert found is not None
    assert text[found.slip.span.start : found.slip.span.end] == "bad 1"
    assert "\nbad: 1\ngood: 2\n" in found.slip.applied(text)
    # Large files are not loaded as a whole.
    assert found.loads is (len(text) <= 40_000)
    assert found.only is found.loads
