"""Messages that say themselves what is to be done."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.asking import asks


@pytest.mark.parametrize(
    "message",
    [
        "Freeze/Full PPO training needs `reward_model_type=full`.",
        "You have to specify the number of GPUs you would like to use",
        "Please set it to True",
        "run pip install x",
    ],
)
def test_what_asks(message: str) -> None:
    assert asks(message)


@pytest.mark.parametrize(
    "message", ["Please report this issue", "CUDA error: invalid argument", "needs more memory"]
)
def test_what_does_not(message: str) -> None:
    assert not asks(message)
