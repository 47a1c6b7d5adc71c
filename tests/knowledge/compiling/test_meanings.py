"""What keys do, as `meanings.yaml` says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.knowledge import compiled
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.meanings import meanings
from cfglint.roles.framework import load_framework
from tests.draws import each

TABLE: dict[str, dict[str, object]] = {"keys": {"rate": {}, "data[].path": {}, "seed": {}}}


def written(folder: Path, own: str, shared: str = "") -> Path:
    home = folder / "toy"
    for place, text in ((home, own), (folder / "shared", shared)):
        place.mkdir()
        if text:
            (place / "meanings.yaml").write_text(text, encoding="utf-8")
    return home


def test_own_texts_come_before_shared_ones(tmp_path: Path) -> None:
    home = written(
        tmp_path,
        "meanings:\n  rate: How fast the toy runs.\n  'data[].path': Where the toy is.\n",
        "frameworks: [toy]\nmeanings:\n  rate: How fast all run.\n  seed: Seed of the random numbers.\n"
        "  other: A key that it does not have.\n",
    )
    assert meanings(home, [TABLE]) == {
        "rate": "How fast the toy runs.",
        "data[].path": "Where the toy is.",
        "seed": "Seed of the random numbers.",
    }


def test_shared_texts_are_for_the_frameworks_that_they_name(tmp_path: Path) -> None:
    shared = "frameworks: [other]\nmeanings:\n  rate: How fast all run.\n"
    assert meanings(written(tmp_path, "", shared), [TABLE]) == {}


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("meanings:\n  speed: How fast the toy runs.\n", "no release has the key `speed`"),
        ("meanings:\n  rate: how fast the toy runs\n", "meanings.yaml"),
        ("meanings:\n  rate: 5\n", "meanings.yaml"),
        ("sense: {}\n", "meanings.yaml"),
    ],
)
def test_unusable_content_is_an_error(tmp_path: Path, own: str, expected: str) -> None:
    with pytest.raises(RuleFileError, match=expected):
        meanings(written(tmp_path, own), [TABLE])


@each("name", ["axolotl", "llamafactory", "trl", "deepspeed", "accelerate"])
def test_the_keys_that_files_have_are_described(name: str) -> None:
    knowledge = load_framework(name).knowledge
    keys = {
        "axolotl": (
            "sequence_len",
            "learning_rate",
            "datasets[].type",
            "fsdp_config.state_dict_type",
        ),
        "llamafactory": ("cutoff_len", "learning_rate", "template"),
        "trl": ("beta", "learning_rate", "num_generations"),
        "deepspeed": ("zero_optimization.stage", "train_batch_size"),
        "accelerate": ("num_processes", "fsdp_config.fsdp_version"),
    }[name]
    assert all(knowledge.meaning(key).endswith(".") for key in keys)
    assert knowledge.meaning("no_such_key") == ""
    assert len(compiled.load(f"{name}_meanings").MEANINGS) >= 40
