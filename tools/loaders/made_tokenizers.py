"""Small tokenizers, trained on the rows that they are to read. Runs where `tokenizers` is.

Writes a JSON object: name -> `core` (a `tokenizer.json`), `special` (tokens with a part to play)
and `chat_template` (null where a base model has none). Reads the texts as a JSON list.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

_CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content']"
    " + '<|im_end|>' + '\n' }}{% endfor %}"
)


def main() -> None:
    """Make them all."""
    texts = json.load(sys.stdin)
    made = {
        "chatml": _byte_level(
            texts,
            ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
            eos="<|im_end|>",
            template=_CHATML,
        ),
        "base": _byte_level(texts, ["<|endoftext|>"], eos="<|endoftext|>"),
        "llama3": _byte_level(
            texts,
            [
                *("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>"),
                *("<|end_header_id|>", "<|eot_id|>"),
            ],
            bos="<|begin_of_text|>",
            eos="<|eot_id|>",
        ),
        "llama2": _pieces(texts),
    }
    json.dump(made, sys.stdout)


def _byte_level(
    texts: list[str],
    special: list[str],
    *,
    eos: str,
    bos: str | None = None,
    template: str | None = None,
) -> dict[str, Any]:
    """Like those of GPT-2, Qwen and Llama 3."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=600,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    return _finished(tokenizer, eos, bos, template)


def _pieces(texts: list[str]) -> dict[str, Any]:
    """Like those of Llama 2 and Mistral: SentencePiece with a space before the text."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=600,
            special_tokens=["<unk>", "<s>", "</s>"],
            initial_alphabet=["▁", "\n", *map(chr, range(33, 127))],
            show_progress=False,
        ),
    )
    return _finished(tokenizer, "</s>", "<s>", None)


def _finished(
    tokenizer: Tokenizer, eos: str, bos: str | None, template: str | None
) -> dict[str, Any]:
    special = {"eos_token": eos, "pad_token": eos}
    if bos is not None:
        special["bos_token"] = bos
        tokenizer.post_processor = processors.TemplateProcessing(
            single=f"{bos} $A", special_tokens=[(bos, tokenizer.token_to_id(bos))]
        )
    return {"core": tokenizer.to_str(), "special": special, "chat_template": template}


if __name__ == "__main__":
    main()
