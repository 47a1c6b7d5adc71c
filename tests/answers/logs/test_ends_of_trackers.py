"""Ends that the trackers of libraries report, each in the words of a log."""

from __future__ import annotations

from io import BytesIO

import pytest

from cfglint.answers.logs.diagnosis import RunDiagnosis, diagnose
from cfglint.answers.logs.found import RunConfigs

PEFT = "ValueError: Target modules {} not found in the base model. Please check the target modules and try again."
SIZES = "RuntimeError: Error(s) in loading state_dict for PeftModel:\n\tsize mismatch for a.{}.default.weight: copying a param with shape torch.Size([{}]) from checkpoint, the shape in current model is torch.Size([8, 64])."


def traceback(file: str, function: str, source: str, last: str) -> str:
    return f'Traceback (most recent call last):\n  File "{file}", line 5, in {function}\n    {source}\n{last}\n'


def told(log: str) -> RunDiagnosis:
    return diagnose(BytesIO(log.encode()), lambda _: RunConfigs())


def ends(log: str) -> list[str]:
    return [cause.end.name for cause in told(log).causes if cause.end is not None]


@pytest.mark.parametrize(
    ("log", "name"),
    [
        ("ModuleNotFoundError: No module named 'llamafactory'", "program-not-in-the-environment"),
        ("ModuleNotFoundError: No module named 'yaml'", "module-not-installed"),
        (
            "ModuleNotFoundError: No module named 'axolotl.integrations.cut'",
            "part-of-a-package-not-there",
        ),
        (
            "ModuleNotFoundError: No module named 'yaml'\n\ntorch.x: [ERROR] of 'a'",
            "module-not-installed",
        ),
        (
            "ImportError: cannot import name 'log' from 'torch.distributed.elastic.agent.server.api' (/a/api.py)",
            "elastic-agent-of-an-older-torch",
        ),
        (
            "RuntimeError: Output 0 of ViewBackward0 is a view and its base or another view of its base has been modified inplace.",
            "view-changed-in-place",
        ),
        (PEFT.format("[]"), "no-modules-for-the-adapter-were-found"),
        (PEFT.format("{'.*\\\\.1.*dense'}"), "pattern-in-a-list-of-modules"),
        (PEFT.format("['q_proj']"), "modules-not-of-this-model"),
        (SIZES.format("lora_A", "16, 64"), "adapter-of-other-sizes"),
        (SIZES.format("lora_B", "0"), "empty-weights-were-saved"),
        (SIZES.format("embed_tokens", "9, 64"), "adapter-of-another-vocabulary"),
        (
            traceback(
                "/a/stage3.py",
                "defragment",
                "assert len(set(t.dtype for t in tensors)) == 1",
                "AssertionError",
            ),
            "zero-3-with-several-precisions",
        ),
        (
            "/a/python_headers.h:12:10: fatal error: Python.h: No such file or directory\n   12 | #include <Python.h>\n"
            "ninja: build stopped: subcommand failed.\nRuntimeError: Error building extension 'cpu_adam'",
            "headers-of-python-missing",
        ),
        (
            "CUDA SETUP: Problem: The main issue seems to be that the main CUDA runtime library was not detected.",
            "library-of-bitsandbytes-not-loaded",
        ),
        (
            "RuntimeError: only Tensors of floating point dtype can require gradients",
            "integers-cannot-be-trained",
        ),
        (
            "RuntimeError: The tensor has a non-zero number of elements, but its data is not allocated yet. Caffe2 uses",
            "divided-weights-not-gathered",
        ),
        (
            "ValueError: The following `model_kwargs` are not used by the model: ['skip_special_tokens']",
            "argument-that-generate-does-not-know",
        ),
        (
            "AttributeError: 'TrainerState' object has no attribute 'last_model_checkpoint'",
            "no-step-was-left-to-train",
        ),
        (
            traceback(
                "/a/axolotl/monkeypatch/models/m.py",
                "forward",
                "x",
                "AttributeError: 'B' object has no attribute 'c'",
            ),
            "patch-of-axolotl-for-another-transformers",
        ),
        (
            "AttributeError: module transformers has no attribute GPTNeoXTokenizer",
            "class-that-transformers-does-not-have",
        ),
        (
            traceback(
                "/a/accelerate/utils/dataclasses.py",
                "f",
                "x",
                "AttributeError: 'list' object has no attribute 'keys'",
            ),
            "policy-of-fsdp-not-known",
        ),
        (
            "ValueError: eval dataset split is too small for sample_packing. You should set",
            "evaluation-set-too-small-to-pack",
        ),
        (
            traceback(
                "/a/accelerate/commands/config/config_args.py",
                "from_yaml_file",
                "return cls(**config_dict)",
                "TypeError: __init__() got an unexpected keyword argument 'tpu_env'",
            ),
            "launch-config-of-a-newer-accelerate",
        ),
    ],
)
def test_ends_of_loading_and_starting(log: str, name: str) -> None:
    assert ends(log)[:1] == [name]


@pytest.mark.parametrize("mark", ["    ", "❱ 436 │   │   ", "--> 12     "])
def test_an_assertion_without_words_is_known_by_its_source(mark: str) -> None:
    log = f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n{mark}assert x == 1\n           ^^^^\nAssertionError\n'
    (failure,) = told(log).failures
    assert failure.text == "AssertionError: assert x == 1"


def test_words_of_an_assertion_are_kept() -> None:
    log = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    assert x, "y"\nAssertionError: y\n'
    (failure,) = told(log).failures
    assert failure.text == "AssertionError: y"


def test_the_python_that_a_launcher_has_started() -> None:
    log = "ModuleNotFoundError: No module named 'yaml'\napi.py:833] failed (exitcode: 1) local_rank: 0 (pid: 1) of binary: /opt/conda/bin/python\n"
    assert told(log).python == "/opt/conda/bin/python"
    assert told("failed (exitcode: 1) of binary: python\n").python == ""


@pytest.mark.parametrize(
    ("log", "name"),
    [
        (
            "RuntimeError: \"addmm_impl_cpu_\" not implemented for 'Half'",
            "half-precision-on-the-cpu",
        ),
        (
            "RuntimeError: unscale_() has already been called on this optimizer since the last update().",
            "gradients-unscaled-twice",
        ),
        (
            "AssertionError: No inf checks were recorded for this optimizer.",
            "optimizer-without-gradients",
        ),
        (
            "ValueError: No slot '4' specified on host 'localhost'",
            "gpu-that-deepspeed-does-not-count",
        ),
        (
            "AttributeError: can't set attribute 'eos_token'",
            "code-of-a-model-older-than-transformers",
        ),
        (
            traceback(
                "/a/modules/transformers_modules/m/modeling_m.py",
                "<module>",
                "from transformers import x",
                "ImportError: cannot import name 'x' from 'torch' (/a/b.py)",
            ),
            "code-of-a-model-older-than-transformers",
        ),
        (
            "AssertionError: {'id': 853, 'status': 'NOT_AVAILABLE', 'numel': 0, 'ds_numel': 0}",
            "parameters-not-fetched-by-zero-3",
        ),
        (
            "ValueError: Target module NormHead() is not supported. Currently, only the following modules are supported: `torch.nn.Linear`",
            "module-of-a-kind-without-adapters",
        ),
        ("TypeError: not a string", "no-model-of-sentencepiece"),
        (
            "Error no kernel image is available for execution on the device at line 167 in file D:\\b\\csrc\\ops.cu",
            "gpu-that-bitsandbytes-has-no-code-for",
        ),
    ],
)
def test_ends_of_training(log: str, name: str) -> None:
    assert ends(log)[:1] == [name]


@pytest.mark.parametrize(
    ("log", "name"),
    [
        (
            "ValueError: When using DeepSpeed, `accelerate.prepare()` requires you to pass at least one of training or evaluation dataloaders with",
            "no-batch-size-for-deepspeed",
        ),
        (
            "ValueError: You cannot specify an optimizer in the config file and in the code at the same time. Please",
            "optimizer-in-two-places",
        ),
        (
            "ValueError: `gradient_clipping` not found in kwargs. Please specify `gradient_clipping` without `auto` (set to correct value) in the DeepSpeed config file or",
            "auto-that-nothing-fills",
        ),
        (
            "ValueError: `--mixed_precision` arg cannot be set to `bf16` when `fp16` is set in the DeepSpeed config file.",
            "two-precisions-for-deepspeed",
        ),
        (
            "ValueError: fp16 mixed precision requires a GPU (not 'cpu').",
            "no-device-for-the-precision",
        ),
        (
            "RuntimeError: You can't move a model that has some modules offloaded to cpu or disk.",
            "offloaded-model-not-for-training",
        ),
        (
            "deepspeed.runtime.zero.utils.ZeRORuntimeException: The checkpoint being loaded used a DP world size of 8 but the",
            "checkpoint-of-another-number-of-gpus",
        ),
        (
            "RuntimeError: Unable to JIT load the async_io op due to it not being compatible due to hardware/software issue. None",
            "op-of-deepspeed-not-compatible",
        ),
        (
            "RuntimeError: You can't use batches of different size with `dispatch_batches=True` or when using an",
            "dispatched-batches-of-several-sizes",
        ),
        (
            "AttributeError: 'AcceleratorState' object has no attribute 'distributed_type'",
            "state-of-accelerate-reset",
        ),
    ],
)
def test_ends_that_accelerate_and_deepspeed_put_into_words(log: str, name: str) -> None:
    assert ends(log)[:1] == [name]


@pytest.mark.parametrize(
    ("log", "name"),
    [
        ("['python', 'a.py'] exits with return code = -7", "shared-memory-used-up"),
        ("['python', 'a.py'] exits with return code = -11", "crash-in-compiled-code"),
        (
            "AttributeError: 'ParameterDict' object has no attribute 'default'.",
            "attribute-that-a-release-lacks",
        ),
        ("AttributeError: 'dict' object has no attribute 'loss'", "value-of-another-type"),
        (
            "OSError: /a/libbitsandbytes.so: undefined symbol: __fatbinwrap_38",
            "library-of-bitsandbytes-not-loaded",
        ),
        (
            "ValueError: Cannot open data/dataset_info.json due to [Errno 2] No such file",
            "dataset-info-not-found",
        ),
    ],
)
def test_ends_of_processes_and_of_objects(log: str, name: str) -> None:
    assert ends(log)[:1] == [name]


@pytest.mark.parametrize(
    ("log", "name"),
    [
        (
            "ImportError: cannot import name 'DeepSpeedPlugin' from 'accelerate' (/a/__init__.py)",
            "name-that-another-library-lacks",
        ),
        (
            "AttributeError: 'LlamaForCausalLM' object has no attribute 'merge_and_unload'",
            "adapter-not-merged-by-this-peft",
        ),
        (
            "ValueError: consumed 216 numels out of 220 - something is wrong",
            "script-of-another-deepspeed",
        ),
        ("ValueError: unknown zero stage 1", "script-of-another-deepspeed"),
        (
            "TypeError: Unsupported types (<class 'int'>) passed to `_gpu_gather_one`. Only nested list/tuple/dicts of objects that are valid for `is_torch_tensor` should be passed.",
            "no-tensor-to-gather",
        ),
        (
            "CUDA SETUP: Required library version not found: libbitsandbytes_cuda122.so. Maybe",
            "library-of-bitsandbytes-not-loaded",
        ),
    ],
)
def test_ends_of_merging_and_saving(log: str, name: str) -> None:
    assert ends(log)[:1] == [name]
