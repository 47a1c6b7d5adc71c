"""Formatted texts of Python 3.12, which older Pythons cannot parse."""

from __future__ import annotations

import ast

import pytest

from cfglint.source.newer_texts import for_older_pythons
from cfglint.source.python_program import PythonProgram


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('a = f"{row["text"]}"\n', 'a = f"{___________}"\n'),
        ("a = f'{d:%H} {'-'.join(b):>{width}} {c!r}'\n", "a = f'{d:%H} {___________:>{width}} {c!r}'\n"),
        ('a = f"{"\\n".join(b)} {{x}}" # f"{"\n', 'a = f"{____________} {{x}}" # f"{"\n'),
        ('a = rf"""{b["c"]} "d" {e}"""\nf"{g["h"]=}"\n', 'a = rf"""{b["c"]} "d" {e}"""\nf"{_______}"\n'),
        ('f"{f"{f"{a["b"]}"}"}"\n', f'f"{{{"_" * 16}}}"\n'),
        # A letter of as many bytes, so that the columns of the tree stay what they are.
        ('f"{a["\u00fc\u4e00"]}", b(c=1)\n', 'f"{___\u00e9\u4e00__}", b(c=1)\n'),
        ('f"{a if b != "c" else d}"\n', 'f"{____________________}"\n'),
    ],
)  # fmt: skip
def test_replaced(code: str, expected: str) -> None:
    found = for_older_pythons(code)
    assert found == expected
    assert len(found.encode()) == len(code.encode())
    ast.parse(found)


@pytest.mark.parametrize(
    "code",
    [
        "a = f'{b[\"c\"]}' + \"{d['e']}\"\n",
        'a = f"{b}"\n',
        "a = b'{' + u\"}\"\n",
        # Not closed.
        'a = f"{b["c"]\n',
        'a = f"{b["c"]}\n',
        'f"{' * 2000,
        "f'{" * 50 + '"' + "}'" * 50,
    ],
)
def test_left_alone(code: str) -> None:
    assert for_older_pythons(code) is None


def test_program() -> None:
    program = PythonProgram('print(f"{a["b"]}")\nSFTConfig(output_dir="o")\n')
    assert program.tree is not None
    call = program.tree.body[1]
    assert isinstance(call, ast.Expr)
    assert program.span_of(call.value).start == 19
