"""The `Accelerator` of a program."""

from __future__ import annotations

import ast

from cfglint.frameworks.trl_programs.trainers.accelerators import is_accelerator, is_method, made_in
from cfglint.source.python_names import names_of
from tests.draws import each


@each(
    ("text", "count"),
    [
        (
            "from accelerate import Accelerator\na = Accelerator()\nb = Accelerator(x=1)\nprint()\n",
            2,
        ),
        ("import accelerate\na = accelerate.Accelerator()\n", 1),
        ("a = Accelerator()\n", 0),
        ("from mine import Accelerator\na = Accelerator()\n", 0),
    ],
)
def test_where_it_is_made(text: str, count: int) -> None:
    assert len(made_in(names_of(ast.parse(text)))) == count


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@each(
    ("text", "named"),
    [
        ("accelerator", True),
        ("self.accelerator", True),
        ("acc", True),
        ("model", False),
        ("a()", False),
    ],
)
def test_how_it_is_called(text: str, named: bool) -> None:
    assert is_accelerator(expression(text)) is named


@each(
    ("text", "is_call"),
    [
        ("accelerator.prepare(model)", True),
        ("self.accelerator.prepare(model)", True),
        ("accelerator.backward(loss)", False),
        ("model.prepare(x)", False),
        ("prepare(model)", False),
        ("accelerator.prepare", False),
    ],
)
def test_a_call_of_a_method(text: str, is_call: bool) -> None:
    assert is_method(expression(text), "prepare") is is_call
