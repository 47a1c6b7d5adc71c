"""Which calls of a program belong to one run: what a trainer is given, and what these objects are made of."""

from __future__ import annotations

from cfglint.base.type_names import Final
from cfglint.source.calls import Joining

GET_PEFT_MODEL: Final = "get_peft_model"
PREPARE: Final = "prepare_model_for_kbit_training"
#: The trainers that are given the model, its arguments, a collator and the dataset, in this order.
_MODEL_FIRST: Final = (
    *("trl.SFTTrainer", "trl.RewardTrainer", "trl.CPOTrainer", "trl.ORPOTrainer"),
    *("transformers.Trainer", "transformers.Seq2SeqTrainer"),
)
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
    # TRL 0.8.6 to 1.16.0. The third one of DPO was `beta` up to 0.12.
    positions={
        **dict.fromkeys(_MODEL_FIRST, ("model", "args", "data_collator", "train_dataset")),
        "trl.DPOTrainer": ("model", "ref_model"),
        "trl.KTOTrainer": ("model", "ref_model", "args"),
        "trl.GRPOTrainer": ("model", "reward_funcs", "args", "train_dataset"),
        "trl.GKDTrainer": ("model", "teacher_model", "args"),
    },
)
