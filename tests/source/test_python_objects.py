"""Where an object of a program comes from, and what is done with it on the way."""

from __future__ import annotations

import ast

from cfglint.source.python_names import last_name
from cfglint.source.python_objects import ObjectOrigin, Objects
from cfglint.source.python_scopes import Scopes
from tests.draws import each

THROUGH, METHODS = frozenset({"wrap", "prepare"}), frozenset({"to"})


def made(code: str) -> ObjectOrigin | None:
    """The object that the last call of `ask` in a program is given."""
    tree = ast.parse(code)
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    ask = [one for one in calls if last_name(one.func) == "ask"][-1]
    return Objects(Scopes(tree), THROUGH, METHODS).made(ask.args[0])


def shown(code: str) -> str:
    """The call that makes the object, those that it goes through, and which result it is."""
    found = made(code)
    if found is None:
        return "?"
    names = [last_name(one.func) for one in (found.call, *found.through)]
    return " ".join(names) + ("" if found.item is None else f" {found.item}")


@each(
    ("code", "expected"),
    [
        ("ask(load())", "load"),
        ("m = load()\nask(m)", "load"),
        ("m = load()\nm = wrap(m)\nask(m)", "load wrap"),
        ("m = load()\nm = prepare(model=m)\nm = wrap(m)\nask(m)", "load prepare wrap"),
        ("m = load()\nask(m)\nm = other()", "load"),
        ("m = load().to(device)\nask(m)", "load"),
        ("m = load()\nm = m.to(device)\nask(m)", "load"),
        ("m, t = load()\nask(m)", "load 0"),
        ("m, t = load()\nm = wrap(m)\nask(t)", "load 1"),
        ("m, t = load(), other()\nask(t)", "other"),
        ("if x:\n    m = load()\n    ask(m)", "load"),
        ("m = load()\nif x:\n    ask(m)", "load"),
        ("m = load()\nif x:\n    m = wrap(m)\nask(m)", "?"),
        ("if x:\n    m = load()\nask(m)", "?"),
        ("try:\n    m = load()\nexcept E:\n    m = other()\nask(m)", "?"),
        ("m = load()\nfor x in y:\n    ask(m)\n    m = wrap(m)", "?"),
        ("m = load()\nfor x in y:\n    m = wrap(m)\n    ask(m)", "?"),
        ("for x in y:\n    m = load()\n    ask(m)", "load"),
        ("m = load()\ndef f():\n    ask(m)", "load"),
        ("m = load()\nm = wrap(m)\ndef f():\n    ask(m)", "?"),
        ("def f():\n    m = load()\n    return m\nm = f()\nask(m)", "load"),
        ("def f():\n    m = load()\n    return m, 1\nm, t = f()\nask(m)", "load"),
        ("def f(x):\n    if x:\n        return load()\n    return other()\nask(f(1))", "?"),
        ("def f(m):\n    ask(m)\nf(load())", "load"),
        ("def f(m):\n    ask(m)\nf(load())\nf(other())", "?"),
        ("def f():\n    return f()\nask(f())", "?"),
        ("ask(m)", "?"),
        ("m = 1\nask(m)", "?"),
        ("m = load()\ndef f():\n    global m\n    m = 1\nask(m)", "?"),
    ],
)
def test_what_makes_an_object(code: str, expected: str) -> None:
    assert shown(code) == expected


@each(
    ("code", "used"),
    [
        ("m = load()\nask(m)", set()),
        ("m = load()\nm.config.x = 1\nprint(m)\nask(m)", {".config", "print"}),
        ("m = load()\nother(a, k=m)\nask(m)", {"other"}),
        ("m = load()\nmodels = [m]\nask(m)", {"?"}),
        ("m = load()\nask(m)\nm.save()", set()),
        ("m = load()\ndef f():\n    m.save()\nask(m)", {".save"}),
        ("m = load()\nfor x in y:\n    ask(m)\n    m.save()", {".save"}),
        ("def f():\n    m = load()\n    change(m)\n    return m\nn = f()\nask(n)", {"change"}),
        ("m = load()\nm = wrap(m)\nm.go()\nask(m)", {"wrap", ".go"}),
    ],
)
def test_what_is_done_with_it(code: str, used: set[str]) -> None:
    found = made(code)
    assert found is not None
    assert set(found.used) == used
