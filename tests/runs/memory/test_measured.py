"""Which measured runs are near to a run."""

from __future__ import annotations

import json
from pathlib import Path

from cfglint.runs.memory.measured import Measured, Traits, nearest
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
