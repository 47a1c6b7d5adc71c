"""Which frameworks have sweep files."""

from __future__ import annotations

from cfglint.engine.sweeps.formats import format_of, sweep_option
from cfglint.roles.framework import frameworks, load_framework


def test_the_option_says_who_has_a_format() -> None:
    for name in frameworks():
        framework = load_framework(name)
        assert (format_of(framework) is not None) == bool(sweep_option(framework))
    assert sweep_option(load_framework("axolotl")) == "sweep"
