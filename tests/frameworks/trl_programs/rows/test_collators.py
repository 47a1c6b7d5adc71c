"""What makes the batches of rows."""

from __future__ import annotations

import ast

import pytest

from cfglint.frameworks.trl_programs.given_calls import GivenCalls
from cfglint.frameworks.trl_programs.rows.collators import makes_labels
from cfglint.source.python_program import program_of

IMPORT = "from transformers import DataCollatorForLanguageModeling, DataCollatorWithPadding\n"


@pytest.mark.parametrize(
    ("call", "makes"),
    [
        ("DataCollatorForLanguageModeling(tokenizer, mlm=False)", True),
        ("is_masked = False\nDataCollatorForLanguageModeling(mlm=is_masked)", True),
        ("DataCollatorForLanguageModeling(tokenizer, mlm=True)", False),
        ("DataCollatorForLanguageModeling(tokenizer)", False),
        ("DataCollatorForLanguageModeling(tokenizer, mlm=chosen)", False),
        ("DataCollatorForLanguageModeling(mlm=False, **more)", False),
        ("DataCollatorWithPadding(tokenizer, mlm=False)", False),
        ("Own(tokenizer, mlm=False)", False),
    ],
)
def test_labels_of_all_ids(call: str, makes: bool) -> None:
    program = program_of(IMPORT + call + "\n")
    assert program.tree is not None
    last = program.tree.body[-1]
    assert isinstance(last, ast.Expr)
    assert isinstance(last.value, ast.Call)
    assert makes_labels(last.value, GivenCalls(program, program.tree)) is makes
