"""The planner of a config: its run, what obstructs it, and its alternatives."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.runs.memory.measures import Choice, checkpoints
from cfglint.runs.memory.planner import Changes, ConfigPlanner
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.run import MemoryRun, Shards
from cfglint.runs.memory.values import Values, values_of
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each
from tests.runs.memory.test_terms import whole


class Shown(ConfigPlanner):
    """A planner whose runs show what they were asked for: tokens are length times rows."""

    model_key = ("base_model",)
    length_key = "sequence_len"
    batch_key = "micro_batch_size"

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        length, rows = values.at("sequence_len"), values.at("micro_batch_size")
        if length is None:
            raise NotCertainError("no length")
        return whole(tokens=length * rows, shards=Shards(weights=gpus), is_adapter=usual)

    def alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        yield "`sequence_len: 8`", {("sequence_len",): 8, ("micro_batch_size",): 1}
        yield "`sequence_len: null`", {("sequence_len",): None}
        yield "`load_in_4bit: true`", {("load_in_4bit",): True}
        raise NotCertainError("the rest is not known")

    def measures(self, gpus: int) -> Iterator[Choice]:
        yield [checkpoints("gradient_checkpointing"), checkpoints("other", on=False)]


def planner(text: str) -> Shown:
    framework = load_framework("axolotl")
    document = language("yaml").read(SourceText(text))
    return Shown(values_of(document, framework, "0.21.0"), nowhere())


TEXT = "sequence_len: 10\nmicro_batch_size: 2\n"


def test_a_run_that_is_certain() -> None:
    one = planner(TEXT)
    run = one.run(4)
    assert run is not None
    assert (run.tokens, run.shards.weights, run.is_adapter) == (20, 4, False)
    assert one.obstacle(4) == ""
    assert one.keeps_whole_weights(1)
    assert not one.keeps_whole_weights(4)


def test_a_run_of_which_nothing_is_certain() -> None:
    one = planner("micro_batch_size: 2\n")
    assert one.run(1) is None
    assert one.obstacle(1) == "no length"
    assert one.usual(1) is None
    assert not one.keeps_whole_weights(1)


@each(
    ("sizes", "tokens"),
    [
        ({}, 20),
        ({"length": 5}, 10),
        ({"batch": 3}, 30),
        ({"length": 5, "batch": 1}, 5),
    ],
)
def test_a_run_as_it_usually_is(sizes: dict[str, int], tokens: int) -> None:
    run = planner(TEXT).usual(2, **sizes)
    assert run is not None
    assert (run.tokens, run.shards.weights, run.is_adapter) == (tokens, 2, True)


def test_a_run_with_other_values() -> None:
    changed = planner(TEXT).changed({("sequence_len",): 3}, 1)
    assert changed is not None
    assert (changed.tokens, changed.is_adapter) == (6, True)


def test_alternatives() -> None:
    found = [*planner(TEXT).changes(8)]
    assert [(one.title, one.path, one.gpus, one.run.tokens) for one in found] == [
        ("`sequence_len: 8`", ("sequence_len",), 8, 8),
        ("`load_in_4bit: true`", ("load_in_4bit",), 8, 20),
        ("16 GPUs", (), 16, 20),
        ("32 GPUs", (), 32, 20),
        ("64 GPUs", (), 64, 20),
    ]
    assert all(one.usual is not None and one.usual.is_adapter for one in found)
    assert not any(one.run.is_adapter for one in found)
    (first,) = planner(TEXT).choices(1)
    assert [one.title for one in first] == ["`gradient_checkpointing: true`", "`other: false`"]


@each(
    ("steps", "is_decided", "expected"),
    [
        ("", False, [(1, 2)]),
        ("gradient_accumulation_steps: 4\n", False, [(1, 8)]),
        ("gradient_accumulation_steps: 4\n", True, []),
        ("gradient_accumulation_steps: 0\n", False, []),
    ],
)
def test_smaller_batches(steps: str, is_decided: bool, expected: list[tuple[int, int]]) -> None:
    found = planner(TEXT + steps).smaller_batches(2, is_decided=is_decided)
    assert [tuple(one.changes.values()) for one in found] == expected
