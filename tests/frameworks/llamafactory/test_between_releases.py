"""Builds between two releases: what only the main branch had, and what holds on both sides."""

from __future__ import annotations

import pytest

from tests.draws import each
from tests.linting import lint

BASE = "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\ndataset: identity\noutput_dir: o\n"


def codes(text: str, release: str) -> list[str]:
    found = lint(BASE + text, target=[f"llamafactory=={release}"], framework="llamafactory")
    return [one.code for one in found if one.code in ("TYP002", "LLF041", "LLF042")]


@each(
    ("template", "release", "expected"),
    [
        ("gpt", "0.9.4.dev0", []),
        ("gpt", "0.9.3", ["TYP002"]),
        ("gpt", "0.9.4", ["TYP002"]),
        ("gpt", "0.9.5.dev0", ["TYP002"]),
        ("gpt_oss", "0.9.4.dev0", []),
    ],
)
def test_a_template_that_only_main_had(template: str, release: str, expected: list[str]) -> None:
    assert codes(f"template: {template}\n", release) == expected


@pytest.mark.parametrize("release", ["0.9.3", "0.9.4.dev0", "0.9.4"])
def test_what_holds_on_both_sides_is_reported(release: str) -> None:
    assert codes("template: qwen\npredict_with_generate: true\n", release) == ["LLF041"]
