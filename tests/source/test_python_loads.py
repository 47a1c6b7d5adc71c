"""What a program loads, which file that is in, and what becomes of it."""

from __future__ import annotations

import ast
import time

from cfglint.source.python_loads import LoadedPart, Loads, Treatment
from cfglint.source.python_scopes import Scopes
from tests.draws import each

HEAD = "import json, yaml\nfrom omegaconf import OmegaConf\n"
LOAD = "c = yaml.safe_load(open('x.yaml'))\n"


def asked(body: str) -> tuple[LoadedPart | None, Treatment | None]:
    """What the argument of `ask` is, and what becomes of the file that it is a part of."""
    tree = ast.parse(HEAD + body)
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    (ask,) = (one for one in calls if isinstance(one.func, ast.Name) and one.func.id == "ask")
    loads = Loads(Scopes(tree), frozenset({id(ask)}))
    found = loads.loaded(ask.args[0])
    return found, None if found is None else loads.treatment(found)


def file_of(path: str, before: str = "") -> str | None:
    """The file that a path names: `./` before it when it is beside the program."""
    found, _ = asked(f"{before}ask(yaml.safe_load(open({path})))\n")
    return None if found is None else ("./" if found.file.beside else "") + found.file.text


@each(
    ("path", "expected"),
    [
        ("'a/b.yaml'", "a/b.yaml"),
        ("Path('a') / 'b.yaml'", "a/b.yaml"),
        ("Path('a', 'b.yaml').resolve()", "a/b.yaml"),
        ("os.path.join('a', 'b.yaml')", "a/b.yaml"),
        ("Path(__file__).parent / 'b.yaml'", "././b.yaml"),
        ("Path(__file__).parent.parent / 'b.yaml'", "././/../b.yaml".replace("//", "/")),
        ("Path(__file__).parents[1] / 'b.yaml'", "././/../b.yaml".replace("//", "/")),
        ("os.path.join(os.path.dirname(__file__), 'b.yaml')", "././b.yaml"),
        ("Path('a/b/c').parent.joinpath('d')", "a/b/d"),
        ("Path(__file__)", None),
        ("'a' / Path('/b')", None),
        ("f'{x}.yaml'", None),
        ("Path(p).parents[n] / 'b'", None),
        ("Path('a', strict=True)", None),
        ("sys.argv[1]", None),
        ("''", None),
    ],
)
def test_the_file_that_is_loaded(path: str, expected: str | None) -> None:
    assert file_of(path) == expected


@each(
    ("before", "expected"),
    [
        ("p.add_argument('--config', '-c', default='x')\n", "x"),
        ("p.add_argument('-c', '--config', default='x')\n", "x"),
        ("p.add_argument('config', nargs='?', default='x')\n", "x"),
        ("p.add_argument('-f', dest='config', default='x')\n", "x"),
        ("p.add_argument('--config')\n", "\2--config\2"),
        ("p.add_argument('-c', '--config', required=True, type=Path)\n", "\2-c,--config\2"),
        ("p.add_argument('first')\np.add_argument('config')\n", "\0021\2"),
        ("p.add_argument('config', nargs='?')\n", None),
        ("p.add_argument('--config', action='append')\n", None),
        ("p.add_argument('--config', default='x', required=True)\n", None),
        ("p.add_argument('--config', default='x', **more)\n", None),
        (
            "p.add_argument('--config', default='x')\np.add_argument('--config', default='y')\n",
            None,
        ),
        ("p.add_argument('--config', default='x')\na.config = 'y'\n", None),
        ("p.add_argument('--config-2', default='x')\n", None),
    ],
)
def test_the_default_of_an_option(before: str, expected: str | None) -> None:
    assert file_of("a.config", "a = p.parse_args()\n" + before) == expected
    in_function = "def parse():\n    return p.parse_args()\na = parse()\n"
    assert file_of("a.config", in_function + before) == expected
    assert file_of("a.config", "a = parse()\n" + before) is None


@each(
    ("body", "at"),
    [
        (LOAD + "ask(c)\n", ()),
        (LOAD + "ask(c['a'][0]['b'])\n", ("a", 0, "b")),
        (LOAD + "ask(c.get('a', 1)['b'])\n", ("a", "b")),
        (LOAD + "ask(dict(c['a']))\n", ("a",)),
        (LOAD + "ask(c['a'] or {})\n", ("a",)),
        (LOAD + "def f(d):\n    ask(d['a'])\nf(c)\n", ("a",)),
        (LOAD + "def f(x, d=c):\n    ask(d['a'])\nf(1)\n", ("a",)),
        ("def f(p):\n    return yaml.safe_load(open(p))['a']\nask(f('x'))\n", ("a",)),
        ("ask(json.loads(open('x').read()))\n", ()),
        ("c = OmegaConf.load('x')\nask(c.a['b'])\n", ("a", "b")),
        (LOAD + "ask(c.a)\n", None),
        (LOAD + "ask(c[k])\n", None),
        (LOAD + "ask(c.pop('a'))\n", None),
        (LOAD + "ask(c if x else d)\n", None),
        (LOAD + "def f(d):\n    ask(d)\nf(c)\nf(e)\n", None),
        (LOAD + "def f(d):\n    ask(d)\ng(f)\n", None),
        (LOAD + "@g\ndef f():\n    return c\nask(f())\n", None),
        (
            "def f(p):\n    if p:\n        return 1\n    return yaml.safe_load(open(p))\nask(f('x'))\n",
            None,
        ),
        ("yaml = 1\nask(yaml.safe_load(open('x')))\n", None),
        ("ask(yaml.safe_load('a: 1'))\n", None),
        ("ask(yaml.safe_load())\n", None),
        ("def f():\n    return f()\nask(f())\n", None),
        ("c = c\nask(c)\n", None),
    ],
)
def test_the_part_that_is_meant(body: str, at: tuple[object, ...] | None) -> None:
    found, _ = asked(body)
    assert (None if found is None else found.at) == at


@each(
    ("body", "changed", "handed", "read"),
    [
        ("print(c, len(c['a']), c['b'] + 1, f'{c}', 'x' in c)\n", set(), set(), {("a",), ("b",)}),
        ("c['a']['b'] = 1\n", {("a", "b")}, set(), {("a",)}),
        ("c['a'] += 1\ndel c['b']\n", {("a",), ("b",)}, set(), set()),
        ("c.pop('a')\nc.setdefault('b', 1)\nc.update(x)\n", {("a",), ("b",), ()}, set(), set()),
        ("c[k] = 1\nc.a = 1\n", {("*",), ("a",)}, set(), set()),
        ("d = c['a'].copy()\nd.clear()\n", {("a",)}, set(), {("a",)}),
        ("f(c['a'], x=c['b'])\n", set(), {("a",), ("b",)}, {("a",), ("b",)}),
        ("f(**c['a'])\nx = {**c['b']}\n", set(), set(), {("a",), ("b",)}),
        (
            "x = {'k': c}\ny = [c['a']]\nz, w = c['b']\n",
            set(),
            {(), ("a",), ("b",)},
            {("a",), ("b",)},
        ),
        ("for x in c.values():\n    pass\n", set(), {("*",)}, set()),
        ("def f(d):\n    d['x'] = 1\nf(c['a'])\n", {("a", "x")}, set(), {("a",)}),
        ("def f(d):\n    d = 1\nf(c['a'])\n", set(), {("a",)}, {("a",)}),
        ("def f():\n    return c\n", set(), {()}, set()),
        ("x = y = c['a']\n", set(), {("a",)}, {("a",)}),
        ("init(c['a'])\nlog(c['b'])\n", set(), {("a",), ("b",)}, {("a",), ("b",)}),
        ("def print(d):\n    d['x'] = 1\nprint(c)\n", {("x",)}, set(), set()),
        ("wandb.init(config=c)\nlogger.info(c)\njson.dumps(c)\n", set(), set(), set()),
        ("c['a'].strip()\nc.keys()\n", set(), {("a",)}, {("a",)}),
    ],
)
def test_what_becomes_of_it(body: str, changed: object, handed: object, read: object) -> None:
    _, seen = asked(LOAD + body + "ask(c)\n")
    assert seen is not None
    assert (set(seen.changed), set(seen.handed), set(seen.read)) == (changed, handed, read)


def test_a_name_means_something_else_in_each_function() -> None:
    body = "def f(c):\n    c['a'] = 1\ndef g():\n    c = {}\n    c['b'] = 1\n"
    _, seen = asked(LOAD + body + "ask(c)\n")
    assert seen is not None
    assert not seen.changed


def test_many_steps_are_not_followed() -> None:
    lines = "".join(f"f(c['k{number}'])\n" for number in range(300))
    _, seen = asked(LOAD + lines + "ask(c)\n")
    assert seen is not None
    assert seen.changed == {()}
    start = time.perf_counter()
    asked(LOAD + "".join(f"x{n} = c['k{n}']\n" for n in range(10_000)) + "ask(c)\n")
    assert time.perf_counter() - start < 20


@each(
    ("call", "language"),
    [
        ("OmegaConf.load('x.yaml')", "omegaconf"),
        ("OmegaConf.create('x.yaml')", None),
        ("json.load(open('x.json'))", "json"),
        ("yaml.safe_load(open('x.yaml'))", "yaml"),
        ("yaml.dump(open('x.yaml'))", None),
    ],
)
def test_the_language_of_what_is_loaded(call: str, language: str | None) -> None:
    found, _ = asked(f"ask({call})\n")
    assert (found.language if found is not None else None) == language
