"""Changes of a call in a program: keywords come and go, and nothing else changes."""

from __future__ import annotations

import ast
import json
import random

from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteKey,
    MoveKey,
    MoveKeyword,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import verify
from cfglint.source.languages.python import Python
from cfglint.source.text import SourceText
from tests.draws import each

PYTHON = Python({"pkg.C": ("a", "b", "c", "d")}.get)
HEAD = "from pkg import C\n"


def changed(text: str, *actions: Action, after: tuple[str, ...] | None = None) -> str:
    """The text after actions, whose plan is verified."""
    document = PYTHON.read(SourceText(text))
    planned = plan(document, actions, after=after)
    assert planned.refused is None, planned.refused
    result = apply_edits(text, planned.edits)
    assert verify(document, result, planned.paths) is None
    assert PYTHON.doubts(document, SourceText(result)) is None
    return result


def refused(text: str, action: Action) -> str:
    found = plan(PYTHON.read(SourceText(HEAD + text)), (action,)).refused
    assert found is not None
    return found


@each(
    ("before", "after"),
    [
        ("C(b=1)", "C()"),
        ("C(a=0, b=1)", "C(a=0)"),
        ("C(b=1, c=2)", "C(c=2)"),
        ("C(a=0, b=1, c=2)", "C(a=0, c=2)"),
        ("C(a=0, b=1,)", "C(a=0, )"),
        ("C(\n    a=0,\n    b=1,\n    c=2,\n)", "C(\n    a=0,\n    c=2,\n)"),
        ("C(\r\n    a=0,\r\n    b=(1 +\r\n       2),\r\n    c=2)", "C(\r\n    a=0,\r\n    c=2)"),
        ("C(\n    a=0,\n    b=1\n)", "C(\n    a=0,\n)"),
        ("C(\n    a=0,\n    b=1)", "C(\n    a=0,\n    )"),
        ("C(\n    a=0,\n    b=1,  # why\n    c=2)", "C(\n    a=0,\n    # why\n    c=2)"),
        ("C(a=0, b=1,\n  c=2)", "C(a=0,\n  c=2)"),
        ("C(b=[1, (2)], *args)", "C(*args)"),
        ("C(a=0, b=1, **more)", "C(a=0, **more)"),
        ("C(\n    b=1, c=2,\n)", "C(\n    c=2,\n)"),
    ],
)
def test_a_keyword_goes_with_its_comma(before: str, after: str) -> None:
    assert changed(HEAD + before, DeleteKey(("C", "b"))) == HEAD + after


def test_a_keyword_gets_another_name() -> None:
    text = HEAD + "C(a=0, b = f(b=1))  # b\n"
    assert changed(text, RenameKey(("C", "b"), "c")) == HEAD + "C(a=0, c = f(b=1))  # b\n"


@each(("value", "written"), [(2.5, "2.5"), ("x", '"x"'), (None, "None"), ([True], "[True]")])
def test_a_literal_is_replaced(value: object, written: str) -> None:
    assert (
        changed(HEAD + "C(a=0, b=('old'))", SetValue(("C", "b"), value))
        == f"{HEAD}C(a=0, b={written})"
    )


@each(
    ("literal", "written"),
    [("word", '"word"'), ('"word"', '"word"'), ("false", "False"), ("3", "3")],
)
def test_a_literal_of_a_config_is_one_of_python(literal: str, written: str) -> None:
    text = HEAD + "C(b='old')"
    assert changed(text, RewriteScalar(("C", "b"), literal)) == f"{HEAD}C(b={written})"


@each(
    ("before", "after"),
    [
        ("C(a=0)", "C(a=0, b=1)"),
        ("C(a=0, c=2)", "C(a=0, b=1, c=2)"),
        ("C(\n    a=0,\n    c=2,\n)", "C(\n    a=0,\n    b=1,\n    c=2,\n)"),
        ("C(\r\n    a=0)", "C(\r\n    a=0,\r\n    b=1)"),
    ],
)
def test_a_new_keyword_comes_behind_another_one(before: str, after: str) -> None:
    assert changed(HEAD + before, SetValue(("C", "b"), 1), after=("C", "a")) == HEAD + after


@each(
    ("before", "after"),
    [
        ("C(a=1)\nC(b=N + 1, c=2)", "C(a=1, d=N + 1)\nC(c=2)"),
        ("C(a=1)\nC(b=2)", "C(a=1, d=2)\nC()"),
        ("C(c=C(a=1), b=2)", "C(c=C(a=1, d=2))"),
        (
            "C(\n    a=1,  # one\n)\nC(\n    b=2,  # two\n    c=3,\n)",
            "C(\n    a=1,  # one\n    d=2,\n)\nC(\n    # two\n    c=3,\n)",
        ),
    ],
)
def test_a_keyword_moves_to_another_call(before: str, after: str) -> None:
    inner = "c=C" in before
    mover = MoveKeyword(("C", "b"), "C 2", "d") if inner else MoveKeyword(("C 2", "b"), "C", "d")
    assert changed(HEAD + before, mover) == HEAD + after


def test_a_keyword_does_not_move_into_its_own_value() -> None:
    assert refused("C(a=C(b=1))", MoveKeyword(("C", "a"), "C 2", "d")) == (
        "The other call is part of the value."
    )


def test_nothing_is_done_twice() -> None:
    text = HEAD + "C(b=1)"
    assert changed(text, SetValue(("C", "b"), 1)) == text


def test_what_is_refused() -> None:
    assert "computed" in refused("C(b=f())", SetValue(("C", "b"), 1))
    assert "`**`" in refused("C(a=1, **more)", SetValue(("C", "b"), 1))
    assert "`**`" in refused("C(a=1, **more)", RenameKey(("C", "a"), "b"))
    assert "already has a value" in refused("C(a=1, b=2)", RenameKey(("C", "a"), "b"))
    assert "is not in the file" in refused("C(a=1)", DeleteKey(("C", "b")))
    assert "no keyword" in refused("C()", SetValue(("C", "b"), 1))
    for action in (MoveKey(("C", "a"), ("a",)), AppendItem(("C", "a"), 1), DeleteKey(("C",))):
        assert "only the keywords" in refused("C(a=1)", action)


def test_in_a_notebook_the_source_of_the_cell_changes_alone() -> None:
    lines = ["from pkg import C\n", 'x = "ü"\n', "C(\n", '    a="x",\n', "    b=1,\n", ")"]
    cell = {"cell_type": "code", "metadata": {"b": 1}, "source": lines, "outputs": ["b=1"]}
    text = json.dumps({"cells": [cell], "nbformat": 4}, indent=2)
    result = changed(text, DeleteKey(("C", "b")))
    assert json.loads(result)["cells"][0]["source"] == [*lines[:4], "", ")"]
    result = changed(text, SetValue(("C", "a"), 'say "y"'))
    assert result == text.replace('a=\\"x\\"', 'a=\\"say \\\\\\"y\\\\\\"\\"')
    result = changed(text, SetValue(("C", "c"), 2), after=("C", "a"))
    assert "".join(json.loads(result)["cells"][0]["source"]).count('a="x",\n    c=2,\n') == 1


def test_at_random_keywords_nothing_else_changes() -> None:
    chance = random.Random(3)
    values = ("1", "'x'", "[1,\n  2]", "f(a=1)", "(3)", "lambda b: b", "{'b': 1}")
    spaces = ("", " ", "\n    ", "  # note\n        ")
    for _ in range(300):
        names = chance.sample("abcd", chance.randint(1, 4))
        text = (
            HEAD
            + "y = [C("
            + "".join(
                f"{chance.choice(spaces)}{name}{chance.choice(('=', ' = '))}{chance.choice(values)},"
                for name in names
            )
        )
        text = (text if chance.random() < 0.5 else text[:-1]) + chance.choice(("", "\n")) + ")]\n"
        name = chance.choice(names)
        document = PYTHON.read(SourceText(text))
        for action in (DeleteKey(("C", name)), RenameKey(("C", name), "z")):
            planned = plan(document, (action,))
            assert planned.refused is None
            result = apply_edits(text, planned.edits)
            expected = ast.parse(text)
            call = next(
                one
                for one in ast.walk(expected)
                if isinstance(one, ast.Call)
                and isinstance(one.func, ast.Name)
                and one.func.id == "C"
            )
            if isinstance(action, DeleteKey):
                call.keywords = [one for one in call.keywords if one.arg != name]
            else:
                next(one for one in call.keywords if one.arg == name).arg = "z"
            assert ast.dump(ast.parse(result)) == ast.dump(expected), (text, result)
