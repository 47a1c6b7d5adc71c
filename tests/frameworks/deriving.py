"""The derived values of a text that lies in a project in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked, Derived
from tests.linting import case_in


def derived(
    known: Mapping[str, Derived],
    names: Sequence[str],
    text: str,
    *,
    framework: str,
    name: str = "train.yml",
    target: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
    assume: bool = False,
) -> list[Any]:
    """Some derived values: `missing` and `unknown` as words."""
    case, source = case_in(files or {}, text, name=name, target=target, framework=framework)
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    view, asked = View(language.read(source)), Asked(case.target, case.around)
    found = [known[one].function(view, asked, assume) for one in names]
    words = {id(UNKNOWN): "unknown", id(MISSING): "missing"}
    return [words.get(id(one), one) for one in found]
