"""The calls of a program that load a model."""

from __future__ import annotations

import ast

from cfglint.frameworks.trl_programs.models.loads import loads
from cfglint.source.python_names import names_of

TEXT = """\
import mine, transformers
from transformers import AutoModel
from_pretrained("a/b")
AutoModel.from_pretrained("a/b", dtype=x, **more)
AutoModel.from_config(config)
transformers.AutoTokenizer.from_pretrained("a/b", use_fast=True, revision="main")
Own.from_pretrained("a/b")
"""


def test_by_their_classes_and_keywords() -> None:
    names = names_of(ast.parse(TEXT))
    assert [(one.of, list(one.given), one.call.lineno) for one in loads(names)] == [
        ("transformers.AutoModel", ["dtype"], 4),
        ("transformers.AutoTokenizer", ["use_fast", "revision"], 6),
    ]
    other = loads(names, ("from_config",))
    assert [(one.of, one.call.lineno) for one in other] == [("transformers.AutoModel", 5)]
