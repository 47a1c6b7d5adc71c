"""The examples of the rules about DeepSpeed's settings."""

from __future__ import annotations

import pytest

from tests.draws import product
from tests.rule_examples import failing_alone, failing_changed, families, wrong_examples


@product
@pytest.mark.parametrize("family", families("deepspeed"))
def test_examples(family: str) -> None:
    assert wrong_examples(family) == []


@product
@pytest.mark.parametrize("family", families("deepspeed"))
def test_examples_without_their_files(family: str) -> None:
    assert failing_alone(family) == []


@product
@pytest.mark.parametrize("family", families("deepspeed"))
def test_no_rule_fails_on_changed_examples(family: str) -> None:
    assert failing_changed(family) == []
