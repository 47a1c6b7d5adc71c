"""The keys that a check had read when it raised."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.framework_parity.worker.read_keys import read_keys

_CHECKS = """
def batch(config):
    gpus = config.trainer.gpus * config.trainer.nodes
    if config.parallel:
        least = gpus // config.tensor
    else:
        least = gpus
    assert (config.data.size * config.rollout.get("n", 1)) % least == 0


def sections(config):
    compared(config.actor.old, other=config.actor.new)


def compared(first, other):
    if first is not None:
        if other is not None:
            raise ValueError("both")


class Made:
    def __init__(self, section):
        self.rank = section.rank

    def checked(self, gpus):
        assert self.rank < gpus


def methods(config):
    made = Made(config.model)
    made.checked(config.trainer.gpus)
"""


@pytest.fixture
def checks(tmp_path: Path) -> Any:
    path = tmp_path / "checks.py"
    path.write_text(_CHECKS, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("checks", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def config() -> SimpleNamespace:
    return SimpleNamespace(
        trainer=SimpleNamespace(gpus=2, nodes=1),
        parallel=False,
        tensor=2,
        data=SimpleNamespace(size=5),
        rollout={"n": 1},
        actor=SimpleNamespace(old=1, new=2),
        model=SimpleNamespace(rank=8),
    )


def keys(check: Callable[[Any], None], folder: Path) -> set[str]:
    try:
        check(config())
    except (AssertionError, ValueError) as error:
        return set(read_keys(error, [folder]))
    raise AssertionError("nothing was raised")


def test_variables_stand_for_what_made_them(checks: Any, tmp_path: Path) -> None:
    assert keys(checks.batch, tmp_path) == {
        "data.size",
        "rollout.n",
        "trainer.gpus",
        "trainer.nodes",
    }


def test_parameters_stand_for_what_the_caller_gave(checks: Any, tmp_path: Path) -> None:
    assert keys(checks.sections, tmp_path) == {"actor.old", "actor.new"}


def test_an_object_stands_for_its_section(checks: Any, tmp_path: Path) -> None:
    assert keys(checks.methods, tmp_path) == {"model.rank", "trainer.gpus"}


def test_an_argument_that_a_class_lacks_is_below_its_section(tmp_path: Path) -> None:
    error = ValueError(
        "Error in call to target 'a.B':\nTypeError(\"B.__init__() got an unexpected keyword argument 'c'\")"
        "\nfull_key: actor.optim"
    )
    assert read_keys(error, [tmp_path]) == ["actor.optim.c"]
