"""What is refused when a run starts depends on the key, its neighbours, the command and the release."""

from __future__ import annotations

import pytest

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each

HEAD = "model_name_or_path: Qwen/Qwen3-0.6B\ndataset_name: trl-lib/Capybara\noutput_dir: ./out\n"


def upstreams(text: str, *pins: str, command: str = "sft") -> list[tuple[str, str]]:
    """Code and upstream of the findings about types and choices."""
    framework = load_framework("trl")
    target = build_environment(framework.releases, pins=pins)
    around = nowhere().replaced(path=f"recipes/{command}/config.yaml")
    result = lint_source(SourceText(HEAD + text), Case(framework, target, around))
    return [
        (one.code, one.upstream) for one in result.diagnostics if one.code in ("TYP001", "TYP002")
    ]


@each(
    "line",
    [
        "learning_rate: fast",
        "logging_steps: [5]",
        "ddp_timeout:",
        "eval_strategy: true",
        "save_strategy: {a: 1}",
        "metric_for_best_model: 5",
        "env: [a]",
        "datasets: auto",
        "debug: everything",
    ],
)
def test_what_a_class_examines_is_refused(line: str) -> None:
    ((_, upstream),) = upstreams(line)
    assert upstream == "rejects"


@each(
    "line",
    [
        "learning_rate: [1.0]",
        "seed: 1.5",
        "max_length: true",
        "use_peft: true\nload_in_4bit: true\nbnb_4bit_quant_type: NF4",
    ],
)
def test_what_is_handed_on_fails_where_it_is_used(line: str) -> None:
    ((_, upstream),) = upstreams(line)
    assert upstream == "silent"


@pytest.mark.parametrize("line", ["bnb_4bit_quant_type: NF4", "packing_strategy: foo"])
def test_a_word_that_needs_a_switch_is_not_judged_without_it(line: str) -> None:
    assert upstreams(line) == []


@each(
    "line", ["do_train: 7", "learning_rate:", "deepspeed: 0", "deepspeed: []", "tf32: 0", "bf16: 1"]
)
def test_what_is_only_tested_may_be_anything(line: str) -> None:
    assert upstreams(line) == []


def test_steps_count_beside_their_strategy_only() -> None:
    assert upstreams("save_steps: [5]") == [("TYP001", "rejects")]
    assert upstreams("save_strategy: epoch\nsave_steps: [5]") == []
    assert upstreams("eval_steps: [5]") == []
    assert upstreams("eval_strategy: steps\neval_steps: [5]") == [("TYP001", "rejects")]
    # A text is converted in any case.
    assert upstreams("save_strategy: epoch\nsave_steps: often") == [("TYP001", "rejects")]


def test_the_older_name_of_the_schedule_replaces_the_newer() -> None:
    line = "evaluation_strategy: steps\neval_strategy: bfloat16"
    older, newer = ("trl==0.12.2", "transformers==4.50.3"), ("trl==0.16.1", "transformers==4.51.0")
    assert upstreams(line, *older) == []
    assert upstreams("evaluation_strategy: bfloat16\neval_strategy: steps", *older) == [
        ("TYP002", "rejects")
    ]
    # Null leaves the newer name alone, and later releases do not know the older one.
    assert upstreams(line.replace("steps", "null"), *older) == [("TYP002", "rejects")]
    assert upstreams(line, *newer) == [("TYP002", "rejects")]


def test_groups_are_counted_where_there_are_groups() -> None:
    line = "gradient_accumulation_steps: [1]"
    assert upstreams(line, command="grpo") == [("TYP001", "rejects")]
    assert upstreams(line, command="sft") == [("TYP001", "silent")]


def test_releases_differ() -> None:
    line = "warmup_steps: 8.0"
    assert upstreams(line, "trl==0.24.0", "transformers==4.57.1") == [("TYP001", "rejects")]
    assert upstreams(line, "trl==1.16.0", "transformers==5.16.1") == []
    line = "f_divergence_type: KL"
    assert upstreams(line, "trl==0.24.0", command="dpo") == [("TYP002", "rejects")]
    assert upstreams(line, "trl==0.23.1", command="dpo") == [("TYP002", "silent")]


def test_words_for_nothing_are_nothing_to_the_parser_that_has_them() -> None:
    for line in ("eval_steps: none", "max_length: 'Null'"):
        assert upstreams(line, "trl==1.16.0") == []
        assert upstreams(line, "trl==1.5.1") == [("TYP001", "rejects")]
    assert upstreams("tf32: none", "trl==1.16.0") == [("TYP001", "rejects")]


def test_a_number_without_a_dot_is_no_truth() -> None:
    assert upstreams("gradient_checkpointing: 1e-4") == [("TYP001", "rejects")]


@each("value", ["2025-03-01", "2025-03-01 10:00:00", "!!binary aGk=", "!!set {a}"])
def test_a_value_of_another_type_switches_no_check_off(value: str) -> None:
    framework = load_framework("trl")
    target = build_environment(framework.releases, pins=("trl==0.24.0",))
    around = nowhere().replaced(path="recipes/sft/config.yaml")
    for key in ("run_name", "eval_strategy", "learning_rate", "fsdp_config", "debug"):
        text = SourceText(f"{HEAD}learning_ratee: 1\n{key}: {value}\n")
        result = lint_source(text, Case(framework, target, around))
        codes = [one.code for one in result.diagnostics]
        assert "KEY001" in codes, key
        assert "CFG003" not in codes, key


@pytest.mark.parametrize("value", ["!!binary aGk=", "!!set {a}"])
def test_such_a_value_is_judged_as_what_it_is(value: str) -> None:
    text = f"eval_strategy: {value}\nlearning_rate: {value}\nrun_name: {value}\n"
    assert upstreams(text) == [("TYP001", "rejects"), ("TYP001", "silent")]
