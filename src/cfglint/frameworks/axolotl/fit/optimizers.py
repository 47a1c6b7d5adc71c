"""What Axolotl's optimizers keep on the GPU for each parameter that they train."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.frameworks.deepspeed.memory import own_optimizer
from cfglint.runs.memory.optimizers import Optimizer, in_eight_bits, of_trainer
from cfglint.runs.memory.values import Values

#: Optimizers of bitsandbytes in 8 bits, whose states of embeddings are in 32 (see `of_embeddings`).
_EMBEDDINGS_32 = {"adamw_8bit": 8.0, "adamw_bnb_8bit": 8.0, "lion_8bit": 4.0}
_EMBEDDINGS_32_SINCE = "0.11.0"
#: With one of these, Axolotl makes the optimizer, not transformers.
OWN_GROUPS = ("loraplus_lr_ratio", "embedding_lr", "embedding_lr_scale", "lr_groups")


def of_embeddings(values: Values) -> float:
    """Bytes that the states of an embedding's parameter have beyond those of the others.

    transformers has the states of every `nn.Embedding` in 32 bits with the 8-bit optimizers of
    bitsandbytes: `Trainer.create_optimizer`, for `AdamW` and `Lion` from 4.52 on (before, it asks
    for a class `Adam8bit`, which it does not use).
    """
    whole = _EMBEDDINGS_32.get(str(values.at("optimizer")))
    own = any(values.at(key) is not None for key in OWN_GROUPS)
    if whole is None or own or not values.since(_EMBEDDINGS_32_SINCE):
        return 0.0
    return whole - in_eight_bits(str(values.at("optimizer")))


def optimizer(values: Values, settings: dict[str, Any] | None) -> Optimizer:
    """The optimizer of a config, or the one that DeepSpeed's settings put in its place."""
    own = own_optimizer(settings)
    if own is not None:
        return own
    return of_trainer(values.at("optimizer"), ("optimizer",), copies=not values.at("optim_args"))
