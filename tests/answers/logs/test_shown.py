"""Which frameworks a log shows."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.failures import Failure
from cfglint.answers.logs.lines import lines
from cfglint.answers.logs.parts import LogPart
from cfglint.answers.logs.shown import ShownFrameworks


def shown(text: str, *frames: str, packages: tuple[str, ...] = ()) -> ShownFrameworks:
    failure = Failure("E", "x", tuple((file, 1, "f") for file in frames), "", 1)
    return ShownFrameworks(lines([LogPart(text.encode(), 1)]), [failure], packages, ["accelerate"])


def test_what_nothing_shows() -> None:
    one = shown("deepspeeds nopenrlhf\n", "/x/myopenrlhf2/a.py")
    assert [name for name in ("openrlhf", "deepspeed", "any", "accelerate") if name in one] == [
        "any",
        "accelerate",
    ]


@pytest.mark.parametrize(
    "one",
    [
        shown("python -m openrlhf.cli.train_sft\n"),
        shown("", "/code/OpenRLHF/openrlhf/cli/train_sft.py"),
        shown("", packages=("openrlhf",)),
    ],
)
def test_a_word_a_frame_and_a_version(one: ShownFrameworks) -> None:
    assert "openrlhf" in one
    assert "verl" not in one
