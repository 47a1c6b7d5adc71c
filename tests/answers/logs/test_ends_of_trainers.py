"""Ends of runs with TRL, transformers' Trainer, Unsloth, and vLLM beside a trainer."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.causes import Symptoms
from cfglint.answers.logs.failures import Failure, failures
from cfglint.answers.logs.lines import lines
from cfglint.answers.logs.parts import LogPart


def read(log: str) -> list[Failure]:
    return failures(lines([LogPart(log.encode(), 1)]))


def end_of(log: str) -> str:
    found = (cause.end for cause in Symptoms().causes(read(log), lambda _: False))
    return next((end.name for end in found if end is not None), "")


def traced(message: str, *files: tuple[str, str]) -> str:
    frames = [f'  File "/e/site-packages/{file}", line 7, in {name}' for file, name in files]
    return "\n".join(["Traceback (most recent call last):", *frames, message])


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (
            "ModuleNotFoundError: No module named 'vllm.transformers_utils.x'",
            "part-of-a-package-not-there",
        ),
        ("No module named 'vllm.worker'", "part-of-a-package-not-there"),
        ("ModuleNotFoundError: No module named 'swift'", "program-not-in-the-environment"),
        (
            "TypeError: MyTokenizer._pad() got an unexpected keyword argument 'padding_side'",
            "code-of-a-model-older-than-transformers",
        ),
        (
            "AttributeError: 'InternLMTokenizer' object has no attribute 'sp_model'",
            "code-of-a-model-older-than-transformers",
        ),
        (
            "ValueError: MyModel does not support gradient checkpointing.",
            "gradient-checkpointing-not-supported",
        ),
        ("KeyError: 'tokenizer'", "callback-that-reads-the-tokenizer"),
        (
            "ValueError: `token_type_ids` is required as a model input when training",
            "gemma-without-token-types",
        ),
        ("ValueError: '/o/checkpoint-10' is not in list", "best-checkpoint-not-in-the-list"),
        ("NameError: name 'trainer' is not defined", "name-not-defined"),
        (
            "ValueError: vllm_mode must be either 'server' or 'colocate', got 'server'.",
            "refuses-what-it-permits",
        ),
        (
            "INFO - trl.extras.vllm_client - Server is not up yet. Retrying in 2.0 seconds...",
            "server-of-vllm-not-reached",
        ),
        (
            "Failed: Cuda error /w/csrc/custom_all_reduce.cuh:455 'invalid argument'",
            "all-reduce-of-vllm-failed",
        ),
        (
            "AttributeError: 'DynamicCache' object has no attribute 'detach'",
            "cache-among-the-predictions",
        ),
        (
            "RuntimeError: Error(s) in loading state_dict for M: size mismatch for a.weight: copying a param with shape torch.Size([0]) from checkpoint, the shape in current model is torch.Size([5, 3]).",
            "empty-weights-were-saved",
        ),
        (
            "RuntimeError: Error(s) in loading state_dict for M: size mismatch for a.weight: copying a param with shape torch.Size([5, 3]) from checkpoint, the shape in current model is torch.Size([0]).",
            "weights-loaded-into-divided-ones",
        ),
        (
            "RuntimeError: Error(s) in loading state_dict for M: size mismatch for a.weight: copying a param with shape torch.Size([5, 3]) from checkpoint, the shape in current model is torch.Size([6, 3]).",
            "weights-of-other-sizes",
        ),
        (
            "AssertionError: Expandable segments are not compatible with memory pool. Please track",
            "expandable-segments-with-sleep",
        ),
        (
            "ValueError: Model architectures ['Qwen2ForCausalLM'] failed to be inspected. Please check",
            "architecture-not-inspected",
        ),
        ("KeyError: 'layers.0.mlp.base_layer.weight'", "adapter-in-place-of-a-model"),
        ("RuntimeError: PassManager::run failed", "kernel-not-compiled-for-an-older-gpu"),
        ('TypeError: can only concatenate str (not "list") to str', "text-joined-with-a-list"),
        ("ValueError: too many values to unpack (expected 2)", "other-number-of-parts"),
        (
            "AttributeError: 'str' object has no attribute '_memory_tracker'",
            "value-of-another-type",
        ),
        ("AttributeError: 'A' object has no attribute 'b'", "attribute-that-a-release-lacks"),
        ("AttributeError: 'OSError' object has no attribute 'b'", "value-of-another-type"),
        (
            "AttributeError: module 'typing' has no attribute 'Unpack'",
            "attribute-that-a-release-lacks",
        ),
        (
            "PPOTrainer.__init__() missing 2 required positional arguments: 'reward_model' and 'train_dataset'",
            "ppo-of-trl-before-0-12",
        ),
        (
            "TypeError: A.__init__() missing 1 required positional argument: 'b'",
            "class-of-another-release-called",
        ),
        (
            "ImportError: Using the `Trainer` with `PyTorch` requires `accelerate>=0.20.1`: Please",
            "accelerate-missing-for-the-trainer",
        ),
        (
            "RuntimeError: Failed to import transformers.trainer because of the following error (look up to see its traceback): cannot import name 'A' from 'accelerate' (/e/accelerate/__init__.py)",
            "import-of-transformers-lacks-a-name",
        ),
        ("KeyError: 'visual.patch_embed.proj.weight'", "weights-renamed-by-transformers"),
        (
            "TypeError: pad_sequence(): argument 'padding_value' (position 3) must be float, not NoneType",
            "no-token-to-pad-with",
        ),
        (
            "ValueError: DeepSpeed Zero-3 is not compatible with `low_cpu_mem_usage=True` or with passing a `device_map`.",
            "loading-that-zero-3-does-not-allow",
        ),
        (
            "RuntimeError: shape mismatch: value tensor of shape [3, 99] cannot be broadcast to indexing result of shape [3, 64]",
            "positions-of-pictures-do-not-fit",
        ),
        (
            "pyarrow.lib.ArrowInvalid: Column 1 named input_ids expected length 9 but got length 7",
            "columns-of-several-lengths",
        ),
        (
            "jinja2.exceptions.UndefinedError: 'dict object' has no attribute 'role'",
            "turn-without-a-field",
        ),
        (
            "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your",
            "no-bfloat16-for-vllm",
        ),
        (
            "AssertionError: No inf checks were recorded for this optimizer.",
            "optimizer-without-gradients",
        ),
        (
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='h', port=8000): Max retries exceeded with url: /update_named_param/ (Caused",
            "server-of-vllm-went-away",
        ),
        (
            "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:",
            "compiler-of-torch-failed",
        ),
    ],
)
def test_ends_by_what_they_say(line: str, name: str) -> None:
    log = traced(line, ("x.py", "f")) if not line.startswith(("No module", "INFO")) else line
    assert end_of(log) == name


@pytest.mark.parametrize(
    ("message", "frames", "name"),
    [
        ("AttributeError: _unwrapped", [("unsloth/models/llama.py", "f")], "inside-of-unsloth"),
        (
            "AttributeError: _unwrapped",
            [("unsloth/models/llama.py", "f"), ("torch/nn/modules/module.py", "__delattr__")],
            "inside-of-unsloth",
        ),
        (
            "AttributeError: 'Accelerator' object has no attribute 'get'",
            [("unsloth/trainer.py", "new_training_step")],
            "inside-of-unsloth",
        ),
        # Unsloth's code is around nearly all that runs with it.
        (
            "AttributeError: 'A' object has no attribute 'get'",
            [("unsloth/trainer.py", "new_train"), ("mine/rewards.py", "f")],
            "attribute-that-a-release-lacks",
        ),
        (
            "omegaconf.errors.ConfigKeyError: Key 'x' is not in struct",
            [
                ("verl/trainer/ppo/ray_trainer.py", "fit"),
                ("omegaconf/dictconfig.py", "__setitem__"),
            ],
            "key-that-the-program-does-not-find",
        ),
        (
            "omegaconf.errors.ConfigKeyError: Key 'x' is not in struct",
            [("verl/trainer/main_ppo.py", "main"), ("hydra/_internal/config_loader_impl.py", "f")],
            "hydra-key-not-there",
        ),
        (
            "TypeError: 'NoneType' object is not iterable",
            [("transformers/modeling_utils.py", "caching_allocator_warmup")],
            "plan-of-a-model-without-one",
        ),
        (
            "KeyError: 'eval_f1'",
            [("transformers/trainer.py", "_save_checkpoint")],
            "no-such-metric-of-the-evaluation",
        ),
    ],
)
def test_ends_by_where_they_are_raised(
    message: str, frames: list[tuple[str, str]], name: str
) -> None:
    assert end_of(traced(message, *frames)) == name


def test_what_only_one_framework_is_taken_to_say_is_no_rule_of_it() -> None:
    log = traced('TypeError: can only concatenate str (not "list") to str', ("x.py", "f"))
    assert [cause.codes for cause in Symptoms().causes(read(log), lambda _: False)] == [()]


def test_a_wait_that_is_over_is_no_end() -> None:
    waits = "Server is not up yet. Retrying in 2.0 seconds..."
    assert [one.message for one in read(f"{waits}\n{waits}")] == [waits]
    assert read(f"{waits}\nstep 1 loss 2.3") == []


def test_frames_of_notebooks_are_read_with_their_lines() -> None:
    log = "\n".join(
        [
            "KeyError          Traceback (most recent call last)",
            "File [/e/site-packages/trl/x.py:323](https://e.org/x.py:323), in SFTTrainer.train(self)",
            "    320 a = 1",
            "--> [323](https://e.org/x.py) b = c[d]",
            "/e/site-packages/old.py in get(self, key)",
            "----> 7         return self[key]",
            "KeyError: 'd'",
        ]
    )
    (failure,) = read(log)
    assert failure.frames == (
        ("/e/site-packages/trl/x.py", 323, "train"),
        ("/e/site-packages/old.py", 7, "get"),
    )
    assert failure.code == ("b = c[d]", "return self[key]")


def test_a_file_that_cannot_be_compiled_is_the_innermost_frame() -> None:
    log = "\n".join(
        [
            "Traceback (most recent call last):",
            '  File "/w/train.py", line 1, in <module>',
            "    import unsloth",
            '  File "/e/site-packages/unsloth/models/rl.py", line 372',
            "    except Exception as e:",
            "    ^",
            "IndentationError: expected an indented block after 'try' statement on line 371",
        ]
    )
    assert end_of(log) == "trainers-that-unsloth-rewrote"
    assert end_of(log.replace("unsloth/", "mine/")) == ""


def test_the_frames_of_a_notebook_count_without_their_first_line() -> None:
    log = (
        "/e/site-packages/unsloth/kernels/x.py in f(self)\nNameError: name 'Unpack' is not defined"
    )
    assert end_of(log) == "inside-of-unsloth"
