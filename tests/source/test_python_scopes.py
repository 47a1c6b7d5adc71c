"""What gives the names of a program their meanings, each in its scope."""

from __future__ import annotations

import ast

from cfglint.source.python_names import last_name
from cfglint.source.python_scopes import Scopes
from tests.draws import each


def asked(code: str) -> tuple[Scopes, ast.expr]:
    """The scopes of a program, and what `ask` is given in it."""
    tree = ast.parse(code)
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    (ask,) = (one for one in calls if last_name(one.func) == "ask")
    return Scopes(tree), ask.args[0]


def meaning(code: str) -> str:
    """The kind of what gives the name in `ask` its meaning, and that as code."""
    scopes, name = asked(code)
    assert isinstance(name, ast.Name)
    held = scopes.binding(name)
    return "?" if held is None else f"{held.kind} {ast.unparse(held.node).split(chr(10))[0]}"


@each(
    ("code", "expected"),
    [
        ("x = 1\nask(x)", "set 1"),
        ("x: int = 1\nask(x)", "set 1"),
        ("x: int\nask(x)", "other x"),
        ("x = y = 1\nask(x)", "other x"),
        ("for x in y: ask(x)", "other x"),
        ("import x.y\nask(x)", "other import x.y"),
        ("from x import y as z\nask(z)", "other from x import y as z"),
        ("def f(): pass\nask(f)", "function def f():"),
        ("async def f(): pass\nask(f)", "other async def f():"),
        ("class C: pass\nask(C)", "other class C:"),
        ("try: pass\nexcept E as e: ask(e)", "other except E as e:"),
        ("try: pass\nexcept E: ask(e)", "?"),
        ("x = 1\nx = 2\nask(x)", "?"),
        ("ask(x)", "?"),
        # The same name in another scope is another one.
        ("x = 1\ndef f():\n    x = 2\nask(x)", "set 1"),
        ("x = 1\ndef f():\n    x = 2\n    ask(x)", "set 2"),
        ("x = 1\ndef f():\n    ask(x)", "set 1"),
        ("x = 1\ndef f(x):\n    ask(x)", "parameter def f(x):"),
        ("x = 1\ndef f(a=ask(x), x=2): pass", "set 1"),
        ("x = 1\n[ask(x) for x in y]", "other x"),
        ("x = 1\n[x for x in y]\nask(x)", "set 1"),
        # What a class sets, its functions do not see.
        ("class C:\n    x = 1\n    ask(x)", "set 1"),
        ("x = 1\nclass C:\n    x = 2\n    def f(self):\n        ask(x)", "set 1"),
        ("class C:\n    x = 1\n    def f(self):\n        ask(x)", "?"),
        ("x = 1\ndef f():\n    global x\n    x = 2\nask(x)", "?"),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    ask(x)", "?"),
    ],
)
def test_what_gives_a_name_its_meaning(code: str, expected: str) -> None:
    assert meaning(code) == expected


WITH = "with open('a') as f:\n    x = 1\nwith open('b') as f:\n"


@each(
    ("code", "expected"),
    [
        ("with open('a') as f:\n    ask(f)", "with open('a')"),
        (f"{WITH}    ask(f)", "with open('b')"),
        (f"{WITH}    if x:\n        ask(f)", "with open('b')"),
        (f"{WITH}    with y as z:\n        ask(f)", "with open('b')"),
        (f"with open('a') as f:\n    ask(f)\n{WITH}    pass", "with open('a')"),
        (f"{WITH}    pass\nask(f)", "?"),
        (f"{WITH}    f = 1\n    ask(f)", "?"),
        # A function may be called elsewhere.
        (f"{WITH}    def g():\n        ask(f)", "?"),
        # What is opened is computed before the name has its new meaning.
        ("with open('a') as f:\n    with open(ask(f)) as f:\n        pass", "?"),
    ],
)
def test_the_file_of_the_with_around_a_name(code: str, expected: str) -> None:
    assert meaning(code) == expected


@each(
    ("code", "expected"),
    [
        ("ask(int)", True),
        ("int = 1\nask(int)", False),
        ("def f(int):\n    pass\nask(int)", True),
        ("def f(int):\n    ask(int)", False),
    ],
)
def test_a_built_in_name(code: str, expected: bool) -> None:
    scopes, name = asked(code)
    assert isinstance(name, ast.Name)
    assert scopes.is_builtin(name) is expected


@each(
    ("code", "expected"),
    [
        ("def f(): return 1\nask(f)", "1"),
        ("def f():\n    def g(): return 2\n    return 1\nask(f)", "1"),
        ("def f():\n    if x: return 1\n    return 2\nask(f)", None),
        ("def f(): pass\nask(f)", None),
        ("def f(): return\nask(f)", None),
        ("@d\ndef f(): return 1\nask(f)", None),
        ("def f(): return 1\ndef f(): return 1\nask(f)", None),
        ("async def f(): return 1\nask(f)", None),
        ("class f: pass\nask(f)", None),
        ("f = lambda: 1\nask(f)", None),
        ("def f(g):\n    return 1\n    ask(g)", None),
        ("ask(f.g)", None),
    ],
)
def test_what_a_function_returns(code: str, expected: str | None) -> None:
    scopes, node = asked(code)
    function = scopes.function(node)
    value = None if function is None else scopes.returned(function)
    assert (None if value is None else ast.unparse(value)) == expected


@each(
    ("code", "expected"),
    [
        ("def f(): pass", True),
        ("def f(): pass\ndef f(): pass", False),
        ("@d\ndef f(): pass", False),
        ("f = 1", False),
        ("class A:\n    def f(self): pass", False),
        ("def f(): pass\ndef g():\n    global f\n    f = 1", False),
        ("", False),
    ],
)
def test_a_function_that_other_modules_import(code: str, expected: bool) -> None:
    found = Scopes(ast.parse(code)).function_named("f")
    assert (found is not None and found.name == "f") is expected


@each(
    ("code", "expected"),
    [
        ("from a.b import f", ("a.b", "f")),
        ("from a import g as f", ("a", "g")),
        ("from a import x, g as f, y", ("a", "g")),
        ("from . import f", (".", "f")),
        ("from ..a import f", ("..a", "f")),
        ("import f", None),
        ("def f(): pass", None),
        ("from a import f\nfrom b import f", None),
        ("", None),
    ],
)
def test_what_a_module_only_hands_on(code: str, expected: tuple[str, str] | None) -> None:
    assert Scopes(ast.parse(code)).imported_as("f") == expected


@each(
    ("code", "expected"),
    [
        ("f(1)", "f(1)"),
        ("def g():\n    f(1)", "f(1)"),
        ("f(1)\nf(2)", None),
        ("g(f)", None),
        ("f.x", None),
        ("def g():\n    global f\nf(1)", None),
        ("", None),
    ],
)
def test_the_only_call_of_a_function(code: str, expected: str | None) -> None:
    tree = ast.parse(f"def f(x): pass\n{code}")
    found = Scopes(tree).only_call(tree.body[0])
    assert (None if found is None else ast.unparse(found)) == expected


def test_a_function_without_a_name_is_followed_to_no_call() -> None:
    tree = ast.parse("f = lambda: 1\nf()")
    assert Scopes(tree).only_call(tree.body[0]) is None


def test_attributes_that_are_set() -> None:
    tree = ast.parse("a.b = 1\nc.d += 1\ndel e.f\ng.h\ni = j.k")
    assert Scopes(tree).set_attributes == {"b", "d", "f"}
