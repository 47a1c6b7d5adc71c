"""What becomes of a key of a script of LLaMA2-Accessory."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in, messages

BASE = "torchrun --nproc_per_node 8 main_finetune.py --llama_type llama --output_dir o --data_config d.yaml "


def said(words: str, release: str = "", files: Mapping[str, str] = {}) -> list[str]:
    target = (f"llama2-accessory=={release}",) if release else ()
    text = BASE + words
    found = lint_in(
        files, text, name="run.sh", framework="accessory", select=("KEY", "TYP"), target=target
    )
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("\n", []),
        ("--epochs 3\n", []),
        ("--epochs x\n", ["error: `epochs` expects a whole number but got the text 'x'."]),
        ("--epochs 3.5\n", ["error: `epochs` expects a whole number but got the text '3.5'."]),
        ("--lr x\n", ["error: `lr` expects a number but got the text 'x'."]),
        ("--lr 1e-5\n", []),
        (
            "--precision bf17\n",
            ["error: `bf17` is not a valid `precision`; expected fp16, bf16, tf32."],
        ),
        ("--precision bf16\n", []),
        ("--epoch 3\n", []),
        (
            "--epchs 3\n",
            [
                "error: No release of LLaMA2-Accessory has an option `epchs`; LLaMA2-Accessory refuses the file. Did you mean `epochs`?"
            ],
        ),
        (
            "--nothing_like_it 3\n",
            [
                "error: No release of LLaMA2-Accessory has an option `nothing_like_it`; LLaMA2-Accessory refuses the file."
            ],
        ),
        ("--dialog yes\n", []),
        ("--dialog\n", []),
        ("--model_parallel_size $N\n", []),
        (
            "--batch_size 4 --batch_sze 3\n",
            [
                "error: No release of LLaMA2-Accessory has an option `batch_sze`; LLaMA2-Accessory refuses the file. Did you mean `batch_size`? That is set as well."
            ],
        ),
        (
            "--help\n",
            [
                "error: No release of LLaMA2-Accessory has an option `help`; LLaMA2-Accessory refuses the file."
            ],
        ),
    ],
)
def test_keys(words: str, expected: list[str]) -> None:
    assert said(words) == expected
