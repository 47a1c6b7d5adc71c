"""Models and templates that a release registers, and what may add to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frameworks.swift.test_scripts import USUAL, codes, found


@pytest.mark.parametrize("argument", ["model_type", "template"])
def test_a_type_that_no_model_or_template_has(tmp_path: Path, argument: str) -> None:
    (line,) = found(tmp_path, f"swift sft {USUAL} --{argument} qwn3", "3.6.0")
    assert line.startswith("error TYP002")
    assert "Did you mean `qwen3`?" in line


def test_a_type_that_came_with_a_later_release(tmp_path: Path) -> None:
    text = f"swift sft {USUAL} --model_type qwen3_5"
    (line,) = found(tmp_path, text, "3.6.0")
    assert "accepts it since 4.0.0" in line
    assert codes(tmp_path, text, "4.5.2") == []


def test_the_default_of_2_is_no_entry(tmp_path: Path) -> None:
    text = "swift sft --model_type qwen-7b-chat --dataset d --template_type AUTO"
    assert codes(tmp_path, text, "2.6.1") == []
    assert codes(tmp_path, text.replace("AUTO", "AUT"), "2.6.1") == ["error TYP002"]


@pytest.mark.parametrize(
    "more",
    ["--external_plugins p.py", "--custom_register_path a.py b.py", '"$@"', "$MORE"],
)
def test_code_of_the_users_may_register_more(tmp_path: Path, more: str) -> None:
    assert codes(tmp_path, f"swift sft {USUAL} --model_type mine --template mine {more}") == []


def test_an_example_of_2_registers_what_is_beside_it(tmp_path: Path) -> None:
    text = "python llm_sft.py --model_type mine --dataset d --template_type mine"
    assert codes(tmp_path, text, "2.6.1") == []


def test_an_argument_that_releases_between_lack(tmp_path: Path) -> None:
    """`safe_serialization` came, went, and came again."""
    text = f"swift sft {USUAL} --safe_serialization true"
    assert codes(tmp_path, text, "3.6.0") == ["error KEY005"]
    assert codes(tmp_path, text, "4.5.2") == []


def test_what_is_not_known_is_dropped_when_asked_for(tmp_path: Path) -> None:
    """The word is dropped; a choice that does not exist is not."""
    text = f"swift sft {USUAL} --stage sft --template qwn3 --ignore_args_error true"
    assert codes(tmp_path, text) == ["warning KEY002", "error TYP002"]
