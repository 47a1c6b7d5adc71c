"""The titles of families: general ones, and those of each framework."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.knowledge.compiling.families import family_titles
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.loading import RuleFile
from tests.shipped import shipped_rules

HEAD = "packages: [own]\nlanguage: yaml\n"
(A_RULE,) = [
    file
    for file in shipped_rules()
    if (file.rule.code, file.rule.framework) == ("PAK001", "axolotl")
]


def titles(folder: Path, *rules: RuleFile, **families: str) -> dict[str, str]:
    """Those of a folder with the general family KEY, and of frameworks with the families given."""
    (folder / "families.yaml").write_text("KEY: Keys\n", encoding="utf-8")
    for name, text in families.items():
        (folder / name).mkdir()
        described = f"title: {name}\n{HEAD}families: {text}\n"
        (folder / name / "framework.yaml").write_text(described, encoding="utf-8")
    return family_titles(folder, [folder / name for name in families], rules)


def test_general_families_are_first(tmp_path: Path) -> None:
    found = titles(tmp_path, a="{ALP: Alpha}", b="{BET: Beta}")
    assert list(found.items()) == [("KEY", "Keys"), ("ALP", "Alpha"), ("BET", "Beta")]


def test_a_family_has_one_title(tmp_path: Path) -> None:
    with pytest.raises(
        RuleFileError, match=r"b.framework.yaml: the family ALP already has a title: 'A'"
    ):
        titles(tmp_path, a="{ALP: A}", b="{ALP: B}")


def test_a_prefix_has_three_capital_letters(tmp_path: Path) -> None:
    with pytest.raises(RuleFileError, match="families"):
        titles(tmp_path, a="{Alp: A}")


def test_every_rule_needs_a_titled_family(tmp_path: Path) -> None:
    assert titles(tmp_path, A_RULE, a="{PAK: Packing}")["PAK"] == "Packing"
    (tmp_path / "other").mkdir()
    with pytest.raises(
        RuleFileError, match=r"the family PAK has no title; add one to `families`"
    ) as caught:
        titles(tmp_path / "other", A_RULE)
    assert str(A_RULE.path) in str(caught.value)
