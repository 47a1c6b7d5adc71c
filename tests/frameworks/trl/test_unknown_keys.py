"""What becomes of a key that a command of TRL does not know, release by release."""

from __future__ import annotations

from cfglint.frameworks.trl.unknown_keys import is_dropped, is_dropped_by_parser
from cfglint.roles.framework import load_framework
from tests.draws import each

TRL = load_framework("trl")


def dropped(command: str, name: str, release: str, *, of_launcher: bool = False) -> bool:
    return is_dropped(command, name, TRL.release_keys(release), of_launcher=of_launcher)


@each(
    ("command", "name", "releases"),
    [
        # The script reads the file: releases in between drop what they do not know.
        ("dpo", "no_such_key", {"0.12.2": False, "0.13.0": True, "0.18.0": True}),
        ("dpo", "no_such_key", {"0.19.0": False, "0.21.0": False, "0.22.0": True, "0.28.0": True}),
        # From then on the launcher gets it.
        ("dpo", "no_such_key", {"0.29.0": False, "1.0.0": False}),
        ("sft", "no_such_key", {"0.12.2": False, "0.13.0": True, "0.17.0": True, "0.18.0": False}),
        # Options that the launcher has under this name all along.
        ("dpo", "tp_size", {"0.29.0": True, "1.0.0": True, "0.21.0": False}),
        ("sft", "fsdp_min_num_params", {"0.18.0": True, "1.0.0": True}),
        # Before 1.0, the keys of the server and of the other commands are known as well.
        ("sft", "tensor_parallel_size", {"0.18.0": True, "0.29.0": True, "1.0.0": False}),
        ("dpo", "tensor_parallel_size", {"0.21.0": False, "0.29.0": True, "1.0.0": False}),
        ("sft", "num_generations", {"0.18.0": True, "0.29.0": True, "1.0.0": False}),
        ("dpo", "num_generations", {"0.29.0": True, "1.0.0": False}),
        ("grpo", "beta", {"0.29.0": True, "1.0.0": False}),
        # Only another command that the release has counts.
        ("sft", "center_rewards_coefficient", {"0.18.0": False, "0.24.0": True}),
    ],
)
def test_what_is_dropped(command: str, name: str, releases: dict[str, bool]) -> None:
    assert {one: dropped(command, name, one) for one in releases} == releases


@each(
    ("name", "release", "expected"),
    [
        ("num_generations", "0.29.0", False),
        ("tensor_parallel_size", "0.29.0", False),
        ("tp_size", "0.29.0", True),
        ("no_such_key", "0.22.0", True),
    ],
)
def test_an_option_of_the_launcher(name: str, release: str, expected: bool) -> None:
    assert dropped("dpo", name, release, of_launcher=True) is expected


def test_parsers_that_drop_by_themselves() -> None:
    found = {
        release: is_dropped_by_parser(TRL.release_keys(release))
        for release in ("0.12.2", "0.13.0", "0.18.0", "0.19.0", "1.0.0")
    }
    assert [release for release, drops in found.items() if drops] == ["0.13.0", "0.18.0"]
