"""What the names of a program stand for, by its text alone."""

from __future__ import annotations

import ast
from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.source.python_names import last_name, names_of
from tests.draws import each


def value(code: str) -> Any:
    """The value of what the last call of `ask` in a program is given."""
    names = names_of(ast.parse(code))
    ask = [call for call in names.calls if last_name(call.func) == "ask"][-1]
    return names.value(ask.args[0], ask)


@each(
    ("code", "expected"),
    [
        ("1", 1),
        ("-1", -1),
        ("+1", UNKNOWN),
        ("-True", UNKNOWN),
        ("-'a'", UNKNOWN),
        ("not 1", False),
        ("not ''", True),
        ("not x", UNKNOWN),
        ("None", None),
        ("'a' 'b'", "ab"),
        ("b'a'", UNKNOWN),
        ("...", UNKNOWN),
        ("[1, (2, 3), {4}]", [1, [2, 3], [4]]),
        ("[1, x]", UNKNOWN),
        ("{'a': 1, 2: [3]}", {"a": 1, 2: [3]}),
        ("{'a': x}", UNKNOWN),
        ("{x: 1}", UNKNOWN),
        ("{**x}", UNKNOWN),
        ("{(1, 2): 3}", UNKNOWN),
        ("f'{1}-{\"a\"}-{True}'", "1-a-True"),
        ("f'{1:02}'", UNKNOWN),
        ("f'{1!r}'", UNKNOWN),
        ("f'{None}'", UNKNOWN),
        ("f'{x}'", UNKNOWN),
        ("2 + 3", 5),
        ("2 - 3", -1),
        ("2 * 3", 6),
        ("3 / 2", 1.5),
        ("7 // 2", 3),
        ("7 % 4", 3),
        ("2 ** 10", 1024),
        ("2 ** 64", 2**64),
        ("2 ** 65", UNKNOWN),
        ("64 ** 2", 4096),
        ("65 ** 2", UNKNOWN),
        ("(-2) ** 0.5", UNKNOWN),
        ("6 & 3", UNKNOWN),
        ("1 / 0", UNKNOWN),
        ("1 + True", UNKNOWN),
        ("1e18 + 0", 1e18),
        ("1e19 + 1", UNKNOWN),
        ("-1e19 + 1", UNKNOWN),
        ("'a' + 'b'", "ab"),
        ("'a' - 'b'", UNKNOWN),
        ("'a' * 3", UNKNOWN),
        ("'a' + 1", UNKNOWN),
        ("f()", UNKNOWN),
        # Six steps are followed.
        ("[[[[[[1]]]]]]", [[[[[[1]]]]]]),
        ("[[[[[[[]]]]]]]", UNKNOWN),
        (f"[{', '.join('1' * 200)}]", [1] * 200),
        (f"[{', '.join('1' * 201)}]", UNKNOWN),
        (f"{{{', '.join(f'{n}: 0' for n in range(200))}}}", dict.fromkeys(range(200), 0)),
        (f"{{{', '.join(f'{n}: 0' for n in range(201))}}}", UNKNOWN),
        (f"'{'a' * 1000}' + '{'a' * 1000}'", "a" * 2000),
        (f"'{'a' * 1000}' + '{'a' * 1001}'", UNKNOWN),
        (f"f'{'a' * 1999}{{1}}'", "a" * 1999 + "1"),
        (f"f'{'a' * 2000}{{1}}'", UNKNOWN),
    ],
)
def test_an_expression(code: str, expected: Any) -> None:
    found = value(f"ask({code})")
    assert found == expected
    assert type(found) is type(expected)


@each(
    ("code", "expected"),
    [
        ("x = 1\nask(x)", 1),
        ("x: int = 1\nask(x)", 1),
        ("x: int\nask(x)", UNKNOWN),
        ("x = 1\ny = x + 1\nask(y)", 2),
        ("x = y\ny = 1\nask(x)", UNKNOWN),
        ("ask(x)\nx = 1", UNKNOWN),
        ("x = 1; ask(x)", UNKNOWN),
        ("x = 1\nx = 1\nask(x)", UNKNOWN),
        ("x = y = 1\nask(x)", UNKNOWN),
        ("x, y = 1, 2\nask(x)", UNKNOWN),
        ("if a:\n    x = 1\nask(x)", UNKNOWN),
        ("x = 1\nx += 1\nask(x)", UNKNOWN),
        ("x = 1\ndel x\nask(x)", UNKNOWN),
        ("x = 1\nfor x in y: pass\nask(x)", UNKNOWN),
        ("x = 1\nimport x\nask(x)", UNKNOWN),
        ("x = 1\nfrom . import x\nask(x)", UNKNOWN),
        ("x = 1\nfrom . import y as x\nask(x)", UNKNOWN),
        ("x = 1\nfrom . import x as y\nask(x)", 1),
        ("x = 1\ndef x(): pass\nask(x)", UNKNOWN),
        ("x = 1\ntry: pass\nexcept E as x: pass\nask(x)", UNKNOWN),
        ("x = 1\ntry: pass\nexcept E: pass\nask(x)", 1),
        ("x = 1\nmatch a:\n    case [*x]: pass\nask(x)", UNKNOWN),
        # What is in a list may have changed since.
        ("x = [1]\nask(x)", UNKNOWN),
        ("x = {}\nask(x)", UNKNOWN),
        # With one of these, any name may have another value.
        ("x = 1\nexec(a)\nask(x)", UNKNOWN),
        ("x = 1\nglobals()['x'] = 2\nask(x)", UNKNOWN),
        ("x = 1\na.exec(b)\nask(x)", 1),
        # What a function sets is not known outside; what the module sets, it may use at any time.
        ("def f():\n    x = 1\n    ask(x)", 1),
        ("def f():\n    x = 1\nask(x)", UNKNOWN),
        ("def f():\n    x = 1\ndef g():\n    ask(x)", UNKNOWN),
        ("def f():\n    ask(x)\nx = 1", 1),
        ("def f():\n    ask(x)\n    x = 1", UNKNOWN),
        ("def f():\n    x = 1\n    def g():\n        ask(x)", 1),
        ("class A:\n    x = 1\n    ask(x)", UNKNOWN),
        ("async def f():\n    x = 1\n    ask(x)", 1),
        ("x = 1\ndef f(x):\n    ask(x)", UNKNOWN),
        ("x = 1\nf = lambda x: 1\nask(x)", UNKNOWN),
        ("x = 1\nf = lambda: ask(x)", 1),
        # A name that is set because an import failed stands for what is imported.
        ("try:\n    import a\nexcept E:\n    a = x = None\nx = 1\nask(x)", UNKNOWN),
    ],
)
def test_a_name(code: str, expected: Any) -> None:
    assert value(code) == expected


def test_chains_of_names_are_followed_some_steps() -> None:
    chain = "x0 = 1\n" + "".join(f"x{n + 1} = x{n}\n" for n in range(8))
    assert value(f"{chain}ask(x5)") == 1
    assert value(f"{chain}ask(x6)") is UNKNOWN


@each(
    ("code", "expected"),
    [
        ("x = f()\nask(x)", "f()"),
        ("x = [1]\nask(x)", "[1]"),
        ("x = 1\nx = 2\nask(x)", "x"),
        ("x = 1\nask(x.y)", "x.y"),
        ("ask(x)\nx = 1", "x"),
        ("def f():\n    x = 1\nask(x)", "x"),
        ("def f():\n    x = 1\n    ask(x)", "1"),
    ],
)
def test_the_expression_behind_a_name(code: str, expected: str) -> None:
    names = names_of(ast.parse(code))
    ask = [call for call in names.calls if last_name(call.func) == "ask"][-1]
    assert ast.unparse(names.expression(ask.args[0], ask)) == expected


@each(
    ("code", "expected"),
    [
        ("from p import C\nC()", "p.C"),
        ("from p.q import C\nC()", "p.C"),
        ("from p import C as D\nD()", "p.C"),
        ("from p import q\nq.r.C()", "p.C"),
        ("import p\np.C()", "p.C"),
        ("import p.q\np.q.C()", "p.C"),
        ("import p.q as r\nr.C()", "p.C"),
        ("import p.q as r\nr()", "p.q"),
        ("import p\np()", None),
        ("from . import C\nC()", None),
        ("from .p import C\nC()", None),
        ("C()", None),
        ("f().C()", None),
        # Something else may have the name.
        ("from p import C\nC = 1\nC()", None),
        ("from p import C\ndef C(): pass\nC()", None),
        ("from p import C\nfrom q import C\nC()", None),
        ("from p import C\nfrom q import C\nfrom p import C\nC()", None),
        ("from p.a import C\nfrom p.b import C\nC()", "p.C"),
        ("from p import C\nfrom p import D as C\nC()", None),
        # A placeholder for what cannot be imported is none.
        ("try:\n    from p import C\nexcept E:\n    C = None\nC()", "p.C"),
        ("try:\n    from p import D as C\nexcept E:\n    C = None\nC()", "p.D"),
        ("try:\n    import p\nexcept E:\n    p = None\np.C()", "p.C"),
        ("try:\n    from p import C\nexcept E:\n    C = f()\nC()", None),
        ("from p import C\ntry:\n    f()\nexcept E:\n    C = None\nC()", None),
        ("from p import C\ntry:\n    import q\nexcept E:\n    C = None\nC()", None),
    ],
)
def test_what_an_expression_is_imported_from(code: str, expected: str | None) -> None:
    names = names_of(ast.parse(code))
    assert names.imported(names.calls[-1].func) == expected


def test_calls_and_packages() -> None:
    code = "import a.b, c as d\nfrom e.f import g\nfrom .h import i\nx(y(1), z(2))\ndef f():\n    w()\n"
    names = names_of(ast.parse(code))
    assert [last_name(call.func) for call in names.calls] == ["x", "y", "z", "w"]
    assert names.packages == {"a", "c", "e"}


def test_the_last_name() -> None:
    shown = [ast.parse(code, mode="eval").body for code in ("C", "a.b.C", "f()")]
    assert [*map(last_name, shown), last_name(None)] == ["C", "C", "", ""]


@each(
    ("code", "expected"),
    [
        ('m = importlib.import_module("trl")\nm.SFTConfig()', "trl.SFTConfig"),
        ('m = import_module("trl.trainer")\nm.SFTConfig()', "trl.SFTConfig"),
        ('import_module("trl").SFTConfig()', "trl.SFTConfig"),
        ('def f():\n    m = import_module("trl")\n    m.SFTConfig()\n', "trl.SFTConfig"),
        ('m = import_module("trl")\nm = import_module("peft")\nm.SFTConfig()', None),
        ('m = import_module("trl")\nm = other\nm.SFTConfig()', None),
        ('m = import_module("." + x, "trl")\nm.SFTConfig()', None),
        ("m = import_module(name)\nm.SFTConfig()", None),
        ('m = load("trl")\nm.SFTConfig()', None),
    ],
)
def test_modules_that_are_imported_by_a_text(code: str, expected: str | None) -> None:
    names = names_of(ast.parse(code))
    call = next(one for one in names.calls if last_name(one.func) == "SFTConfig")
    assert names.imported(call.func) == expected
