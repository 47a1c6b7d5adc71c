"""Mappings that a program writes out."""

from __future__ import annotations

import ast

from cfglint.source.python_mappings import Mappings
from cfglint.source.python_scopes import Scopes
from tests.draws import each


@each(
    ("code", "expected"),
    [
        ("x = {'a': 1}\nask(x)", False),
        ("x = {'a': 1}\nask(**x)", True),
        ("x = {'a': 1}\nprint(x['a'], x.get('b'), x.items(), x.keys())\nask(**x)", True),
        ("x = {'a': 1}\nf(x)\nask(**x)", False),
        ("x = {'a': 1}\nf(y=x)\nask(**x)", False),
        ("x = {'a': 1}\nx['b'] = 2\nask(**x)", False),
        ("x = {'a': 1}\nx.update(b=2)\nask(**x)", False),
        ("x = {'a': 1}\nf(x.get)\nask(**x)", False),
        # What is in it is changed.
        ("x = {'a': 1}\nx['a']['b'] = 2\nask(**x)", False),
        ("x = {'a': 1}\nx['a'].update(b=2)\nask(**x)", False),
        ("x = {'a': 1}\nx.get('a').pop('b')\nask(**x)", False),
        ("x = {'a': 1}\ndel x['a']['b']\nask(**x)", False),
        ("x = {'a': 1}\nprint(x['a']['b'], x.get('a').get('b'))\nask(**x)", True),
        ("x = {'a': 1}\nx.get.y()\nask(**x)", False),
        ("x = {'a': 1}\nx = {'a': 1}\nask(**x)", False),
        ("x = f()\nask(**x)", False),
        ("for x in y: ask(**x)", False),
        ("with {'a': 1} as x: ask(**x)", False),
        ("ask(**{'a': 1})", True),
        ("ask(**f())", False),
    ],
)
def test_a_mapping_that_is_only_read(code: str, expected: bool) -> None:
    tree = ast.parse(code)
    ask = next(
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Call) and "ask" in ast.unparse(one.func)
    )
    given = ask.keywords[0].value if ask.keywords else ask.args[0]
    found = Mappings(Scopes(tree)).mapping(given)
    assert (None if found is None else ast.unparse(found)) == ("{'a': 1}" if expected else None)


@each(
    ("code", "expected"),
    [
        ("ask(x=dict(a=1, b=dict(c=2)))", "{'a': 1, 'b': dict(c=2)}"),
        ("x = dict(a=1)\nask(x)", "{'a': 1}"),
        ("def f():\n    return {'a': 1}\nask(f())", "{'a': 1}"),
        ("def f(n):\n    x = {'a': n}\n    return x\nask(f(1))", "{'a': n}"),
        ("x = {'a': 1}\nx['b'] = 2\nx['a'] = 3\nask(x)", "{'a': 3, 'b': 2}"),
        (
            "def f():\n    x = dict(a=1)\n    x['b'] = y\n    for i in z:\n        ask(x)",
            "{'a': 1, 'b': y}",
        ),
        ("x = {'a': 1}\nask(x)\nx['b'] = 2", None),
        ("x = {'a': 1}\nif y:\n    x['b'] = 2\nask(x)", None),
        ("x = {'a': 1}\nx[y] = 2\nask(x)", None),
        ("x = {'a': 1}\nx['a']['b'] = 2\nask(x)", None),
        ("x = {'a': 1}\nx['b'] = z = 2\nask(x)", None),
        ("x = {'a': 1}\nx['b'] = 2\nf(x)\nask(x)", None),
        ("x = {'a': 1}\ndef f():\n    ask(x)\nx['b'] = 2", None),
        ("x = {'a': 1}\nx['b'] += 2\nask(x)", None),
        ("ask(dict(**x))", None),
        ("ask(dict([('a', 1)]))", None),
        ("def dict(a): return a\nask(dict(a=1))", None),
        # It is another call's, too.
        ("x = {'a': 1}\ndef f():\n    return x\nask(f())", None),
        ("def f():\n    x = {'a': 1}\n    x['b'] = 2\n    return x\nask(f())", None),
        ("def f(n):\n    if n:\n        return {}\n    return {'a': 1}\nask(f(1))", None),
    ],
)
def test_a_mapping_that_is_handed_over(code: str, expected: str | None) -> None:
    tree = ast.parse(code)
    ask = next(
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Call) and ast.unparse(one.func) == "ask"
    )
    given = ask.keywords[0].value if ask.keywords else ask.args[0]
    found = Mappings(Scopes(tree)).handed(given)
    assert (None if found is None else ast.unparse(found)) == expected


def test_the_keys_of_a_call_of_dict_have_places() -> None:
    tree = ast.parse("x = dict(a=1,\n  bé=2)")
    assert isinstance(tree.body[0], ast.Assign)
    found = Mappings(Scopes(tree)).mapping(tree.body[0].value)
    assert found is not None
    places = [(key.lineno, key.col_offset, key.end_col_offset) for key in found.keys if key]
    assert places == [(1, 9, 10), (2, 2, 5)]
