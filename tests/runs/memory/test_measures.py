"""The measures against too little memory: their costs, their order, the global batch."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.runs.memory.measures import (
    Cost,
    Measure,
    adapter,
    checkpoints,
    combinations,
    cost_of,
    eight_bit_states,
    four_bits,
    fused_loss,
    sharded,
    shorter,
    smaller_batches,
    together,
)
from cfglint.source.document import Path
from tests.draws import each


def measure(name: str, quality: int, speed: int) -> Measure:
    return Measure(name, "", Cost(quality, speed), {(name,): True})


def test_several_measures_cost_what_they_cost_together() -> None:
    one, other = measure("a", 1, 2), measure("b", 3, 4)
    assert cost_of([one, other]) == Cost(4, 6)
    assert together([one, other]) == {("a",): True, ("b",): True}


def test_what_changes_the_result_comes_after_all_that_takes_time() -> None:
    slow, slower, worse = measure("slow", 0, 9), measure("slower", 0, 10), measure("worse", 1, 0)
    found = [
        "+".join(one.title for one in chosen) for chosen in combinations([[slow, slower], [worse]])
    ]
    assert found == ["slow", "slower", "worse", "slow+worse", "slower+worse"]


@each(
    ("batch", "steps", "expected"),
    [
        (4, 2, [(2, 4), (1, 8)]),
        # A third of 4 x 3 rows, and so on: each divides the batch.
        (4, 3, [(3, 4), (2, 6), (1, 12)]),
        (6, 1, [(3, 2), (2, 3), (1, 6)]),
        (1, 8, []),
        (4, 0, []),
        ("4", 2, []),
    ],
)
def test_the_global_batch_stays_equal(
    batch: object, steps: object, expected: list[tuple[int, int]]
) -> None:
    found = smaller_batches("rows", batch, "steps", steps)
    assert [(one.changes["rows",], one.changes["steps",]) for one in found] == expected
    assert [one.cost for one in found] == sorted(one.cost for one in found)


def test_no_gpu_has_a_million_rows() -> None:
    assert smaller_batches("rows", 10**12, "steps", 1) == []


def test_shorter_sequences_are_multiples_of_256() -> None:
    assert [one.changes["length",] for one in shorter("length", 5000)] == [2304, 1024, 512]
    assert [one.changes["length",] for one in shorter("length", 600)] == [256]
    assert shorter("length", None) == []


def test_four_bits_without_an_adapter_cost_the_adapter_as_well() -> None:
    alone = four_bits("x", {("b",): 4}, has_adapter=True)
    both = four_bits("x", {("b",): 4}, has_adapter=False)
    assert both.cost > alone.cost
    assert "an adapter is trained instead" in both.words


def test_of_many_batches_some_are_tried_and_one_row_last() -> None:
    rows = [one.changes["rows",] for one in smaller_batches("rows", 64, "steps", 720720)]
    assert rows == [63, 60, 56, 55, 52, 48, 45, 1]
    (only,) = smaller_batches("rows", 2, "steps", 1)
    assert only.title == "`rows: 1` and `steps: 2`"
    assert only.words.startswith("2 x 1 rows of a GPU become 1 x 2: ")
    assert only.path == ("rows",)


@each(
    ("batch", "rows", "speed"),
    [(2, 1, 2), (3, 1, 2), (4, 3, 2), (4, 2, 2), (4, 1, 3), (8, 1, 4)],
)
def test_each_halving_of_the_rows_is_a_step_dearer(batch: int, rows: int, speed: int) -> None:
    (one,) = (one for one in smaller_batches("b", batch, "s", 12) if one.changes["b",] == rows)
    assert one.cost == Cost(0, speed)


@each(
    ("length", "expected"),
    [
        (511, []),
        (512, [(256, 3)]),
        (1024, [(512, 3), (256, 4)]),
        (4096, [(2048, 3), (1024, 4), (512, 5)]),
        (True, []),
        ("4096", []),
    ],
)
def test_the_shorter_the_dearer(length: object, expected: list[tuple[int, int]]) -> None:
    found = shorter("n", length)
    assert [(one.changes["n",], one.cost.quality) for one in found] == expected
    assert all(one.cost.speed == 0 for one in found)


def test_what_each_measure_says() -> None:
    changes: dict[Path, Any] = {("a",): 1}
    every = [
        fused_loss("t", changes, "liger"),
        checkpoints("a"),
        sharded("t", changes),
        eight_bit_states("a", "adamw_8bit", "torchao"),
        four_bits("t", changes, has_adapter=True),
        adapter("t", changes),
        four_bits("t", changes, has_adapter=False),
    ]
    assert [one.cost for one in every] == sorted(one.cost for one in every)
    assert "liger" in every[0].words
    assert (checkpoints("a").title, checkpoints("a").changes) == ("`a: true`", {("a",): True})
    off = checkpoints("a", on=False)
    assert (off.title, off.changes) == ("`a: false`", {("a",): False})
    assert "torchao" in every[3].words
    assert "an adapter is trained" not in every[4].words
    assert "an adapter is trained" in every[6].words
