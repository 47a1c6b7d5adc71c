"""What is certain of a run of TRL, in bytes of a parameter."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.runs.memory.estimate import estimate
from cfglint.runs.memory.planning import Planner, largest, lighter
from cfglint.runs.memory.run import GIB, MemoryRun
from cfglint.runs.memory.terms import bound
from tests.draws import each
from tests.runs.memory.planners import planner_of

BASE: dict[str, Any] = {
    "model_name_or_path": "NousResearch/Meta-Llama-3-8B",
    "dataset_name": "trl-lib/Capybara",
    "output_dir": "out",
    "dtype": "bfloat16",
}
#: Parameters of that model.
SIZE = 8_030_261_248


def planner(
    command: str = "sft", release: str = "1.9.0", /, *, script: bytes = b"", **config: Any
) -> Planner:
    written = {key: value for key, value in {**BASE, **config}.items() if value != "-"}
    return planner_of("trl", release, written, f"{command}.yaml", script=script)


def run(command: str = "sft", release: str = "1.9.0", /, gpus: int = 1, **config: Any) -> MemoryRun:
    found = planner(command, release, **config).run(gpus)
    assert found is not None
    return found


@each(
    ("command", "gpus", "config", "expected"),
    [
        ("sft", 1, {}, 8.0),
        ("sft", 1, {"dtype": "float32"}, 16.0),
        ("sft", 1, {"dtype": "-"}, 16.0),
        ("sft", 1, {"optim": "adamw_torch"}, 10.0),
        ("sft", 1, {"optim": "paged_adamw_8bit"}, 4.0),
        ("sft", 1, {"optim": "some_new"}, 2.0),
        # What accelerate divides is not in this file.
        ("sft", 4, {}, 2.0),
        ("dpo", 1, {}, 10.0),
        ("dpo", 1, {"precompute_ref_log_probs": True}, 8.0),
        ("kto", 1, {}, 10.0),
        ("grpo", 1, {}, 8.0),
        ("grpo", 1, {"beta": 0.04}, 10.0),
        ("sft", 1, {"use_peft": True}, 2.0),
        ("dpo", 1, {"use_peft": True}, 2.0),
        ("sft", 8, {"deepspeed": {"zero_optimization": {"stage": 3}}}, 2.0),
        ("sft", 8, {"deepspeed": {"zero_optimization": {"stage": 1}}}, 5.5),
        ("sft", 8, {"deepspeed": "unknown.json"}, 0.0),
    ],
)
def test_bytes_of_a_parameter(
    command: str, gpus: int, config: dict[str, Any], expected: float
) -> None:
    found = bound(run(command, gpus=gpus, **config))
    rest = found.size("reduction") + found.size("step") if "deepspeed" in config else 0
    assert round((found.total - rest) / SIZE, 2) == expected


def test_what_is_said_of_the_weights_is_what_is_counted() -> None:
    found = run("sft", gpus=8, dtype="-", deepspeed={"zero_optimization": {"stage": 3}})
    assert (found.plain, found.because["weights"].text) == (2.0, "2 bytes a parameter")
    assert run("sft", dtype="-").because["weights"].text == "4 bytes a parameter"


@pytest.mark.parametrize("gpus", [4, 8])
def test_without_a_script_the_estimate_is_that_of_one_gpu(gpus: int) -> None:
    found = planner(use_peft=True, lora_target_modules=["q_proj"], per_device_train_batch_size=1)
    one, several = found.usual(1), found.usual(gpus)
    assert one is not None
    assert several is not None
    alone, each = estimate(one), estimate(several)
    assert alone is not None
    assert each is not None
    # DistributedDataParallel's buckets are certain, so that they may raise the lower limit.
    assert (each.likely, each.high) == (alone.likely, alone.high)
    assert largest(found, gpus, 40 * GIB) == largest(found, 1, 40 * GIB)
    assert "`trl sft` starts a process for each" in several.divided.text


def test_thirty_two_bits_are_the_default_of_newer_releases() -> None:
    assert run("sft", "0.26.0", dtype="-").plain == 2.0
    assert run("sft", "0.27.0", dtype="-").plain == 4.0
    assert run("sft", "0.19.1", dtype="-", torch_dtype="float32").plain == 4.0


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"load_in_4bit": True}, 0.5625),
        ({"load_in_4bit": True, "use_bnb_nested_quant": True}, 0.5159),
        ({"load_in_8bit": True}, 1.0),
    ],
)
def test_packed_weights(config: dict[str, Any], expected: float) -> None:
    found = run(use_peft=True, **config)
    assert found.packed["linear"] == pytest.approx(expected, abs=1e-4)
    assert not found.may_move
    assert run(**config).trained == 0


def test_adapters_on_named_modules() -> None:
    # PEFT counts 41,943,040 parameters at rank 16 on all seven matrices of this model.
    assert run(use_peft=True, lora_target_modules="all-linear").trained == 41_943_040
    named = run(use_peft=True, lora_r=8, lora_target_modules=["q_proj", "v_proj"])
    assert named.trained == 32 * 8 * ((4096 + 4096) + (4096 + 1024))
    assert named.may_move
    assert run(use_peft=True).trained == 0


@each(
    "config",
    [
        {"model_name_or_path": "acme/unknown"},
        {"use_cpu": True},
        # Arguments of programs that are not known.
        {"dataset_mixer": {"a": 1.0}, "freeze_first_layers": 4},
        {"spectrum_config_path": "some.yaml"},
        {"a": 1, "b": 2, "c": 3, "dataset_name": "-"},
    ],
)
def test_nothing_is_known(config: dict[str, Any]) -> None:
    assert planner(**config).run(1) is None


@each(
    ("command", "config", "expected"),
    [
        ("sft", {"optim": "adamw_torch_fused"}, 8.0),
        # The least of the defaults of the program's releases.
        ("sft", {}, 6.0),
        ("dpo", {}, 8.0),
        ("sft", {"dtype": "-"}, 6.0),
        ("sft", {"torch_dtype": "float32", "dtype": "-", "optim": "adamw_torch_fused"}, 16.0),
    ],
)
def test_programs_that_train_like_trl(
    command: str, config: dict[str, Any], expected: float
) -> None:
    found = run(command, dataset_mixer={"a": 1.0}, preprocessing_num_workers=4, **config)
    assert round(bound(found).total / SIZE, 2) == expected
    # What starts it may offload.
    assert found.may_move
    assert estimate(found) is None


def test_the_command_has_to_be_known() -> None:
    assert planner("train").run(1) is None


def test_the_estimate_goes_by_the_defaults_of_the_release() -> None:
    usual = run().usual
    assert usual is not None
    assert (usual.tokens, usual.checkpoints, usual.logits) == (8 * 1024, True, False)
    older = run("sft", "0.19.1", use_liger_kernel=True, max_length=2048).usual
    assert older is not None
    assert (older.tokens, older.checkpoints, older.logits) == (8 * 2048, False, False)
    assert run("sft", "0.12.2").usual is None
    assert estimate(run("dpo")) is None
    assert estimate(run(padding_free=True)) is None
    assert estimate(run(attn_implementation="eager")) is None
    assert estimate(run(load_in_8bit=True, use_peft=True)) is None


@each(
    ("release", "config", "expected"),
    [
        ("1.6.0", {}, True),
        ("1.6.0", {"loss_type": "chunked_nll"}, False),
        ("1.7.0", {}, False),
        ("1.14.0", {"loss_type": "nll"}, True),
        ("1.14.0", {"loss_type": "dft"}, True),
        ("1.14.0", {"use_liger_kernel": True}, False),
        ("1.15.0", {"loss_type": "nll"}, False),
        ("1.15.0", {"loss_type": "dft"}, False),
        ("1.15.0", {"label_smoothing_factor": 0.1}, True),
    ],
)
def test_whether_all_logits_exist_at_once(
    release: str, config: dict[str, Any], expected: bool
) -> None:
    usual = run("sft", release, **config).usual
    assert usual is not None
    assert usual.logits is expected


def test_what_would_need_less() -> None:
    found = planner(dtype="-", per_device_train_batch_size=4)
    told = [change.title for change in lighter(found.changes(1), bound(run(dtype="-")).total)]
    assert told[0] == "`use_peft: true` and `load_in_4bit: true`"
    assert "`dtype: bfloat16`" in told
    assert "`optim: adamw_8bit`" in told
    most = largest(found, 1, 141 * GIB)
    assert most.length is not None
    assert most.batch is not None
    assert most.batch >= 1
