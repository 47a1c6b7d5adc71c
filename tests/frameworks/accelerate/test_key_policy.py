"""What becomes of a key of accelerate's files."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in, messages

BASE = (
    "compute_environment: LOCAL_MACHINE\nmixed_precision: bf16\nnum_machines: 1\nnum_processes: 8\n"
)
OWN_NAMES = (
    "accelerate silently ignores it. This section takes accelerate's own names. DeepSpeed's settings go into its"
    " JSON file, which `deepspeed_config_file` names."
)


def said(words: str, release: str = "1.9.0", files: Mapping[str, str] = {}) -> list[str]:
    target = (f"accelerate=={release}",) if release else ()
    text = BASE + words
    found = lint_in(
        files, text, name="fsdp.yaml", framework="accelerate", select=("KEY", "TYP"), target=target
    )
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("distributed_type: MULTI_GPU\n", []),
        (
            "num_proceses: 8\n",
            [
                "error: `distributed_type` is missing; no run starts without it.",
                "error: No release of accelerate has a key `num_proceses` at the top level; accelerate refuses the file. Did you mean `num_processes`? That is set as well.",
            ],
        ),
        (
            "nothing_like_it: 1\n",
            [
                "error: `distributed_type` is missing; no run starts without it.",
                "error: No release of accelerate since 0.20.0 has a key `nothing_like_it` at the top level; accelerate refuses the file.",
            ],
        ),
        ("distributed_type: FSDP\nfsdp_config:\n  fsdp_offload_params: true\n", []),
        ("distributed_type: FSDP\nfsdp_config:\n  offload_params: true\n", []),
        (
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_ofload_params: true\n",
            [
                "error: No release of accelerate has a key `fsdp_ofload_params` in `fsdp_config`; accelerate silently ignores it. Did you mean `fsdp_offload_params`?"
            ],
        ),
        (
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_nothing: 1\n",
            [
                "warning: No release of accelerate since 0.20.0 has a key `fsdp_nothing` in `fsdp_config`; accelerate silently ignores it."
            ],
        ),
        (
            "distributed_type: FSDP\nfsdp_config:\n  nothing: 1\n",
            [
                "warning: No release of accelerate since 0.20.0 has a key `nothing` in `fsdp_config`; accelerate silently ignores it."
            ],
        ),
        (
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_offload_params: x\n  offload_params: true\n",
            [],
        ),
        (
            "distributed_type: FSDP\nfsdp_config:\n  offload_params: true\n  fsdp_offload_params: x\n",
            [
                "error: `fsdp_config.fsdp_offload_params` expects true or false but got the text 'x'."
            ],
        ),
        (
            "distributed_type: FSDP\nfsdp_config:\n  offload_params: x\n",
            ["error: `fsdp_config.offload_params` expects true or false but got the text 'x'."],
        ),
        (
            "distributed_type: FSDP\nfsdp_config:\n  zero_stage: 3\n",
            [
                "error: `fsdp_config.zero_stage` belongs under `deepspeed_config:`; here accelerate silently ignores it."
            ],
        ),
        (
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_zero_stage: 3\n",
            [
                "warning: No release of accelerate since 0.20.0 has a key `fsdp_zero_stage` in `fsdp_config`; accelerate silently ignores it."
            ],
        ),
        ("distributed_type: DEEPSPEED\ndeepspeed_config:\n  fsdp_offload_params: true\n", []),
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n  bf16: true\n",
            [
                "note: `bf16` is a key of DeepSpeed; accelerate silently ignores it. This section takes accelerate's own names. DeepSpeed's settings go into its JSON file, which `deepspeed_config_file` names."
            ],
        ),
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n  bf16_enabled: true\n",
            [
                "note: No release of accelerate since 0.20.0 has a key `bf16_enabled` in `deepspeed_config`; accelerate silently ignores it."
            ],
        ),
        # What its own names say already, and what is read in another stage, ask for nothing.
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n  zero3_save_16bit_model: true\n"
            "  zero_optimization:\n    stage: 3\n    stage3_gather_16bit_weights_on_model_save: true\n",
            [
                f"note: `zero_optimization` is a key of DeepSpeed; {OWN_NAMES}",
            ],
        ),
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n  zero_optimization:\n    stage: 2\n",
            [f"warning: `zero_optimization` is a key of DeepSpeed; {OWN_NAMES}"],
        ),
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 2\n  offload_param_dvice: cpu\n",
            [
                "note: No release of accelerate has a key `offload_param_dvice` in `deepspeed_config`; accelerate silently ignores it. Did you mean `offload_param_device`?"
            ],
        ),
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n  offload_param_dvice: cpu\n",
            [
                "error: No release of accelerate has a key `offload_param_dvice` in `deepspeed_config`; accelerate silently ignores it. Did you mean `offload_param_device`?"
            ],
        ),
        # What is printed is no other run.
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n  steps_per_print: 9\n  overlap_comm: true\n",
            [
                f"note: `steps_per_print` is a key of DeepSpeed; {OWN_NAMES}",
                f"warning: `overlap_comm` is a key of DeepSpeed; {OWN_NAMES}",
            ],
        ),
        ("distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n  fp16: true\n", []),
        (
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_sage: 3\n",
            [
                "error: No release of accelerate has a key `zero_sage` in `deepspeed_config`; accelerate silently ignores it. Did you mean `zero_stage`?"
            ],
        ),
        ("distributed_type: MULTI_GPU\ndeepspeed_config:\n  zero_sage: 3\n", []),
        (
            "distributed_type: fsdp\nfsdp_config:\n  fsdp_nothing: 1\n",
            [
                "error: `fsdp` is not a valid `distributed_type`; expected FSDP, NO, MULTI_CPU, MULTI_GPU, MULTI_XPU, DEEPSPEED, MEGATRON_LM, DATA_PARALLEL and 8 others. Did you mean `FSDP`?",
                "warning: No release of accelerate since 0.20.0 has a key `fsdp_nothing` in `fsdp_config`; accelerate silently ignores it.",
            ],
        ),
        ("kt_config: {}\n", ["error: `distributed_type` is missing; no run starts without it."]),
        (
            "parallelism_config:\n  tp_size: 2\n",
            [
                "error: `distributed_type` is missing; no run starts without it.",
                "error: `parallelism_config` exists since accelerate 1.10.0, and this file is for 1.9.0 (--target); accelerate refuses the file.",
            ],
        ),
        (
            "parallelism_config:\n  nothing: 2\n",
            [
                "error: `distributed_type` is missing; no run starts without it.",
                "error: `parallelism_config` exists since accelerate 1.10.0, and this file is for 1.9.0 (--target); accelerate refuses the file.",
            ],
        ),
        (
            "mixed_precision: fp8\nfp8_config:\n  amax_history_length: 1\n",
            ["error: `distributed_type` is missing; no run starts without it."],
        ),
        (
            "mixed_precision: fp8\nfp8_config:\n  fp8_amax_history_length: 1\n",
            ["error: `distributed_type` is missing; no run starts without it."],
        ),
        (
            "mixed_precision: fp8\nfp8_config:\n  fp8_nothing: 1\n",
            [
                "error: `distributed_type` is missing; no run starts without it.",
                "warning: No release of accelerate since 0.20.0 has a key `fp8_nothing` in `fp8_config`; accelerate silently ignores it.",
            ],
        ),
        (
            "mixed_precision: fp8\nfp8_config:\n  backend: TE\n",
            ["error: `distributed_type` is missing; no run starts without it."],
        ),
        (
            "dynamo_config:\n  dynamo_bakend: INDUCTOR\n",
            [
                "error: `distributed_type` is missing; no run starts without it.",
                "error: No release of accelerate has a key `dynamo_bakend` in `dynamo_config`; accelerate silently ignores it. Did you mean `dynamo_backend`?",
            ],
        ),
        (
            "dynamo_config:\n  backend: INDUCTOR\n",
            [
                "error: `distributed_type` is missing; no run starts without it.",
                "error: `dynamo_config.backend` exists since accelerate 1.14.0, and this file is for 1.9.0 (--target); accelerate silently ignores it.",
            ],
        ),
    ],
)
def test_keys(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "release", "expected"),
    [
        (
            "parallelism_config:\n  parallelism_config_tp_size: 2\n",
            "1.9.0",
            [
                "error: `distributed_type` is missing; no run starts without it.",
                "error: `parallelism_config` exists since accelerate 1.10.0, and this file is for 1.9.0 (--target); accelerate refuses the file.",
            ],
        ),
        (
            "parallelism_config:\n  parallelism_config_tp_size: 2\n",
            "1.12.0",
            ["error: `distributed_type` is missing; no run starts without it."],
        ),
        (
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n",
            "1.5.0",
            [
                "error: `fsdp_config.fsdp_version` exists since accelerate 1.6.0, and this file is for 1.5.0 (--target); accelerate silently ignores it."
            ],
        ),
        ("distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n", "1.9.0", []),
        (
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_nothing: 2\n",
            "",
            [
                "warning: No release of accelerate since 0.20.0 has a key `fsdp_nothing` in `fsdp_config`; accelerate silently ignores it."
            ],
        ),
    ],
)
def test_releases(words: str, release: str, expected: list[str]) -> None:
    assert said(words, release) == expected
