"""Which calls of a program load a file."""

from __future__ import annotations

import ast

from cfglint.source.python_loaders import Loaders
from cfglint.source.python_names import last_name
from cfglint.source.python_paths import NO_ARGUMENTS, Paths
from cfglint.source.python_scopes import Scopes
from tests.draws import each

IMPORTS = (
    "import json, yaml, hydra, pickle\nimport yaml as y\nfrom yaml import safe_load as sl\n"
    "from json import load\nfrom omegaconf import OmegaConf as O\nimport util.io\nimport util as u\n"
    "from util import read\nfrom . import own\nfrom .deep import more\nfrom hydra import main\n"
)


def loaders(code: str) -> tuple[Loaders, ast.Module]:
    tree = ast.parse(IMPORTS + code)
    scopes = Scopes(tree)
    return Loaders(scopes, Paths(scopes)), tree


def loaded(code: str) -> str | None:
    """What the call in `ask(…)` loads: its language and file, or the function with its arguments."""
    finder, tree = loaders(code)
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    (ask,) = (one for one in calls if last_name(one.func) == "ask")
    assert isinstance(ask.args[0], ast.Call)
    found = finder.loaded(ask.args[0], NO_ARGUMENTS)
    if found is None:
        return None
    if found.loading is None:
        return f"{found.language} {found.name.text}"
    given = [f"{place}={path and path[0]}" for place, path in found.loading.arguments]
    return " ".join([found.loading.module, found.loading.function, *given])


@each(
    ("call", "expected"),
    [
        ("yaml.safe_load(open('a'))", "yaml a"),
        ("y.safe_load(open('a'))", "yaml a"),
        ("sl(open('a'))", "yaml a"),
        ("yaml.full_load(open('a'))", "yaml a"),
        ("yaml.load(open('a'), Loader=yaml.SafeLoader)", "yaml a"),
        ("yaml.load(open('a'), yaml.CLoader)", "yaml a"),
        ("yaml.load(open('a'), Loader=Mine)", None),
        ("yaml.load(open('a'), Mine)", None),
        ("yaml.dump(open('a'))", None),
        ("json.load(open('a'))", "json a"),
        ("load(open('a'))", "json a"),
        ("json.loads(open('a').read())", "json a"),
        ("json.loads(open('a').read().strip())", None),
        ("json.loads(Path('a').read_text())", "json a"),
        ("yaml.safe_load(Path('a').read_bytes())", "yaml a"),
        ("yaml.safe_load(Path('a').open())", "yaml a"),
        ("yaml.safe_load(read_text())", None),
        ("O.load('a')", "omegaconf a"),
        ("O.create('a')", None),
        ("yaml.safe_load('a: 1')", None),
        ("yaml.safe_load()", None),
        ("yaml.safe_load(open())", None),
        ("yaml.safe_load(open(x))", None),
        ("yaml.safe_load(a.get('x'))", None),
        ("pickle.load(open('a'))", None),
        ("safe_load(open('a'))", None),
        ("x.yaml.safe_load(open('a'))", None),
        # A function of another module may load a file.
        ("read('a')", "util read 0=a"),
        ("u.read('a', x, name='b')", "util read 0=a 1=None name=b"),
        ("u.io.read('a')", "util.io read 0=a"),
        ("own.read('a')", ".own read 0=a"),
        ("more('a')", ".deep more 0=a"),
        ("read()", "util read"),
        ("read(x)", None),
        ("read('a', 1, 2, 3, 4, 5)", "util read 0=a 1=None 2=None 3=None 4=None 5=None"),
        ("read('a', 1, 2, 3, 4, 5, 6)", None),
        ("read('a', *x)", None),
        ("read('a', **x)", None),
        ("f('a')", None),
    ],
)
def test_a_call(call: str, expected: str | None) -> None:
    assert loaded(f"ask({call})") == expected


@each(
    ("code", "expected"),
    [
        ("f = open('a')\nask(yaml.safe_load(f))", "yaml a"),
        ("f = open('a')\nt = f.read()\nask(yaml.safe_load(t))", "yaml a"),
        ("with open('a') as f:\n    ask(yaml.safe_load(f))", "yaml a"),
        ("with open('a') as f:\n    t = f.read()\nask(json.loads(t))", "json a"),
        ("open = x\nask(yaml.safe_load(open('a')))", None),
        ("for f in x: ask(yaml.safe_load(f))", None),
        ("f = f\nask(yaml.safe_load(f))", None),
        ("yaml = x\nask(yaml.safe_load(open('a')))", None),
    ],
)
def test_a_file_by_a_name(code: str, expected: str | None) -> None:
    assert loaded(code) == expected


@each(
    ("decorator", "expected"),
    [
        ("@hydra.main(config_path='conf', config_name='a')", "conf/a.yaml"),
        ("@main(config_path='conf', config_name='a.yml')", "conf/a.yml"),
        ("@hydra.main(version_base=None, config_path='conf', config_name='a.yaml')", "conf/a.yaml"),
        ("@hydra.main(config_name='a')", None),
        ("@hydra.main(config_path='conf')", None),
        ("@hydra.main(config_path=x, config_name='a')", None),
        ("@hydra.main", None),
        ("@hydra.other(config_path='conf', config_name='a')", None),
        ("@other\n@hydra.main(config_path='conf', config_name='a')", None),
        ("", None),
    ],
)
def test_the_file_of_hydra(decorator: str, expected: str | None) -> None:
    finder, tree = loaders(f"{decorator}\ndef run(cfg, other=1):\n    ask(cfg, other, IMPORTS)")
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    (ask,) = (one for one in calls if last_name(one.func) == "ask")
    first, *others = (finder.of_hydra(one) for one in ask.args if isinstance(one, ast.Name))
    assert (None if first is None else first.name.text) == expected
    assert first is None or (first.language, first.name.beside) == ("hydra", True)
    assert others == [None, None]
