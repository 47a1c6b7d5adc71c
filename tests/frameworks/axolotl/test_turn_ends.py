"""The token that ends a turn where a config names none."""

from __future__ import annotations

from cfglint.frameworks.axolotl.turn_ends import usual_end
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each


@each(
    ("text", "expected"),
    [
        ("base_model: Qwen/Qwen2.5-7B-Instruct", "<|im_end|>"),
        ("base_model: ./models/qwen2-0.5b-instruct", "<|im_end|>"),
        ("base_model: Qwen/Qwen2.5-7B", None),
        ("base_model: Qwen/Qwen3-8B", "<|im_end|>"),
        ("base_model: Qwen/Qwen3-30B-A3B", "<|im_end|>"),
        ("base_model: Qwen/Qwen3-8B-Base", None),
        ("base_model: meta-llama/Meta-Llama-3-8B-Instruct", "<|eot_id|>"),
        ("base_model: meta-llama/Llama-3.1-8B-Instruct", "<|eot_id|>"),
        ("base_model: meta-llama/Llama-3.1-8B", None),
        ("base_model: a/of-my-own", None),
        ("base_model: 7", None),
        ("seed: 1", None),
        # What the config itself says counts.
        ("base_model: Qwen/Qwen3-8B\nspecial_tokens: {eos_token: <end>}", "<end>"),
        ("base_model: Qwen/Qwen3-8B\nspecial_tokens: {eos_token: null}", "<|im_end|>"),
        ("base_model: Qwen/Qwen3-8B\nspecial_tokens: {pad_token: <end>}", "<|im_end|>"),
    ],
)
def test_models(text: str, expected: str | None) -> None:
    assert usual_end(language("yaml").read(SourceText(f"{text}\n"))) == expected
