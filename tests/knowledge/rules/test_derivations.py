"""The framework's own rewrites: what each kind of step does, in the view of rules."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.base.logic import MISSING
from cfglint.checks.context import CheckContext
from cfglint.engine.scope import FileScope
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.compiling.derivation_model import DerivationModel
from cfglint.knowledge.compiling.derivations import compiled
from cfglint.knowledge.compiling.masks import ReleaseTable
from cfglint.knowledge.rules.derivations import apply_derivations, read_derivation
from cfglint.knowledge.rules.views import View
from cfglint.source.document import Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each, examples

AXOLOTL = Axolotl()
RELEASES = ReleaseTable("axolotl", "0.21.0", {"0.21.0": {"pins": {}}})


def scope_of(text: str, target: Environment | None = None) -> FileScope:
    """The scope of a text; the newest release reads it unless a target is given."""
    target = target or build_environment(AXOLOTL.releases)
    return FileScope(CheckContext(compose(SourceText(text)), AXOLOTL, target, nowhere()))


def rewritten(text: str, *parts: dict[str, Any], **facts: Any) -> tuple[View, list[Path]]:
    """A view of a file after some derivations, and what they could not decide."""
    models = [DerivationModel.model_validate({"name": "x", "reason": "r", **p}) for p in parts]
    rows = [read_derivation(row) for row in compiled(models, "late", RELEASES)]
    scope = scope_of(text, build_environment(AXOLOTL.releases, pins=("axolotl==0.21.0",), **facts))
    scope.view = view = View(scope.document)
    unknown: list[Path] = []
    apply_derivations(rows, view, scope, lambda _: True, lambda _, paths: unknown.extend(paths))
    return view, unknown


def test_a_rename_moves_the_value_and_keeps_its_written_path() -> None:
    view, _ = rewritten("old: 1\n", {"rename": {"old": "new"}})
    assert view.value(("new",)) == 1
    assert view.value(("old",)) is MISSING
    assert view.written_path(("new",)) == ("old",)
    view, _ = rewritten("old: 1\nnew: 2\n", {"rename": {"old": "new"}})
    assert (view.value(("new",)), view.value(("old",))) == (2, MISSING)
    view, _ = rewritten("old:\n", {"rename": {"old": "new"}})
    assert view.value(("new",)) is MISSING


def test_a_prefix_is_cut_off_and_the_last_of_two_wins() -> None:
    strip = {"strip_prefix": {"a": "x_"}, "strip_except": ["x_kept"]}
    view, _ = rewritten("a: {x_one: 1, x_kept: 2, three: 3}\n", strip)
    assert view.value(("a",)) == {"one": 1, "x_kept": 2, "three": 3}
    view, _ = rewritten("a: {x_one: 1, one: 2}\n", strip)
    assert view.value(("a", "one")) == 2
    view, _ = rewritten("a: {one: 2, x_one: 1}\n", strip)
    assert view.value(("a", "one")) == 1


def test_values_are_taken_computed_and_tested() -> None:
    part: dict[str, Any] = {
        "when": {"a": {"set": True}},
        "set": {
            "taken": {"key": "a"},
            "computed": {"compute": "(a * 2)"},
            "tested": {"test": {"a": {"gt": 3}}},
            "fact": {"fact": "gpus"},
            "plain": {"b": 1},
            "nested.deep": True,
        },
    }
    view, unknown = rewritten("a: 4\n", part, gpus=8)
    assert [view.value((key,)) for key in part["set"] if "." not in key] == [
        4,
        8,
        True,
        8,
        {"b": 1},
    ]
    assert view.value(("nested",)) == {"deep": True}
    assert unknown == []
    view, unknown = rewritten("a: 4\n", part)
    assert view.value(("fact",)) is MISSING
    assert unknown == [("fact",)]


def test_an_unknown_condition_changes_nothing() -> None:
    part = {"when": {"all": [{"a": {"set": True}}, {"fact gpus": {"gt": 1}}]}, "set": {"b": 1}}
    view, unknown = rewritten("a: 1\n", part)
    assert (view.value(("b",)), unknown) == (MISSING, [("b",)])
    assert rewritten("a: 1\n", part, gpus=2)[0].value(("b",)) == 1
    assert rewritten("a: 1\n", part, gpus=1)[0].value(("b",)) is MISSING


def test_each_item_of_several_lists() -> None:
    part = {
        "each": ["one", "two"],
        "when": {"item.a": {"eq": 1}},
        "set": {"item.b": {"key": "item.c"}},
        "delete": ["item.c"],
    }
    view, _ = rewritten("one:\n  - {a: 1, c: x}\n  - {a: 2, c: y}\ntwo: [{a: 1, c: z}]\n", part)
    assert view.value(("one",)) == [{"a": 1, "b": "x"}, {"a": 2, "c": "y"}]
    assert view.value(("two", 0, "b")) == "z"
    assert view.written_path(("two", 0, "b")) == ("two", 0, "c")
    assert view.values(("one", "[]", "b")) == ["x", MISSING]


def test_conversions() -> None:
    part = {"convert": {"a": "float", "b": "lower", "c": "names"}}
    view, _ = rewritten("a: 1e-4\nb: SDPA\nc: 'q4_k, Q8, q4_k'\n", part)
    assert [view.value((key,)) for key in "abc"] == [0.0001, "sdpa", ["Q4_K", "Q8"]]
    assert rewritten("c:\n", part)[0].value(("c",)) == []
    view, _ = rewritten("a: many\nb: 1\nc: 1\n", part)
    assert [view.value((key,)) for key in "abc"] == ["many", 1, 1]
    assert not view.rewritten


def test_a_later_change_of_the_whole_counts() -> None:
    view, _ = rewritten(
        "a: {b: 1}\nc: {b: 3}\n",
        {"when": {"a": {"set": True}}, "set": {"a.b": 2}},
        {"when": {"a": {"set": True}}, "set": {"a": {"key": "c"}}},
    )
    assert view.value(("a",)) == {"b": 3}
    assert view.value(("a", "b")) == 3


@each(
    ("text", "key", "late"),
    [
        ("adapter: lora\n", "lora_qkv_kernel", True),
        ("adapter: lora\nrl: dpo\n", "lora_qkv_kernel", MISSING),
        ("learning_rate: 1e-4\n", "learning_rate", 0.0001),
        ("dpo_beta: 0.2\n", "rl_beta", 0.2),
        ("dpo_beta: 0.2\n", "dpo_beta", MISSING),
        ("gradient_checkpointing: offload\n", "gradient_checkpointing", True),
        ("base_model: mistralai/Magistral-Small\n", "tokenizer_use_mistral_common", True),
        ("sequence_len: 512\n", "tensor_parallel_size", MISSING),
        ("lora_r: '32'\n", "lora_r", 32),
        ("warmup_ratio: '0.1'\n", "warmup_ratio", 0.1),
        ("flash_attention: 1\n", "flash_attention", True),
        ("num_epochs: 1\n", "num_epochs", 1),
        ("lora_r: many\n", "lora_r", "many"),
    ],
)
def test_what_rules_see(text: str, key: str, late: Any) -> None:
    scope = scope_of(text)
    scope.use("late")
    assert scope.value((key,)) == late
    assert type(scope.value((key,))) is type(late)


def test_a_file_without_their_keys_tries_no_derivation() -> None:
    scope = scope_of("base_model: x\nmicro_batch_size: 1\n")
    scope.use("late")
    assert isinstance(scope.view, View)
    assert not scope.view.rewritten


NAMES = sorted(
    key
    for key in AXOLOTL.keys.names("")
    if key.startswith(("fsdp", "datasets", "adapter", "flash", "context", "trl", "plugins", "gc_"))
)
INNER = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.just("lora"))


@settings(max_examples=examples(100), deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(NAMES),
        st.one_of(
            INNER,
            st.lists(INNER, max_size=2),
            st.dictionaries(st.sampled_from(["fsdp_version", "version", "size"]), INNER),
            st.lists(st.dictionaries(st.sampled_from(["path", "type"]), INNER), max_size=2),
        ),
        max_size=8,
    )
)
def test_no_file_breaks_them(config: dict[str, Any]) -> None:
    scope = scope_of(yaml.safe_dump(config))
    scope.use("late")
    for name in NAMES:
        scope.value((name,))
        scope.values((name, "[]", "type"))


@each(
    ("kind", "written", "made"),
    [
        ("list", "a, b", ["a", "b"]),
        ("list", ["a"], ["a"]),
        ("words", "a  b", ["a", "b"]),
        ("words", '""', []),
        ("numbers", "0.5, 1", [0.5, 1.0]),
        ("numbers", "half", ["half"]),
        ("item", "a", ["a"]),
        ("item", 1, [1]),
        ("item", ["a"], ["a"]),
        ("int", 10.0, 10),
        ("int", 10.5, 10.5),
        ("int", "'10'", 10),
        ("int", "ten", "ten"),
        ("single", ["a"], "a"),
        ("single", ["a", "b"], ["a", "b"]),
        ("json", "'{\"a\": \"1\", \"b\": {\"c\": \"true\"}, \"d\": \"0.5\", \"e\": \"x\"}'",
         {"a": 1, "b": {"c": True}, "d": 0.5, "e": "x"}),
        ("json", "'{broken'", "{broken"),
        ("json", "ds.json", "ds.json"),
        ("section", "'{\"a\": \"1\"}'", {"a": 1}),
        ("section", "lora", "lora"),
        ("section", '{a: "1", b: {c: "True", d: ".5"}, e: ["1"], f: x}',
         {"a": 1, "b": {"c": True, "d": 0.5}, "e": ["1"], "f": "x"}),
    ],
)  # fmt: skip
def test_a_conversion(kind: str, written: Any, made: Any) -> None:
    view, _ = rewritten(f"a: {written}\n", {"convert": {"a": kind}})
    assert view.value(("a",)) == made
    assert type(view.value(("a",))) is type(made)


@each("kind", ["json", "section"])
@each(("opening", "closing"), [('{"a":', "}"), ("[", "]")])
def test_a_mapping_in_a_text_is_as_deep_as_a_file_at_most(
    kind: str, opening: str, closing: str
) -> None:
    def read(levels: int) -> Any:
        text = '{"b":' + opening * levels + '"1"' + closing * levels + "}"
        return rewritten(f"a: '{text}'\n", {"convert": {"a": kind}})[0].value(("a",))

    assert isinstance(read(90), dict)
    for levels in (100, 700, 5_000):
        assert isinstance(read(levels), str)
