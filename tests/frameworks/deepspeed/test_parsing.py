"""Who opens a file of DeepSpeed's settings."""

from __future__ import annotations

from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.deepspeed.hjson import HJSON
from cfglint.roles.framework import load_framework
from cfglint.source.languages.json import JSON


def test_a_config_that_names_it_opens_it_with_json() -> None:
    framework = load_framework("deepspeed")
    target, around = build_environment(framework.releases), nowhere()
    parsing = framework.parsing
    assert parsing.language_for("{}", target, around) is HJSON
    named = around.replaced(named_by="sft.yaml")
    assert parsing.language_for("{}", target, named) is JSON
