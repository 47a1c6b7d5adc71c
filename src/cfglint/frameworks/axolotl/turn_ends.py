"""The token that ends a turn where a config of Axolotl's names none."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import plain
from cfglint.base.type_names import Final
from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Document

#: Models by name -> the token that ends their texts, as their tokenizers state it.
_END_OF_TEXT: Final = (
    (lazy_pattern(r"(?i)(?:^|/)qwen2(?:\.5)?-[^/\n]{0,60}instruct"), "<|im_end|>"),
    (lazy_pattern(r"(?i)(?:^|/)qwen3-[\d.]+b(?:-a\d+b)?(?![^/\n]{0,60}base)"), "<|im_end|>"),
    (lazy_pattern(r"(?i)(?:^|/)(?:meta-)?llama-3(?:\.\d)?-\d+b-instruct"), "<|eot_id|>"),
)


def usual_end(document: Document) -> str | None:
    """The token that Axolotl takes for the end of a turn without `eot_tokens`: that of texts; None if it is not known."""
    written = plain(written_value(document, ("special_tokens", "eos_token")))
    if isinstance(written, str):
        return written
    model = plain(written_value(document, ("base_model",)))
    if not isinstance(model, str):
        return None
    return next((token for name, token in _END_OF_TEXT if name.search(model)), None)
