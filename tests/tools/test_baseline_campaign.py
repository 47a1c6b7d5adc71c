"""A sample of `tools.campaigns.baseline`, and that its judge can tell a wrong answer."""

from __future__ import annotations

from pathlib import Path

from tools.campaigns.baseline import EDITS, Outcome, campaign, texts, wrong

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: Findings of several rules, two of them at the same key of two list items.
TEXT = """\
base_model: a/b
sample_pakcing: true
datasets:
  - path: one
    type: alpaca
    shuffel: 1
  - path: two
    type: alpaca
    shuffel: 2
num_train_epochs: 3
"""


def test_random_edits_hide_nothing_new_and_lose_nothing_known() -> None:
    known = [TEXT, *texts(FIXTURES)[:40]]
    outcomes = list(campaign(known, 6 * len(EDITS), seed=1))
    assert wrong(outcomes) == []
    decided = [outcome for outcome in outcomes if outcome.decided]
    assert len(decided) > 30
    assert sum(outcome.made for outcome in decided) > 5


def test_the_judge_sees_a_wrong_answer() -> None:
    right = Outcome("mistake", 3, 1, 0, ["KEY001"], ["KEY001"], 0, True)
    assert wrong([right, right._replace(told=[]), right._replace(gone=1)]) == [
        right._replace(told=[]),
        right._replace(gone=1),
    ]
    assert wrong([right._replace(told=[], decided=False)]) == []
