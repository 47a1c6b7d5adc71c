"""A run of which little is known."""

from __future__ import annotations

from cfglint.runs.memory.run import MemoryRun, Shards, Usual
from cfglint.runs.memory.terms import bound
from tests.runs.memory.test_terms import model


def test_unknown_quantities_are_nothing() -> None:
    run = MemoryRun(model(), Shards(), 2.0)
    own = {"shape", "shards", "plain", "packed", "divided", "because"}
    left = {name: getattr(run, name) for name in run._fields if name not in own}
    assert not any(left.values()), left
    assert (len(run.packed), len(run.because), run.divided.text) == (0, 0, "")
    assert bound(run).total == 2 * model().parameters


def test_by_default_nothing_is_divided() -> None:
    assert {getattr(Shards(), name) for name in Shards._fields} == {1}
    usual = Usual(tokens=1, checkpoints=False, logits=False)
    assert (usual.state_bytes, usual.matrix_step_bytes) == (0, 0)
