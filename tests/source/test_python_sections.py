"""What is known of a call that is a section besides its keywords."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.source.calls import Call, Joining, ProgramRun, call_of
from cfglint.source.document import Mapping
from cfglint.source.languages.python import Python
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.draws import each

CLASSES = {"pkg.Config": ("out", "rate", "steps"), "pkg.Trainer": ("model", "args", "data")}
JOINING = Joining(
    follows=lambda name: name.endswith("Trainer"),
    parameters=frozenset({"model", "data"}),
    functions={"load": ("path", "split"), "from_name": ("name",)},
    through=frozenset({"wrap"}),
    methods=frozenset({"to"}),
    positions={"pkg.Trainer": ("model", "args"), "pkg.Config": ("out",)},
    joined=lambda call: None,
    only_run=lambda document: ProgramRun("trl", "sft", document),
)
HEAD = "import yaml\nfrom pkg import Config, Trainer, Model, load, wrap\n"


def section(body: str, label: str, joining: Joining | None = JOINING) -> Mapping:
    document = Python(CLASSES.get, joining).read(SourceText(HEAD + body))
    found = document.root.lookup[label].value
    assert isinstance(found, Mapping)
    return found


def about(body: str, label: str = "Config", joining: Joining | None = JOINING) -> Call:
    found = call_of(section(body, label, joining))
    assert found is not None
    return found


def entries(found: Mapping) -> dict[str, Any]:
    values: dict[str, Any] = to_python(found)
    return values


def test_names_of_a_call() -> None:
    one = about("Config()\nConfig()", "Config 2")
    assert (one.name, one.section) == ("pkg.Config", "Config 2")
    assert one.imports == {"yaml", "pkg"}


@each(
    ("call", "is_open", "unset", "unnamed"),
    [
        ("Config()", False, {"out", "rate", "steps"}, {}),
        ("Config(rate=1)", False, {"out", "rate", "steps"}, {}),
        ("Config('a')", False, {"rate", "steps"}, {"out": "a"}),
        # The order of the others is not known; what a config is given first is its first parameter.
        ("Config('a', 1)", False, set(), {"out": "a"}),
        ("Config(*x)", True, set(), {}),
        ("Config('a', *x)", True, set(), {"out": "a"}),
        ("Config(**x)", True, {"out", "rate", "steps"}, {}),
        ("Config(**{'rate': 1})", False, {"out", "rate", "steps"}, {}),
        ("Config(**{'rate': 1, 2: 3})", True, {"out", "rate", "steps"}, {}),
        ("Config(**{'rate': 1, **x})", True, {"out", "rate", "steps"}, {}),
    ],
)
def test_what_is_given_by_place(
    call: str, is_open: bool, unset: set[str], unnamed: dict[str, Any]
) -> None:
    found = about(call)
    assert (found.open, {*found.unset}) == (is_open, unset)
    given = {entry.label: to_python(entry.value) for entry in found.unnamed}
    assert given == unnamed


@each(
    ("call", "unset"),
    [
        ("Config('a')", {"rate", "steps"}),
        ("Config('a', 1)", set()),
        ("Config()", {"out", "rate", "steps"}),
    ],
)
def test_without_an_order_of_parameters(call: str, unset: set[str]) -> None:
    found = about(call, joining=None)
    assert ({*found.unset}, found.unnamed, found.parts) == (unset, (), ())


def test_the_first_argument_of_a_trainer_is_any() -> None:
    assert about("Trainer(x)", "Trainer", None).unset == set()
    assert about("Trainer(x)", "Trainer").unset == {"args", "data"}


@each(
    ("body", "settled", "keywords"),
    [
        ("Config(rate=1)", {"out", "rate", "steps"}, {"rate": 1}),
        ("Config(**x, rate=1)", set(), {"rate": 1}),
        ("Config(*x, rate=1)", set(), {"rate": 1}),
        ("x = {'rate': 2}\nConfig(**x)", {"out", "rate", "steps"}, {"rate": 2}),
        ("def f():\n    Config(**x)\nx = {'rate': 2}", set(), {}),
        ("x = {'rate': y}\nConfig(**x)", {"out", "rate", "steps"}, {"rate": UNKNOWN}),
        ("Config(**f())", set(), {}),
    ],
)
def test_the_keywords(body: str, settled: set[str], keywords: dict[str, Any]) -> None:
    found = section(body, "Config")
    assert {*(found.settled or ())} == settled
    assert entries(found) == keywords


@each(
    ("body", "expected"),
    [
        ("c = Config(rate=1)\nTrainer(args=c)", ("Config", {"rate"})),
        ("Trainer(args=Config(rate=1, out='x'))", ("Config", {"rate", "out"})),
        ("c = Config('x', rate=1)\nTrainer(m, c)", ("Config", {"rate"})),
        ("c = Config('x', 1)\nTrainer(args=c)", ("Config", None)),
        ("c = Config(**x)\nTrainer(args=c)", ("Config", None)),
        ("c = Config(*x)\nTrainer(args=c)", ("Config", None)),
        ("Config()\nd = Config(out=1)\nTrainer(args=d)", ("Config 2", {"out"})),
        ("c = Config(rate=1)\nTrainer(args=c)\nTrainer(args=c)", None),
        ("c = Config()\nTrainer(*x, c)", None),
        ("c = other()\nTrainer(args=c)", None),
        ("Trainer(model=Config())", None),
        ("Trainer()", None),
    ],
)
def test_the_config_of_a_trainer(body: str, expected: tuple[str, set[str] | None] | None) -> None:
    config = about(body, "Trainer").config
    assert (None if config is None else (config.section, config.keywords)) == expected
    assert config is None or config.name == "pkg.Config"


@each(
    ("body", "unreached"),
    [
        ("Config()\nif __name__ == '__main__': pass", False),
        ("def f(): Config()\nif __name__ == '__main__': f()", False),
        ("def f(): Config()\nif __name__ == '__main__': pass", True),
        ("def f(): Config()", False),
    ],
)
def test_a_call_that_the_script_does_not_reach(body: str, unreached: bool) -> None:
    assert about(body).unreached is unreached


@each(
    ("body", "guarded"),
    [
        ("try:\n    Config(rate=1)\nexcept TypeError:\n    Config(out='x')", True),
        ("try:\n    Config(rate=1)\nexcept OSError:\n    Config(out='x')", False),
        ("Config(rate=1)", False),
    ],
)
def test_a_call_that_may_be_refused(body: str, guarded: bool) -> None:
    assert about(body).guarded is guarded


LOAD = "c = yaml.safe_load(open('x.yaml'))\n"


@each(
    ("body", "feeds"),
    [
        (f"{LOAD}Config(**c)", [()]),
        (f"{LOAD}Config(**c['a'], **c['b'])", [("a",), ("b",)]),
        (f"{LOAD}Config(**c['a'], **x)", []),
        (f"{LOAD}Config(*x, **c['a'])", []),
        (f"{LOAD}Config(rate=c['a'])", []),
        ("Config(**c)", []),
    ],
)
def test_mappings_from_a_file(body: str, feeds: list[tuple[str, ...]]) -> None:
    found = about(body).feeds
    assert [one.at for one in found] == feeds
    assert {(one.path, one.language, one.keyword) for one in found} <= {("x.yaml", "yaml", "")}


@each(
    ("value", "at", "through", "otherwise"),
    [
        ("c['a']", ("a",), "", None),
        ("float(c['a'])", ("a",), "float", None),
        ("c.get('a', 3)", ("a",), "", 3),
        ("int(c.get('a', 3))", ("a",), "int", 3),
        ("c.get('a', [1, {'b': 2}])", ("a",), "", [1, {"b": 2}]),
        ("c.get('a', x)", ("a",), "", None),
        ("c.get('a')", ("a",), "", "none"),
    ],
)
def test_a_value_from_a_file(value: str, at: tuple[str, ...], through: str, otherwise: Any) -> None:
    body = f"{LOAD}Config(rate={value})"
    (found,) = about(body).values
    assert (found.at, found.through, found.keyword) == (at, through, "rate")
    assert (HEAD + body)[slice(*found.place)] == value
    given = None if found.otherwise is None else to_python(found.otherwise)
    assert given == (None if otherwise == "none" else otherwise)
    assert (found.otherwise is None) is (otherwise is None)


@each(
    "value",
    ["yes(c['a'])", "float(c['a'], c['b'])", "x", "round(c['a'])", "c['a'] * 2"],
)
def test_no_value_from_a_file(value: str) -> None:
    assert about(f"{LOAD}Config(rate={value})").values == ()


@each(
    ("value", "expected"),
    [
        ("p.parse_args().rate", (0.1, "--rate")),
        ("os.environ.get('RATE', '2')", ("2", "$RATE")),
        ("not p.parse_args().rate", (False, "--rate")),
        ("p.parse_args().other", None),
        ("1", None),
        ("f'{x}'", None),
    ],
)
def test_the_default_of_a_keyword(value: str, expected: tuple[Any, str] | None) -> None:
    body = f"import os\np.add_argument('--rate', default=0.1)\nConfig(rate={value})"
    found = about(body).defaults
    assert [(to_python(one.value), one.name, one.keyword) for one in found] == (
        [] if expected is None else [(*expected, "rate")]
    )
    for one in found:
        shown = (HEAD + body)[slice(*one.place)]
        assert shown in ("0.1", "'2'")
        assert (HEAD + body)[one.value.start : one.value.end] == value


def parts(body: str, label: str = "Trainer") -> dict[str, str]:
    """What a call is given: the call that made it with its arguments, and those that it was passed through."""
    found = {}
    for one in about(body, label).parts:
        made = [one.made, *one.through]
        told = [f"{call.name}{entries(each)}" for each in made if (call := call_of(each))]
        found[one.parameter] = " ".join([*told, *sorted(one.used)])
    return found


@each(
    ("body", "expected"),
    [
        ("Trainer(model=load('a', 'train'))", {"model": "pkg.load{'path': 'a', 'split': 'train'}"}),
        ("Trainer(load('a', split='b'))", {"model": "pkg.load{'path': 'a', 'split': 'b'}"}),
        ("Trainer(data=load('a', *x))", {"data": "pkg.load{'path': 'a'}"}),
        ("Trainer(data=load('a'), args=load('b'))", {"data": "pkg.load{'path': 'a'}"}),
        (
            "m = Model.from_name('a')\nm = wrap(m)\nTrainer(model=m)",
            {"model": "pkg.Model.from_name{'name': 'a'} pkg.wrap{} wrap"},
        ),
        ("Trainer(model=Config(rate=1))", {"model": "pkg.Config{'rate': 1}"}),
        (
            "m = load('a')\nm.x.y = 1\nm.z()\nTrainer(model=m)",
            {"model": "pkg.load{'path': 'a'} .x .z"},
        ),
        (
            "m = load('a')\nm.x = 1\nTrainer(model=m)",
            {"model": "pkg.load{'path': 'a'} .x =x"},
        ),
        ("Trainer(model=unknown('a'))", {}),
        ("Trainer(model='a')", {}),
        ("Trainer(*x)", {}),
    ],
)
def test_the_objects_that_a_trainer_is_given(body: str, expected: dict[str, str]) -> None:
    assert parts(body) == expected


def test_of_other_classes_no_objects_are_followed() -> None:
    assert parts("Config(model=load('a'))", "Config") == {}


@each(
    ("arguments", "settled"),
    [
        ("'a'", None),
        ("'a', **x", set()),
        ("'a', *x", set()),
    ],
)
def test_what_is_known_of_what_made_an_object(arguments: str, settled: set[str] | None) -> None:
    (one,) = about(f"Trainer(model=load({arguments}))", "Trainer").parts
    assert one.made.settled == settled


@each(
    ("call", "shown"),
    [
        ("Config(rate=(1))", "(1)"),
        ("Config(rate = ( 1 ))", "( 1 )"),
        ("Config(rate=[1, 2])", "[1, 2]"),
        ("Config(rate=-1)", "-1"),
        ("Config(**{'rate': 1})", "1"),
    ],
)
def test_the_place_of_a_value(call: str, shown: str) -> None:
    entry = section(call, "Config").lookup["rate"]
    text = HEAD + call
    assert text[entry.value.start : entry.value.end] == shown
    assert text[slice(*entry.key.span)].strip("'") == "rate"


def test_the_places_of_the_items_of_a_list() -> None:
    value = section("Config(rate=[1, [2, 'x']])", "Config").lookup["rate"].value
    text = HEAD + "Config(rate=[1, [2, 'x']])"
    inner = value.items[1].items  # type: ignore[attr-defined]
    assert [text[one.start : one.end] for one in inner] == ["2", "'x'"]
