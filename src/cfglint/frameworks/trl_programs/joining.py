"""Which calls of a program belong to one run: what a trainer is given, what these objects are made of, and what all are together."""

from __future__ import annotations

from cfglint.base.type_names import Final
from cfglint.frameworks.trl.given_objects import GET_PEFT_MODEL, PREPARE
from cfglint.frameworks.trl_programs.class_names import TRAINERS
from cfglint.source.calls import Joining, ProgramRun
from cfglint.source.document import Document

#: The trainers that are given the model, its arguments, a collator and the dataset, in this order.
_MODEL_FIRST: Final = (
    *("trl.SFTTrainer", "trl.RewardTrainer", "trl.CPOTrainer", "trl.ORPOTrainer"),
    *sorted(TRAINERS),
)


def _joined(call: Document) -> Document | None:
    from cfglint.frameworks.trl.joined_calls import joined

    return joined(call)


def _only_run(program: Document) -> ProgramRun:
    from cfglint.frameworks.trl.joined_runs import only_run

    return only_run(program)


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
    joined=_joined,
    only_run=_only_run,
)
