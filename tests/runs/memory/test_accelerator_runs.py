"""The bound and the estimate against what trainings with TRL took on a GPU."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from cfglint.runs.memory.estimate import estimate
from tests.draws import each
from tools.fit_rows.compared import Compared
from tools.fit_rows.recorded import recorded

RUNS = recorded(Path(__file__).with_name("accelerator_recorded.json"))
#: `tools.accelerator_runs --new`: no constant was fitted to these.
UNSEEN = recorded(Path(__file__).with_name("accelerator_unseen.json"))


def name(one: Compared) -> str:
    return str(one.row["id"])


@each("one", [*RUNS, *UNSEEN])
def test_the_bound_is_never_more_than_was_allocated(one: Compared) -> None:
    assert one.bound is not None
    assert one.bound.total <= one.row["allocated"]


def test_the_bound_of_a_run_that_trains_everything_is_close() -> None:
    close = [one.bound.total / one.row["allocated"] for one in RUNS if one.bound and whole(one)]
    assert median(close) >= 0.9


@pytest.mark.parametrize(("runs", "least"), [(RUNS, 28), (UNSEEN, 18)], ids=["fitted", "unseen"])
def test_the_estimate_is_close(runs: list[Compared], least: int) -> None:
    """Of an estimate's limits, nine of ten runs are promised to lie between them."""
    inside = []
    for one in runs:
        found = None if one.run is None else estimate(one.run)
        if found is not None:
            inside.append(found.low <= one.limit <= found.high)
    assert len(inside) >= least
    assert sum(inside) / len(inside) >= 0.9


def whole(one: Compared) -> bool:
    return one.run is not None and not one.run.is_adapter and one.row["grad_ckpt"]
