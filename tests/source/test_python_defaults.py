"""What a keyword is as long as nobody says otherwise."""

from __future__ import annotations

import ast
from typing import Any

from cfglint.source.python_defaults import Defaults
from cfglint.source.python_scopes import Scopes
from tests.draws import each

HEAD = (
    "import argparse, os\nfrom dataclasses import dataclass, field\np = argparse.ArgumentParser()\n"
)
ARGS = "a = p.parse_args()\n"


def asked(body: str) -> tuple[Any, str] | None:
    """The default of what `ask` is given, and what may replace it."""
    code = HEAD + body
    tree = ast.parse(code)
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    (ask,) = (one for one in calls if isinstance(one.func, ast.Name) and one.func.id == "ask")
    found = Defaults(Scopes(tree), code).of(ask.args[0])
    return None if found is None else (found.value, found.name)


@each(
    ("words", "default"),
    [
        ("'--lr', type=float, default=1e-4", 1e-4),
        ("'--lr', type=float, default='3'", 3.0),
        ("'--lr', default='3'", "3"),
        ("'-l', '--lr', default=[1, 2], nargs='+'", [1, 2]),
        ("'--other', '-o', dest='lr', default=1", 1),
        ("'--lr'", None),
        ("'--lr', action='store_true'", False),
        ("'--lr', action='store_false'", True),
        ("'--lr', action='store_true', default=True", True),
        ("'--lr', default=-LR", ...),
        ("'--lr', default=LR", 5),
        ("'--lr', default=other()", ...),
        ("'--lr', type=parse, default='3'", ...),
        ("'--lr', type=int, default='x'", ...),
        ("'--lr', default=1, required=True", ...),
        ("'--lr', action='count'", ...),
        ("'--lr', action='append', default=1", ...),
        ("'lr', default=1", ...),
        ("'--lr', **more", ...),
    ],
)
def test_options(words: str, default: Any) -> None:
    found = asked(f"LR = 5\np.add_argument({words})\n{ARGS}ask(a.lr)\n")
    assert (... if found is None else found[0]) == default
    assert found is None or type(found[0]) is type(default)
    assert found is None or found[1] in ("--lr", "--other")


@each(
    "body",
    [
        f"p.add_argument('--lr', default=1)\np.add_argument('--lr', default=2)\n{ARGS}ask(a.lr)",
        f"p.add_argument('--lr', default=1)\n{ARGS}a.lr = 3\nask(a.lr)",
        f"p.add_argument('--lr', default=1)\n{ARGS}p.set_defaults(lr=2)\nask(a.lr)",
        f"p.add_argument('--lr', default=1)\n{ARGS}setattr(a, x, 1)\nask(a.lr)",
        "p.add_argument('--lr', default=1)\na = p.parse_args()\na = other()\nask(a.lr)",
        "p.add_argument('--lr', default=1)\nask(a.lr)",
        f"p.add_argument('--lr', default=1)\n{ARGS}ask(int(a.lr, 2))",
        f"p.add_argument('--lr', default=1)\n{ARGS}int = f\nask(int(a.lr))",
    ],
)
def test_what_may_be_anything(body: str) -> None:
    assert asked(body) is None


def test_what_follows_from_an_option() -> None:
    option = f"p.add_argument('--lr', type=float, default=3)\n{ARGS}"
    assert asked(f"{option}lr = a.lr\nask(lr)") == (3, "--lr")
    assert asked(f"{option}ask(str(a.lr))") == ("3", "--lr")
    assert asked(f"{option}ask(not a.lr)") == (False, "--lr")
    assert asked(f"{option}def main(args):\n    ask(args.lr)\nmain(a)\n") == (3, "--lr")
    assert asked(f"{option}def main(args):\n    ask(args.lr)\nmain(b)\n") is None
    parsing = "def parsed():\n    p.add_argument('--lr', default=3)\n    return p.parse_args()\n"
    assert asked(f"{parsing}a = parsed()\nask(a.lr)") == (3, "--lr")


def test_variables() -> None:
    assert asked("ask(os.environ.get('SIZE', '8'))") == ("8", "$SIZE")
    assert asked("ask(int(os.getenv('SIZE', '8')))") == (8, "$SIZE")
    assert asked("ask(os.environ.get('SIZE'))") is None
    assert asked("ask(os.environ.get(name, '8'))") is None
    assert asked("ask(other.get('SIZE', '8'))") is None


CLASS = (
    "@dataclass\nclass S:\n    lr: float = 2.0\n    b: int = field(default=3)\n    n: int = None\n"
)


@each(
    ("body", "found"),
    [
        (f"{CLASS}s = S()\nask(s.lr)", (2.0, "S.lr")),
        (f"{CLASS}s = S()\nask(s.b)", (3, "S.b")),
        (f"{CLASS}ask(S.lr)", (2.0, "S.lr")),
        (f"{CLASS}def f(s: S):\n    ask(s.lr)\n", (2.0, "S.lr")),
        (f"{CLASS}def f(s):\n    ask(s.lr)\n", None),
        (f"{CLASS}s = S(1.0)\nask(s.lr)", None),
        (f"{CLASS}s = S(lr=1.0)\nask(s.lr)", None),
        (f"{CLASS}s = S()\ns.lr = 1\nask(s.lr)", None),
        (f"{CLASS}s = S()\nask(s.other)", None),
        ("class S(Base):\n    lr = 2\nask(S.lr)", None),
        ("@other\nclass S:\n    lr = 2\nask(S.lr)", None),
        ("class S:\n    lr = 2\n    lr = 3\nask(S.lr)", None),
        ("class S:\n    lr = 2\n    def __init__(self): self.go()\ns = S()\nask(s.lr)", None),
    ],
)
def test_fields_of_classes(body: str, found: tuple[Any, str] | None) -> None:
    assert asked(body) == found


@each(
    ("body", "found"),
    [
        ("D = {'lr': 2.0}\nask(D['lr'])", (2.0, "D['lr']")),
        ("D = {'lr': 2.0}\ndef f():\n    ask(float(D['lr']))", (2.0, "D['lr']")),
        ("D = {'lr': 2.0}\nask(D['other'])", None),
        ("D = {'lr': 2.0}\nask(D.get('lr', 3.0))", (2.0, "D['lr']")),
        ("D = {'lr': 2.0}\nask(D.get('other', 3.0))", (3.0, "D['other']")),
        ("D = {'lr': 2.0}\nask(D.get('other'))", (None, "D['other']")),
        ("D = {'lr': 2.0}\nf(**D)\nask(int(D.get('lr')))", (2, "D['lr']")),
        ("D = {'lr': 2.0}\nD.setdefault('lr', 1)\nask(D.get('lr', 3.0))", None),
        ("D = {'lr': 2.0, name: 1}\nask(D.get('other', 3.0))", None),
        ("D = {'lr': 2.0, 'lr': 3.0}\nask(D['lr'])", None),
        ("D = {'lr': 2.0, **more}\nask(D['lr'])", None),
        ("D = {'lr': 2.0}\nD['lr'] = 3\nask(D['lr'])", None),
        ("D = {'lr': 2.0}\nD.update(x)\nask(D['lr'])", None),
        ("D = {'lr': 2.0}\nother(D)\nask(D['lr'])", None),
        ("D = {'lr': 2.0}\nD = {'lr': 3.0}\nask(D['lr'])", None),
        ("D = {'lr': f()}\nask(D['lr'])", None),
        ("D = {'lr': 2.0}\nask(D[key])", None),
    ],
)
def test_mappings_that_are_written_out(body: str, found: tuple[Any, str] | None) -> None:
    assert asked(body) == found


def test_long_texts_are_no_settings() -> None:
    assert asked(f"ask(os.environ.get('A', '{'x' * 300}'))") is None
