"""What becomes of a key of a command of ms-swift."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in, messages

BASE = "swift sft --model Qwen/Qwen3-8B --dataset a.jsonl "


def said(words: str, release: str = "3.8.0", files: Mapping[str, str] = {}) -> list[str]:
    target = (f"ms-swift=={release}",) if release else ()
    text = BASE + words
    found = lint_in(
        files, text, name="run.sh", framework="swift", select=("KEY", "TYP"), target=target
    )
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("\n", []),
        (
            "--lora_rnk 8\n",
            [
                "error: No release of `swift sft` has an argument `lora_rnk`; `swift sft` refuses the command. Did you mean `lora_rank`?"
            ],
        ),
        (
            "--nothing_like_it 1\n",
            [
                "error: No release of `swift sft` has an argument `nothing_like_it`; `swift sft` refuses the command."
            ],
        ),
        (
            "--sft_type lora\n",
            [
                "error: `sft_type` was removed in ms-swift 3.0.0; `swift sft` refuses the command. Use `train_type`."
            ],
        ),
        (
            "--model_id_or_path x\n",
            [
                "error: `model_id_or_path` was removed in ms-swift 3.0.0; `swift sft` refuses the command. `model`, which replaces it, is set as well: delete this key."
            ],
        ),
        ("--lora_r 8\n", []),
        (
            "--micro_batch_size 2\n",
            [
                "error: No release of `swift sft` has an argument `micro_batch_size`; `swift sft` refuses the command. It is an argument of `megatron sft`, `megatron pt` and `megatron rlhf`."
            ],
        ),
        (
            "--ignore_args_error true --nothing 1\n",
            [
                "warning: No release of `swift sft` has an argument `nothing`; `swift sft` silently ignores it."
            ],
        ),
        (
            "--ignore_args_error false --nothing 1\n",
            [
                "error: No release of `swift sft` has an argument `nothing`; `swift sft` refuses the command."
            ],
        ),
        (
            "--use_ray true --device_groups x\n",
            [
                "error: `use_ray` exists since ms-swift 3.10.0, and this file is for 3.8.0 (--target); `swift sft` refuses the command.",
                "error: `device_groups` exists since ms-swift 3.10.0, and this file is for 3.8.0 (--target); `swift sft` refuses the command.",
            ],
        ),
        (
            "--device_groups x\n",
            [
                "error: `device_groups` exists since ms-swift 3.10.0, and this file is for 3.8.0 (--target); `swift sft` refuses the command."
            ],
        ),
        (
            "--evaluation_strategy steps\n",
            [
                "error: `evaluation_strategy` was removed in transformers 4.51.0; `swift sft` refuses the command. Use `eval_strategy`."
            ],
        ),
        (
            "--tp_size 2\n",
            [
                "error: `tp_size` was removed in transformers 4.52.1; `swift sft` refuses the command."
            ],
        ),
        (
            "--beta 0.1\n",
            [
                "error: No release of `swift sft` has an argument `beta`; `swift sft` refuses the command. It is an argument of `swift rlhf`, `megatron sft` and `megatron pt`."
            ],
        ),
        (
            "--num_infer_workers 1\n",
            [
                "error: No release of `swift sft` has an argument `num_infer_workers`; `swift sft` refuses the command."
            ],
        ),
        (
            "--vllm_tensor_parallel_size 2\n",
            [
                "error: No release of `swift sft` has an argument `vllm_tensor_parallel_size`; `swift sft` refuses the command. It is an argument of `swift rlhf`, `swift infer` and `swift deploy`."
            ],
        ),
        (
            "--result_path x\n",
            [
                "error: No release of `swift sft` has an argument `result_path`; `swift sft` refuses the command. It is an argument of `swift infer`, `swift deploy` and `swift eval`."
            ],
        ),
        ("--eval_dataset x\n", []),
        ("--lora_rank x\n", ["error: `lora_rank` expects a whole number but got the text 'x'."]),
        ("--train_type lorra\n", []),
        (
            "--max_length 2.5\n",
            ["error: `max_length` expects a whole number but got the text '2.5'."],
        ),
        ("--warmup_ratio x\n", ["error: `warmup_ratio` expects a number but got the text 'x'."]),
        (
            "--template_type x\n",
            [
                "error: `template_type` was removed in ms-swift 3.0.0; `swift sft` refuses the command. Use `template`."
            ],
        ),
    ],
)
def test_keys(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "release", "expected"),
    [
        ("--sft_type lora\n", "2.6.0", []),
        (
            "--train_type lora\n",
            "2.6.0",
            [
                "error: `train_type` exists since ms-swift 3.0.0, and this file is for 2.6.0 (--target); `swift sft` refuses the command. There it is called `sft_type`."
            ],
        ),
        ("--evaluation_strategy steps\n", "3.0.0", []),
        (
            "--model_type x\n",
            "",
            [
                "error: `x` is not a valid `model_type`; expected aya, baichuan, baichuan2, bluelm, c4ai, chatglm2, chatglm3, codefuse_codegeex2 and 229 others."
            ],
        ),
        (
            "--lora_rnk 8\n",
            "",
            [
                "error: No release of `swift sft` has an argument `lora_rnk`; `swift sft` refuses the command. Did you mean `lora_rank`?"
            ],
        ),
        ("--logprobs true\n", "3.8.0", []),
        (
            "--tuner_type lora\n",
            "3.8.0",
            [
                "error: `tuner_type` exists since ms-swift 4.0.0, and this file is for 3.8.0 (--target); `swift sft` refuses the command. There it is called `train_type`."
            ],
        ),
        ("--tuner_type lora\n", "4.0.0", []),
        ("--train_type lora\n", "4.0.0", []),
    ],
)
def test_releases(words: str, release: str, expected: list[str]) -> None:
    assert said(words, release) == expected


@each(
    ("words", "release", "files", "expected"),
    [
        (
            "--evaluation_strategy steps\n",
            "3.8.0",
            {"requirements.txt": "ms-swift==3.8.0\ntransformers==4.40.0\n"},
            [],
        ),
        (
            "--evaluation_strategy steps\n",
            "3.8.0",
            {"requirements.txt": "ms-swift==3.8.0\ntransformers==4.55.0\n"},
            [
                "error: `evaluation_strategy` was removed in transformers 4.51.0; `swift sft` refuses the command. Use `eval_strategy`."
            ],
        ),
        (
            "--tp_size 2\n",
            "3.8.0",
            {"requirements.txt": "ms-swift==3.8.0\ntransformers==4.51.0\n"},
            [],
        ),
    ],
)
def test_projects(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
