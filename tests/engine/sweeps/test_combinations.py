"""Combinations are the configs that Axolotl would run, and findings in them have their places."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.sweeps.combinations import MAX_COMBINATIONS, Combinations
from cfglint.engine.sweeps.formats import format_of
from cfglint.engine.sweeps.runner import _cut
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.runs.settings.sweeps import sweep_from_bytes
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.draws import drawn, each, examples, product

AXOLOTL = Axolotl()
TARGET = build_environment(AXOLOTL.releases)
CONFIG = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: acme/support-tickets
    type: alpaca
sequence_len: 2048
micro_batch_size: 1
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
lr_scheduler: cosine
learning_rate: 0.00001
output_dir: ./out
"""


def combinations(config: str, sweep: str) -> Combinations:
    file = sweep_from_bytes("/sweep.yml", sweep.encode())
    sweeps = format_of(AXOLOTL)
    assert sweeps is not None
    document = compose(SourceText(config))
    return Combinations(document, file, sweeps, Case.of_text(AXOLOTL, TARGET))


def values(config: str, sweep: str) -> list[Any]:
    all_ = combinations(config, sweep)
    return [to_python(all_.settings(chosen).root) for chosen in all_.chosen]


def as_axolotl_does(config: dict[str, Any], sweep: dict[str, Any]) -> list[dict[str, Any]]:
    """What `generate_sweep_configs` does, before it shuffles."""
    names = [name for name in sweep if name != "_"]
    made = []
    for picked in itertools.product(*(sweep[name] for name in names)):
        for pair in sweep.get("_") or [{}]:
            made.append({**config, **dict(zip(names, picked, strict=True)), **pair})
    return made


KEYS = st.sampled_from(["a", "b", "c", "d", "learning_rate"])
VALUES = st.one_of(
    st.integers(-3, 3),
    st.sampled_from(["x", "1e-5", "no", "", "~", "two words"]),
    st.none(),
    st.dictionaries(KEYS, st.integers(0, 3), max_size=2),
    st.lists(st.integers(0, 3), max_size=2),
)


@settings(max_examples=examples(150), deadline=None)
@given(
    st.dictionaries(KEYS, VALUES, min_size=1),
    st.dictionaries(KEYS, st.lists(VALUES, min_size=1, max_size=3), max_size=3),
    st.lists(st.dictionaries(KEYS, VALUES, max_size=3), max_size=3),
    st.booleans(),
)
def test_the_same_configs_as_axolotl(
    config: dict[str, Any], sweep: dict[str, Any], pairs: list[dict[str, Any]], flow: bool
) -> None:
    if pairs:
        sweep = {"_": pairs, **sweep}
    if not sweep:
        return
    texts = [yaml.dump(data, default_flow_style=flow, sort_keys=False) for data in (config, sweep)]
    assert values(*texts) == as_axolotl_does(config, sweep)


def test_anchors_merges_and_repeated_keys_of_the_config() -> None:
    config = "x: &x {a: 1, b: 2}\n<<: *x\nlr: &lr 3\nlr: 4\nold: *lr\n"
    sweep = "lr: [5]\na: [6]\nx: [7]\n"
    assert values(config, sweep) == [{"a": 6, "b": 2, "lr": 5, "old": 3, "x": 7}]


@each(
    "sweep",
    [
        "optimzer: [a, b]\nwarmup_steps: [0, 10]\nlearning_rate: [1e-5, 2, 0.00001]\n",
        "_: [{adapter: qlora, load_in_8bit: true}, {sample_packing: true, val_set_size: 0.1}]\n",
        "datasets:\n  - - {path: a/b, type: alpaca, typ: 1}\n  - {path: a/b}\n  - []\n  -\n",
        "rl: [dpo, grpo, null]\ntrl: [{beta: 0.1, bta: 1}, {}]\n",
        "fsdp_config: [{fsdp_offload_params: true}]\nfsdp: [[full_shard]]\ndeepspeed: [x.json, ~]\n",
    ],
)
def test_the_same_findings_as_in_the_config_written_down(sweep: str) -> None:
    config = CONFIG + "warmup_ratio: 0.1\n"
    all_ = combinations(config, sweep)
    for chosen in all_.chosen:
        text = yaml.dump(to_python(all_.settings(chosen).root), sort_keys=False)
        written = lint_source(SourceText(text), Case.of_text(AXOLOTL, TARGET)).diagnostics
        told = {(d.code, d.path, d.message) for d in written}
        found = [place.diagnostic for place in all_.findings(chosen).values()]
        assert {(d.code, d.path, d.message) for d in found} == told, text


def test_too_many_are_sampled_with_each_value_and_the_same_each_time() -> None:
    sweep = "".join(f"k{n}: [{', '.join(map(str, range(n + 2)))}]\n" for n in range(30))
    all_ = combinations(CONFIG, sweep)
    assert all_.total > 10**30
    assert len(all_.chosen) == MAX_COMBINATIONS
    for n in range(30):
        assert {chosen[f"k{n}"].path[1] for chosen in all_.chosen} == set(range(n + 2))
    pairs = {(chosen["k0"].path[1], chosen["k1"].path[1]) for chosen in all_.chosen}
    assert len(pairs) == 6
    again = combinations(CONFIG, sweep)
    told = [[swept.path for swept in chosen.values()] for chosen in all_.chosen]
    assert told == [[swept.path for swept in chosen.values()] for chosen in again.chosen]
    assert all_.unseen is None


def test_a_list_that_is_longer_than_that_is_reported() -> None:
    all_ = combinations(CONFIG, f"seed: {list(range(MAX_COMBINATIONS + 1))}\n")
    assert all_.unseen == "seed"
    assert len(all_.chosen) == MAX_COMBINATIONS


def test_of_a_large_config_fewer_are_looked_at() -> None:
    config = CONFIG + "".join(f"x{n}: 1\n" for n in range(5000))
    assert 2 <= len(combinations(config, f"seed: {list(range(200))}\n").chosen) < 20


@pytest.mark.parametrize("pure", ["", "# \t\n"])
def test_places_in_both_files(pure: str) -> None:
    sweep = pure + "learning_rate: [0.00002, 1e-5]\nwarmup_steps: [10]\n"
    config = CONFIG + "warmup_ratio: 0.1\n"
    all_ = combinations(config, sweep)
    found = {place.diagnostic.code: place for place in all_.findings(all_.chosen[1]).values()}
    number = found["YML021"]
    assert number.owner is all_.chosen[1]["learning_rate"]
    span = all_.in_sweep(number.diagnostic.span)
    assert sweep[span.start : span.end] == "1e-5"
    both = found["OPT104"].diagnostic
    assert found["OPT104"].owner is None
    assert config[both.span.start : both.span.end] == "warmup_ratio: 0.1"
    (other,) = both.related
    span = all_.in_sweep(other.span)
    assert sweep[span.start : span.end] == "10"
    assert all(fix.edits == () for fix in both.fixes)


@product
def test_hostile_sweeps_end() -> None:
    start = time.process_time()
    hostile = (
        "".join(f"k{n}: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n" for n in range(9)),
        "a: " + "[" * 90 + "]" * 90 + "\n",
        "learning_rate: [" + ", ".join(map(str, range(20_000))) + "]\n",
        "".join(f"k{n}: [1, 2]\n" for n in range(2000)),
        "_: [" + ", ".join("{}" for _ in range(1000)) + "]\n",
    )
    for sweep in drawn(hostile, 2):
        all_ = combinations(CONFIG, sweep)
        # One of four: they take equally long.
        for chosen in all_.chosen[::4]:
            all_.findings(chosen)
    assert time.process_time() - start < 15


@pytest.mark.parametrize(
    ("values", "seen"),
    [
        (MAX_COMBINATIONS + 1, "not every value of `seed` is in one of them"),
        (1, "each value is in at least one of them"),
    ],
)
def test_what_was_looked_at_in_words(values: int, seen: str) -> None:
    assert _cut(combinations(CONFIG, f"seed: {list(range(values))}\n"))["seen"] == seen


@each(
    ("sweep", "total"),
    [
        ("{}\n", 0),
        ("seed: [1]\n", 1),
        ("seed: [1, 2]\nnum_epochs: [1, 2, 3]\n", 6),
    ],
)
def test_how_many_there_are(sweep: str, total: int) -> None:
    all_ = combinations(CONFIG, sweep)
    assert (all_.total, len(all_.chosen)) == (total, total)
    assert all_.unseen is None
