"""The configuration that verl composes, and why each value is what it is."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.base.logic import MISSING
from cfglint.frameworks.verl.reading import ComposedReader, VerlReading
from cfglint.roles.framework import load_framework
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.source.document import Path
from tests.draws import each
from tests.linting import case_in

PPO = "python3 -m verl.trainer.main_ppo"
ROLLOUT = "actor_rollout_ref.rollout"
OWN = {
    ".git/HEAD": "",
    "conf/own.yaml": (
        "data: {size: 8, twice: '${.size}', name: 'n${data.size}', unset: null}\n"
        "copy: ${data}\nmust: ???\nlost: ${oc.env:HOME}\nhydra: {run: {dir: x}}\n"
    ),
}


def read(words: str, files: dict[str, str] | None = None) -> tuple[dict[str, Any], ComposedReader]:
    case, source = case_in(
        files or {}, f"{PPO} {words}\n", name="run.sh", target=("verl==0.9.0",), framework="verl"
    )
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    document = language.read(source)
    reading = case.framework.readings.reading(case.target)
    assert isinstance(reading, VerlReading)
    data = reading.values_in(document, case.around)
    made = reading.reader("default", lambda _path: MISSING)
    return made.read("", data), made


def value(data: dict[str, Any], path: Path) -> Any:
    for part in path:
        data = data[str(part)]
    return data


def test_defaults_and_words() -> None:
    data, made = read(f"{ROLLOUT}.n=5 data.train_batch_size=$N +own.key=1")
    assert "hydra" not in data
    n, name = ("actor_rollout_ref", "rollout", "n"), ("actor_rollout_ref", "rollout", "mode")
    assert value(data, n) == 5
    assert n not in made.reasons
    assert made.reasons[name] == "default"
    assert data["own"] == {"key": 1}
    assert ("own", "key") not in made.reasons
    # What the script does not determine is not known.
    size = ("data", "train_batch_size")
    assert made.unknown[size] == "script"
    assert made.reasons[size] == "the script does not determine it"
    assert "train_batch_size" not in data["data"]


def test_a_word_that_says_the_same_is_not_told_from_the_default() -> None:
    _, made = read(f"{ROLLOUT}.n=1")
    assert made.reasons["actor_rollout_ref", "rollout", "n"] == "default"
    _, made = read(f"{ROLLOUT}.n=true")
    assert ("actor_rollout_ref", "rollout", "n") not in made.reasons


def test_a_config_of_the_project() -> None:
    data, made = read("--config-path=./conf --config-name=own data.size=9", OWN)
    assert data == {
        "data": {"size": 9, "twice": 9, "name": "n9", "unset": None},
        "copy": {"size": 9, "twice": 9, "name": "n9", "unset": None},
        "must": "???",
    }
    assert made.unknown == {("lost",): "script"}
    assert made.reasons["data", "unset"] == "from conf/own.yaml"
    assert ("data", "size") not in made.reasons


@each("words", ["--config-path=none --config-name=own", "--config-name=$NAME"])
def test_what_cannot_be_followed(words: str) -> None:
    with pytest.raises(NotDeterminedError, match="cannot be followed"):
        read(words)


def test_without_a_project_the_released_config_counts() -> None:
    framework = load_framework("verl")
    case, source = case_in({}, f"{PPO} data.seed=1\n", name="run.sh", framework="verl")
    document = framework.parsing.language_for(source.text, case.target, case.around).read(source)
    reading = framework.readings.reading(case.target)
    assert isinstance(reading, VerlReading)
    assert reading.values(document)["data"]["seed"] == 1
