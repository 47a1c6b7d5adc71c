"""What follows from one of DeepSpeed's files."""

from __future__ import annotations

import re

from cfglint.base.type_names import TYPE_CHECKING, ClassVar
from cfglint.roles.readings import Readings

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.document import Document


#: Of a file that trains there is at least one: DeepSpeed needs the size of a batch.
_OF_A_STEP = frozenset(
    {
        "train_batch_size",
        "train_micro_batch_size_per_gpu",
        "gradient_accumulation_steps",
        "optimizer",
        "scheduler",
        "elasticity",
    }
)
#: Words in the names of files that no training is started with.
_INFERRING = frozenset({"inference", "infer", "predict", "generate", "generation"})


class DeepSpeedReadings(Readings):
    """Whether a file is for a training; nothing else is computed from it yet."""

    has_run: ClassVar[bool] = False

    def trains_nothing(self, document: Document, around: Surroundings) -> bool:
        """Files for inference have no batch and no optimizer, or are called by it."""
        name = around.path.replace("\\", "/").rpartition("/")[2].lower()
        if not _INFERRING.isdisjoint(re.split(r"[^a-z]+", name)):
            return True
        return _OF_A_STEP.isdisjoint(entry.name or "" for entry in document.root.entries)

    def reading(self, target: Environment) -> None:
        """Its reader's own conversions are not followed yet."""


ROLE = DeepSpeedReadings
