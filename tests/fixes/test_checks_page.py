"""docs/checks-in-code.md: every action does what its example shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from cfglint.fixes import actions
from cfglint.fixes.actions import Action
from cfglint.fixes.planning import plan
from cfglint.roles.framework import load_framework
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each

PAGE = Path(__file__).parents[2] / "docs" / "checks-in-code.md"
EXAMPLES = [
    (language, *found)
    for language in ("yaml", "python")
    for found in re.findall(
        rf"```python\n([^\n]*?)\n```\n\n```{language}\n([^`]*?)```\n\n```{language}\n([^`]*?)```",
        PAGE.read_text(encoding="utf-8"),
    )
]


@each(("language", "written", "before", "after"), EXAMPLES)
def test_an_action_does_what_its_example_shows(
    language: str, written: str, before: str, after: str
) -> None:
    action: Action = eval(written, vars(actions))
    read = compose if language == "yaml" else load_framework("trl_programs").language.read
    edits = plan(read(SourceText(before)), [action]).edits
    text = before
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert text == after


def test_every_action_has_an_example() -> None:
    shown = [written.partition("(")[0] for _, written, _, _ in EXAMPLES]
    assert sorted(shown) == sorted(action.__name__ for action in get_args(Action))
