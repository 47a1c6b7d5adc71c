"""What a run probably needs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.runs.memory.estimate import FITTED, SPREAD, Constants, estimate, inner_size
from cfglint.runs.memory.run import GIB, MemoryRun, Shards, Usual
from cfglint.runs.memory.terms import bound
from tests.runs.memory.test_terms import model, whole

#: Nothing but what tensors take.
BARE = Constants(hidden=0, inner=0, adapter=1, taken_in=0, logits=0, slack=1, fixed=0)
MANY = Usual(100_000, checkpoints=False, logits=True)


def likely(run: MemoryRun, constants: Constants = FITTED) -> int:
    found = estimate(run, constants)
    assert found is not None
    return found.likely


def test_no_estimate_without_the_usual_quantities() -> None:
    assert estimate(whole()) is None


@pytest.mark.parametrize("place", ["weights", "gradients", "states"])
def test_no_estimate_when_parts_may_be_elsewhere(place: str) -> None:
    assert estimate(whole(usual=MANY, shards=Shards(**{place: 0}))) is None


def test_what_tensors_take() -> None:
    assert likely(whole(usual=MANY), BARE) == 8 * model().parameters


def test_activations_of_each_layer_without_checkpointing() -> None:
    constants = BARE._replace(hidden=1.0, inner=1.0)
    size = 6 * model().parameters
    assert likely(whole(usual=MANY), constants) == size + 2 * 100_000 * 2 * (64 + 128)
    adapter = whole(usual=MANY, is_adapter=True, trained=0)
    less = likely(adapter, constants._replace(adapter=0.5))
    assert less == 2 * model().parameters + 2 * 100_000 * (64 + 128)


def test_an_adapter_keeps_what_its_modules_take_in() -> None:
    constants = BARE._replace(taken_in=2.0)
    run = whole(usual=MANY, is_adapter=True, trained=0, taken_in=2 * 64)
    kept = 2 * 100_000 * 2 * (2 * 64)
    assert likely(run, constants) == likely(run, BARE) + kept
    # With checkpoints, only those of the layer that is computed again.
    again = run.replaced(usual=MANY.replaced(checkpoints=True))
    assert likely(again, constants) == likely(again, BARE) + kept // 2


def test_adafactor_steps_the_largest_matrix_in_32_bits() -> None:
    run = whole(usual=MANY.replaced(matrix_step_bytes=16.0))
    largest = max(part.inputs * part.outputs for part in model().parts)
    assert likely(run, BARE) == likely(whole(usual=MANY), BARE) + 16 * largest


def test_checkpointing_keeps_inputs_and_one_layer() -> None:
    usual = MANY.replaced(checkpoints=True)
    found = likely(whole(usual=usual), BARE._replace(hidden=1.0))
    assert found == 6 * model().parameters + 2 * 100_000 * (64 * 2 + 64)


def test_logits_states_and_the_rest() -> None:
    size = 6 * model().parameters
    assert likely(whole(usual=MANY), BARE._replace(logits=10.0)) == size + 100_000 * 100 * 10
    paged = whole(usual=MANY.replaced(logits=False, state_bytes=2.0))
    assert likely(paged, BARE._replace(logits=10.0)) == 10 * model().parameters
    assert likely(whole(usual=MANY), BARE._replace(fixed=2.0)) == 8 * model().parameters + 2 * GIB
    accumulates = likely(whole(usual=MANY, accumulates=True), BARE._replace(logits=10.0))
    assert accumulates == size + 2 * model().parameters + 100_000 * 100 * 10


def test_gpus_share_activations_only_where_layers_are_divided() -> None:
    constants = BARE._replace(logits=10.0)
    four = likely(whole(usual=MANY, shards=Shards(4, 4, 4)), constants)
    assert four == 6 * model().parameters // 4 + 100_000 * 100 * 10


@given(
    st.integers(1, 1 << 22),
    st.booleans(),
    st.booleans(),
    st.integers(1, 16),
    st.booleans(),
)
def test_never_below_the_bound(
    tokens: int, checkpoints: bool, logits: bool, shards: int, is_adapter: bool
) -> None:
    run = whole(
        usual=Usual(tokens, checkpoints, logits),
        shards=Shards(shards, shards, shards),
        is_adapter=is_adapter,
        tokens=tokens,
        keeps_layers=True,
        keeps_inside=not checkpoints,
        logit_bytes=12.0 if logits else 0.0,
        step_bytes=2.0,
    )
    found = estimate(run)
    assert found is not None
    assert bound(run).total <= found.low <= found.likely <= found.high
    assert math.isclose(found.high, found.likely * SPREAD, abs_tol=1)


def test_inner_sizes() -> None:
    assert inner_size(model()) == 128
    assert inner_size(model().replaced(parts=())) == 4 * 64
