"""A message names only what the release of the target has."""

from __future__ import annotations

import json
import re

import pytest
from packaging.version import Version

from cfglint.engine.authoring.selftest import example_target
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.compiling.examples import prepare
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import WHOLE, drawn, product
from tests.shipped import RULES, shipped_rules

KEYS = json.loads((RULES / "axolotl/tables/axolotl.json").read_text(encoding="utf-8"))["keys"]
#: Names of keys that a message uses for what releases before them do.
MEANT = {
    "KRN352": {"fsdp_version"},  # before 0.12.0 a key inside `fsdp_config`
    "SAV211": {"eval_on_start"},  # an argument of the trainer
}


def unread(message: str, text: str, release: str) -> set[str]:
    """The keys of other releases that a message names, and the file does not."""
    named = set(re.findall(r"`([a-z_]\w*)(?:: [^`]*)?`", message)) & set(KEYS)
    return {
        name
        for name in named
        if not re.search(rf"\b{name}\b", text)
        and not (
            Version(KEYS[name]["since"])
            <= Version(release)
            < Version(KEYS[name].get("removed", "1000"))
        )
    }


@product
@pytest.mark.parametrize("release", ["0.6.0", "0.9.2", "0.16.1"])
def test_a_message_names_no_key_of_other_releases(release: str) -> None:
    axolotl = Axolotl()
    environments: dict[str, Environment] = {}
    around = nowhere()
    wrong = []
    tried = 0
    for rule, _ in drawn(shipped_rules(), 150, release, key=lambda file: file.rule.code):
        if rule.framework != "axolotl" or rule.migration == "only" or rule.check == "sweep":
            continue
        for example in rule.examples:
            if example.bad is None or example.files:
                continue
            try:
                source = SourceText.from_bytes(prepare(example)[0])
            except SourceError:
                continue
            hardware = {
                key: example.target[key] for key in ("gpus", "gpu") if key in example.target
            }
            # Examples for the same hardware share what is computed for it.
            if str(hardware) not in environments:
                at = example.model_copy(update={"target": {**hardware, "axolotl": release}})
                environments[str(hardware)] = example_target(at, axolotl)
            environment = environments[str(hardware)]
            for found in lint_source(source, Case(axolotl, environment, around)).diagnostics:
                tried += 1
                names = unread(found.message, source.text, release) - MEANT.get(found.code, set())
                if names:
                    wrong.append(f"{found.code} {sorted(names)}: {found.message}")
    assert tried > (500 if WHOLE else 50)
    assert sorted(set(wrong)) == []
