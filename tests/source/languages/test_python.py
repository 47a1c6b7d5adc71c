"""Programs as documents: which calls are sections, and what is known of their keywords."""

from __future__ import annotations

import time

import pytest

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.source.calls import call_of
from cfglint.source.document import Document, Mapping
from cfglint.source.languages.base import Unwritable
from cfglint.source.languages.named import language
from cfglint.source.languages.python import Python, render
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.draws import each

CLASSES = {"pkg.Config": ("out", "rate", "steps", "name"), "pkg.Trainer": ("model", "args")}
PYTHON = Python(CLASSES.get)


def read(text: str) -> Document:
    return PYTHON.read(SourceText(text))


def labels(text: str) -> list[str]:
    return [entry.label for entry in read(text).root.entries]


def keywords(text: str) -> dict[str, Any]:
    """The keywords of the first call."""
    section = read(text).root.entries[0].value
    found: dict[str, Any] = to_python(section)
    return found


@each(
    "text",
    [
        "from pkg import Config\nConfig(rate=1)",
        "from pkg import Config as C\nC(rate=1)",
        "from pkg.deep.module import Config\nConfig(rate=1)",
        "import pkg\npkg.Config(rate=1)",
        "import pkg as p\np.Config(rate=1)",
        "import pkg.deep\npkg.deep.Config(rate=1)",
        "import pkg.deep as d\nd.Config(rate=1)",
        "def main():\n    from pkg import Config\n    return [Config(rate=1)]",
        "try:\n    from pkg import Config\nexcept ImportError:\n    from pkg.old import Config\nConfig()",
        "try:\n    from pkg import Config\nexcept ImportError:\n    Config = Other = None\nConfig()",
        "try:\n    import pkg\nexcept ImportError:\n    pkg = None\npkg.Config()",
    ],
)
def test_a_class_is_known_by_its_import(text: str) -> None:
    assert labels(text) == ["Config"]


@each(
    "text",
    [
        "Config(rate=1)",
        "from other import Config\nConfig(rate=1)",
        "from .pkg import Config\nConfig(rate=1)",
        "from pkg import Config\nclass Config(Config): pass\nConfig(rate=1)",
        "from pkg import Config\nfrom other import Config\nConfig(rate=1)",
        "def f(Config):\n    from pkg import Config\n    Config(rate=1)",
        "from pkg import Other\nOther(rate=1)",
        "try:\n    from pkg import Config\nexcept ImportError:\n    Config = make()\nConfig()",
        "try:\n    from pkg import Config\nfinally:\n    Config = None\nConfig()",
        "from pkg import Config\nprint 'Python 2'\nConfig(rate=1)",
        "from pkg import Config\nConfig(rate=1",
        "",
        "\0",
    ],
)
def test_what_is_spelled_alike_is_another_class(text: str) -> None:
    assert labels(text) == []


def test_calls_are_numbered_in_the_order_of_the_text() -> None:
    text = "from pkg import *\nfrom pkg import Config, Trainer\nTrainer(args=Config(), model=Config())\n"
    assert labels(text) == ["Trainer", "Config", "Config 2"]


@each(
    ("value", "expected"),
    [
        ("1", 1),
        ("-2e-5", -2e-5),
        ("1024 * 4", 4096),
        ("2 ** -5", 0.03125),
        ("7 // 2 + 7 % 4 - 1", 5),
        ("not True", False),
        ("'a' 'b'", "ab"),
        ("[1, 'x', None]", [1, "x", None]),
        ("('a', 'b')", ["a", "b"]),
        ("{'a': {'b': 1}}", {"a": {"b": 1}}),
        ("RATE", 0.1),
        ("[RATE, 2]", [0.1, 2]),
        ("inner", 3),
        ("later", UNKNOWN),
        ("twice", UNKNOWN),
        ("branch", UNKNOWN),
        ("given", UNKNOWN),
        ("default", UNKNOWN),
        ("changed", UNKNOWN),
        ("f'{RATE}-{inner}'", "0.1-3"),
        ("f'{RATE:.1f}'", UNKNOWN),
        ("f'{RATE!r}'", UNKNOWN),
        ("f'{given}'", UNKNOWN),
        ("'a' + f'{RATE}'", "a0.1"),
        ("'a' + given", UNKNOWN),
        ("args.rate", UNKNOWN),
        ("int('3')", UNKNOWN),
        ("1 / 0", UNKNOWN),
        ("9 ** 9 ** 9", UNKNOWN),
        ("1j", UNKNOWN),
        ("[args.rate]", UNKNOWN),
        ("{'a': args.rate, 'b': 1}", UNKNOWN),
        ("{'a': {'b': args.rate}}", UNKNOWN),
        ("table", {"a": 1}),
        ("changed_later", UNKNOWN),
        ("handed_on", UNKNOWN),
        ("{**args}", UNKNOWN),
    ],
)
def test_values(value: str, expected: object) -> None:
    text = (
        "import sys\nfrom pkg import Config\nRATE = 0.1\ntwice = 1\ntwice = 2\nchanged = [1]\n"
        "if sys.argv:\n    branch = 1\n"
        "table = {'a': 1}\nchanged_later = {'a': 1}\nchanged_later['b'] = 2\n"
        "handed_on = {'a': 1}\nfill(handed_on)\n"
        "def main(args, given, default=5):\n    inner = 3\n"
        f"    Config(rate={value})\n    later = 1\n"
    )
    found = keywords(text)["rate"]
    assert (
        found is expected
        if expected is UNKNOWN
        else (found, type(found))
        == (
            expected,
            type(expected),
        )
    )


def test_a_name_of_another_function_is_not_meant() -> None:
    text = "from pkg import Config\ndef f():\n    n = 1\ndef g():\n    Config(rate=n)\n"
    assert keywords(text)["rate"] is UNKNOWN


@pytest.mark.parametrize("hiding", ["exec(text)", "globals().update(x)"])
def test_names_that_may_be_set_unseen(hiding: str) -> None:
    assert keywords(f"from pkg import Config\nn = 1\n{hiding}\nConfig(rate=n)\n")["rate"] is UNKNOWN


@each(
    ("arguments", "settled"),
    [
        ("rate=1", {"out", "rate", "steps", "name"}),
        ("'x', rate=1", {"rate", "steps", "name"}),
        ("'x', 1", set()),
        ("*x", set()),
        ("**x", set()),
    ],
)
def test_which_missing_keywords_are_surely_not_set(arguments: str, settled: set[str]) -> None:
    section = read(f"from pkg import Config\nConfig({arguments})\n").root.entries[0].value
    assert isinstance(section, Mapping)
    assert section.settled is not None
    assert set(section.settled) == settled
    call = call_of(section)
    assert call is not None
    assert (call.name, call.open) == ("pkg.Config", "*" in arguments)


@each(
    ("body", "expected"),
    [
        ("Config(**{'rate': 1, 'out': 'x'})", {"rate": 1, "out": "x"}),
        ("D = {'rate': 1}\nConfig(**D, out='x')", {"rate": 1, "out": "x"}),
        ("D = {'rate': 1}\nprint(D['rate'], D.get('x'))\nConfig(**D)", {"rate": 1}),
        ("D = {'rate': 1}\ndef f():\n    D = {}\nConfig(**D)", {"rate": 1}),
        ("D = {'rate': 1}\nD['rate'] = 2\nConfig(**D)", None),
        ("D = {'rate': 1}\nD.update(x)\nConfig(**D)", None),
        ("D = {'rate': 1}\nother(D)\nConfig(**D)", None),
        ("D = {'rate': 1, **more}\nConfig(**D)", None),
        ("D = {key: 1}\nConfig(**D)", None),
    ],
)
def test_keywords_of_a_mapping_that_is_written_out(
    body: str, expected: dict[str, object] | None
) -> None:
    document = read(f"from pkg import Config\n{body}\n")
    section = document.root.entries[0].value
    assert isinstance(section, Mapping)
    call = call_of(section)
    assert call is not None
    assert call.open is (expected is None)
    if expected is not None:
        assert to_python(section) == expected
        assert section.settled


def test_places_are_those_of_the_file() -> None:
    text = "from pkg import Config\nx = 'äöü'; Config(  # ü\n    name=('é'),\n    steps = [\n 1, 2],)\n"
    document = read(text)
    spans = {
        path: text[entry.span.start : entry.span.end]
        for path, entry, _ in document.walk()
        if entry is not None and len(path) == 2
    }
    assert spans == {("Config", "name"): "name=('é')", ("Config", "steps"): "steps = [\n 1, 2]"}
    assert [comment.text for comment in PYTHON.comments(document)] == ["# ü"]
    assert PYTHON.comments(document)[0].own_line is False


def test_literals() -> None:
    assert (
        render({"a": [1, 2.5, None, True], "b": 'x"y'})
        == '{"a": [1, 2.5, None, True], "b": "x\\"y"}'
    )
    assert render("é\n") == repr("é\n")
    for value in (float("inf"), object()):
        with pytest.raises(Unwritable):
            render(value)


def test_a_change_beside_the_keywords_is_doubted() -> None:
    before = read("from pkg import Config\nx = 1\nConfig(rate=1, steps=2)\n")
    good = SourceText("from pkg import Config\nx = 1\nConfig(steps=3)\n")
    bad = SourceText("from pkg import Config\nx = 2\nConfig(rate=1, steps=2)\n")
    assert PYTHON.doubts(before, good) is None
    assert PYTHON.doubts(before, bad) is not None


def test_without_a_framework_nothing_is_known() -> None:
    assert (
        language("python").read(SourceText("from pkg import Config\nConfig()\n")).root.entries == []
    )


def test_deep_programs_end() -> None:
    assert (
        labels("from pkg import Config\nConfig(rate=" + "(" * 5_000 + "1" + ")" * 5_000 + ")") == []
    )
    assert labels("from pkg import Config\nConfig(rate=" + "-" * 3_000 + "1)") in ([], ["Config"])


def test_a_program_too_deep_to_be_compared_is_doubted() -> None:
    text = f"from pkg import Config\nx = {'1 + ' * 2_000}1\nConfig(rate={{}})\n"
    assert PYTHON.doubts(read(text.format(1)), SourceText(text.format(2))) is not None


def test_lists_of_lists_by_their_names_are_not_unfolded() -> None:
    rows = ["a0 = 1", *(f"a{n + 1} = [{f'a{n}, ' * 190}]" for n in range(6))]
    calls = "Config(rate=a6, name=a2)\n" * 200
    started = time.process_time()
    document = read("\n".join(("from pkg import Config", *rows, calls)))
    assert len(document.root.entries) == 200
    assert time.process_time() - started < 2


def test_what_is_written_in_a_mapping_has_its_own_place() -> None:
    text = (
        "from pkg import Config\n"
        "zero = {\n    'stage': 3,\n    'offload': {'device': 'cpu'},\n}\n"
        "Config(zero=zero)\n"
    )
    document = read(text)
    call = document.root.entries[0].value
    assert isinstance(call, Mapping)
    table = document.section(call).node(("zero",))
    assert isinstance(table, Mapping)
    places = {one.name: text[one.key.start : one.key.end] for one in table.entries}
    assert places == {"stage": "'stage'", "offload": "'offload'"}
    assert text[table.entries[0].value.start :][:1] == "3"
    # The whole of it is where it is handed over.
    assert text[table.start : table.end] == "zero"


def test_a_mapping_with_an_unknown_key_is_not_known() -> None:
    text = "from pkg import Config\nConfig(zero={'stage': 3, NAME: 1}, other={**REST, 'a': 1})"
    assert keywords(text) == {"zero": UNKNOWN, "other": UNKNOWN}
