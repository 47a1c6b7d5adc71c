"""The options of a program, as its text alone tells them."""

from __future__ import annotations

from cfglint.source.python_options import literal_options
from cfglint.source.python_program import PythonProgram
from tests.draws import each

HEAD = "import argparse\nparser = argparse.ArgumentParser()\n"
ADDING = {"add_known": ("--first", "--second")}
END = "args = parser.parse_args()\n"


@each(
    ("body", "expected"),
    [
        ("parser.add_argument('--a', '-b', type=int)\n", {"--a", "-b"}),
        ("parser.add_argument('--a', action='store_true')\n", {"--a"}),
        (
            "parser.add_argument('--a', action=argparse.BooleanOptionalAction)\n",
            {"--a", "--no-a"},
        ),
        ("parser.add_argument('file')\n", {"file"}),
        ("group = parser.add_argument_group('x')\ngroup.add_argument('--a')\n", {"--a"}),
        ("if ready:\n    parser.add_argument('--a')\n", {"--a"}),
        ("parser.set_defaults(a=1)\n", set()),
        (
            "parser = package.add_known(parser)\n",
            {"--first", "--second"},
        ),
        # What adds options that the text does not name.
        ("parser.add_argument(name)\n", None),
        ("parser.add_argument(f'--{name}')\n", None),
        ("parser.add_argument(*names)\n", None),
        ("parser.add_argument('--a', **more)\n", None),
        ("parser.add_argument()\n", None),
        ("add_more(parser)\n", None),
        ("parser = add_more(parser)\n", None),
        ("parsers = [parser]\n", None),
        ("add = parser.add_argument\nadd('--a')\n", None),
        ("parser.add_subparsers()\n", None),
        ("other = argparse.ArgumentParser()\n", None),
        ("args, rest = parser.parse_known_args()\n", None),
        ("sys.argv = sys.argv[:1]\n", None),
        ("parser.add_argument('rest', nargs=argparse.REMAINDER)\n", None),
    ],
)
def test_the_options_of_a_parser(body: str, expected: set[str] | None) -> None:
    found = literal_options(PythonProgram(f"{HEAD}{body}{END}"), ADDING)
    assert found == (None if expected is None else frozenset({"-h", "--help"} | expected))


@each(
    "text",
    [
        "print('ArgumentParser(')\n",
        f"{HEAD}args = parser.parse_args(['--a'])\n",
        f"{HEAD}args = parser.parse_args(namespace=config)\n",
        HEAD,
        "import argparse\nargs = argparse.ArgumentParser().parse_args()\n",
        "class Own(argparse.ArgumentParser):\n    pass\nparser = Own()\nargs = parser.parse_args()\n",
        f"{HEAD}parser = Own()\n{END}",
    ],
)
def test_programs_of_which_not_all_is_known(text: str) -> None:
    assert literal_options(PythonProgram(text), ADDING) is None


def test_a_parser_in_a_function() -> None:
    body = "    parser.add_argument('--a')\n    return parser.parse_args()\n"
    text = f"def read():\n    parser: argparse.ArgumentParser = argparse.ArgumentParser()\n{body}"
    assert literal_options(PythonProgram(text), ADDING) == frozenset({"-h", "--help", "--a"})
