"""What functions of other modules load for a program."""

from __future__ import annotations

from cfglint.base.type_names import Any
from tests.draws import each
from tests.engine.programs.feeding import keywords

HEAD = "import yaml, os\nfrom pathlib import Path\nHERE = Path(__file__).parent\n"
FILES = {"p/x.yaml": "rate: 1\nb: {rate: 2}\n", "p/lib/x.yaml": "rate: 3\n"}
FOUND = {"rate": 1, "b": {"rate": 2}}


def loaded(
    function: str, call: str = "load('x.yaml')", body: str = "Config(**c)", **modules: str
) -> dict[str, Any] | None:
    """The keywords that a call is given of what a function of `p/lib/util.py` returns."""
    files = {**FILES, "p/lib/__init__.py": "", "p/lib/util.py": HEAD + function}
    files.update((f"p/lib/{name}.py", text) for name, text in modules.items())
    return keywords(f"from lib.util import load\nc = {call}\n{body}", files)


@each(
    ("function", "expected"),
    [
        ("def load(p):\n    return yaml.safe_load(open(p))", FOUND),
        ("def load(p):\n    return yaml.safe_load(open(p))['b']", {"rate": 2}),
        ("def load(p):\n    with open(p) as f:\n        return yaml.safe_load(f)", FOUND),
        ("def load(p):\n    return yaml.safe_load(open(Path(p)))", FOUND),
        ("def load(p):\n    return yaml.safe_load(open('x.yaml'))", FOUND),
        ("def load(p):\n    return yaml.safe_load(open(HERE / p))", {"rate": 3}),
        ("def load(p):\n    return yaml.safe_load(open(HERE / 'x.yaml'))", {"rate": 3}),
        ("def load(p, q='x.yaml'):\n    return yaml.safe_load(open(q))", FOUND),
        ("def load(p):\n    return yaml.safe_load(open(p / p))", None),
        ("def load(p):\n    return yaml.safe_load(open(q))", None),
        ("def load(p):\n    return p", None),
        (
            "def load(p):\n    c = yaml.safe_load(open(p))\n    c['rate'] = 5\n    return c",
            {"b": {"rate": 2}},
        ),
        ("def load(p):\n    c = yaml.safe_load(open(p))\n    f(c)\n    return c", None),
        ("def other(p):\n    return yaml.safe_load(open(p))", None),
        ("@cache\ndef load(p):\n    return yaml.safe_load(open(p))", None),
        ("def load(p", None),
        ("import other\ndef load(p):\n    return other.load(p)", None),
    ],
)
def test_a_function(function: str, expected: dict[str, Any] | None) -> None:
    assert loaded(function) == expected


LOAD = "def load(p='x.yaml', *, folder='.'):\n    return yaml.safe_load(open(p))"


@each(
    ("call", "expected"),
    [
        ("load('x.yaml')", FOUND),
        ("load()", FOUND),
        ("load(p='x.yaml')", FOUND),
        ("load('x.yaml', folder=1)", FOUND),
        ("load('none.yaml')", None),
        ("load(1)", None),
        ("load(a)", None),
        ("load('x.yaml', 1)", None),
        ("load(Path(__file__).parent / 'x.yaml')", FOUND),
    ],
)
def test_a_call(call: str, expected: dict[str, Any] | None) -> None:
    assert loaded(LOAD, call) == expected


def test_a_path_that_a_function_completes() -> None:
    completing = "def load(p):\n    return yaml.safe_load(open(Path('lib') / p / 'x.yaml'))"
    assert loaded(completing, "load('.')") == {"rate": 3}
    assert loaded(completing, "load('sub')") is None
    # What is beside the program is in none of these folders.
    assert loaded(completing, "load(Path(__file__).parent)") is None
    behind = "def load(p):\n    return yaml.safe_load(open(Path(p) / 'x.yaml'))"
    assert loaded(behind, "load('lib')") == {"rate": 3}
    assert loaded(behind, "load(Path(__file__).parent / 'lib')") == {"rate": 3}


def test_a_module_that_hands_a_function_on() -> None:
    inner = HEAD + LOAD
    assert loaded("from .inner import load", inner=inner) == FOUND
    assert (
        loaded("from .inner import read as load", inner=inner.replace("load(p", "read(p")) == FOUND
    )
    assert loaded("from .missing import load") is None
    chain = {f"m{n}": f"from .m{n + 1} import load" for n in range(6)}
    assert loaded("from .m4 import load", **chain, m6=inner) == FOUND
    assert loaded("from .m3 import load", **chain, m6=inner) is None


@each(
    ("body", "expected"),
    [
        ("Config(**c['b'])", {"rate": 2}),
        ("Config(rate=c['rate'])", {"rate": 1}),
        ("c['rate'] = 4\nConfig(**c)", {"b": {"rate": 2}}),
        ("f(c)\nConfig(**c)", None),
        ("Config(**c.b)", None),
    ],
)
def test_what_the_program_does_with_it(body: str, expected: dict[str, Any] | None) -> None:
    assert loaded(LOAD, body=body) == expected
