"""Ends of runs while models, rows, processes and vLLM are made ready, and after them."""

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


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (
            "ValueError: LoRA rank 64 is greater than max_lora_rank 16.",
            "adapter-rank-above-that-of-vllm",
        ),
        (
            "RuntimeError: Worker failed with error 'LoRA rank 32 is greater than max_lora_rank 16.', please check the stack",
            "adapter-rank-above-that-of-vllm",
        ),
        (
            "AssertionError: Seed must be set when using external launcher backend to make sure sampling results are the same",
            "seed-not-given-to-vllm",
        ),
        ("RuntimeError: Failed to infer device type", "device-not-seen-by-vllm"),
        (
            "OSError: Can't load the model for 'a/b'. If you were trying to load it from 'https://huggingface.co/models', make",
            "part-of-a-model-not-loaded-by-its-name",
        ),
        (
            "OSError: Can't load tokenizer for 'a/b'. If you were trying to load it from 'https://huggingface.co/models', make",
            "no-tokenizer-in-the-folder",
        ),
        ("NotImplementedError: Unsloth: a/b not supported yet!", "model-younger-than-unsloth"),
        (
            "ValueError: `a/b` is not supported yet in `transformers==4.57.6`. Please update transformers via `pip install",
            "model-younger-than-unsloth",
        ),
        (
            "RuntimeError: Unsloth: `config.json` does not exist inside `model`.",
            "gguf-not-made-by-unsloth",
        ),
        (
            "RuntimeError: Unsloth: Quantization failed for /m/unsloth.F16.gguf",
            "gguf-not-made-by-unsloth",
        ),
        (
            "ValueError: The model you want to train is loaded in 8-bit precision.  if you want to fine-tune an 8-bit model, "
            "please make sure that you have installed `bitsandbytes>=0.37.0`. ",
            "quantized-model-not-marked-for-training",
        ),
        (
            "ValueError: The batch received was empty, your model won't be able to train on it. Double-check that your",
            "batch-without-a-known-column",
        ),
        (
            "ValueError: The device_map provided does not give any device for the following parameters: a.b",
            "map-of-devices-with-gaps",
        ),
        (
            'ValueError: Trying to set a tensor of shape torch.Size([8, 1]) in "weight" (which has shape torch.Size([4, 4])), '
            "this looks incorrect.",
            "tensor-of-another-shape",
        ),
        ("RuntimeError: No executable batch size found, reached zero.", "no-batch-is-small-enough"),
        (
            "ValueError: Batch size (8) does not match number of examples - but got 3 for: queries",
            "batch-of-ppo-of-another-size",
        ),
        (
            "ValueError: Chat template is already added to the tokenizer. If you want to overwrite it, please set it to None",
            "chat-template-there-already",
        ),
        (
            "ValueError: chosen should be an str but got <class 'list'>",
            "turns-where-a-text-belongs",
        ),
        ("AssertionError: Train dataloader is empty!", "no-batch-from-the-loader"),
        (
            "ValueError: Please don't set ROCR_VISIBLE_DEVICES when HIP/CUDA_VISIBLE_DEVICES is set.",
            "two-lists-of-visible-gpus",
        ),
        (
            "ImportError: vLLM is not available and `use_vllm` is set to True. Please install vLLM with `pip install vllm`",
            "package-that-a-message-asks-for",
        ),
        (
            "ImportError: You need to install `galore_torch` in order to use GaLore optimizers install it with `pip install",
            "package-that-a-message-asks-for",
        ),
        ("CUDA error: device-side assert triggered", "index-outside-of-a-table"),
        (
            "RuntimeError: Triton Error [CUDA]: device kernel image is invalid",
            "kernel-of-triton-not-taken-by-the-driver",
        ),
        (
            "RuntimeError: Inference tensors cannot be saved for backward. To work around you can make a clone",
            "tensors-of-inference-mode",
        ),
        (
            "RuntimeError: output with shape [] doesn't match the broadcast shape [1]",
            "loss-that-is-no-scalar",
        ),
        (
            "TypeError: format_reward() takes 1 positional argument but 2 were given",
            "function-that-takes-fewer-arguments",
        ),
        ("TypeError: 'TrainerState' object is not subscriptable", "value-of-another-type"),
        ("TypeError: 'NoneType' object is not subscriptable", "nothing-in-place-of-a-value"),
        # A page that has dropped the marks of code.
        (
            "RuntimeError: Unsloth: config.json does not exist inside model.",
            "gguf-not-made-by-unsloth",
        ),
    ],
)
def test_an_error_has_its_end(line: str, name: str) -> None:
    assert end_of(line) == name


def test_a_version_of_none_is_told_from_other_values_of_none() -> None:
    message = "TypeError: expected string or bytes-like object"
    log = '  File "/e/site-packages/packaging/version.py", line 200, in __init__\n' + message
    assert end_of(log) == "package-without-a-version"
    assert end_of(log.replace("packaging/version", "mine/x")) == ""


def test_a_store_that_was_not_reached_is_an_end_where_nothing_follows() -> None:
    line = "[E1118 17:30:24.2 socket.cpp:1019] [c10d] The client socket has timed out after 300000ms while trying to connect to"
    assert end_of(f"{line} (10.0.0.1, 29500).") == "first-process-not-reached"
    assert end_of(f"{line} (127.0.0.1, 51216).") == "port-of-the-weights-not-reached"
    assert read(f"{line} (10.0.0.1, 29500).\nretrying\nstep 1 loss 2.3") == []


def test_frames_of_plain_notebooks_are_read() -> None:
    log = "\n".join(
        [
            "Traceback (most recent call last):",
            "  File /e/site-packages/IPython/core/interactiveshell.py:3553 in run_code",
            "    exec(code_obj, self.user_global_ns, self.user_ns)",
            "  Cell In[16], line 1",
            "    from unsloth import FastLanguageModel",
            "  File /e/site-packages/unsloth/models/_utils.py:209",
            "    exec(source)",
            "  File <string>:25",
            "    )if len(self) == 0:",
            "                      ^",
            "SyntaxError: invalid syntax",
        ]
    )
    (failure,) = read(log)
    assert failure.frames[0] == (
        "/e/site-packages/IPython/core/interactiveshell.py",
        3553,
        "run_code",
    )
    assert failure.frames[1:] == (
        ("/e/site-packages/unsloth/models/_utils.py", 209, ""),
        ("<string>", 25, ""),
    )
    assert end_of(log) == "trainers-that-unsloth-rewrote"
