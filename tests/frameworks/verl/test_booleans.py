"""Texts where verl's config has true or false."""

from __future__ import annotations

from cfglint.frameworks.verl.checks.booleans import _meant
from tests.draws import each


@each(
    ("text", "meant"),
    [
        ("Flase", False),
        ("fasle", False),
        ("off", False),
        ("None", False),
        ("Ture", True),
        ("auto", None),
        ("yes", None),
        ("dummy", None),
        ("TRUE", None),
    ],
)
def test_what_a_text_means(text: str, meant: bool | None) -> None:
    assert _meant(text, ["actor_rollout_ref", "actor", "use_kl_loss"]) is meant


def test_sections_that_are_converted_know_more_words() -> None:
    assert _meant("off", ["global_profiler", "save"]) is None
