"""Which measured runs are near to a run."""

from __future__ import annotations

import json
from pathlib import Path

from cfglint.base.record import FrozenDict
from cfglint.base.type_names import Any
from cfglint.runs.memory.measured import Measured, Traits, nearest, traits
from cfglint.runs.memory.run import Shards, Usual
from tests.draws import each
from tests.runs.memory.test_terms import model, whole
from tools.fit_rows.measured import rows
from tools.fit_rows.recorded import recorded

ROOT = Path(__file__).resolve().parents[3]
TABLE = [
    Measured.of_row(row)
    for row in json.loads((ROOT / "rules" / "measured.json").read_text(encoding="utf-8"))
]


def test_a_measured_run_is_the_nearest_to_itself() -> None:
    for row in TABLE:
        first = nearest(row.traits, TABLE)[0]
        assert (first.distance, first.differs) == (0, ())


def test_what_differs_is_told() -> None:
    run = Traits(8_000_000_000, False, 16, 4096, False, True, 8, 1)
    other = Traits(16_000_000_000, True, 4, 1024, True, False, 2, 4)
    (near,) = nearest(run, [Measured("other", 1.0, "", "", other)])
    assert near.differs == (
        "16.0 billion parameters, not 8.0 billion",
        "1,024 tokens at once, not 4,096",
        "4 GPUs that share the weights, not 1",
        "an adapter is trained",
        "weights in 4 bits",
        "layers are checkpointed",
        "a fused or chunked loss",
    )
    # Twice the parameters, a quarter of the tokens, four times the GPUs, and four other respects.
    assert near.distance == 1 + 1 + 2 + 3 + 1.5 + 1.5 + 0.75


def test_the_nearer_comes_first() -> None:
    run = TABLE[0].traits
    distances = [near.distance for near in nearest(run, TABLE, len(TABLE))]
    assert distances == sorted(distances)
    assert distances[-1] > 3


def test_the_table_has_the_recorded_runs() -> None:
    own = rows(recorded(Path(__file__).with_name("accelerator_recorded.json")))
    table = {row.title: row for row in TABLE}
    assert len(own) > 20
    for row in own:
        assert table[row["title"]] == Measured.of_row(row)
    assert all(row.source for row in TABLE if row.title not in {one["title"] for one in own})


USUAL = Usual(tokens=512, checkpoints=True, logits=False, state_bytes=1.4)


@each(
    ("changes", "expected"),
    [
        ({}, {}),
        ({"is_adapter": True}, {"adapter": True}),
        ({"plain": 4.0}, {"bits": 32}),
        ({"packed": FrozenDict({"linear": 0.6})}, {"bits": 4}),
        ({"packed": FrozenDict({"linear": 1.0})}, {"bits": 8}),
        ({"packed": FrozenDict({"experts": 0.6})}, {}),
        ({"state_bytes": 6.0}, {"state_bytes": 7}),
        ({"shards": Shards(4, 8, 8)}, {"shards": 4}),
    ],
)
def test_what_a_run_is_like(changes: dict[str, Any], expected: dict[str, Any]) -> None:
    plain = Traits(model().parameters, False, 16, 512, True, False, 5, 1)
    assert traits(whole(usual=USUAL, **changes)) == plain.replaced(**expected)


def test_a_run_without_an_estimate_is_like_none() -> None:
    assert traits(whole()) is None
    assert traits(whole(usual=USUAL, shards=Shards(0, 1, 1))) is None


SAME = Traits(10**9, False, 16, 1000, True, True, 8, 2)


@each(
    ("changes", "distance", "differs"),
    [
        ({"tokens": 1100}, 0.07, ()),
        ({"tokens": 2000}, 0.5, ("2,000 tokens at once, not 1,000",)),
        ({"tokens": 0}, 4.98, ("0 tokens at once, not 1,000",)),
        ({"parameters": 10**8}, 3.32, ("0.1 billion parameters, not 1.0 billion",)),
        ({"parameters": 10**8 - 1}, 3.32, ("99,999,999 parameters, not 1.0 billion",)),
        ({"shards": 1}, 1.0, ("1 GPU with all weights, not 2",)),
        ({"bits": 8}, 1.5, ("weights in 8 bits",)),
        ({"checkpoints": False}, 1.5, ("layers are not checkpointed",)),
        ({"logits": False}, 0.75, ("a fused or chunked loss",)),
        ({"state_bytes": 2}, 0.75, ("2 bytes of optimizer states a parameter, not 8",)),
        # The states of an adapter are small.
        ({"adapter": True, "state_bytes": 2}, 3.0, ("an adapter is trained",)),
    ],
)
def test_each_difference(
    changes: dict[str, Any], distance: float, differs: tuple[str, ...]
) -> None:
    other = SAME.replaced(**changes)
    (near,) = nearest(SAME, [Measured("other", 1.0, "", "", other)])
    assert (near.distance, near.differs) == (distance, differs)
    back = nearest(other, [Measured("same", 1.0, "", "", SAME)])[0]
    assert back.distance == distance


def test_three_are_the_nearest() -> None:
    assert len(nearest(SAME, TABLE)) == 3
