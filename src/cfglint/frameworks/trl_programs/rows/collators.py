"""What makes the batches of rows that are trained on."""

from __future__ import annotations

import ast

from cfglint.base.type_names import Final
from cfglint.frameworks.trl_programs.given_calls import GivenCalls, keywords_of

COLLATOR: Final = "transformers.DataCollatorForLanguageModeling"


def makes_labels(collator: ast.Call, program: GivenCalls) -> bool:
    """Whether it surely makes labels of all ids but those for padding, for a model that generates."""
    words = keywords_of(collator)
    if words is None or program.names.imported(collator.func) != COLLATOR:
        return False
    return program.value(words.get("mlm"), collator) is False
