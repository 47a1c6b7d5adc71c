"""Which releases of verl have a program."""

from __future__ import annotations

from cfglint.frameworks.verl.spans import is_released, last_with, may_have_ended
from cfglint.roles.framework import load_framework
from tests.draws import each

T = "verl.trainer"


@each(
    ("program", "has"),
    [
        (f"{T}.main_ppo", {"0.2.0": True, "0.9.0": True}),
        (f"{T}.fsdp_sft_trainer", {"0.2.0": True, "0.7.0": True, "0.7.1": False, "0.9.0": False}),
        (f"{T}.sft_trainer", {"0.5.0": False, "0.6.0": True, "0.9.0": True}),
        (f"{T}.main_ppo_sync", {"0.7.1": False, "0.8.0": True, "0.9.0": False}),
    ],
)
def test_releases(program: str, has: dict[str, bool]) -> None:
    assert {release: is_released(program, release) for release in has} == has


@each(
    ("program", "expected"),
    [
        (f"{T}.main_ppo", None),
        (f"{T}.sft_trainer", None),
        (f"{T}.fsdp_sft_trainer", "0.7.0"),
        (f"{T}.main_generation", "0.7.0"),
        ("own.program", None),
    ],
)
def test_the_last_release(program: str, expected: str | None) -> None:
    assert last_with(program) == expected
    text = f"python -m {program} a=1\n"
    assert may_have_ended(text) is (expected is not None)
    assert not may_have_ended("python train.py\n")
    if expected is not None:
        assert expected in load_framework("verl").releases.versions
