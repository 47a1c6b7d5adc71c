"""Files of rewrites: what is common to them, and what they include."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.loading import load_derivations

SHARED = """\
common: {stage: after, view: effective}
derivations:
  - {name: always, set: {a: 1}, reason: r}
  - {name: sometimes, when: {b: {set: true}}, set: {a: 2}, reason: r}
"""
OWN = """\
common: {view: effective}
derivations:
  - {name: first, set: {c: 1}, reason: r}
  - {include: shared, when: {d: {set: true}}}
  - {name: last, view: late, set: {c: 2}, when: {c: {set: true}}, reason: r}
"""


def test_a_file_includes_another(tmp_path: Path) -> None:
    (tmp_path / "shared.yaml").write_text(SHARED, encoding="utf-8")
    (tmp_path / "own").mkdir()
    path = tmp_path / "own" / "derivations.yaml"
    path.write_text(OWN, encoding="utf-8")
    found = load_derivations(path)
    condition = {"d": {"set": True}}
    assert [(one.name, one.stage, one.view, one.when) for one in found] == [
        ("first", "before", "effective", None),
        ("always", "after", "effective", {"all": [condition]}),
        ("sometimes", "after", "effective", {"all": [condition, {"b": {"set": True}}]}),
        ("last", "before", "late", {"c": {"set": True}}),
    ]


@pytest.mark.parametrize("text", ["a: 1\n", "common: 1\nderivations: []\n", "common: {}\n"])
def test_a_file_of_another_form_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "derivations.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleFileError):
        load_derivations(path)
