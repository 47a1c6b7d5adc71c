"""The sum of what is certain, at its fullest moment."""

from __future__ import annotations

from cfglint.base.record import FrozenDict
from cfglint.runs.memory.families import shape
from cfglint.runs.memory.parts import Shape
from cfglint.runs.memory.planning import gib, smallest
from cfglint.runs.memory.run import GIB, MemoryRun, Shards
from cfglint.runs.memory.terms import bound


def model() -> Shape:
    found = shape(
        {
            "model_type": "llama",
            "hidden_size": 64,
            "intermediate_size": 128,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "vocab_size": 100,
        }
    )
    assert found is not None
    return found


def whole(**changes: object) -> MemoryRun:
    """All parameters trained with Adam in 16 bits."""
    size = model().parameters
    values: dict[str, object] = {
        "trained": size,
        "trained_bytes": 2.0,
        "gradient_bytes": 2.0,
        "state_bytes": 4.0,
    }
    return MemoryRun(model(), Shards(), 2.0).replaced(**{**values, **changes})


def test_eight_bytes_a_parameter() -> None:
    assert bound(whole()).total == 8 * model().parameters


def test_shards_divide_and_zero_takes_away() -> None:
    size = model().parameters
    assert bound(whole(shards=Shards(4, 4, 4))).total == 3 * (size * 2 // 4) + size * 2 // 4
    assert bound(whole(shards=Shards(1, 0, 0))).total == 2 * size
    assert bound(whole(shards=Shards(0, 0, 0))).terms == ()


def test_the_fuller_moment_counts() -> None:
    step = bound(whole(step_bytes=2.0))
    assert (step.moment, step.total) == ("step", 10 * model().parameters)
    forward = bound(whole(tokens=100_000, keeps_layers=True, logit_bytes=10.0))
    assert forward.moment == "forward"
    assert forward.size("layers") == 2 * 100_000 * 64 * 2
    assert forward.size("logits") == 10 * 100_000 * 100
    assert forward.size("gradients") == 0
    kept = bound(whole(tokens=100_000, logit_bytes=10.0, accumulates=True))
    assert kept.size("gradients") == 2 * model().parameters


def test_layers_keep_what_they_compute() -> None:
    inputs = bound(whole(tokens=100_000, keeps_layers=True)).size("layers")
    inside = bound(whole(tokens=100_000, keeps_layers=True, keeps_inside=True)).size("layers")
    # Queries, keys and values, what attention makes of them, both factors, and their product.
    numbers = 3 * 64 + 64 + 2 * 128 + 128
    assert inside - inputs == 2 * 100_000 * 2 * numbers
    adapter = whole(tokens=100_000, keeps_layers=True, keeps_inside=True, is_adapter=True)
    # One layer less, and no input of a matrix that is not trained.
    assert bound(adapter).size("layers") - inputs == 2 * 100_000 * (numbers - 128)
    assert bound(whole(tokens=100_000, keeps_inside=True)).size("layers") == 0
    compiled = whole(tokens=100_000, keeps_layers=True, keeps_inside=True, compiled=True)
    # The product may be computed again.
    assert bound(compiled).size("layers") - inputs == 2 * 100_000 * 2 * (numbers - 128)


def test_a_checkpointed_layer_is_recomputed() -> None:
    found = bound(whole(tokens=100_000, keeps_layers=True, recomputes_layers=True))
    assert found.moment == "layer"
    # As above, in one of the two layers, in addition to the inputs of both.
    assert found.size("recomputed") == 2 * 100_000 * (3 * 64 + 64 + 2 * 128 + 128)
    assert found.size("layers") == 2 * 100_000 * 64 * 2
    assert found.size("gradients") == 0
    logits = bound(
        whole(tokens=100_000, keeps_layers=True, recomputes_layers=True, logit_bytes=20.0)
    )
    # Logits are gone by then.
    assert (logits.moment, logits.size("recomputed")) == ("forward", 0)
    assert bound(whole(tokens=100_000, recomputes_layers=True)).size("layers") == 0


def test_a_layer_is_gathered_while_it_is_computed() -> None:
    matrices = 4 * 64 * 64 + 3 * 64 * 128
    sharded = whole(shards=Shards(8, 8, 8), gathers_layers=True)
    assert bound(sharded).size("gathered") == 2 * matrices
    assert bound(sharded.replaced(step_bytes=1e6)).size("gathered") == 0
    packed = sharded.replaced(packed=FrozenDict({"linear": 0.5}))
    assert bound(packed).size("gathered") == matrices // 2
    # In 16 bits, whatever the shares are in.
    assert bound(sharded.replaced(plain=4.0)).size("gathered") == 2 * matrices


def test_buffers_of_a_backward_pass() -> None:
    size = model().parameters
    backward = bound(whole(reduction=10**9, tokens=1000, keeps_layers=True, step_bytes=4.0))
    assert (backward.moment, backward.total) == ("backward", 8 * size + 10**9)
    kept = bound(whole(reduction=10**9, keeps_reduction=True, step_bytes=4.0))
    assert (kept.moment, kept.total) == ("step", 12 * size + 10**9)


def test_embeddings_have_larger_states() -> None:
    more = bound(whole(embedding_state_bytes=6.0, shards=Shards(1, 1, 1))).size("states")
    assert more == 4 * model().parameters + 6 * 100 * 64


def test_packed_kinds_and_biases() -> None:
    run = MemoryRun(model(), Shards(), 2.0, FrozenDict({"linear": 0.5}))
    linear = model().kinds("linear")
    assert bound(run).total == int(linear * 0.5 + (model().parameters - linear) * 2)


def test_reference_and_adapter() -> None:
    size = model().parameters
    run = MemoryRun(
        model(), Shards(), 2.0, trained=1000, trained_bytes=2.0, is_adapter=True, references=1
    )
    assert bound(run).size("reference") == 2 * size
    assert bound(run).size("adapter") == 2000
    assert bound(run.replaced(generators=0.5)).size("generator") == size


def test_smallest_gpu_leaves_unified_memory_out() -> None:
    table = {
        "small": {"memory_gb": 24},
        "shared": {"memory_gb": 96, "unified": True},
        "large": {"memory_gb": 141},
        "untold": {},
    }
    assert smallest(24 * GIB, table) == (24, ["small"])
    assert smallest(24 * GIB + 1, table) == (141, ["large"])
    assert smallest(142 * GIB, table) is None
    assert gib(3 * GIB // 2) == "1.5 GiB"
