"""What becomes of a key of a file for a command of TRL."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in, messages

BASE = "model_name_or_path: Qwen/Qwen3-8B\ndataset_name: a/b\noutput_dir: out\nper_device_train_batch_size: 1\n"


def said(words: str, release: str = "0.20.0", files: Mapping[str, str] = {}) -> list[str]:
    target = (f"trl=={release}",) if release else ()
    text = BASE + words
    found = lint_in(
        files, text, name="sft.yaml", framework="trl", select=("KEY", "TYP"), target=target
    )
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("max_length: 1024\n", []),
        (
            "max_lenght: 1024\n",
            [
                "error: No release of `trl sft` has a key `max_lenght` at the top level; `trl sft` refuses the file. Did you mean `max_length`?"
            ],
        ),
        (
            "nothing_like_it: 1\n",
            [
                "error: No release of `trl sft` has a key `nothing_like_it` at the top level; `trl sft` refuses the file."
            ],
        ),
        ("num_processes: 8\n", []),
        ("mixed_precision: bf16\n", []),
        ("accelerate_config: zero3\n", []),
        (
            "beta: 0.1\n",
            [
                "warning: No release of `trl sft` has a key `beta` at the top level; `trl sft` silently ignores it. It is a key of `trl distillation` and `trl dpo` and `trl grpo` and `trl kto` and `trl rloo`."
            ],
        ),
        (
            "num_generations: 4\n",
            [
                "warning: No release of `trl sft` has a key `num_generations` at the top level; `trl sft` silently ignores it. It is a key of `trl grpo` and `trl rloo`."
            ],
        ),
        (
            "reward_funcs: [a]\n",
            [
                "warning: No release of `trl sft` has a key `reward_funcs` at the top level; `trl sft` silently ignores it. It is a key of `trl grpo` and `trl rloo`."
            ],
        ),
        (
            "lora_rank: 8\n",
            [
                "error: `lora_rank` is a key of LLaMA-Factory; `trl sft` refuses the file. Use `lora_r`."
            ],
        ),
        (
            "micro_batch_size: 2\n",
            [
                "error: `micro_batch_size` is a key of Axolotl; `trl sft` refuses the file. Its name here is `per_device_train_batch_size`, which is set as well."
            ],
        ),
        (
            "max_seq_length: 1024\n",
            [
                "error: `max_seq_length` was removed in TRL 0.20.0; `trl sft` refuses the file. Use `max_length`."
            ],
        ),
        (
            "evaluation_strategy: steps\n",
            [
                "error: `evaluation_strategy` was removed in transformers 4.51.0; `trl sft` refuses the file. Use `eval_strategy`."
            ],
        ),
        ("learning_rate: x\n", ["error: `learning_rate` expects a number but got the text 'x'."]),
        ("packing: maybe\n", ["error: `packing` expects true or false but got the text 'maybe'."]),
        ("gradient_checkpointing: yes\n", []),
        ("dataset_text_field: 3\n", []),
        (
            "scale_rewards: true\n",
            [
                "warning: No release of `trl sft` has a key `scale_rewards` at the top level; `trl sft` silently ignores it. It is a key of `trl grpo`."
            ],
        ),
        (
            "num_iterations: 1\n",
            [
                "warning: No release of `trl sft` has a key `num_iterations` at the top level; `trl sft` silently ignores it. It is a key of `trl grpo` and `trl rloo`."
            ],
        ),
        (
            "num_iterations: 2\n",
            [
                "warning: No release of `trl sft` has a key `num_iterations` at the top level; `trl sft` silently ignores it. It is a key of `trl grpo` and `trl rloo`."
            ],
        ),
        (
            "padding_fre: true\n",
            [
                "error: No release of `trl sft` has a key `padding_fre` at the top level; `trl sft` refuses the file. Did you mean `padding_free`?"
            ],
        ),
        (
            "a1: 1\nb2: 2\nc3: 3\nd4: 4\ne5: 5\nf6: 6\ng7: 7\n",
            [
                "note: No release of `trl sft` has a key `a1` at the top level; another program seems to read this file as well. The same applies to `b2`, `c3`, `d4`, `e5` and 2 more."
            ],
        ),
    ],
)
def test_keys(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "release", "expected"),
    [
        ("max_seq_length: 1024\n", "0.19.0", []),
        ("max_seq_length: 1024\n", "0.12.0", []),
        (
            "max_lenght: 1\n",
            "",
            [
                "error: No release of `trl sft` has a key `max_lenght` at the top level; `trl sft` refuses the file. Did you mean `max_length`?"
            ],
        ),
        (
            "nothing_like_it: 1\n",
            "0.9.6",
            [
                "error: No release of `trl sft` has a key `nothing_like_it` at the top level; `trl sft` refuses the file."
            ],
        ),
        (
            "num_processes: 8\n",
            "0.9.6",
            [
                "error: `num_processes` exists since TRL 0.18.0, and this file is for 0.9.6 (--target); `trl sft` refuses the file. It is an option of `accelerate launch`: `--num_processes`."
            ],
        ),
        (
            "activation_offloading: true\n",
            "0.15.0",
            [
                "error: `activation_offloading` exists since TRL 0.18.0, and this file is for 0.15.0 (--target); `trl sft` silently ignores it."
            ],
        ),
        (
            "assistant_only_loss: true\n",
            "0.18.0",
            [
                "error: `assistant_only_loss` exists since TRL 0.19.0, and this file is for 0.18.0 (--target); `trl sft` refuses the file."
            ],
        ),
    ],
)
def test_releases(words: str, release: str, expected: list[str]) -> None:
    assert said(words, release) == expected


@each(
    ("words", "release", "files", "expected"),
    [
        (
            "nothing_like_it: 1\n",
            "0.20.0",
            {
                "train.py": "from trl import SFTConfig, TrlParser\nparser = TrlParser((SFTConfig,))\nargs = parser.parse_args_and_config()\n"
            },
            [
                "error: No release of `trl sft` has a key `nothing_like_it` at the top level; TRL's `SFTConfig` refuses the file."
            ],
        ),
        (
            "max_lenght: 1\n",
            "0.20.0",
            {"train.py": "import yaml\nconfig = yaml.safe_load(open('sft.yaml'))\n"},
            [],
        ),
    ],
)
def test_projects(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
