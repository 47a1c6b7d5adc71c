"""The classes of transformers that programs train with, as they are imported."""

from __future__ import annotations

from cfglint.base.type_names import Final

TRAINERS: Final = frozenset({"transformers.Trainer", "transformers.Seq2SeqTrainer"})
ARGUMENTS: Final = frozenset(
    {"transformers.TrainingArguments", "transformers.Seq2SeqTrainingArguments"}
)
