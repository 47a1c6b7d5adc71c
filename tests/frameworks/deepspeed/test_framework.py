"""How DeepSpeed's files are read: who judges a value, what is refused, what is left alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cfglint import Linter
from cfglint.checks.registry import OF_LANGUAGE
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.environment.building import build_environment
from cfglint.frameworks.deepspeed.judge import READER
from cfglint.knowledge.keys.places import section_of
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each

DEEPSPEED = load_framework("deepspeed")
SIZES = {"train_micro_batch_size_per_gpu": 2}


def found(text: str | dict[str, Any], release: str | None = "0.18.9") -> list[Diagnostic]:
    """The findings in a file."""
    pins = [f"deepspeed=={release}"] if release else []
    target = build_environment(DEEPSPEED.releases, pins=pins)
    source = SourceText(text if isinstance(text, str) else json.dumps({**SIZES, **text}, indent=2))
    return lint_source(source, Case.of_text(DEEPSPEED, target)).diagnostics


def said(text: str | dict[str, Any], release: str | None = "0.18.9") -> list[tuple[str, str, str]]:
    """Code, severity and what DeepSpeed does, of each finding."""
    return [(one.code, one.severity, one.upstream) for one in found(text, release)]


# ------------------------------------------------------------------ values


@each(
    ("kinds", "choices", "bounds", "value", "taken"),
    [
        (("bool",), (), {"auto": True, "reader": "pydantic-2"}, "auto", True),
        (("bool",), (), {"auto": False, "reader": "pydantic-1-plain"}, "auto", False),
        (("bool",), (), {"reader": "hand"}, "auto", True),
        (("model:X",), (), {"reader": "hand"}, "auto", False),
        (("dict<str,any>",), (), {"reader": "hand"}, "auto", False),
        (("str",), (), {"reader": "pydantic-1"}, 3, True),
        (("str",), (), {"reader": "pydantic-2"}, 3, False),
        (("int",), (), {"reader": "pydantic-1"}, 2.5, True),
        (("int",), (), {"reader": "pydantic-1"}, "2.0", False),
        (("int",), (), {"reader": "pydantic-1"}, "x", False),
        (("int",), (), {"reader": "pydantic-2"}, "2.0", True),
        (("int",), (), {"reader": "pydantic-2"}, 2.5, False),
        (("model:X",), (), {"reader": "pydantic-1"}, [], True),
        (("model:X",), (), {"reader": "pydantic-2"}, [], False),
        (("enum:E",), (0, 1, 2), {"reader": "pydantic-2"}, "2.0", True),
        (("enum:E",), (0, 1, 2), {"reader": "pydantic-2"}, True, True),
        (("enum:E",), (0, 1, 2), {"reader": "pydantic-2"}, 3, False),
        (("enum:E",), (0, 1, 2), {"reader": "pydantic-2"}, [2], False),
        (("enum:E",), (0, 1, 2), {"reader": "pydantic-1"}, "2", False),
        (("bool", "int"), (), {"strict": True, "reader": "hand"}, "1", False),
        (("bool", "int"), (), {"strict": True, "reader": "hand"}, 8.0, True),
        (("bool", "int"), (), {"strict": True, "reader": "hand"}, 8.5, False),
        (("int", "float"), (), {"strict": True, "reader": "hand"}, 8.5, True),
        (("bool",), (), {"strict": True, "reader": "hand"}, 1, False),
        (("bool", "model:X"), (), {"reader": "hand"}, 1, False),
        (("bool", "model:X"), (), {"reader": "hand"}, True, True),
        (("int",), (), {"no_bool": True, "reader": "pydantic-2"}, True, False),
        (("int",), (), {"no_bool": True, "reader": "pydantic-2"}, "2.0", False),
        (("float",), (), {"no_bool": True, "reader": "pydantic-2"}, "2.0", True),
        (("int",), (), {"truncated": True, "reader": "hand"}, 2.5, True),
        (("int", "literal"), ("auto",), {"strict": True, "whole": True}, 2.5, False),
    ],
)
def test_a_value_is_judged_as_its_reader_does(
    kinds: tuple[str, ...],
    choices: tuple[Any, ...],
    bounds: dict[str, Any],
    value: Any,
    taken: bool,
) -> None:
    assert READER.takes(kinds, choices, bounds, value) is taken


def test_who_reads_a_section_depends_on_the_release() -> None:
    file = {"fp16": {"enabled": "maybe"}}
    assert said(file, "0.17.0") == []
    assert said(file, "0.17.1") == [("TYP001", "error", "rejects")]


@pytest.mark.parametrize("section", ["wandb", "tensorboard", "csv_monitor"])
def test_the_monitors_are_fields_of_a_model_though_their_file_is_read_by_hand(section: str) -> None:
    """Pydantic 1 made a mapping of what is empty; the model refuses nothing and other lists."""
    refused = [("TYP001", "error", "rejects")]
    for empty in ("[]", '""'):
        text = f'{{"train_batch_size": 8, "{section}": {empty}}}'
        assert said(text, "0.12.6") == []
        assert said(text, "0.15.0") == refused
    for other in (None, [1], False):
        assert said({section: other}, "0.12.6") == refused


def test_auto_is_dropped_by_models_and_filled_in_by_the_trainer() -> None:
    assert said({"train_batch_size": "auto", "zero_optimization": {"overlap_comm": "auto"}}) == []
    assert said({"zero_optimization": "auto"}) == [("TYP001", "error", "rejects")]


def test_every_key_that_is_looked_up_and_refuses_auto_has_a_rule() -> None:
    """The judge leaves "auto" of hand-read keys alone; DSA002 and the trainer take care of it."""
    table, keys = DEEPSPEED.keys, DEEPSPEED.release_keys("0.18.9")
    rule = next(one for one in DEEPSPEED.knowledge.all_rules() if one.code == "DSA002")
    told = {".".join(path) for path in rule.at}
    told |= {"train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"}
    for section in table.sections():
        if keys.reader(section) != "hand" or section.startswith(_RARE):
            continue
        for name in table.names(section):
            schema = keys.standing(section, name).schema
            if schema is None or any(kind.startswith(("model:", "dict")) for kind in schema.kinds):
                continue
            strange = schema.judge.takes(schema.kinds, schema.choices, schema.bounds, "x y")
            path = f"{section}.{name}" if section else name
            if not strange and "*" not in path and path not in told:
                with_auto = {**schema.bounds, "reader": "", "auto": False}
                assert schema.judge.takes(schema.kinds, schema.choices, with_auto, "auto") or (
                    path in _NOT_WORTH_A_RULE
                ), path


_RARE = ("compression_training", "sparse_attention", "checkpoint.", "expert_parallel")
#: Keys of sections that nobody writes by hand with "auto".
_NOT_WORTH_A_RULE = {
    "data_efficiency.data_sampling.dynamic_batching.max_batch_size",
    "data_efficiency.data_sampling.dynamic_batching.min_batch_size",
    "gradient_allreduce_op",
}


# ------------------------------------------------------------------ keys


def test_unknown_keys_are_refused_where_a_model_reads() -> None:
    file = {"fp16": {"no_such_thing": 1}}
    assert said(file, "0.17.0") == [("KEY001", "warning", "silent")]
    assert said(file, "0.18.9") == [("KEY001", "error", "rejects")]
    assert said({"fp16": {"no_such_thing": "auto"}}) == [("KEY001", "warning", "silent")]


def test_keys_of_other_releases_are_refused_where_a_model_reads() -> None:
    file = {"zero_optimization": {"stage": 1, "zenflow": {"topk_ratio": 0.1}}}
    assert said(file, "0.15.4") == [("KEY006", "error", "rejects")]
    assert said({"compile": {"backend": "inductor"}}, "0.18.9") == [("KEY005", "error", "rejects")]
    assert said({"compile": {"backend": "inductor"}}, "0.15.4") == []


def test_a_refusal_of_the_newest_release_is_a_warning_without_a_release() -> None:
    assert said({"sparse_gradients": True}, None) == [("KEY005", "warning", "rejects")]


def test_keys_below_a_name_that_the_user_chooses() -> None:
    path = ("compression_training", "weight_quantization", "different_groups", "g", "params")
    wanted = "compression_training.weight_quantization.different_groups.*.params"
    assert DEEPSPEED.keys.section_at(path) == wanted
    assert DEEPSPEED.keys.section_at(path[:2]) == section_of(path[:2])


def test_remarks_and_other_programs() -> None:
    assert said({"_comment": "x", "//": "y"}) == []
    mine = {f"my-key-{number}": 1 for number in range(4)}
    assert said(mine) == [("KEY001", "note", "silent")]
    assert len(found(mine)[0].related) == 3
    assert said({**mine, "my-key-4": 1}) == [("KEY001", "note", "silent")]


def test_keys_of_accelerate_are_named() -> None:
    (hit,) = found({"zero_stage": 2})
    assert (hit.code, hit.severity) == ("KEY002", "error")
    assert "`zero_optimization.stage`" in hit.message


def test_a_misplaced_key_has_one_home() -> None:
    assert said({"elastic_checkpoint": True}) == [("KEY003", "error", "silent")]
    assert said({"fp16": {"wandb": {}}}, "0.17.0") == [("KEY003", "warning", "silent")]
    assert said({"pin_memory": True}) == [("KEY001", "warning", "silent")]


def test_bfloat16_is_not_looked_at_beside_bf16() -> None:
    assert said({"bf16": {"enabled": True}, "bfloat16": 1}) == []
    assert said({"bf16": {"enabled": True}, "bfloat16": {"enabled": []}}) == []
    assert said({"bfloat16": {"enabled": []}}) == [("TYP001", "error", "rejects")]


# ------------------------------------------------------------------ the language


@each(
    ("text", "code"),
    [
        ('{\n  // x\n  "train_batch_size": %s\n}', "JSN002"),
        ('{\n  "train_batch_size": %s,\n}', "JSN003"),
        ('{\n  "train_batch_size": %s\n  "fp16": {}\n}', "JSN004"),
        ("{\n  'train_batch_size': %s\n}", "JSN005"),
        ("{\n  train_batch_size: %s\n}", "JSN007"),
    ],
)
def test_slips_are_errors_where_json_load_reads(text: str, code: str) -> None:
    assert said(text % '"auto"') == [(code, "error", "rejects")]
    assert said(text % "8") == [(code, "warning", "silent")]


@each(
    ("text", "code"),
    [
        ('{"train_batch_size": 8,, "fp16": {}}', "JSN003"),
        ('{"train_batch_size": 8 "fp16": {}}', "JSN004"),
        ('{"train_batch_size": 8, "fp16": {"enabled": True}}', "JSN006"),
        ('{"train_batch_size": 8, "communication_data_type": fp32}', "JSN007"),
    ],
)
def test_slips_that_hjson_refuses_or_takes_for_something_else(text: str, code: str) -> None:
    assert said(text) == [(code, "error", "rejects")]


def test_a_key_that_was_renamed_gets_its_new_name() -> None:
    swapped = (
        '"zero_optimization": {"stage": 3, "offload_param": {"device": "nvme", "nvme_path": "/x"}}'
    )
    text = f'{{"train_batch_size": 8, {swapped}, "aio": {{"thread_count": 2}}}}'
    target = build_environment(DEEPSPEED.releases, pins=["deepspeed==0.18.9"])
    outcome = fix_source(
        SourceText(text), Case.of_text(DEEPSPEED, target, Selection(select=("KEY",)))
    )
    assert outcome.source.text == text.replace("thread_count", "intra_op_parallelism")
    assert [one for one in said(text, "0.16.3") if one[0].startswith("KEY")] == []


def test_a_key_twice_is_refused_when_deepspeed_opens_the_file() -> None:
    text = '{"train_batch_size": %s, "fp16": {"enabled": true, "enabled": false}}'
    assert said(text % "8") == [("JSN020", "error", "rejects")]
    assert said(text % '"auto"') == [("JSN020", "warning", "silent")]
    assert said(text.replace("false", "true") % '"auto"') == [("JSN020", "note", "silent")]


def test_yaml_s_traps_are_none_in_json() -> None:
    text = '{"train_batch_size": 8, "fp16": {"enabled": "true"}, "wandb": {"project": "1e5"}}'
    assert said(text) == []
    source = SourceText.from_bytes(("\ufeff" + text).encode())
    target = build_environment(DEEPSPEED.releases)
    result = lint_source(source, Case.of_text(DEEPSPEED, target))
    assert [one.code for one in result.diagnostics] == ["JSN012"]
    assert not OF_LANGUAGE["yaml"] & OF_LANGUAGE["json"]


def test_a_misspelt_word_is_repaired_in_quotes() -> None:
    text = '{"train_batch_size": 8, "zero_optimization": {"offload_param": {"device": "CPU"}}}'
    target = build_environment(DEEPSPEED.releases, pins=["deepspeed==0.18.9"])
    outcome = fix_source(
        SourceText(text), Case.of_text(DEEPSPEED, target, Selection(select=("TYP002",)))
    )
    assert outcome.source.text == text.replace("CPU", "cpu")


@each(
    ("name", "more", "expected"),
    [
        ("ds_zero3.json", {"train_batch_size": "auto"}, ["DSZ001"]),
        ("ds_zero3_inference.json", {"train_batch_size": "auto"}, []),
        ("ds_zero3.json", {}, []),
        ("inferential.json", {"optimizer": {"type": "AdamW"}}, ["DSZ001"]),
    ],
)
def test_a_file_for_inference_saves_no_weights(
    name: str, more: dict[str, Any], expected: list[str]
) -> None:
    text = json.dumps({"zero_optimization": {"stage": 3}, **more})
    report = Linter(settings=False, select=["DSZ"], framework="deepspeed").lint(text, name)
    assert [one.code for one in report.diagnostics] == expected


def test_what_swaps_to_a_disk_is_nothing_where_all_stays_in_memory() -> None:
    settings: dict[str, Any] = {
        "zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}},
        "aio": {"thread_count": 1, "made_up": 2},
    }
    assert [one.path for one in found(settings) if one.path[0] == "aio"] == []
    settings["zero_optimization"]["offload_param"] = {"device": "nvme", "nvme_path": "/disk"}
    names = [one.path[1] for one in found(settings) if one.path[0] == "aio"]
    assert sorted(names) == ["made_up", "thread_count"]
