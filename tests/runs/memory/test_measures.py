"""The measures against too little memory: their costs, their order, the global batch."""

from __future__ import annotations

from cfglint.runs.memory.measures import (
    Cost,
    Measure,
    combinations,
    cost_of,
    four_bits,
    shorter,
    smaller_batches,
    together,
)
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


def test_shorter_sequences_are_multiples_of_256() -> None:
    assert [one.changes["length",] for one in shorter("length", 5000)] == [2304, 1024, 512]
    assert [one.changes["length",] for one in shorter("length", 600)] == [256]
    assert shorter("length", None) == []


def test_four_bits_without_an_adapter_cost_the_adapter_as_well() -> None:
    alone = four_bits("x", {("b",): 4}, has_adapter=True)
    both = four_bits("x", {("b",): 4}, has_adapter=False)
    assert both.cost > alone.cost
    assert "an adapter is trained instead" in both.words
