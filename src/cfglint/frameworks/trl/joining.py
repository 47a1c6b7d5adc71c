"""Which calls of a program belong to one run: what a trainer is given, and what these objects are made of."""

from __future__ import annotations

from cfglint.base.type_names import Final
from cfglint.source.calls import Joining

GET_PEFT_MODEL: Final = "get_peft_model"
PREPARE: Final = "prepare_model_for_kbit_training"
JOINING: Final = Joining(
    follows=lambda name: name.endswith("Trainer"),
    parameters=frozenset({"args", "model", "peft_config", "quantization_config", "ref_model"}),
    functions={
        # The second one is Unsloth's; transformers hands it to the model.
        "from_pretrained": ("pretrained_model_name_or_path", "max_seq_length"),
        GET_PEFT_MODEL: ("model", "peft_config"),
        PREPARE: ("model", "use_gradient_checkpointing"),
    },
    through=frozenset({GET_PEFT_MODEL, PREPARE}),
    methods=frozenset({"cuda", "eval", "to", "train"}),
)
