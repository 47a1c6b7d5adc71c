"""The options of OpenRLHF's programs."""

from __future__ import annotations

from cfglint.frameworks.for_files import variant
from cfglint.frameworks.openrlhf.programs import arities
from cfglint.roles.framework import load_framework


def test_how_many_words_an_option_takes() -> None:
    framework = variant(load_framework("openrlhf"), kind="train_sft")
    found = arities(framework.keys, framework.release_keys(framework.releases.newest))
    options = ("help", "adam.betas", "ds.lora.target_modules", "adam.lr")
    assert [found.get(name) for name in options] == ["0", "2", "*", "1"]
