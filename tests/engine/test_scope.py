"""What the conditions and the messages of rules are told of one file."""

from __future__ import annotations

from cfglint.base.logic import MISSING, UNKNOWN, AtLeast
from cfglint.checks.context import CheckContext
from cfglint.engine.scope import FileScope
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.document import Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment

TEXT = """\
base_model: a/b
learning_rate: 0.000010
weight_decay: 1e-2
max_grad_norm: 5.0
warmup_ratio: 0.0000000000000000000100
lora_dropout: 0.000000000000000000100
seed: 3
gc_steps:
load_in_8bit: false
load_in_4bit: true
datasets:
  - {path: x, shards: 0.50}
  - {path: y}
"""


def scope_of(
    text: str = TEXT, *, gpus: int | None = None, gpu: str | None = None, view: str = "raw"
) -> FileScope:
    document = compose(SourceText(text))
    target = environment(["axolotl==0.21.0", "torch==2.6.0"], gpus=gpus, gpu=gpu)
    scope = FileScope(CheckContext(document, load_framework("axolotl"), target, nowhere()))
    scope.use(view)
    return scope


@each(
    ("name", "item", "said"),
    [
        ("base_model", (), "a/b"),
        ("seed", (), "3"),
        ("gc_steps", (), None),
        ("adapter", (), None),
        ("load_in_8bit", (), "false"),
        ("load_in_4bit", (), "true"),
        ("datasets", (), "[{path: x, shards: 0.5}, {path: y}]"),
        # Numbers as the file has them, unless that is longer than anybody would write.
        ("learning_rate", (), "0.000010"),
        ("max_grad_norm", (), "5.0"),
        ("lora_dropout", (), "0.000000000000000000100"),
        ("warmup_ratio", (), "1e-20"),
        ("item.path", ("datasets", 1), "y"),
        ("item.shards", ("datasets", 0), "0.50"),
        ("item.shards", ("datasets", 1), None),
        ("item", ("datasets", 1), "{path: y}"),
        ("release", (), "0.21.0"),
        ("fact gpus", (), "8"),
        ("fact gpu", (), "h100"),
        ("fact gpu.memory_gb", (), "80"),
        ("fact gpu.compute_capability", (), "9"),
        ("fact gpu.bf16", (), "true"),
        ("fact model.layers", (), None),
    ],
)
def test_what_a_message_says(name: str, item: Path, said: str | None) -> None:
    assert scope_of(gpus=8, gpu="h100").placeholder(name, item) == said


def test_a_number_of_gpus_that_is_only_guessed() -> None:
    scope = scope_of("base_model: a/b\ndeepspeed: x.json\n")
    assert scope.placeholder("fact gpus", ()) == "several"
    assert scope_of().placeholder("fact gpus", ()) is None


def test_unstated_facts_are_unknown() -> None:
    scope = scope_of()
    assert scope.fact("gpus") is UNKNOWN
    assert scope.fact("gpu.memory_gb") is UNKNOWN
    assert scope.unknown == {"gpus", "gpu.memory_gb"}
    assert not scope.guessed
    scope.use("raw")
    assert not scope.unknown


def test_a_file_that_shares_the_work_is_meant_for_two_gpus_at_least() -> None:
    scope = scope_of("base_model: a/b\nfsdp_config: {fsdp_version: 2}\n")
    gpus = scope.fact("gpus")
    assert isinstance(gpus, AtLeast)
    assert gpus.least == 2
    assert (scope.unknown, scope.guessed) == ({"gpus"}, {"gpus"})
    # Of their kind it says nothing.
    assert scope.fact("gpu.memory_gb") is UNKNOWN
    assert scope.guessed == {"gpus"}
    scope.use("raw")
    assert (scope.unknown, scope.guessed) == (set(), set())
    told = scope_of("base_model: a/b\nfsdp_config: {fsdp_version: 2}\n", gpus=1)
    assert told.fact("gpus") == 1
    assert not told.guessed


def test_unstated_versions_are_unknown() -> None:
    scope = scope_of()
    every = (1 << len(scope.target.releases.versions)) - 1
    told, open_ = ("torch", ">=2.6", 0, every, ()), ("vllm", ">=0.8", 0, every, ())
    scope.use("raw", assume=False)
    assert scope.applies((told,)) is True
    assert not scope.unknown
    assert scope.applies((open_,)) is None
    assert scope.unknown == {"vllm"}


def test_the_item_that_a_rule_is_about() -> None:
    scope = scope_of()
    scope.use("raw", item=("datasets", 1))
    assert scope.item_value(("path",)) == "y"
    assert scope.item_value(("shards",)) is MISSING
    scope.at_item(("datasets", 0))
    assert (scope.item_value(("path",)), scope.item_value(("shards",))) == ("x", 0.5)


def test_making_a_view_leaves_the_item_that_was_chosen() -> None:
    scope = scope_of()
    scope.use("effective", item=("datasets", 1))
    assert scope.item_value(("path",)) == "y"
    # Text that the framework takes for a number is one from the second view on.
    assert scope.value(("weight_decay",)) == 0.01
    assert scope.value(("gradient_checkpointing",)) is False
    scope.use("late")
    assert scope.value(("gradient_checkpointing",)) is MISSING
    scope.use("raw")
    assert scope.value(("weight_decay",)) == "1e-2"
    assert scope.values(("datasets", "[]", "path")) == ["x", "y"]
