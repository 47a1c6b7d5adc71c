"""Tiny models with random weights, one of each family, and texts for tiny datasets."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any, NamedTuple

_TEXT = (
    "the cat sat on a mat and said hello world how are you today I am fine thanks what is two plus four answer six"
    " think user assistant system 0 1 2 3 4 5 6 7 8 9"
)
WORDS = _TEXT.split()
_VOCABULARY = 1024
_MARKS = re.compile(r"{% (end)?generation %}")


class Family(NamedTuple):
    """A family of models: what its class, its special tokens and its chat template are."""

    architecture: str
    bos: str | None
    eos: str
    pad: str | None
    others: tuple[str, ...]
    template: str


def _turn(before: str, after: str) -> str:
    """A turn of a chat template; the answers are marked, as training on them alone needs it."""
    return (
        f"{{{{ {before} }}}}{{% if m['role'] == 'assistant' %}}{{% generation %}}{{{{ m['content'] + {after} }}}}"
        f"{{% endgeneration %}}{{% else %}}{{{{ m['content'] + {after} }}}}{{% endif %}}"
    )


def _template(start: str, turn: str, prompt: str) -> str:
    ask = f"{{% if add_generation_prompt %}}{{{{ {prompt} }}}}{{% endif %}}" if prompt else ""
    return f"{start}{{% for m in messages %}}{turn}{{% endfor %}}{ask}"


_CHATML = _template(
    "", _turn("'<|im_start|>' + m['role'] + '\\n'", "'<|im_end|>\\n'"), "'<|im_start|>assistant\\n'"
)
_HEADER = "'<|start_header_id|>' + m['role'] + '<|end_header_id|>\\n\\n'"
_NO_SYSTEM = (
    "{% if m['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
)
_GEMMA_ROLE = "('model' if m['role'] == 'assistant' else m['role'])"
FAMILIES = {
    "llama": Family(
        "Llama", "<|begin_of_text|>", "<|eot_id|>", None,
        ("<|start_header_id|>", "<|end_header_id|>", "<|end_of_text|>"),
        _template(
            "{{ bos_token }}", _turn(_HEADER, "'<|eot_id|>'"),
            "'<|start_header_id|>assistant<|end_header_id|>\\n\\n'",
        ),
    ),
    "qwen2": Family("Qwen2", None, "<|im_end|>", "<|endoftext|>", ("<|im_start|>",), _CHATML),
    "qwen3": Family(
        "Qwen3", None, "<|im_end|>", "<|endoftext|>", ("<|im_start|>", "<think>", "</think>"), _CHATML,
    ),
    "gemma2": Family(
        "Gemma2", "<bos>", "<eos>", "<pad>", ("<start_of_turn>", "<end_of_turn>"),
        _template(
            "{{ bos_token }}",
            _NO_SYSTEM + _turn(f"'<start_of_turn>' + {_GEMMA_ROLE} + '\\n'", "'<end_of_turn>\\n'"),
            "'<start_of_turn>model\\n'",
        ),
    ),
    "mistral": Family(
        "Mistral", "<s>", "</s>", None, ("[INST]", "[/INST]"),
        _template(
            "{{ bos_token }}",
            "{% if m['role'] == 'assistant' %}{% generation %}{{ m['content'] + '</s>' }}{% endgeneration %}"
            "{% else %}{{ '[INST] ' + m['content'] + ' [/INST]' }}{% endif %}",
            "",
        ),
    ),
    "phi3": Family(
        "Phi3", "<s>", "<|endoftext|>", "<|endoftext|>",
        ("<|user|>", "<|assistant|>", "<|system|>", "<|end|>"),
        _template("", _turn("'<|' + m['role'] + '|>\\n'", "'<|end|>\\n'"), "'<|assistant|>\\n'"),
    ),
}  # fmt: skip
#: What names of models contain -> the family; the first that fits.
_NAMED = (
    ("qwen-?_?3", "qwen3"),
    ("qwen|qwq", "qwen2"),
    ("gemma", "gemma2"),
    ("mistral|mixtral|zephyr", "mistral"),
    (r"\bphi", "phi3"),
)
_OTHER_MEDIA = re.compile(
    r"-vl\b|-vl-|\bvl\b|vision|llava|pixtral|omni|paligemma|internvl|minicpm-?v|mllama|smolvlm|idefics|gemma-?3|audio",
    re.IGNORECASE,
)


def family(name: str) -> str | None:
    """The family whose tiny model takes the place of a model; None for models of images and sound."""
    if _OTHER_MEDIA.search(name):
        return None
    for pattern, found in _NAMED:
        if re.search(pattern, name, re.IGNORECASE):
            return found
    return "llama"


def make(models: Path, *, marked: bool = True) -> None:
    """Make those of the tiny models that a folder lacks, with the transformers that is installed.

    Args:
        marked: whether the chat templates say where the answers are; those of most real models do not.
    """
    import torch
    import transformers

    for name, kind in FAMILIES.items():
        folder = models / name
        if (folder / "config.json").exists():
            continue
        torch.manual_seed(0)
        tokenizer = _tokenizer(kind)
        if not marked:
            tokenizer.chat_template = _MARKS.sub("", kind.template)
        tokenizer.save_pretrained(folder)
        parts: dict[str, Any] = {
            "vocab_size": _VOCABULARY,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 8,
            "max_position_embeddings": 32768,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
            "pad_token_id": tokenizer.pad_token_id,
            "torch_dtype": "bfloat16",
        }
        if kind.architecture == "Phi3":
            del parts["head_dim"]
        config = getattr(transformers, f"{kind.architecture}Config")(**parts)
        model = getattr(transformers, f"{kind.architecture}ForCausalLM")(config)
        model.to(torch.bfloat16).save_pretrained(folder)


def _tokenizer(kind: Family) -> Any:
    import tokenizers
    import transformers
    from tokenizers import decoders, pre_tokenizers, trainers

    special = {"bos_token": kind.bos, "eos_token": kind.eos, "pad_token": kind.pad}
    given = {name: token for name, token in special.items() if token}
    known = tokenizers.Tokenizer(tokenizers.models.BPE())
    known.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    known.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=list(dict.fromkeys((*given.values(), *kind.others))),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    known.train_from_iterator([_TEXT] * 4, trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=known,
        model_max_length=32768,
        model_input_names=["input_ids", "attention_mask"],
        **given,
    )
    tokenizer.chat_template = kind.template
    return tokenizer


def sentence(number: int) -> str:
    """A text of a few words, the same for the same number."""
    drawn = random.Random(number)
    return " ".join(drawn.choice(WORDS) for _ in range(6 + number % 5))


def place(models: Path, name: str, folder: Path) -> str | None:
    """Put the tiny model that takes a hub model's place where a path of that name finds it.

    A local folder comes before the hub, so that the config need not be changed.

    Returns:
        the family; None if the name is not one of the hub, or no tiny model stands for it.
    """
    found = family(name)
    if found is None or not re.fullmatch(r"[\w.-]+/[\w.-]+", name) or name.startswith("."):
        return None
    link = folder / name
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.exists():
        link.symlink_to(models / found, target_is_directory=True)
    return found
