"""What the states of optimizers take, from how many there are, their bits and their scales."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from cfglint.runs.memory import optimizers
from cfglint.runs.memory.optimizers import in_eight_bits, matrix_step, of_trainer, usual_states
from tests.draws import each


class States(NamedTuple):
    """States of a parameter that do not have its precision."""

    states: int
    bits: int
    #: How many values share a scale in 32 bits; none without scales.
    block: int | None = None

    @property
    def bytes(self) -> float:
        scales = 4 / self.block if self.block else 0.0
        return self.states * (self.bits / 8 + scales)


STATES = {
    "adamw_8bit": States(2, 8, 256),
    "adamw_bnb_8bit": States(2, 8, 256),
    "adamw_torch_8bit": States(2, 8, 256),
    "adamw_torch_4bit": States(2, 4, 128),
    "ao_adamw_8bit": States(2, 8, 256),
    "ao_adamw_4bit": States(2, 4, 128),
    "ao_adamw_fp8": States(2, 8),
    "lion_32bit": States(1, 32),
    "lion_8bit": States(1, 8, 256),
}
PAGED = {
    "paged_adamw_32bit": States(2, 32),
    "paged_adamw_8bit": States(2, 8, 256),
    "paged_lion_32bit": States(1, 32),
    "paged_lion_8bit": States(1, 8, 256),
    "adafactor": States(0, 32),
    "sgd": States(0, 32),
}
TWO = ("adamw_torch", "adamw_torch_fused", "adamw_hf", "adamw_apex_fused", "schedule_free_adamw")
ONE = ("muon", "adagrad", "rmsprop", "schedule_free_sgd")
#: Subspaces, whose size is not in the config.
UNCERTAIN = ("galore_adamw", "galore_adamw_8bit", "galore_adafactor")


def of(name: object) -> optimizers.Optimizer:
    return of_trainer(name, ("optimizer",), copies=True)


@each(("name", "states"), STATES.items())
def test_states_of_their_own_precision(name: str, states: States) -> None:
    for width in (2, 4):
        assert of(name).states(width) == pytest.approx(states.bytes)
    assert in_eight_bits(name) == pytest.approx(states.bytes)
    assert usual_states(name) == 0.0
    assert of(name).keeps_gradients


@each(("names", "count"), [(TWO, 2), (ONE, 1)])
def test_states_of_the_parameters_precision(names: tuple[str, ...], count: int) -> None:
    for name in names:
        assert [of(name).states(width) for width in (2, 4)] == [2 * count, 4 * count]
        assert usual_states(name) == 0.0
        assert of(name).keeps_gradients


@each("name", [*PAGED, *UNCERTAIN, "invented"])
def test_nothing_is_certain_of_others(name: str) -> None:
    found, usual = of(name), usual_states(name)
    assert found.states(4) == 0
    assert found.keeps_gradients is (name != "invented")
    assert usual == (pytest.approx(PAGED[name].bytes) if name in PAGED else None)


def test_which_of_them_need_more_for_a_step() -> None:
    every = [*STATES, *PAGED, *TWO, *ONE, *UNCERTAIN, "invented", None]
    assert [name for name in every if of(name).copies] == ["adamw_torch"]
    assert not of_trainer("adamw_torch", (), copies=False).copies
    assert {name: matrix_step(name) for name in every if matrix_step(name)} == {"adafactor": 16.0}
    # The default is torch's Adam in one kernel.
    assert of(None).because.text == "adamw_torch_fused"
