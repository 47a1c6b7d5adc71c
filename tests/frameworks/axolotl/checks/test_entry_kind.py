"""Entries of `test_datasets` that are not refused but lose keys."""

from __future__ import annotations

import pytest

from tests.draws import each
from tests.linting import lint

BASE = """\
base_model: Qwen/Qwen3-8B
datasets: [{path: ./data.jsonl, type: alpaca}]
test_datasets:
  - path: ./test.jsonl
    type: chat_template
"""


def found(text: str, release: str = "0.21.0") -> dict[str, str]:
    """The paths of the entries' findings, with what they say is lost."""
    return {
        ".".join(map(str, d.path)): d.message.partition("loses ")[2]
        for d in lint(BASE + text, target=[f"axolotl=={release}"])
        if d.code == "DAT600"
    }


@pytest.mark.parametrize(
    ("text", "release", "lost"),
    [
        ("    roles_to_train: assistant\n", "0.21.0", "`roles_to_train`."),
        # the class that has most of the keys is taken; it has no `field_messages` in old releases
        (
            "    field_messages: turns\n    roles_to_train: assistant\n",
            "0.5.2",
            "`field_messages`, `roles_to_train`.",
        ),
        (
            "    field: a\n    field_human: b\n    shards: many\n    name: c\n",
            "0.21.0",
            "`field`, `field_human`, `shards` and 1 more.",
        ),
    ],
)
def test_what_an_entry_loses(text: str, release: str, lost: str) -> None:
    assert list(found(text, release).values()) == [lost]


@each(
    "text",
    [
        "    roles_to_train: [assistant]\n",
        # refused by every class: the run does not start
        "    roles_to_train: assistant\n    split: 5\n",
        # pairs of answers are what is meant
        "    roles_to_train: assistant\nrl: dpo\n",
        "    revision: main\n",
    ],
)
def test_entries_that_lose_nothing(text: str) -> None:
    assert not found(text)


def test_the_finding_is_at_the_refused_value() -> None:
    assert list(found("    field: a\n    train_on_eos: true\n")) == ["test_datasets.0.train_on_eos"]
