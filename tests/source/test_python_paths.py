"""The file that an expression of a program names."""

from __future__ import annotations

import ast

from cfglint.source.python_names import last_name
from cfglint.source.python_paths import NO_ARGUMENTS, FileName, Paths, arguments_of
from cfglint.source.python_scopes import Scopes
from tests.draws import each

HERE = "Path(__file__)"


def named(code: str) -> str | None:
    """The file that the argument of `ask` names; `program:` before what is relative to the program."""
    tree = ast.parse(code)
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    (ask,) = (one for one in calls if last_name(one.func) == "ask")
    found = Paths(Scopes(tree)).named(ask.args[0], NO_ARGUMENTS)
    return None if found is None else ("program:" if found.beside else "") + found.text


@each(
    ("path", "expected"),
    [
        ("'a'", "a"),
        ("''", None),
        ("1", None),
        ("b'a'", None),
        ("x", None),
        ("Path('a')", "a"),
        ("PurePath('a')", "a"),
        ("str(Path('a'))", "a"),
        ("os.fspath('a')", "a"),
        ("os.path.abspath('a')", "a"),
        ("os.path.join('a')", "a"),
        ("os.path.join('a', 'b', 'c')", "a/b/c"),
        ("os.path.join('a', '/b')", None),
        ("os.path.join(x, 'b')", None),
        ("os.path.join('a', x)", None),
        ("os.path.join()", None),
        ("os.path.join(*x)", None),
        ("Path()", None),
        ("Path('a', 'b')", "a/b"),
        ("Path('a', x=1)", None),
        ("Path('a') / 'b' / 'c'", "a/b/c"),
        ("'a' + 'b'", None),
        (f"'a' / {HERE}.parent", None),
        ("Path('a').resolve()", "a"),
        ("Path('a').resolve(True)", None),
        ("Path('a').absolute().as_posix()", "a"),
        ("resolve()", None),
        ("abspath('a', 'b')", None),
        ("Path('a').joinpath('b', 'c')", "a/b/c"),
        ("joinpath('b')", None),
        ("Path('a').with_name('b')", None),
        # The folders above.
        ("Path('a/b/c').parent", "a/b"),
        ("Path('a').parent", "."),
        ("Path('.').parent", "./.."),
        ("Path('a/..').parent", "a/../.."),
        ("Path('a/').parent", "a//.."),
        ("os.path.dirname('a/b')", "a"),
        ("os.path.dirname('a/b', 'c')", None),
        ("os.path.dirname(x)", None),
        ("Path('a/b/c').parents[0]", "a/b"),
        ("Path('a/b/c').parents[1]", "a"),
        ("Path('a/b/c').parents[-1]", None),
        ("Path('a/b/c').parents[15]", "./../../../../../../../../../../../../.."),
        ("Path('a/b/c').parents[16]", None),
        ("Path('a/b/c').parents['0']", None),
        ("Path('a/b/c').parts[0]", None),
        ("parents[0]", None),
        # The program itself is no file that it loads.
        ("__file__", None),
        (HERE, None),
        (f"{HERE} / 'a'", None),
        (f"{HERE}.parent", "program:."),
        (f"{HERE}.parent / 'a'", "program:./a"),
        (f"{HERE}.resolve().parents[1] / 'a'", "program:./../a"),
        ("os.path.join(os.path.dirname(os.path.abspath(__file__)), 'a')", "program:./a"),
        # What a program without arguments takes.
        ("sys.argv[1] if len(sys.argv) > 1 else 'a'", "a"),
        ("'a' if len(sys.argv) < 2 else sys.argv[1]", "a"),
        ("'a' if len(sys.argv) < 2 else 'b'", None),
        ("sys.argv[1] if len(sys.argv) > 1 else sys.argv[2]", None),
        ("'a' if x else 'b'", None),
        ("sys.argv[1] if x else 'b'", None),
    ],
)
def test_an_expression(path: str, expected: str | None) -> None:
    assert named(f"ask({path})") == expected


@each(
    ("code", "expected"),
    [
        ("p = 'a'\nask(p)", "a"),
        ("p = 'a'\np = 'b'\nask(p)", None),
        ("for p in x: ask(p)", None),
        # A parameter is what the only call gives it.
        ("def f(p): ask(p)\nf('a')", "a"),
        ("def f(p): ask(p)\nf(p='a')", "a"),
        ("def f(p='a'): ask(p)\nf()", "a"),
        ("def f(x, /, p): ask(p)\nf('b', 'a')", "a"),
        ("def f(*, p='a'): ask(p)\nf()", "a"),
        ("def f(p): ask(p)\nf('a')\nf('a')", None),
        ("def f(p): ask(p)\nf()", None),
        ("def f(p): ask(p)\nf(*x)", None),
        ("def f(p): ask(p)\nf(**x)", None),
        ("def f(p): ask(p)\nf('a', 'b')", None),
        ("f = lambda p: ask(p)\nf('a')", None),
        # It may be made another kind of path under its own name.
        ("def f(p):\n    p = Path(p)\n    ask(p)\nf('a')", "a"),
        ("def f(p):\n    p = p.resolve()\n    ask(p)\nf('a')", "a"),
        ("def f(p):\n    p = Path(p).resolve()\n    ask(p)\nf('a')", None),
        ("def f(p):\n    p = Path(q)\n    ask(p)\nf('a')", None),
        ("def f(p):\n    p = Path(p, x=1)\n    ask(p)\nf('a')", None),
        ("def f(p):\n    p = other(p)\n    ask(p)\nf('a')", None),
        ("def f(p):\n    p = 'b'\n    ask(p)\nf('a')", None),
        ("def f(p):\n    for p in x: pass\n    ask(p)\nf('a')", None),
    ],
)
def test_a_name(code: str, expected: str | None) -> None:
    assert named(code) == expected


PARSED = "p.add_argument('--config', default='a')\n"


@each(
    ("code", "expected"),
    [
        ("args = p.parse_args()\nask(args.config)", "a"),
        ("ask(p.parse_args().config)", "a"),
        ("def f(): return p.parse_args()\nask(f().config)", "a"),
        ("def f(args): ask(args.config)\nf(p.parse_args())", "a"),
        ("def f(): return 1\nask(f().config)", None),
        ("def f(): pass\nask(f().config)", None),
        ("args = p.parse_known_args()\nask(args.config)", None),
        ("args = x\nask(args.config)", None),
        ("args = p.parse_args()\nargs.config = 'b'\nask(args.config)", None),
        ("args = p.parse_args()\nask(args.other)", None),
        ("p.add_argument('--config', default='b')\nask(p.parse_args().config)", None),
        ("p.add_argument('-x', dest='config', default='b')\nask(p.parse_args().config)", None),
        ("p.add_argument('-x', dest=y, default='b')\nask(p.parse_args().config)", "a"),
    ],
)
def test_an_option(code: str, expected: str | None) -> None:
    assert named(PARSED + code) == expected


@each(
    ("words", "expected"),
    [
        ("'--my-config', default='a'", "a"),
        ("'-c', '--my-config', '--other', default='a'", "a"),
        ("'my_config', default='a'", "a"),
        ("x, '--my-config', default='a'", "a"),
        ("'--other', '--my-config', default='a'", None),
        ("'--my-config', default='a', required=True", None),
        ("'--my-config', default='a', action=x", None),
        ("'--my-config', default='a', **x", None),
        ("'--my-config'", None),
        ("x, default='a'", None),
    ],
)
def test_what_adds_an_option(words: str, expected: str | None) -> None:
    assert named(f"p.add_argument({words})\nask(p.parse_args().my_config)") == expected


def test_chains_are_followed_some_steps() -> None:
    chain = "x0 = 'a'\n" + "".join(f"x{n + 1} = x{n}\n" for n in range(20))
    assert named(f"{chain}ask(x6)") == "a"
    assert named(f"{chain}ask(x20)") is None
    assert named(f"ask({'Path(' * 15}'a'{')' * 15})") == "a"
    assert named(f"ask({'Path(' * 16}'a'{')' * 16})") is None
    assert (
        named("def f(): return f()\nask(f().config)\np.add_argument('--config', default='a')")
        is None
    )
    assert named("x = x\nask(x.config)\np.add_argument('--config', default='a')") is None


def test_the_arguments_of_a_call_that_is_followed() -> None:
    tree = ast.parse("def f(p, q='b'): return p, q\nf('a')\nf('c')")
    function, first, second = tree.body
    assert isinstance(function, ast.FunctionDef)
    assert isinstance(function.body[0], ast.Return)
    paths = Paths(Scopes(tree))
    given = function.body[0].value
    assert isinstance(given, ast.Tuple)
    for statement, expected in ((first, ("a", "b")), (second, ("c", "b"))):
        assert isinstance(statement, ast.Expr)
        assert isinstance(statement.value, ast.Call)
        values = arguments_of(statement.value, function)
        assert values is not None
        counting = NO_ARGUMENTS._replace(function=function, values=values)
        found = tuple(paths.named(one, counting) for one in given.elts)
        assert found == tuple(FileName(text, False) for text in expected)
    assert paths.named(None, NO_ARGUMENTS) is None
    assert paths.named(given.elts[0], NO_ARGUMENTS) is None
