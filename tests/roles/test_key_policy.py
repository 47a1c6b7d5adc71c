"""What becomes of a written key, before its file is looked at, and what keys are called."""

from __future__ import annotations

from cfglint.environment.building import build_environment
from cfglint.roles.framework import load_framework
from cfglint.roles.key_policy import (
    LATER,
    LEFT_ALONE,
    READ,
    REMOVED,
    UNKNOWN_KEY,
    UNREAD,
    WITHOUT_PLUGIN,
    KeyPolicy,
)
from tests.draws import each
from tests.linting import lint

AXOLOTL, TRL = load_framework("axolotl"), load_framework("trl")
POLICY = AXOLOTL.key_policy


@each(
    ("release", "section", "name", "state", "why"),
    [
        ("0.21.0", "", "base_model", READ, ""),
        ("0.21.0", "special_tokens", "pad_token", READ, ""),
        ("0.21.0", "", "made_up", UNREAD, UNKNOWN_KEY),
        ("0.21.0", "special_tokens", "made_up", UNREAD, UNKNOWN_KEY),
        # Of a section that is not described nothing is known.
        ("0.21.0", "nowhere", "made_up", LEFT_ALONE, ""),
        ("0.21.0", "", "attn_implementation", READ, ""),
        ("0.5.0", "", "attn_implementation", UNREAD, LATER),
        ("0.21.0", "", "cut_cross_entropy", UNREAD, WITHOUT_PLUGIN),
        ("0.5.0", "", "cut_cross_entropy", UNREAD, LATER),
    ],
)
def test_a_key_of_a_release(release: str, section: str, name: str, state: str, why: str) -> None:
    found = POLICY.by_name(section, name, AXOLOTL.release_keys(release))
    assert (found.state, found.why) == (state, why)
    assert found.plugin == ("CutCrossEntropyPlugin" if why == WITHOUT_PLUGIN else "")


def test_a_key_that_was_removed() -> None:
    found = TRL.key_policy.by_name("", "max_prompt_length", TRL.release_keys("1.16.0"))
    assert (found.state, found.why) == (UNREAD, REMOVED)
    assert TRL.key_policy.by_name("", "max_prompt_length", TRL.release_keys("0.20.0")).state == READ


@each(
    ("framework", "noun", "refused"),
    [
        ("axolotl", "a key", "the file"),
        ("trl", "a key", "the file"),
        ("openrlhf", "an option", "the command"),
        ("verl", "a key", "the command"),
    ],
)
def test_what_keys_are_called(framework: str, noun: str, refused: str) -> None:
    policy = load_framework(framework).key_policy
    assert (policy.noun, policy.refused_whole) == (noun, refused)


@each(
    ("name", "homes", "meant"),
    [
        ("lr", ["a", "b"], ["a", "b"]),
        ("lr", ["a", ""], [""]),
        # A name that does not show where it belongs.
        ("name", ["a"], []),
        ("name", ["a", ""], [""]),
        ("lr", [], []),
    ],
)
def test_the_sections_that_are_meant(name: str, homes: list[str], meant: list[str]) -> None:
    assert KeyPolicy(AXOLOTL).homes("x", name, homes) == meant


@each(
    ("name", "to"),
    [
        ("flash_attention", "attn_implementation"),
        ("cutoff_len", "sequence_len"),
        ("per_device_train_batch_size", "micro_batch_size"),
        ("made_up", None),
    ],
)
def test_the_name_of_today(name: str, to: str | None) -> None:
    found = POLICY.counterpart(name, build_environment(AXOLOTL.releases))
    assert (None if found is None else found.to) == to


@each(
    ("text", "starts"),
    [
        ("export PYTHONPATH=/home/me/verl:$PYTHONPATH\n", True),
        ("PYTHONPATH=a:/x/my-verl-fork\n", True),
        ("PYTHONPATH=/verl/other\n", False),
        ("source $HOME/verl/bin/activate\n", True),
        (". /envs/verl/env/bin/activate\n", True),
        ("source /verl/a/b/bin/activate\n", False),
        ("source /envs/other/bin/activate\n", False),
        ("cd /home/me/verl\n", False),
    ],
)
def test_a_script_that_starts_a_copy(text: str, starts: bool) -> None:
    command = "python3 -m verl.trainer.main_ppo trainer.made_up_key=1\n"
    found = lint(text + command, framework="verl", select=("KEY",))
    severities = {one.severity for one in found if one.path[-1] == "made_up_key"}
    assert severities == ({"note"} if starts else {"error"})
