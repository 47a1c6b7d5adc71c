"""What becomes of a key of LLaMA-Factory's files."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in, messages

BASE = "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\nstage: sft\ndo_train: true\nfinetuning_type: lora\ndataset: one\ncutoff_len: 2048\noutput_dir: ./out\n"


def said(words: str, release: str = "0.9.3", files: Mapping[str, str] = {}) -> list[str]:
    target = (f"llamafactory=={release}",) if release else ()
    text = BASE + words
    found = lint_in(
        files,
        text,
        name="train.yaml",
        framework="llamafactory",
        select=("KEY", "TYP"),
        target=target,
    )
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("", []),
        (
            "lora_rnk: 8\n",
            [
                "error: No release of LLaMA-Factory has a key `lora_rnk` at the top level; LLaMA-Factory refuses the file. Did you mean `lora_rank`?"
            ],
        ),
        (
            "nothing_like_it: 1\n",
            [
                "error: No release of LLaMA-Factory since 0.6.0 has a key `nothing_like_it` at the top level; LLaMA-Factory refuses the file."
            ],
        ),
        ("tensor_model_parallel_size: 2\n", []),
        ("kt_config: x\n", []),
        (
            "formatting: sharegpt\n",
            [
                "error: No release of LLaMA-Factory since 0.6.0 has a key `formatting` at the top level; LLaMA-Factory refuses the file. It belongs in `dataset_info.json`, in the entry of its dataset."
            ],
        ),
        (
            "prompt: x\n",
            [
                "error: No release of LLaMA-Factory since 0.6.0 has a key `prompt` at the top level; LLaMA-Factory refuses the file. It belongs in `dataset_info.json`, in the entry of its dataset."
            ],
        ),
        (
            "file_sha1: x\n",
            [
                "error: No release of LLaMA-Factory since 0.6.0 has a key `file_sha1` at the top level; LLaMA-Factory refuses the file."
            ],
        ),
        ("evaluation_strategy: steps\n", []),
        (
            "eval_strategy: nothing\n",
            ["error: `nothing` is not a valid `eval_strategy`; expected epoch, no or steps."],
        ),
        (
            "evaluation_strategy: steps\neval_strategy: nothing\n",
            ["error: `nothing` is not a valid `eval_strategy`; expected epoch, no or steps."],
        ),
        ("dispatch_batches: true\n", []),
        ("tp_size: 2\n", []),
        ("galore_rank: 4\n", []),
        ("galore_rank: x\n", []),
        (
            "use_galore: true\ngalore_rank: x\n",
            ["error: `galore_rank` expects a whole number but got the text 'x'."],
        ),
        (
            "lora_r: 8\n",
            ["error: `lora_r` is a key of PEFT; LLaMA-Factory refuses the file. Use `lora_rank`."],
        ),
        (
            "micro_batch_size: 2\n",
            [
                "error: `micro_batch_size` is a key of Axolotl; LLaMA-Factory refuses the file. Use `per_device_train_batch_size`."
            ],
        ),
        (
            "mixed_precision: bf16\n",
            [
                "error: `mixed_precision` is a key of accelerate; LLaMA-Factory refuses the file. Use `bf16`."
            ],
        ),
        ("mixed_precision: bf16_mixed\n", []),
        (
            "rope_scaling: nothing\n",
            [
                "warning: `nothing` is not a valid `rope_scaling`; expected dynamic, linear, llama3 or yarn."
            ],
        ),
        (
            "flash_attn: fa9\n",
            ["error: `fa9` is not a valid `flash_attn`; expected auto, fa2, sdpa or disabled."],
        ),
        ("badam_mode: x\n", []),
    ],
)
def test_keys(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "release", "expected"),
    [
        (
            "evaluation_strategy: steps\neval_strategy: nothing\n",
            "0.9.0",
            [
                "error: `qwen3` is not a valid `template`; expected qwen, qwen2_vl, alpaca, aquila, atom, baichuan, baichuan2, belle and 46 others. LLaMA-Factory accepts it since 0.9.3."
            ],
        ),
        (
            "template: gpt\n",
            "0.9.3",
            [
                "error: `gpt` is not a valid `template`; expected alpaca, aquila, atom, baichuan, baichuan2, belle, bluelm, chatglm2 and 91 others."
            ],
        ),
        (
            "template: gpt_oss\n",
            "0.9.3",
            [
                "error: `gpt_oss` is not a valid `template`; expected alpaca, aquila, atom, baichuan, baichuan2, belle, bluelm, chatglm2 and 91 others. LLaMA-Factory accepts it since 0.9.4."
            ],
        ),
        ("template: gpt_oss\n", "0.9.4", []),
        ("tp_size: 2\n", "0.9.4", []),
        (
            "lora_rnk: 8\n",
            "",
            [
                "error: No release of LLaMA-Factory has a key `lora_rnk` at the top level; LLaMA-Factory refuses the file. Did you mean `lora_rank`?"
            ],
        ),
        ("template: moss_vl\n", "0.9.4", []),
        (
            "template: nothing\n",
            "0.9.4",
            [
                "error: `nothing` is not a valid `template`; expected alpaca, aquila, atom, baichuan, baichuan2, belle, bluelm, chatglm2 and 116 others."
            ],
        ),
        (
            "reward_model_type: x\n",
            "0.9.3",
            ["warning: `x` is not a valid `reward_model_type`; expected api, full or lora."],
        ),
        (
            "use_badam: true\nbadam_mode: x\n",
            "0.9.3",
            ["warning: `x` is not a valid `badam_mode`; expected layer or ratio."],
        ),
    ],
)
def test_releases(words: str, release: str, expected: list[str]) -> None:
    assert said(words, release) == expected


@each(("release", "is_told"), [("0.9.5", True), ("0.9.3", False)])
def test_the_newer_name_of_a_template(release: str, is_told: bool) -> None:
    text = BASE.replace("template: qwen3", "template: gpt")
    found = lint_in(
        *({}, text),
        name="train.yaml",
        framework="llamafactory",
        select=("TYP",),
        target=(f"llamafactory=={release}",),
    )
    (message,) = messages(found)
    assert message.startswith("error: `gpt` is not a valid `template`; ")
    assert message.endswith("Use `gpt_oss`, which does the same.") is is_told
