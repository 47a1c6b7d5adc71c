"""A finding stands on the key that has part in what is wrong, and its words are about that key."""

from __future__ import annotations

import pytest
import yaml

from cfglint.api.functions import lint_text
from cfglint.checks.context import CheckContext
from cfglint.diagnostic import Diagnostic
from cfglint.engine.places import (
    flow,
    guilty_parts,
    has_part,
    known_names,
    meant,
    own_words,
    spoken,
)
from cfglint.engine.scope import FileScope
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.fixes.applying import apply_edits
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.rules.clauses import Clause
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.source.document import Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.draws import each

BASE = """\
base_model: Qwen/Qwen3-8B
datasets:
  - path: ./data/a.jsonl
    type: alpaca
sequence_len: 512
micro_batch_size: 1
gradient_accumulation_steps: 1
num_epochs: 3
learning_rate: 0.00001
"""


def scope_of(text: str) -> FileScope:
    framework = Axolotl()
    document = compose(SourceText(text))
    scope = FileScope(
        CheckContext(document, framework, build_environment(framework.releases), nowhere())
    )
    scope.use("raw")
    return scope


def found(text: str, code: str, release: str = "0.21.0") -> Diagnostic:
    report = lint_text(BASE + text, target=[f"axolotl=={release}"])
    (diagnostic,) = [found for found in report.diagnostics if found.code == code]
    return diagnostic


def line_of(found: Diagnostic, text: str) -> str:
    return (BASE + text)[found.span.start :].partition("\n")[0]


@each(
    ("condition", "a", "b"),
    [
        ({"any": [{"a": {"truthy": True}}, {"b": {"truthy": True}}]}, False, True),
        ({"all": [{"a": {"truthy": False}}, {"b": {"truthy": True}}]}, True, True),
        ({"not": {"all": [{"a": {"is": False}}, {"b": {"is": False}}]}}, False, True),
        ({"not": {"any": [{"a": {"is": True}}, {"b": {"is": False}}]}}, True, True),
        ({"count": {"truthy": ["a", "b"], "ge": 1}}, False, True),
        ({"all": [{"any": [{"a": {"set": False}}, {"b": {"set": True}}]}]}, False, True),
        ({"c": {"set": False}}, True, True),
    ],
)
def test_a_key_has_part_where_its_part_of_the_condition_holds(
    condition: dict[str, object], a: bool, b: bool
) -> None:
    scope = scope_of("a: false\nb: true\n")
    assert has_part(Clause(parse_condition(condition)), ("a",), scope) is a
    assert has_part(Clause(parse_condition(condition)), ("b",), scope) is b


def test_the_switch_that_is_off_carries_nothing() -> None:
    text = "load_in_4bit: false\nload_in_8bit: true\n"
    assert line_of(found(text, "PEF101"), text) == "load_in_8bit: true"


def test_the_switch_that_is_off_is_not_named_beside_the_finding() -> None:
    text = """\
load_in_8bit: false
load_in_4bit: true
adapter: qlora
lora_r: 8
lora_alpha: 16
lora_target_linear: true
model_quantization_config: Mxfp4Config
"""
    (related,) = found(text, "ENV104").related
    assert (BASE + text)[related.span.start : related.span.end] == "load_in_4bit: true"


def test_a_message_names_the_key_that_the_finding_is_about() -> None:
    text = "rl: kto\ngroup_by_length: false\nneftune_noise_alpha: 5\n"
    message = found(text, "RLH302").message
    assert "`neftune_noise_alpha`" in message


def test_a_name_that_was_meant() -> None:
    assert "Did you mean `cosine`?" in found("lr_scheduler: coosine\n", "OPT455").message
    assert "mean" not in found("lr_scheduler: sawtooth\n", "OPT455").message


@pytest.mark.parametrize(
    ("text", "code", "safety", "value"),
    [
        ("optimizer: adamw_torch_fusd\n", "OPT451", "safe", "adamw_torch_fused"),
        ('lr_scheduler: "Cosine"\n', "OPT455", "safe", "cosine"),
        ("adapter: lor\n", "PEF106", "unsafe", "lora"),
    ],
)
def test_the_name_that_was_meant_is_a_fix(text: str, code: str, safety: str, value: str) -> None:
    (fix,) = found(text, code).fixes
    assert (fix.title, fix.safety) == (f"Write {value}", safety)
    (key,) = yaml.safe_load(text)
    fixed = yaml.safe_load(apply_edits(BASE + text, fix.edits))
    assert fixed == {**yaml.safe_load(BASE + text), key: value}


def test_no_name_is_no_fix() -> None:
    assert found("lr_scheduler: sawtooth\n", "OPT455").fixes == ()


def test_the_item_of_a_list_gets_the_name_that_was_meant() -> None:
    text = "plugins:\n  - own.Plugin\n  - axolotl.integrations.liger.LigerPlugins\n"
    (fix,) = found(text, "KRN217").fixes
    fixed = yaml.safe_load(apply_edits(BASE + text, fix.edits))
    assert fixed["plugins"] == ["own.Plugin", "axolotl.integrations.liger.LigerPlugin"]


@pytest.mark.parametrize(("release", "named"), [("0.20.0", None), ("0.21.0", "muon_8bit")])
def test_a_name_that_the_release_lacks_is_not_meant(release: str, named: str | None) -> None:
    diagnostic = found("optimizer: muon_8bitt\n", "OPT451", release)
    assert [fix.title for fix in diagnostic.fixes] == ([f"Write {named}"] if named else [])


@pytest.mark.parametrize(
    ("release", "names"),
    [("0.12.2", "expected int4 and int8."), ("0.16.1", "float8, nvfp4 and mxfp4.")],
)
def test_the_names_are_those_of_the_release(release: str, names: str) -> None:
    message = found("qat:\n  weight_dtype: bf16\n", "ENV108", release).message
    assert f"Axolotl {release} supports" in message
    assert names in message


def test_a_fix_writes_no_key_that_the_release_does_not_have() -> None:
    chat = BASE.replace("type: alpaca", "type: chat_template")
    chat = chat.replace("Qwen3-8B", "Qwen3-8B-Base")
    for release, fixes in (("0.8.1", 0), ("0.9.0", 1)):
        report = lint_text(chat, target=[f"axolotl=={release}"])
        (diagnostic,) = [found for found in report.diagnostics if found.code == "TOK304"]
        assert len(diagnostic.fixes) == fixes


def test_what_is_refused_costs_the_start() -> None:
    text = "fsdp_config:\n  reshard_after_forward: true\n  sharding_strategy: HYBRID_SHARD\n"
    diagnostic = found(text, "KEY002")
    assert (diagnostic.upstream, diagnostic.cost) == ("rejects", "the run does not start")


@each(
    ("value", "said"),
    [
        (["a", None, True], "[a, null, true]"),
        ({"a": {"b": [1, 2]}}, "{a: {b: [1, 2]}}"),
        (list(range(9)), "[0, 1, 2, 3, …]"),
        ([[[["deep"]]]], "[[[…]]]"),
        ([], "[]"),
    ],
)
def test_values_in_messages_are_yaml(value: object, said: str) -> None:
    assert flow(value) == said


def test_names_are_spoken() -> None:
    assert [spoken(names) for names in ((), ("a",), ("a", "b", "c"))] == ["", "a", "a, b and c"]


@each(
    ("condition", "text", "a", "b"),
    [
        ({"all": [{"a": {"truthy": True}}, {"b": {"truthy": True}}]}, "a: 1\nb: 1\n", True, True),
        ({"count": {"truthy": ["a", "b"], "ge": 1}}, "a: 1\nb: 0\n", True, False),
        ({"not": {"count": {"truthy": ["a", "b"], "ge": 1}}}, "a: 0\nb: 0\n", True, True),
        (
            {"not": {"not": {"any": [{"a": {"is": True}}, {"b": {"is": True}}]}}},
            "a: true\nb: false\n",
            True,
            False,
        ),
        ({"a.c": {"eq": 1}}, "a: {c: 1}\nb: 1\n", True, True),
        (
            {"any": [{"all": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]}, {"b": {"eq": 1}}]},
            "a: 1\nb: 1\n",
            False,
            True,
        ),
        ({"any": [{"a": {"eq": 1}}, {"fact gpus": {"gt": 1}}]}, "a: 1\nb: 1\n", True, True),
        ({"(a + b)": {"gt": 1}}, "a: 1\nb: 1\n", True, True),
    ],
)
def test_keys_that_have_part(condition: dict[str, object], text: str, a: bool, b: bool) -> None:
    clause, scope = Clause(parse_condition(condition)), scope_of(text)
    assert has_part(clause, ("a",), scope) is has_part(clause, ("item", "a"), scope) is a
    assert has_part(clause, ("b",), scope) is b


@each(
    ("condition", "text", "parts"),
    [
        ({"a[]": {"in": ["x", "y"]}}, "a: [x, z, y]\n", [0, 2]),
        ({"a[]": {"eq": "x"}}, "a: {x: 1}\n", []),
        ({"a[]": {"set": True, "in": ["x"]}}, "a: [x, null, z, x]\n", [0, 3]),
        ({"a": {"any_key": {"starts_with": "b"}}}, "a: {b1: 1, c: 2, b2: 3}\n", ["b1", "b2"]),
        ({"a": {"any_key": {"starts_with": "b"}}}, "a: [b1]\n", []),
        ({"not": {"a": {"subset_of": ["x", "y"]}}}, "a: [x, q, y, r]\n", [1, 3]),
        ({"not": {"a": {"subset_of": ["x", "y"]}}}, "a: {x: 1, q: 2}\n", ["q"]),
        ({"a": {"subset_of": ["x", "y"]}}, "a: [x]\n", []),
        ({"any": [{"a[]": {"eq": "x"}}, {"a[]": {"eq": "z"}}]}, "a: [z, x]\n", [1, 0]),
        ({"all": [{"a[]": {"eq": "x"}}, {"b": {"eq": 1}}]}, "a: [z, x]\nb: 1\n", [1]),
        ({"any": [{"a[]": {"eq": "q"}}, {"b": {"eq": 1}}]}, "a: [z, x]\nb: 1\n", []),
        ({"b[]": {"eq": "x"}}, "a: [x]\nb: [x]\n", []),
        ({"a": {"any_item": {"eq": "x"}}}, "a: [q, x]\n", [1]),
        ({"all": [{"a[]": {"eq": "x"}}, {"a[]": {"eq": "x"}}]}, "a: [x]\n", [0]),
    ],
)
def test_the_items_or_keys_to_blame(
    condition: dict[str, object], text: str, parts: list[int | str]
) -> None:
    scope = scope_of(text)
    node = scope.document.node(("a",))
    assert node is not None
    assert guilty_parts(Clause(parse_condition(condition)), ("a",), to_python(node), scope) == parts


@each(
    ("condition", "text", "names"),
    [
        ({"a": {"not_in": ["x", "y", "z"]}}, "a: xx\n", ("x", "y", "z")),
        (
            {"all": [{"a": {"not_in": ["x", "y", "z"]}}, {"a": {"not_in": ["x", "y"]}}]},
            "a: q\n",
            ("x", "y"),
        ),
        ({"a": {"not_in": ["x"]}}, "a: q\n", ()),
        ({"not": {"a": {"in": ["x", "y"]}}}, "a: q\n", ()),
        ({"not": {"a": {"not_in": ["x", "y"]}}}, "a: x\n", ()),
        (
            {"any": [{"b": {"not_in": ["q", "r"]}}, {"a": {"not_in": ["x", "y", 3]}}]},
            "a: q\nb: q\n",
            ("x", "y"),
        ),
        ({"a[]": {"set": True, "not_in": ["x", "y"]}}, "a: [q]\n", ("x", "y")),
        ({"a": {"eq": 1}}, "a: 1\n", ()),
    ],
)
def test_the_names_that_would_have_been_right(
    condition: dict[str, object], text: str, names: tuple[str, ...]
) -> None:
    assert known_names(Clause(parse_condition(condition)), scope_of(text)) == names


@each(
    ("place", "item", "key"),
    [
        (("l", 1), "{b: 2}", "l[1]"),
        (("l", 0), "x", "l[0]"),
        (("m", "k"), "k", "m.k"),
        (("m",), "m", "m"),
        (("gone", 0), 0, "gone[0]"),
    ],
)
def test_the_place_in_words(place: Path, item: object, key: str) -> None:
    scope = scope_of("l: [x, {b: 2}]\nm: {k: 1}\n")
    clause = Clause(parse_condition({"a": {"eq": 1}}))

    def words(message: str) -> dict[str, object]:
        return own_words(scope.document, clause, scope, place, message)

    assert words("{this item}") == {"this item": item}
    assert words("{this key}") == {"this key": key}
    assert words("{a}") == {}


@each(
    ("value", "guessed"),
    [
        ("cosin", "cosine"),
        ("cosine", None),
        ("sawtooth", None),
        (3, None),
        ("cosine_with_restarts" + "s" * 60, None),
        ("cosine_with_restartss", "cosine_with_restarts"),
    ],
)
def test_a_name_is_guessed(value: object, guessed: str | None) -> None:
    condition = parse_condition({"a": {"not_in": ["cosine", "linear", "cosine_with_restarts"]}})
    guess = meant(Clause(condition), value, scope_of("a: q\n"))
    assert (guess and guess.name) == guessed
