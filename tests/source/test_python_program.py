"""Where the code of a program is in its file."""

from __future__ import annotations

import ast
import json

from cfglint.source.python_program import PythonProgram, program_of
from tests.draws import each

TEXT = "é = 'ü'; f(ä=1,\n  b=2)\nfrom x import y as z\n"
CELLS = ["a = 'x\"y'\nf(b=1)\n", "g(c=2)\n"]


def notebook(*cells: str) -> str:
    rows = [
        {"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": []}
        for cell in cells
    ]
    return json.dumps({"cells": rows, "nbformat": 4, "metadata": {}}, indent=1)


def test_places_in_a_file() -> None:
    program = program_of(TEXT)
    assert program.tree is not None
    call = next(one for one in ast.walk(program.tree) if isinstance(one, ast.Call))
    assert TEXT[slice(*program.span_of(call))] == "f(ä=1,\n  b=2)"
    first, second = call.keywords
    assert TEXT[slice(*program.name_of(first))] == "ä"
    assert TEXT[slice(*program.span_of(second))] == "b=2"
    imported = next(one for one in ast.walk(program.tree) if isinstance(one, ast.alias))
    assert TEXT[slice(*program.name_of(imported))] == "y"
    assert program.offset(1, 0) == 0
    assert [program.places(1, 4), program.places(2, 2), program.places(99, 0)] == [4, 18, len(TEXT)]
    assert program.places(3, 99) == len(TEXT)
    assert program.written(0, 7) == "é = 'ü'"
    assert program.spelled('"ü') == '"ü'
    assert program.spans(2, 5) == [(2, 5)]
    assert (program.place(3), program.place_of_end(3), program.code_at(3)) == (3, 3, 3)


@each("code", ["f(", "print 'x'", "\0", "(" * 5_000])
def test_what_is_no_program(code: str) -> None:
    assert program_of(code).tree is None


def test_its_tree_is_made_anew() -> None:
    program = PythonProgram("a = 1")
    assert program.parsed() is not program.tree
    assert program_of("a = 1") is program_of("a = 1")


def test_places_in_a_notebook() -> None:
    text = notebook(*CELLS)
    program = program_of(text)
    assert program.tree is not None
    calls = [one for one in ast.walk(program.tree) if isinstance(one, ast.Call)]
    shown = {text[slice(*program.span_of(one))] for one in calls}
    assert shown == {"f(b=1)", "g(c=2)"}
    names = {text[slice(*program.name_of(one.keywords[0]))] for one in calls}
    assert names == {"b", "c"}
    # A quote has a backslash in the file.
    value = next(one for one in ast.walk(program.tree) if isinstance(one, ast.Constant))
    start, end = program.span_of(value)
    assert text[start:end] == "'x\\\"y'"
    assert program.written(start, end) == "'x\"y'"
    assert program.spelled("'x\"y'") == "'x\\\"y'"


def test_the_lines_of_a_notebook_are_texts_of_their_own() -> None:
    text = notebook(*CELLS)
    program = program_of(text)
    whole = program.spans(0, len(program.code))
    assert text[slice(*whole[0])].startswith("a = ")
    assert len(whole) == len([line for cell in CELLS for line in cell.splitlines()])
    inside = program.code.index("f(b")
    (one,) = program.spans(inside, inside + 4)
    assert text[slice(*one)] == "f(b="
    for at, character in enumerate(program.code):
        if character.isalnum():
            assert text[program.place(at)] == character
            assert program.code_at(program.place(at)) == at
            assert program.place_of_end(at + 1) == program.place(at) + 1


def test_json_that_is_no_notebook() -> None:
    assert program_of('{"a": 1}').code == '{"a": 1}'
    assert program_of(f"{' ' * 99}{notebook('a = 1')}").code.strip() == "a = 1"
