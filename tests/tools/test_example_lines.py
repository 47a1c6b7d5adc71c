"""The examples of rules have only lines that matter, and the search for others finds them."""

from __future__ import annotations

import random

import pytest

from tests.shipped import shipped_rules
from tools.campaigns.example_lines import Examples, Superfluous, examples_of, without


def rule(code: str) -> Examples:
    (examples,) = examples_of(shipped_rules(), [code])
    return examples


def found(examples: Examples) -> list[Superfluous]:
    return list(examples.superfluous())


def test_every_line_of_an_example_matters() -> None:
    """In a sample; `python -m tools.campaigns.example_lines` looks at all of them."""
    chosen = random.Random(11).sample(examples_of(shipped_rules()), 40)
    assert {file.path.stem: found(file) for file in chosen if found(file)} == {}


def test_a_line_that_does_not_matter_is_found_and_taken_out() -> None:
    examples = rule("PEF172")
    before = [dict(row) for row in examples.rows]
    number = next(number for number, row in enumerate(examples.rows) if "bad" in row)
    examples.rows[number]["bad"] += "\nsave_total_limit: 2\n"
    assert found(examples) == [Superfluous(number, "save_total_limit")]
    assert examples.shrink() == 1
    assert [row.get("bad", "").strip() for row in examples.rows] == [
        row.get("bad", "").strip() for row in before
    ]


def test_lines_in_common_count_for_all_examples() -> None:
    examples = rule("PEF172")
    examples.common = "save_total_limit: 2\n"
    assert found(examples) == [Superfluous(None, "save_total_limit")]


def test_what_the_rule_mentions_stays() -> None:
    examples = rule("PEF172")
    examples.rows = [{"good": "flash_optimum: false\nsave_total_limit: 2\n"}]
    assert found(examples) == [Superfluous(0, "save_total_limit")]


def test_a_good_example_stays_good_for_the_same_reason() -> None:
    """`eval_dataset` decides a derived value, though the rule does not mention it."""
    examples = rule("LLF033")
    number, row = next(
        (number, row)
        for number, row in enumerate(examples.rows)
        if "eval_dataset:" in row.get("good", "")
    )
    bare = {**row, "good": without(row["good"], "eval_dataset")}
    assert Superfluous(number, "eval_dataset") not in found(examples)
    examples.rows[number] = bare
    assert found(examples) == []  # good as well, for another reason


@pytest.mark.parametrize(
    ("text", "key", "left"),
    [
        ("a: 1\nb: 2\n", "b", "a: 1\n"),
        ("---\na: 1\n# about b\nb:\n  - 2\nc: 3\n", "b", "---\na: 1\nc: 3\n"),
        ('{\n  "a": 1,\n  "b": 2\n}\n', "b", '{\n  "a": 1\n}\n'),
        ('{\n  "a": 1,  # <- DSP001\n  "b": 2\n}\n', "b", '{\n  "a": 1  # <- DSP001\n}\n'),
        ('{\n  "a": 1,\n  "b": 2\n}\n', "a", '{\n  "b": 2\n}\n'),
    ],
)
def test_a_key_is_taken_out_with_all_of_it(text: str, key: str, left: str) -> None:
    assert without(text, key) == left
