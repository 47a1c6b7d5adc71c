"""What the general checks make of accelerate's files through the framework's answers."""

from __future__ import annotations

import pytest

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText

HEAD = (
    "compute_environment: LOCAL_MACHINE\nmixed_precision: bf16\nnum_machines: 1\nnum_processes: 8\n"
)
FSDP = HEAD + "distributed_type: FSDP\nfsdp_config:\n  fsdp_state_dict_type: SHARDED_STATE_DICT\n"
FP8 = HEAD.replace("bf16", "fp8") + "distributed_type: MULTI_GPU\nfp8_config:\n"


def found(text: str, release: str = "1.15.0") -> list[tuple[str, str, str]]:
    """Code, severity and key of what is found, without notes."""
    framework = load_framework("accelerate")
    target = build_environment(framework.releases, pins=[f"accelerate=={release}"])
    result = lint_source(SourceText(text), Case.of_text(framework, target))
    return [
        (one.code, one.severity, ".".join(map(str, one.path)))
        for one in result.diagnostics
        if one.severity != "note"
    ]


def message(text: str, release: str = "1.15.0") -> str:
    framework = load_framework("accelerate")
    target = build_environment(framework.releases, pins=[f"accelerate=={release}"])
    (one,) = lint_source(SourceText(text), Case.of_text(framework, target)).diagnostics
    return one.message


def test_an_unknown_key_at_the_top_is_refused_and_one_in_a_section_vanishes() -> None:
    assert found(FSDP) == []
    assert found(FSDP + "hostname: x\n") == [("KEY001", "error", "hostname")]
    assert found(FSDP + "hostname:\n") == [("KEY001", "error", "hostname")]
    assert found(FSDP + "  fsdp_offload_parms: true\n") == [
        ("KEY001", "error", "fsdp_config.fsdp_offload_parms")
    ]
    assert found(FSDP + "  color: red\n") == [("KEY001", "warning", "fsdp_config.color")]


def test_a_section_counts_where_its_strategy_is_chosen() -> None:
    wrong = "  fsdp_offload_params: maybe\n  color: red\n"
    assert [code for code, *_ in found(FSDP + wrong)] == ["TYP001", "KEY001"]
    assert found(FSDP.replace("FSDP\n", "MULTI_GPU\n", 1) + wrong) == []
    assert found(FP8 + "  margin: x\n") == [("TYP001", "error", "fp8_config.margin")]
    assert "TYP001" not in str(found(FP8 + "  margin: x\n", "0.34.2"))


def test_keys_may_lack_their_prefix() -> None:
    text = FSDP + "  offload_params: maybe\n"
    assert found(text) == [("TYP001", "error", "fsdp_config.offload_params")]
    compiled = HEAD + "distributed_type: MULTI_GPU\ndynamo_config:\n  backend: INDUCTOR\n"
    assert found(compiled) == []
    assert found(compiled, "1.13.0") == [("KEY006", "error", "dynamo_config.backend")]


def test_the_later_spelling_of_a_key_counts() -> None:
    text = FSDP + "  fsdp_offload_params: {}\n  offload_params: {}\n"
    assert found(text.format("maybe", "true")) == []
    assert found(text.format("true", "maybe")) == [
        ("TYP001", "error", "fsdp_config.offload_params")
    ]


def test_a_key_of_another_section_is_read_all_the_same() -> None:
    spilt = HEAD + "distributed_type: DEEPSPEED\nmegatron_lm_config:\n  x: 1\ndeepspeed_config:\n"
    assert found(spilt + "  zero_stage: two\n") == [
        ("TYP001", "error", "deepspeed_config.zero_stage")
    ]
    text = HEAD + "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n{}"
    both = "parallelism_config:\n  fsdp_offload_params: {}\n"
    assert found(text.format(both.format("true"))) == []
    assert found(text.format(both.format("maybe"))) == [
        ("TYP001", "error", "parallelism_config.fsdp_offload_params")
    ]


def test_a_key_of_another_section_without_that_section_s_prefix_is_lost() -> None:
    assert found(FSDP + "  zero_stage: 3\n") == [("KEY003", "error", "fsdp_config.zero_stage")]


def test_null_is_the_text_none() -> None:
    assert found(FSDP + "  fsdp_auto_wrap_policy:\n") == []
    assert "as the text None" in message(FSDP + "  fsdp_use_orig_params:\n")


def test_bounds_and_choices() -> None:
    assert found(FSDP + "  fsdp_sharding_strategy: 9\n") == [
        ("TYP003", "error", "fsdp_config.fsdp_sharding_strategy")
    ]
    assert found(FSDP + "  fsdp_sharding_strategy: full_shards\n") == [
        ("TYP002", "error", "fsdp_config.fsdp_sharding_strategy")
    ]
    assert found(FSDP + "  fsdp_version: 2\n  fsdp_sharding_strategy: 9\n") == []


def test_a_message_names_all_that_a_key_takes() -> None:
    text = HEAD + "distributed_type: DEEPSPEED\ndeepspeed_config:\n  gradient_clipping: none\n"
    assert "expected a number or auto." in message(text)
    assert found(text, "0.28.0") == []
    assert found(text.replace("none", "AUTO")) == []


def test_keys_of_one_backend_are_read_with_that_backend() -> None:
    wrong = "  fp8_pad_inner_dim: -1\n"
    assert found(FP8 + "  backend: TE\n" + wrong) == []
    assert found(FP8 + "  backend: ao\n" + wrong) == [
        ("TYP001", "error", "fp8_config.fp8_pad_inner_dim")
    ]


def test_words_that_yaml_takes_for_booleans() -> None:
    text = HEAD + "distributed_type: MULTI_GPU\ndynamo_config:\n  dynamo_backend: no\n"
    assert found(text) == [("YML023", "error", "dynamo_config.dynamo_backend")]
    assert found(FSDP + "  fsdp_offload_params: no\n") == []
    assert found(FSDP + "  fsdp_version: 1e8\n") == [
        ("TYP001", "error", "fsdp_config.fsdp_version")
    ]


def test_keys_that_came_or_went_are_refused_at_the_top() -> None:
    text = HEAD + "distributed_type: MULTI_GPU\n"
    assert found(text + "ipex_config:\n  ipex: true\n") == [("KEY005", "error", "ipex_config")]
    assert found(text + "ipex_config:\n  ipex: true\n", "1.12.0") == []
    assert found(text + "enable_cpu_affinity:\n", "0.28.0") == [
        ("KEY006", "error", "enable_cpu_affinity")
    ]


@pytest.mark.parametrize("value", ["AMAZON_SAGEMAKERS", "local_machine"])
def test_a_misspelt_environment_is_one_finding(value: str) -> None:
    text = FSDP.replace("LOCAL_MACHINE", value)
    assert found(text) == [("TYP002", "error", "compute_environment")]


def test_an_environment_that_is_no_word() -> None:
    assert found(FSDP.replace("LOCAL_MACHINE", "7")) == [("ACC071", "error", "compute_environment")]


def test_deepspeeds_settings_are_one_finding() -> None:
    text = HEAD + "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 2\n"
    text += "  train_batch_size: 8\n  zero_optimization: {stage: 2}\n"
    assert found(text) == [("KEY002", "warning", "deepspeed_config.train_batch_size")]


def test_what_the_questionnaire_writes_has_a_rule_of_its_own() -> None:
    assert found(FP8 + "  backend: TE\n  amax_history_length: 16\n") == [
        ("ACC066", "error", "fp8_config.amax_history_length")
    ]
    text = FSDP + "  fsdp_version: 2\nparallelism_config:\n  sp_seq_length_is_variable: true\n"
    assert found(text) == [("ACC065", "error", "parallelism_config.sp_seq_length_is_variable")]
