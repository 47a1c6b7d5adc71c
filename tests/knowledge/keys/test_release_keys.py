"""Keys as one release sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.knowledge.keys import release_keys
from cfglint.roles.framework import load_framework


def test_judged_values_are_forgotten_when_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(release_keys, "_MAX_REMEMBERED", 2)
    known = release_keys.InOrder()
    for value in (1, 2, 3):
        known.remember(("a", int, value))
    assert known == {("a", int, 3)}


def test_a_class_loses_a_key_with_the_release_that_removed_it() -> None:
    def takes(release: str, name: str) -> bool:
        keys = load_framework("axolotl").release_keys(release)
        return keys.schema_of_class("datasets[]", name, "SFTDataset") is not None

    assert takes("0.8.0", "train_on_split")
    assert not takes("0.8.1", "train_on_split")
    assert takes("0.8.1", "path")
    assert not takes("0.8.1", "made_up")


@pytest.mark.parametrize(
    ("release", "version", "may"),
    [
        # 0.12.1 has no table: what came with 0.12.2 may have come with it.
        ("0.12.1", "0.12.2", True),
        ("0.12.1", "0.13.0", False),
        ("0.12.1", "0.12.0", False),
        ("0.12.0", "0.12.2", False),
        ("0.12.1", "transformers 5.0.0", False),
    ],
)
def test_a_release_without_a_table_may_have_what_the_next_one_has(
    release: str, version: str, *, may: bool
) -> None:
    axolotl = load_framework("axolotl")
    versions = tuple(one for one in axolotl.releases.versions if one != "0.12.1")
    keys = release_keys.ReleaseKeys(axolotl.keys, versions, release, lambda _, name: name)
    assert {"0.12.0", "0.12.2", "0.13.0"} <= set(versions)
    assert keys.may_precede(version) is may


def test_a_program_for_such_a_release_is_checked_for_those_around_it(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(
        "from transformers import Trainer\nTrainer(model=None, processing_class=None)\n"
    )

    def codes(release: str) -> list[str]:
        (tmp_path / "requirements.txt").write_text(f"transformers=={release}\n")
        return [one.code for one in lint_file(program).diagnostics]

    assert codes("4.45.2") == ["KEY006"]
    # `processing_class` is in 4.46.0, of which the table has nothing, and in 4.46.1, of which it has.
    assert codes("4.46.0") == []
