"""From failures to what they are symptoms of."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.causes import ProbableCause, Symptoms, ordered
from cfglint.answers.logs.failures import Failure
from tests.draws import drawn, each, product

GENERAL = ("trl", "AAA001", ("ValueError:", "must be divisible"))
EXACT = ("trl", "AAA002", ("ValueError: The batch (", ") must be divisible by the groups"))


class Known(Symptoms):
    _rules = (GENERAL, EXACT, ("axolotl", "AAA003", EXACT[2]))


def failure(text: str, line: int = 1) -> Failure:
    kind, _, message = text.partition(": ")
    is_type = kind.isidentifier() and message
    return Failure(kind if is_type else "", message if is_type else text, (), "", line)


def causes(*texts: str) -> list[ProbableCause]:
    return Known().causes([failure(text, number) for number, text in enumerate(texts)])


def test_the_symptom_with_most_of_the_text_counts() -> None:
    (cause,) = causes("ValueError: The batch (7) must be divisible by the groups (8)")
    assert cause.codes == ("AAA002", "AAA003")
    assert cause.frameworks == ("trl", "axolotl")
    (cause,) = causes("ValueError: 7 must be divisible by 8")
    assert cause.codes == ("AAA001",)


@pytest.mark.parametrize(
    "text",
    [
        "ValueError: bf16 requested, but AMP is not supported on this GPU. Requires Ampere series or above.",
        "ValueError: Your setup doesn't support bf16/gpu. You need torch>=1.10, using Ampere GPU with cuda>=11.0",
    ],
)
def test_a_rule_of_several_frameworks_is_named_once(text: str) -> None:
    (cause,) = Symptoms().causes([failure(text)])
    assert list(cause.rules) == ["OPT352"]


CALLED = ("deepspeed", "AAA004", ("TypeError: 'NoneType' object is not iterable", "epilogue"))


class KnownByFrames(Symptoms):
    _rules = (("trl", "AAA005", CALLED[2][:1]), CALLED)


@pytest.mark.parametrize(("function", "code"), [("partition_epilogue", "AAA004"), ("f", "AAA005")])
def test_the_end_of_a_symptom_may_be_a_function_that_was_called(function: str, code: str) -> None:
    frames = (("runtime/stage.py", 860, function),)
    failed = Failure("TypeError", "'NoneType' object is not iterable", frames, "", 1)
    cause, *_ = KnownByFrames().causes([failed])
    assert cause.codes == (code,)


class KnownTwice(Symptoms):
    _rules = (
        ("trl", "AAA006", ("ValueError: another",)),
        ("trl", "AAA006", ("ValueError: no processor",)),
        ("trl", "AAA007", ("ValueError: no processor",)),
    )


def test_the_first_symptom_of_a_rule_is_more_its_own_than_a_later_one() -> None:
    (cause,) = KnownTwice().causes([failure("ValueError: no processor")])
    assert cause.codes == ("AAA007", "AAA006")


@pytest.mark.parametrize(
    "text", ["must be divisible ValueError:", "ValueError: divisible", "KeyError: 'x'"]
)
def test_pieces_in_another_order_or_missing_are_no_match(text: str) -> None:
    assert causes(text) == []


def test_an_end_is_found_whatever_the_config_says() -> None:
    (cause,) = causes("OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0")
    assert cause.end is not None
    assert cause.end.name == "gpu-memory-used-up"


@each(
    ("line", "name"),
    [
        (
            "RuntimeError: NPU out of memory. Tried to allocate 98.00 MiB (NPU 0)",
            "accelerator-memory-used-up",
        ),
        ("OutOfMemoryError: CUDA out of memory.", "gpu-memory-used-up"),
        (
            "DistNetworkError: The server socket has failed to listen on any local network address. port: 29500",
            "port-in-use",
        ),
        (
            "RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error.",
            "shared-memory-used-up",
        ),
        (
            "SafetensorError: Error while deserializing header: HeaderTooLarge",
            "weights-not-downloaded",
        ),
        (
            "SafetensorError: Error while deserializing header: header too large",
            "weights-not-downloaded",
        ),
        (
            "SafetensorError: Error while deserializing header: header too small",
            "weights-not-downloaded",
        ),
        (
            "SafetensorError: Error while deserializing header: incomplete metadata, file not fully covered",
            "weights-not-downloaded",
        ),
        (
            "ConnectionError: Tried to launch distributed communication on port `29500`, but another process is utilizing it. Please",
            "port-in-use",
        ),
        (
            "ArrowTypeError: (\"Expected bytes, got a 'list' object\", 'Conversion failed for column image with type object')",
            "json-with-two-types",
        ),
        (
            "ValueError: Failed to convert pandas DataFrame to Arrow Table from file a.json.",
            "json-with-two-types",
        ),
        (
            "ArrowInvalid: JSON parse error: Column() changed from object to array in row 0",
            "json-list-tried-by-lines",
        ),
        ("failed (exitcode: -6) local_rank: 0 (pid: 8) of binary: python", "process-aborted"),
        ("RuntimeError: CUDA error: device-side assert triggered", "index-outside-of-a-table"),
        ("RuntimeError: CUDA error: invalid device ordinal", "more-processes-than-gpus"),
        ("UsageError: api_key not configured (no-tty). call wandb.login()", "no-key-for-wandb"),
        (
            "DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.",
            "not-all-processes-came",
        ),
        (
            "RuntimeError: FlashAttention only supports Ampere GPUs or newer.",
            "gpu-too-old-for-flash-attention",
        ),
        ("OSError: [Errno 28] No space left on device", "disk-full"),
        (
            "RuntimeError: [enforce fail at inline_container.cc:595] . unexpected pos 5120 vs 5010",
            "disk-full",
        ),
        (
            "ArrowInvalid: JSON parse error: Column(/a) changed from string to array in row 5",
            "json-with-two-types",
        ),
    ],
)
def test_the_commonest_ends_are_known(line: str, name: str) -> None:
    (cause,) = causes(line)
    assert cause.end is not None
    assert cause.end.name == name


HUB = "https://huggingface.co"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (f"OSError: We couldn't connect to '{HUB}' to load this file, couldn't", "hub-not-reached"),
        (
            f"RepositoryNotFoundError: 404 Client Error. Repository Not Found for url: {HUB}/api/models/me/x.",
            "repository-not-found",
        ),
        (
            "HFValidationError: Repo id must be in the form 'repo_name' or 'namespace/repo_name': '/m/x'.",
            "path-taken-for-a-name",
        ),
        (
            "OSError: me/model does not appear to have a file named config.json. Checkout",
            "file-of-the-model-missing",
        ),
        (
            "OSError: Can't load tokenizer for 'x'. If you were trying to load it from",
            "no-tokenizer-in-the-folder",
        ),
        ("ValueError: Can't find 'adapter_config.json' at 'x'", "no-adapter-in-the-folder"),
        (
            "ValueError: The repository for x contains custom code which must be executed to correctly load the model.",
            "code-of-the-model-not-allowed",
        ),
        (
            "ValueError: Unrecognized configuration class <class 'a.LlavaConfig'> for this kind of AutoModel: AutoModelForCausalLM.",
            "class-for-another-kind-of-model",
        ),
        ("PermissionError: [Errno 13] Permission denied: '/output'", "path-not-allowed"),
        ("AssertionError: Torch not compiled with CUDA enabled", "torch-without-cuda"),
        ("RuntimeError: Found no NVIDIA driver on your system. Please", "no-driver-seen"),
        (
            "RuntimeError: The NVIDIA driver on your system is too old (found version 11040).",
            "driver-older-than-torch",
        ),
        (
            "RuntimeError: CUDA error: an illegal memory access was encountered",
            "kernel-outside-of-its-memory",
        ),
        (
            "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
            "cublas-not-started",
        ),
        ("RuntimeError: cutlassF: no kernel found to launch!", "no-attention-kernel"),
        (
            "DistBackendError: NCCL error in: a.hpp:275, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.19.3",
            "nccl-met-an-error-of-cuda",
        ),
        (
            "DistBackendError: NCCL error in: a.cpp:1333, unhandled system error, NCCL version 2.18.6",
            "nccl-met-an-error-of-the-system",
        ),
        (
            "DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (10.0.0.1, 29500).",
            "first-process-not-reached",
        ),
        (
            "RuntimeError: Timed out initializing process group in store based barrier on rank: 0",
            "barrier-of-the-start-timed-out",
        ),
        (
            "ValueError: Default process group has not been initialized, please make sure to call init_process_group.",
            "processes-not-joined",
        ),
        ("SignalException: Process 2054 got signal: 1", "launcher-told-to-end"),
        ("failed (exitcode: -11) local_rank: 0", "crash-in-compiled-code"),
        (
            "RuntimeError: CUDA Setup failed despite GPU being available.",
            "library-of-bitsandbytes-not-loaded",
        ),
        (
            "ImportError: libstdc++.so.6: version `GLIBCXX_3.4.29' not found",
            "older-library-of-cpp",
        ),
        (
            "ImportError: libc.so.6: version `GLIBC_2.32' not found",
            "system-older-than-the-package",
        ),
        (
            "ImportError: libcudart.so.11.0: cannot open shared object file: No such file",
            "extension-for-another-cuda",
        ),
        (
            "RuntimeError: The detected CUDA version (11.8) mismatches the version that was used to compile PyTorch (12.1).",
            "compiler-for-another-cuda",
        ),
        (
            "ImportError: FlashAttention2 has been toggled on, but it cannot be used due to the following error: x",
            "flash-attention-not-usable",
        ),
        (
            "NotImplementedError: No operator found for `memory_efficient_attention_forward` with inputs:",
            "no-operator-of-xformers",
        ),
        (
            "RuntimeError: Failed to find C compiler. Please specify via CC",
            "no-compiler-for-triton",
        ),
        (
            "ImportError: Using `bitsandbytes` 4-bit quantization requires the latest version of bitsandbytes",
            "bitsandbytes-not-usable",
        ),
        (
            "ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU RAM to fit",
            "quantized-model-larger-than-the-gpu",
        ),
        ("NotImplementedError: Cannot copy out of meta tensor; no data!", "weights-without-data"),
        (
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4096x1024 and 1x2097152)",
            "packed-weights-multiplied",
        ),
        (
            "RuntimeError: mat1 and mat2 must have the same dtype, but got Float and BFloat16",
            "two-precisions-in-one-operation",
        ),
        (
            "RuntimeError: Expected to mark a variable ready only once. This error",
            "gradient-ready-twice",
        ),
        (
            "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
            "a-part-on-the-cpu",
        ),
        (
            "ValueError: numpy.dtype size changed, may indicate binary incompatibility",
            "package-of-numpy-1",
        ),
        (
            "Exception: data did not match any variant of untagged enum ModelWrapper at line 7 column 3",
            "tokenizer-of-a-newer-release",
        ),
        (
            "TemplateError: Conversation roles must alternate user/assistant/user/assistant/...",
            "roles-do-not-alternate",
        ),
        (
            "UnpicklingError: Weights only load failed. This file",
            "checkpoint-with-more-than-weights",
        ),
        (
            "ValueError: loaded state dict contains a parameter group that doesn't match the size of optimizer's group",
            "optimizer-of-other-parameters",
        ),
        (
            "DatasetGenerationCastError: An error occurred while generating the dataset",
            "files-of-several-columns",
        ),
        ("ArrowInvalid: JSON parse error: Invalid value. in row 0", "json-not-valid"),
        ("IndexError: Invalid key: 5 is out of bounds for size 0", "no-column-is-left"),
        (
            "ValueError: num_samples should be a positive integer value, but got num_samples=0",
            "dataset-is-empty",
        ),
        ("OSError: [Errno 24] Too many open files", "too-many-open-files"),
        (
            "OutOfMemoryError: Task was killed due to the node running low on memory.",
            "ray-killed-a-task",
        ),
        (
            "ValueError: The model's max seq len (9) is larger than the maximum number of tokens that can be stored in KV cache (5).",
            "context-larger-than-the-cache",
        ),
        (
            "RuntimeError: CUDA error: uncorrectable ECC error encountered",
            "gpu-memory-broken",
        ),
        (
            "Exception: cublasLt ran into an error!",
            "eight-bits-on-a-newer-gpu",
        ),
        (
            "RuntimeError: No GPU found. A GPU is needed for quantization.",
            "no-gpu-to-quantize-on",
        ),
        (
            "ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
            "library-of-the-screen-missing",
        ),
        (
            "ValueError: PEFT backend is required for this method.",
            "diffusers-without-peft",
        ),
        (
            "RuntimeError: Direct module loading failed for UnslothGKDTrainer: non-default argument follows",
            "trainers-that-unsloth-rewrote",
        ),
        (
            "RuntimeError: The size of tensor a (0) must match the size of tensor b (4096) at non-singleton dimension 1",
            "adapter-merged-while-divided",
        ),
        (
            "RuntimeError: Invalid device string: '0'",
            "number-for-a-device",
        ),
        (
            "NameError: name 'Replicate' is not defined",
            "transformers-newer-than-torch",
        ),
        (
            "HfHubHTTPError: 429 Client Error: Too Many Requests for url: https://huggingface.co/api",
            "too-many-requests-to-the-hub",
        ),
        (
            "RuntimeError: Ninja is required to load C++ extensions",
            "ninja-not-found",
        ),
        (
            "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [",
            "changed-in-place-before-the-backward-pass",
        ),
        (
            "ValueError: Unknown split \"validation\". Should be one of ['train'].",
            "split-that-the-data-lacks",
        ),
        (
            "ValueError: You can't train a model that has been loaded in 8-bit or 4-bit precision on a different device than the one",
            "quantized-model-on-another-gpu",
        ),
        (
            "RuntimeError: Trying to backward through the graph a second time (or directly",
            "graph-used-twice",
        ),
        (
            "NameError: name 'PartialState' is not defined",
            "optional-package-missing",
        ),
        (
            "RuntimeError: module compiled against API version 0x10 but this version of numpy is 0xf",
            "package-of-a-newer-numpy",
        ),
        (
            "ValueError: `rope_scaling` must be a dictionary with two fields, `type` and `factor`, got {'factor': 8.0}",
            "scaling-of-a-newer-model",
        ),
        (
            "RuntimeError: CUDA error: peer mapping resources exhausted",
            "too-many-gpus-in-one-process",
        ),
        (
            "ValueError: Your model does not support multi-modal inputs",
            "pictures-for-a-text-model",
        ),
        (
            "RuntimeError: Unsloth: Error patching SFTTrainer",
            "trl-newer-than-unsloth",
        ),
        (
            "RuntimeError: Rank 9 successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 0.",
            "barrier-without-rank-zero",
        ),
        (
            "ImportError: cannot import name '_worker_manager_loop' from 'torch.utils.data.dataloader' (/x.py)",
            "name-that-a-release-lacks",
        ),
        (
            "AttributeError: module 'torch.compiler' has no attribute 'is_compiling'",
            "attribute-that-a-release-lacks",
        ),
        (
            "ImportError: cannot import name 'Trainer' from 'transformers' (/x/y.py)",
            "name-that-transformers-lacks",
        ),
        (
            "RuntimeError: stack expects each tensor to be equal size, but got [39] at entry 0 and [43] at entry 1",
            "rows-of-several-sizes-in-a-batch",
        ),
        ("KeyError: 'eval_loss'", "no-such-metric-of-the-evaluation"),
        (
            "ValueError: Inconsistent compute device and `device_id` on rank 3: cuda:0 vs cuda:3",
            "one-process-on-another-gpu",
        ),
        ("ModuleNotFoundError: No module named 'torch._six'", "package-of-an-older-torch"),
        (
            "RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.",
            "leaf-changed-in-place",
        ),
        ("RuntimeError: still have inflight params [{'id': 723}]", "parameters-still-on-their-way"),
        (
            "TypeError: LlamaRotaryEmbedding.forward() missing 1 required positional argument: 'position_ids'",
            "positions-of-a-newer-transformers",
        ),
        ("IndexError: Target 12 is out of bounds.", "label-out-of-range"),
        (
            "ImportError: /u/.cache/torch_extensions/cpu_adam/cpu_adam.so: cannot open shared object file: No such file",
            "part-of-deepspeed-not-built",
        ),
        ("OSError: [Errno 5] Input/output error", "disk-does-not-answer"),
        ("ZeroDivisionError: division by zero", "divided-by-nothing"),
    ],
)
def test_ends_that_are_reported_most_are_known(line: str, name: str) -> None:
    (cause,) = causes(line)
    assert cause.end is not None
    assert cause.end.name == name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (
            "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one.",
            "parameters-without-a-gradient",
        ),
        ("IndexError: index out of range in self", "index-outside-of-a-table"),
        (
            "RuntimeError: Some tensors share memory, this will lead to duplicate memory on disk and potential differences when loading them again",
            "weights-that-share-memory",
        ),
        (
            "ValueError: Image features and image tokens do not match: tokens: 1, features 2",
            "image-tokens-cut-off",
        ),
        (
            "OutOfResources: out of resource: shared memory, Required: 147456, Hardware limit: 101376.",
            "kernel-needs-more-shared-memory",
        ),
    ],
)
def test_a_general_text_is_one_of_a_framework_only_where_something_shows_it(
    line: str, name: str
) -> None:
    (cause,) = Symptoms().causes([failure(line)], lambda framework: False)
    assert cause.end is not None
    assert cause.end.name == name
    both = Symptoms().causes([failure(line)])
    assert [one.end for one in ordered(both, lambda code: False)] == [cause.end, None]
    assert [one.end for one in ordered(both, lambda code: True)] == [None, cause.end]


def test_what_passes_a_failure_on_tells_where_to_look_if_nothing_else_has_a_cause() -> None:
    passed = "ChildFailedError: CUDA out of memory. Tried to allocate 1 GiB"
    (cause,) = causes("ValueError: never heard of", passed)
    assert cause.end is not None
    assert cause.end.name == "process-of-the-launcher-failed"
    assert cause.end.vague
    (cause,) = causes("OSError: [Errno 28] No space left on device", passed)
    assert cause.end is not None
    assert cause.end.name == "disk-full"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("TypeError: 'NoneType' object is not iterable", "nothing-in-place-of-a-value"),
        (
            "AttributeError: 'NoneType' object has no attribute 'shape'",
            "nothing-in-place-of-an-object",
        ),
        ("IndexError: list index out of range", "list-is-too-short"),
        ("TypeError: string indices must be integers, not 'str'", "text-in-place-of-an-object"),
        ("TypeError: 'float' object is not iterable", "number-in-place-of-text"),
        (
            "TypeError: '<=' not supported between instances of 'float' and 'str'",
            "text-in-place-of-a-number",
        ),
    ],
)
def test_what_python_says_of_any_program_is_of_no_framework_that_nothing_shows(
    line: str, name: str
) -> None:
    met = [failure(line, 7)]
    (cause,) = Symptoms().causes(met, lambda _: False)
    assert cause.end is not None
    assert cause.end.name == name
    assert cause.end.vague
    memory = failure("OutOfMemoryError: CUDA out of memory. Tried to allocate 1 GiB", 8)
    (cause,) = Symptoms().causes([*met, memory], lambda _: False)
    assert cause.failure is memory


def test_what_python_says_of_any_program_comes_before_a_rule_of_its_framework() -> None:
    found = Symptoms().causes([failure("IndexError: list index out of range")])
    end, rule = ordered(found, lambda code: False)
    assert end.end is not None
    assert end.end.name == "list-is-too-short"
    assert rule.codes == ("ORL750",)
    rule, end = ordered(found, lambda code: True)
    assert rule.codes == ("ORL750",)


def test_what_the_config_has_comes_first_and_a_time_out_last() -> None:
    found = causes(
        "Watchdog caught collective operation timeout: WorkNCCL(x)",
        "OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
        "ValueError: 7 must be divisible by 8",
        "ValueError: The batch (7) must be divisible by the groups (8)",
    )
    order = [
        cause.codes or (cause.end and cause.end.name) for cause in ordered(found, "AAA003".__eq__)
    ]
    assert order == [
        ("AAA002", "AAA003"),
        ("AAA001",),
        "gpu-memory-used-up",
        "collective-timed-out",
    ]


def test_rules_by_the_words_of_an_error() -> None:
    known = Known()
    assert known.with_words("must be  divisible by the GROUPS")[:2] == [
        ("AAA002", "trl"),
        ("AAA003", "axolotl"),
    ]
    assert ("AAA001", "trl") in known.with_words("ValueError: 1 must be divisible by 2")


@pytest.mark.parametrize(
    "words",
    [
        "(7) must be divisible by the groups",
        "The batch (7) must be divis",
        "Error: The batch (123) must be divisible by",
    ],
)
def test_a_part_of_an_error_with_gaps(words: str) -> None:
    assert Known().with_words(words)[:2] == [("AAA002", "trl"), ("AAA003", "axolotl")]


@pytest.mark.parametrize("words", ["", "must", "a batch of words which must be"])
def test_few_words_in_common_say_nothing(words: str) -> None:
    assert Known().with_words(words) == []


@product
def test_parts_of_the_symptoms_of_all_rules() -> None:
    """Five words anywhere in an error name the rule; every eighth symptom is tried at most."""
    known, tried, found = Symptoms(), 0, 0
    for framework, code, pieces in drawn(known._rules[::8], 40):
        words = " 7 ".join(pieces).split()
        for start in range(0, len(words) - 4, 3):
            tried += 1
            found += (code, framework) in known.with_words(" ".join(words[start : start + 5]))
    assert tried > 40
    assert found >= 0.95 * tried


def test_ends_by_the_words_of_an_error() -> None:
    (end,) = Symptoms().ends_with_words("cuda out of memory")
    assert end.name == "gpu-memory-used-up"
    assert Symptoms().ends_with_words("never heard of") == []


def test_a_part_of_a_symptom_gives_way_to_an_end_that_is_there_in_full() -> None:
    known = Symptoms()
    words = "bash: accelerate: command not found"
    assert known.with_words(words) == []
    assert known.ends_with_words(words)[0].name == "command-not-there"
    assert known.with_words("run.sh: line 3: --lr: command not found")[0][0] == "LCH814"


@product
def test_every_symptom_of_the_rules_is_matched_by_itself() -> None:
    known = Symptoms()
    for framework, code, pieces in drawn(known._rules, 200):
        text = " 7 ".join(pieces)
        found = [
            one
            for cause in known.causes([failure(text)])
            for one in zip(cause.codes, cause.frameworks, strict=True)
        ]
        assert (code, framework) in found, pieces


BATCH = (
    "AssertionError: Check batch related parameters. train_batch_size is not equal to "
    "micro_batch_per_gpu * gradient_acc_step * world_size 16 != 2 * 1 * 1"
)


def test_a_text_of_a_library_is_of_no_framework_that_nothing_shows() -> None:
    (end,) = Symptoms().causes([failure(BATCH)], lambda _: False)
    assert end.end is not None
    assert (end.end.name, end.leads) == ("deepspeed-batch-sizes-differ", True)
    rule, end = Symptoms().causes([failure(BATCH)], "openrlhf".__eq__)
    assert (rule.codes, end.leads) == (("ORL020",), True)
    assert ordered([rule, end], lambda _: False)[0] is end
    # A text that no end has is the framework's own.
    (cause,) = Known().causes([failure("ValueError: 7 must be divisible by 8")], lambda _: False)
    assert cause.codes == ("AAA001",)


class OfSeveral(Symptoms):
    _rules = (("llamafactory", "AAA004", EXACT[2]), ("trl", "AAA005", EXACT[2]))


@pytest.mark.parametrize(
    ("shown", "codes"),
    [
        ((), ("AAA005", "AAA004")),
        (("llamafactory",), ("AAA004", "AAA005")),
        (("trl",), ("AAA005", "AAA004")),
    ],
)
def test_what_is_shown_comes_first_and_then_what_others_are_built_on(
    shown: tuple[str, ...], codes: tuple[str, ...]
) -> None:
    error = failure("ValueError: The batch (7) must be divisible by the groups (8)")
    (cause,) = OfSeveral().causes([error], shown.__contains__)
    assert cause.codes == codes


@each(
    ("words", "name"),
    [
        ("ModuleNotFoundError: No module named 'flash_attn'", "module-not-installed"),
        ("Detected 1 oom_kill event in StepId=9.0.", "job-memory-used-up"),
        (
            "*** JOB 9 ON n CANCELLED AT 2026-11-20T10:10:00 DUE TO TIME LIMIT ***",
            "job-out-of-time",
        ),
        ("*** JOB 9 ON n CANCELLED AT 2026-11-20T10:10:00 DUE TO PREEMPTION ***", "job-preempted"),
    ],
)
def test_ends_of_jobs(words: str, name: str) -> None:
    assert [end.name for end in Symptoms().ends_with_words(words)][:1] == [name]


@pytest.mark.parametrize(
    "words",
    [
        "GRPO with vLLM is not compatible with device_map. Please set NPROC_PER_NODE equal to num_processes",
        "“GRPO with vLLM is not compatible with `device_map`",
        "but you didn\u2019t pass an eval_dataset",
    ],
)
def test_quotes_of_a_message_do_not_matter(words: str) -> None:
    assert Symptoms().with_words(words)


GROUPS = "must be evenly divisible by the number of generations per prompt (8)."


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"ValueError: The global train batch size (3 x 1) {GROUPS}", "TRL114"),
        (f"ValueError: The effective train batch size (3 x 1 x 8) {GROUPS}", "TRL041"),
    ],
)
def test_the_groups_of_each_time_have_words_of_their_own(text: str, code: str) -> None:
    (cause,) = Symptoms().causes([failure(text)], "trl".__eq__)
    assert cause.codes[0] == code


def test_a_rule_about_other_releases_than_the_one_that_ran_is_no_cause() -> None:
    failed = failure(f"ValueError: The effective train batch size (3 x 1 x 8) {GROUPS}")
    (cause,) = Symptoms().causes([failed], versions={"ms-swift": "4.3.0"})
    assert "SWF057" in cause.codes
    assert "SWF730" not in cause.codes
    (cause,) = Symptoms().causes([failed], versions={"ms-swift": "3.7.0"})
    assert "SWF730" in cause.codes
    assert "SWF057" not in cause.codes


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("omegaconf.errors.ConfigAttributeError: Key 'a' is not in struct", "hydra-key-not-there"),
        (
            "ValueError: No available memory for the cache blocks. Try",
            "no-memory-for-the-cache-of-vllm",
        ),
        (
            "RuntimeError: world_size (8) is not divisible by 6",
            "processes-not-divided-by-parallel-sizes",
        ),
    ],
)
def test_ends_of_libraries(text: str, name: str) -> None:
    causes = Symptoms().causes([failure(text)])
    assert name in {cause.end.name for cause in causes if cause.end is not None}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Ambiguous value for argument 'data.seed=1,2' 1. To use it as a list", "VRL003"),
        ("LexerNoViableAltException: data.seed=}", "VRL002"),
        ("missing EQUAL at '<EOF>' See https://hydra.cc/docs/1.2/advanced", "VRL001"),
        ("In 'ppo_trainer': Could not override 'a'. No match in the defaults list.", "VRL020"),
        ("Could not append to config. An item is already at 'data.seed'.", "VRL004"),
    ],
)
def test_what_hydra_prints_is_the_symptom_of_a_rule(text: str, code: str) -> None:
    (cause,) = Symptoms().causes([failure(text)])
    assert cause.codes == (code,)


@each(
    ("line", "name"),
    [
        (
            "OSError: Incorrect path_or_model_id: '/m/x'. Please provide either the path to a local folder or the repo_id of a model on the Hub.",
            "path-taken-for-a-name",
        ),
        (
            "ValueError: Mismatch in `image` token count between text and `input_ids`. Got ids=[1] and text=[2].",
            "image-tokens-cut-off",
        ),
        ("line 3: accelerate: command not found", "command-not-there"),
        (
            "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx(`",
            "multiplication-failed",
        ),
        (
            "RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasGemmEx(`",
            "cublas-of-another-cuda",
        ),
        ("RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "cudnn-not-started"),
        ("RuntimeError: ptrDesc->finalize()", "convolution-not-planned"),
        ("RuntimeError: No CUDA GPUs are available", "no-gpu-visible"),
        (
            "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized",
            "switches-between-gpus-not-started",
        ),
        (
            "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 804: forward compatibility was attempted on non supported HW",
            "driver-older-than-the-container",
        ),
        (
            "AssertionError: no_sync context manager is incompatible with gradient partitioning logic of ZeRO stage 3",
            "no-sync-with-divided-gradients",
        ),
        (
            "RuntimeError: Dataset scripts are no longer supported, but found x.py",
            "dataset-with-a-script",
        ),
        (
            "ArrowInvalid: offset overflow while concatenating arrays",
            "column-too-large-for-arrow",
        ),
        (
            "ValueError: Total available GPUs 8.0 is less than total desired GPUs 16",
            "fewer-gpus-in-ray",
        ),
        (
            "PackageNotFoundError: No package metadata was found for bitsandbytes",
            "package-without-metadata",
        ),
        (
            "ValueError: Unknown quantization type, got fp8 - supported types are: ['awq', 'gptq']",
            "quantization-not-known",
        ),
        (
            "ValueError: Invalid pattern: '**' can only be an entire path component",
            "fsspec-newer-than-datasets",
        ),
        (
            "RuntimeError: [enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes.",
            "memory-of-the-machine-refused",
        ),
        (
            "RuntimeError: value cannot be converted to type at::Half without overflow",
            "number-too-large-for-fp16",
        ),
        (
            "LocalEntryNotFoundError: An error happened while trying to locate the file on the Hub and we cannot find the requested files in the local cache.",
            "hub-not-reached",
        ),
        (
            "CommError: Run initialization has timed out after 90.0 sec.",
            "tracker-not-reached",
        ),
        (
            "RendezvousConnectionError: The connection to the C10d store has failed. See inner exception for details.",
            "meeting-point-lost",
        ),
        (
            "AttributeError: module 'transformer_engine' has no attribute 'pytorch'",
            "transformer-engine-without-torch",
        ),
        (
            "ValueError: type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')",
            "gpu-too-old-for-fp8",
        ),
        (
            "ValueError: The model you are trying to fine-tune is quantized with QuantizationMethod.FP8 but that quantization method do not support training.",
            "quantization-not-for-training",
        ),
    ],
)
def test_ends_of_the_start_and_of_libraries_of_cuda(line: str, name: str) -> None:
    (cause,) = causes(line)
    assert cause.end is not None
    assert cause.end.name == name


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("line 5: --lr: command not found", ("LCH814", "LCH815")),
        ("line 5: override data.seed=1: command not found", ("LCH814",)),
        ("line 5: $'\\r': command not found", ("LCH815",)),
    ],
)
def test_options_that_the_program_did_not_get_come_before_what_it_says(
    text: str, codes: tuple[str, ...]
) -> None:
    known = Symptoms().causes([failure("CUDA out of memory"), failure(text, 9)])
    first, *_ = ordered(known, lambda _: False)
    assert first.codes == codes
