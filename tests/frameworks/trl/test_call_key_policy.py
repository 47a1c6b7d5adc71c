"""The releases in which a call has its parameters."""

from __future__ import annotations

import pytest

from cfglint.environment.building import build_environment
from cfglint.frameworks.for_files import variant
from cfglint.knowledge import compiled
from cfglint.roles.framework import load_framework

NEWEST = compiled.load("trl_classes").RELEASES["peft"][-1]


@pytest.mark.parametrize(
    ("pins", "peft", "transformers"),
    [
        # transformers as it came out with TRL, and the newest of what TRL does not pin,
        (["trl==1.15.0"], NEWEST, "5.19.0"),
        # unless something states another one.
        (["trl==1.15.0", "peft==0.18.0", "transformers==5.3.0"], "0.18.0", "5.3.0"),
    ],
)
def test_the_releases_of_the_packages_beside(pins: list[str], peft: str, transformers: str) -> None:
    trl = load_framework("trl")
    target = build_environment(trl.releases, pins=pins)
    keys = variant(trl, kind="peft.LoraConfig").key_policy.keys_in(target)
    assert keys.release_of("peft 0.1.0") == peft
    assert keys.release_of("transformers 4.0.0") == transformers
