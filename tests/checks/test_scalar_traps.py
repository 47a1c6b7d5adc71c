"""Scalars that are not what they look like: which types of keys each trap is for."""

from __future__ import annotations

import pytest

from tests.linting import lint

BASE = "base_model: a/b\nlearning_rate: 0.1\n"


def fires(rule: str, line: str) -> bool:
    return bool(lint(f"{BASE}{line}\n", select=(rule,)))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('bf16: "true"', True),
        ('bf16: "auto"', False),
        ("bf16: yes", False),
        ('bf16: "010"', False),
        # Neither a boolean nor free of type: text is refused, or wanted.
        ('micro_batch_size: "true"', False),
        ('wandb_project: "true"', False),
        ('made_up_key: "true"', False),
        # Below a key of which anything goes, nobody converts it.
        ('lr_scheduler_kwargs: {x: "true"}', True),
    ],
)
def test_quoted_booleans_where_a_boolean_is_wanted(line: str, expected: bool) -> None:
    assert fires("quoted-boolean", line) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("wandb_project: no", True),
        ("expert_parallel_backend: no", True),
        ("micro_batch_size: no", False),
        ("bf16: no", False),
        ("made_up_key: no", False),
    ],
)
def test_words_for_booleans_where_a_word_is_wanted(line: str, expected: bool) -> None:
    assert fires("word-as-boolean", line) is expected
