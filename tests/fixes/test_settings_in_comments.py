"""A setting that is commented out is no remark about the key below it."""

from __future__ import annotations

import pytest

from cfglint.fixes.actions import DeleteKey
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText


def without_b(text: str) -> str:
    made = plan(compose(SourceText.from_str(text)), [DeleteKey(("b",))])
    assert made.refused is None
    return apply_edits(text, made.edits)


@pytest.mark.parametrize("setting", ["# lora_r: 16", "#lora_r: 16", "#   - path: x", "# lora:"])
def test_it_stays(setting: str) -> None:
    assert without_b(f"a: 1\n{setting}\nb: 2\nc: 3\n") == f"a: 1\n{setting}\nc: 3\n"


@pytest.mark.parametrize("remark", ["# how many", "# Note: not too many", "# see https://a.b/c"])
def test_a_remark_goes_with_its_key(remark: str) -> None:
    assert without_b(f"a: 1\n{remark}\nb: 2\nc: 3\n") == "a: 1\nc: 3\n"
