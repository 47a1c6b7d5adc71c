"""What becomes of a key of a program of OpenRLHF."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in, messages

BASE = "deepspeed --module openrlhf.cli.train_sft --pretrain a/b --dataset c --max_len 2048 "


def said(words: str, release: str = "0.8.0", files: Mapping[str, str] = {}) -> list[str]:
    target = (f"openrlhf=={release}",) if release else ()
    text = BASE + words
    found = lint_in(
        files, text, name="run.sh", framework="openrlhf", select=("KEY", "TYP"), target=target
    )
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("\n", []),
        (
            "--max_ln 1\n",
            [
                "error: No release of OpenRLHF has an option `max_ln`; OpenRLHF refuses the command. Did you mean `max_len`? That is set as well."
            ],
        ),
        (
            "--nothing_like_it 1\n",
            [
                "error: No release of OpenRLHF since 0.3.6 has an option `nothing_like_it`; OpenRLHF refuses the command."
            ],
        ),
        ("--help\n", []),
        ("--learning_rate 1e-5\n", []),
        ("--lora_r 8\n", []),
        (
            "--micro_batch_size 2\n",
            [
                "error: `micro_batch_size` belongs under `train:`; here OpenRLHF refuses the command."
            ],
        ),
        ("--max_epochs x\n", ["error: `max_epochs` expects a whole number but got the text 'x'."]),
        ("--zero_stage 9\n", []),
        ("--flash_attn maybe\n", []),
        ("--adam_betas 0.9 0.95\n", []),
        ("--l2 0.1\n", []),
        ("--apply_chat_templat\n", []),
    ],
)
def test_keys(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "release", "expected"),
    [
        ("--flash_attn\n", "0.8.0", []),
        (
            "--flash_attn\n",
            "0.9.0",
            [
                "error: `flash_attn` was removed in OpenRLHF 0.8.10; OpenRLHF refuses the command. Use `attn_implementation`."
            ],
        ),
        (
            "--lora_rnk 8\n",
            "",
            [
                "note: `pretrain` was removed in OpenRLHF 0.10.2; no file states a release, so it may be due only at the next upgrade. Use `model.model_name_or_path`.",
                "error: No release of OpenRLHF since 0.3.6 has an option `lora_rnk`; OpenRLHF refuses the command. `lora_rank` was removed in OpenRLHF 0.10.2. Use `ds.lora.rank`.",
            ],
        ),
    ],
)
def test_releases(words: str, release: str, expected: list[str]) -> None:
    assert said(words, release) == expected
