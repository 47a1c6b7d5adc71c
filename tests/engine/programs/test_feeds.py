"""Which parts of files the calls of a program are given."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.engine.programs.feeds import _composes
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each
from tests.engine.programs.feeding import fed, keywords

YAML = "a: {rate: 1, name: x, list: [1]}\nb: {out: o}\nn: 5\nt: '7'\n"
LOAD = "c = yaml.safe_load(open('x.yaml'))\n"
OMEGA = "c = OmegaConf.load('x.yaml')\n"


@each(
    ("body", "expected"),
    [
        ("Config(**c['a'])", {"rate": 1, "name": "x", "list": [1]}),
        ("Config(**c['a'], **c['b'])", {"rate": 1, "name": "x", "list": [1], "out": "o"}),
        ("Config(**c['b'], rate=2)", {"out": "o", "rate": 2}),
        ("Config(rate=c['n'])", {"rate": 5}),
        ("Config(rate=c['n'], **c['b'])", {"rate": 5, "out": "o"}),
        ("Config(rate=c['n'], **d)", {"rate": 5}),
        ("Config(rate=int(c['t']))", {"rate": 7}),
        ("Config(rate=float(c['n']))", {"rate": 5.0}),
        ("Config(rate=int(c['a']['name']))", None),
        ("Config(rate=int(c['a']['list']))", None),
        ("Config(rate=c['a']['list'])", {"rate": [1]}),
        ("Config(rate=c.get('m', 3))", {"rate": 3}),
        ("Config(rate=c.get('n', 3))", {"rate": 5}),
        ("Config(rate=c.get('m'))", {"rate": None}),
        ("Config(rate=c['m'])", None),
        # Python refuses a keyword that it is given twice.
        ("Config(**c['a'], rate=2)", None),
        ("Config(**c['a'], **c['a'])", None),
        # No mapping of keywords.
        ("Config(**c['n'])", None),
        ("Config(**c['m'])", None),
        ("Config(**c['a'], **d)", None),
        # What the program has changed is not known.
        ("c['a']['rate'] = 2\nConfig(**c['a'])", {"name": "x", "list": [1]}),
        ("c['a']['more'] = 2\nConfig(**c['a'])", {"rate": 1, "name": "x", "list": [1]}),
        ("c['a'] = d\nConfig(**c['a'])", None),
        ("c['a'][d] = 2\nConfig(**c['a'])", {"rate": 1, "name": "x", "list": [1]}),
        ("c['n'] = 2\nConfig(rate=c['n'])", None),
        ("c['n'] = 2\nConfig(**c['b'])", {"out": "o"}),
        ("c['a']['list'] = 2\nConfig(rate=c['a'])", None),
        # What it has handed on may be changed, if it is a list or a mapping.
        ("f(c['a'])\nConfig(**c['a'])", None),
        ("f(c['b'])\nConfig(**c['a'])", {"rate": 1, "name": "x", "list": [1]}),
        ("f(c['a']['rate'])\nConfig(**c['a'])", {"rate": 1, "name": "x", "list": [1]}),
        ("f(c['a']['list'])\nConfig(**c['a'])", {"rate": 1, "name": "x"}),
        ("f(c['a']['list'])\nConfig(rate=c['a']['list'])", None),
        ("f(c['a'])\nConfig(rate=c['a']['rate'])", None),
        ("f(c['n'])\nConfig(rate=c['n'])", {"rate": 5}),
    ],
)
def test_what_a_file_gives(body: str, expected: dict[str, Any] | None) -> None:
    assert keywords(LOAD + body, {"p/x.yaml": YAML}) == expected


@each(
    ("text", "expected"),
    [
        ("a: {rate: 1}", {"rate": 1}),
        ("a: {rate: 1, 2: 3}", None),
        ("a: {<<: {out: x}, rate: 1}", None),
        ("<<: {a: {rate: 1}}", None),
        ("a: &x {rate: 1}\nb: {<<: *x}", {"rate": 1}),
        ("a: [rate", None),
        ("a: {rate: 1, rate: 2}", {"rate": 2}),
        ("- a", None),
        ("", None),
        (f"a: {{rate: 1, {', '.join(f'k{n}: 0' for n in range(499))}}}", "many"),
        (f"a: {{rate: 1, {', '.join(f'k{n}: 0' for n in range(500))}}}", None),
        (f"a: {{rate: 1}}\n# {'x' * 200_000}", None),
    ],
)
def test_files(text: str, expected: dict[str, Any] | str | None) -> None:
    found = keywords(f"{LOAD}Config(**c['a'])", {"p/x.yaml": text})
    assert ("many" if found and len(found) == 500 else found) == expected


def test_where_the_file_lies() -> None:
    call = f"{LOAD}Config(**c['a'])"
    beside = call.replace("'x.yaml'", "os.path.join(os.path.dirname(__file__), 'x.yaml')")
    assert keywords(call, {}) is None
    assert keywords(call, {"x.yaml": "a: {rate: 1}"}) is None
    assert keywords(call, {"p/x.yaml": "a: {rate: 1}"}, None) is None
    assert keywords(beside, {"p/x.yaml": "a: {rate: 1}"}) == {"rate": 1}
    assert keywords(beside, {"p/x.yaml": "a: {rate: 1}"}, None) is None


@each(
    ("text", "expected"),
    [
        ("a: {rate: 1, out: x}", {"rate": 1, "out": "x"}),
        ("a: {rate: '${b}', out: x}", {"rate": UNKNOWN, "out": "x"}),
        ("a: {rate: '???', out: '???x'}", {"rate": UNKNOWN, "out": "???x"}),
        (
            "a: {rate: [1, {b: '${c}'}], out: [1, {b: c}]}",
            {"rate": UNKNOWN, "out": [1, {"b": "c"}]},
        ),
    ],
)
def test_what_omegaconf_fills_in_is_not_known(text: str, expected: dict[str, Any]) -> None:
    assert keywords(f"{OMEGA}Config(**c['a'])", {"p/x.yaml": text}) == expected


@each(
    ("body", "is_open", "unset"),
    [
        ("Config(**c['b'])", False, {"out", "rate", "steps"}),
        ("c['b']['rate'] = 1\nConfig(**c['b'])", False, {"out", "steps"}),
        ("c['b'][d] = 1\nConfig(**c['b'])", True, set()),
        ("Config(rate=c['n'], **d)", True, set()),
    ],
)
def test_what_is_surely_not_set(body: str, is_open: bool, unset: set[str]) -> None:
    found = fed(LOAD + body, {"p/x.yaml": YAML})
    assert found is not None
    call = found.document.root.about
    assert (call.open, {*(found.document.root.settled or ())}) == (is_open, unset)  # type: ignore[attr-defined]


@each(
    ("text", "expected"),
    [
        ("a: 1\n", False),
        ("defaults: [_self_]\n", False),
        ("defaults:\n  - _self_\n  - _self_\n", False),
        # Other files are added, or may be.
        ("defaults: [_self_, other]\n", True),
        ("defaults: [{db: mysql}]\n", True),
        ("defaults: []\n", True),
        ("defaults: other\n", True),
        ("defaults:\n", True),
        ("# @package _global_\na: 1\n", True),
        ("# @package _global_\ndefaults: [_self_]\n", True),
    ],
)
def test_what_hydra_composes(text: str, expected: bool) -> None:
    assert _composes(language("yaml").read(SourceText(text))) is expected
