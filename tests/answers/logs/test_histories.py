"""What became of an argument that something did not take."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.histories import history, is_decided
from cfglint.answers.logs.refused import RefusedKey

LENGTH = RefusedKey("max_seq_length", "SFTTrainer")


@pytest.mark.parametrize(
    ("version", "name"), [("0.13.0", "max_seq_length"), ("0.16.0", "max_length")]
)
def test_what_replaces_a_parameter_is_that_of_the_release_that_ran(version: str, name: str) -> None:
    text, *_ = history(LENGTH, {"trl": version})
    assert text.endswith(f"`SFTConfig` has `{name}`.")


def test_each_release_is_told_where_none_is_known() -> None:
    text, *_ = history(LENGTH, {})
    assert "Up to 0.15.2: `SFTConfig` has `max_seq_length`." in text
    assert text.endswith("From 0.16.0 on: `SFTConfig` has `max_length`.")


def test_a_name_that_all_releases_without_the_key_have_is_told_once() -> None:
    text, newer, _ = history(RefusedKey("evaluation_strategy", ""), {"llamafactory": "0.9.4"})
    assert "Up to" not in text
    assert newer == "eval_strategy"
    # LLaMA-Factory reads what the transformers that is installed has.
    assert "It was removed in transformers 4.51." in text


def test_a_slip_in_a_section_of_hydra() -> None:
    found = history(RefusedKey("total_epoch", "", "trainer"), {})
    assert found[:2] == ("Did you mean `total_epochs`?", "trainer.total_epochs")
    section = "actor_rollout_ref.rollout"
    assert history(RefusedKey("val_temperature", "", section), {})[:2] == (
        "The key with the closest name is `val_kwargs.temperature`.",
        f"{section}.val_kwargs.temperature",
    )


def test_the_release_that_brought_a_parameter() -> None:
    text, name, _ = history(RefusedKey("processing_class", "Trainer"), {})
    assert text == (
        "It came in transformers 4.46.1: an older release runs here. There it is called `tokenizer`."
    )
    assert name == "tokenizer"
    # Something else took its place.
    assert history(RefusedKey("processing_class", "Trainer"), {"transformers": "4.57.1"})[0] == ""
    both, *_ = history(RefusedKey("use_seedable_sampler", "Accelerator"), {})
    assert both.startswith("It came in accelerate 0.26.0 and was removed in accelerate 1.0.0.")


def test_a_parameter_as_old_as_its_class_came_in_no_release() -> None:
    assert history(RefusedKey("model", "Trainer"), {}) == ("", "model", False)


def test_what_the_log_leaves_of_the_releases_counts() -> None:
    key, readers = RefusedKey("sft_type", ""), ("swift",)
    assert history(key, {}, {}, readers).varies
    text, newer, varies = history(key, {}, {"ms-swift": ("3.3.0", "3.12.2")}, readers)
    assert text == "It was removed in ms-swift 3.0.0. Use `train_type`."
    assert (newer, varies) == ("train_type", False)
    assert history(key, {}) == ("", "sft_type", False)


@pytest.mark.parametrize(
    ("left", "names"),
    [
        ({}, "`sft_type` (up to 2.6.1) or `train_type` (from 3.0.0 on)"),
        ({"ms-swift": ("3.3.0",)}, "`train_type`"),
        ({"ms-swift": ("2.5.0",)}, "`sft_type`"),
    ],
)
def test_what_a_newer_argument_is_called_in_the_release_that_ran(
    left: dict[str, tuple[str, ...]], names: str
) -> None:
    text, *_ = history(RefusedKey("tuner_type", ""), {}, left, ("swift",))
    assert text == (
        f"It came in ms-swift 4.0.0: an older release runs here. There it is called {names}."
    )


def test_whether_the_release_is_known() -> None:
    assert is_decided(LENGTH, {"trl": "0.13.0"})
    assert not is_decided(LENGTH, {"transformers": "4.50.0"})
    assert not is_decided(RefusedKey("sft_type", ""), {}, ("swift",))
