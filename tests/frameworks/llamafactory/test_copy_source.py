"""What sources of a project's own copy say of its arguments and their values."""

from __future__ import annotations

from cfglint.frameworks.llamafactory.copy_source import (
    OwnField,
    added_arguments,
    arguments,
    either,
    knows,
    last_name,
    other_names,
    taken_away,
    words_of,
)
from tests.draws import each


def field(*types: type, choices: str = "", default: bool = False) -> OwnField:
    return OwnField(frozenset(choices.split()), frozenset(types), has_default=default)


@each(
    ("annotation", "expected"),
    [
        ("int", field(int)),
        ("int = 3", field(int, default=True)),
        ("int = None", field(int, default=True)),
        ("float = field(default=1.0)", field(int, float, default=True)),
        ("float = field(metadata={'a': 1})", field(int, float)),
        ("float = field(default_factory=list)", field(int, float, default=True)),
        ("float = dataclasses.field(default=1)", field(int, float, default=True)),
        ("Optional[str]", field(str, type(None))),
        ("str | None", field(str, type(None))),
        ("typing.Union[int, str]", field(int, str)),
        ("List[str]", field(list)),
        ("Optional[List[int]]", field(list, type(None))),
        ("Dict[str, int]", field(dict)),
        ("'str'", field(str)),
        ("Literal['a', 'b']", field(choices="a b")),
        ("Optional[Literal['a']] = 'a'", field(type(None), choices="a", default=True)),
        ("Mine", field()),
    ],
)
def test_a_field(annotation: str, expected: OwnField) -> None:
    text = f"class Args:\n    x = 1\n    one: {annotation}\n\nother: int = 1\n"
    assert list(arguments(text)) == [("one", expected)]


def test_a_source_that_cannot_be_parsed() -> None:
    text = "class Args:\n    one: int = field(\n    two: str\n"
    found = dict(arguments(text))
    assert "one" in found
    assert found["one"] == field(default=True)
    assert list(added_arguments(text)) == list(taken_away(text)) == list(words_of(text)) == []


def test_two_classes_with_one_argument() -> None:
    one, two = field(int, choices="a", default=True), field(str, choices="b")
    assert either(one, two) == field(int, str, choices="a b")
    assert either(one, one).has_default


def test_added_arguments() -> None:
    text = (
        "class Mine(hparams.DataArguments):\n    one: int = 1\n    x = 1\n"
        "class Other(Base):\n    two: int = 1\n"
        "class Third(Base, ModelArguments):\n    three: int = 1\n"
    )
    assert list(added_arguments(text)) == ["one", "three"]


@each(
    ("text", "expected"),
    [
        ("self.loss_type = args.pref_loss\n", ["loss_type"]),
        ("loss = self.args.pref_loss\n", ["loss"]),
        ("loss = args.pref_loss_type\n", []),
        ("loss = args.pref_loss.lower\n", []),
        ("loss = args.pref_loss(1)\n", []),
        ("print(args.pref_loss)\n", []),
        ("a = args.pref_loss\nb = args.pref_loss\n", ["a", "b"]),
    ],
)
def test_other_names(text: str, expected: list[str]) -> None:
    assert list(other_names(text, "pref_loss")) == expected


@each(
    ("text", "expected"),
    [
        ('if args.pref_loss == "mine": pass\n', True),
        ('if "mine" == loss_type: pass\n', True),
        ('if args["pref_loss"] == "mine": pass\n', True),
        ('if args.get("pref_loss") in ("mine", "x"): pass\n', True),
        ('if args.get() == "mine": pass\n', False),
        ('if args.other == "mine": pass\n', False),
        ('if args.pref_loss == "other": pass\n', False),
        ('x = "mine"\n', False),
        # A table has another choice, too.
        ('TABLE = {"mine": 1, "sigmoid": 2}\n', True),
        ('TABLE = {"mine": 1, "other": 2}\n', False),
        ('TABLE = ["mine", "sigmoid"]\n', True),
        ('TABLE = ("mine",)\n', False),
        ('class Loss:\n    A = "mine"\n    B = "sigmoid"\n', True),
        ('class Loss:\n    A = "mine"\n', False),
        # What a function says that it takes, nothing examines.
        ('def f(a: Literal["mine", "sigmoid"]): pass\n', False),
        ('match args.pref_loss:\n    case "mine":\n        pass\n', True),
        ('match args.pref_loss:\n    case "x" | "mine":\n        pass\n', True),
        ('match args.other:\n    case "mine":\n        pass\n', False),
        ('match args.pref_loss:\n    case "x":\n        print("mine")\n', False),
        ('register_pref_loss("mine", f)\n', True),
        ('_register_pref_loss(name="mine")\n', True),
        ('register_pref_loss("x", "mine")\n', False),
        ('register_other("mine")\n', False),
        ('if args.pref_loss == "mine"\n', True),
        ("if args.pref_loss == mine: pass\n", False),
    ],
)
def test_known_words(text: str, expected: bool) -> None:
    assert knows(text, "mine", ("pref_loss", "loss_type"), ("sigmoid",)) is expected


def test_keys_that_are_taken_away() -> None:
    text = 'args.pop("one")\nself.args.pop("two", None)\nother.pop("three")\nargs.get("four")\nargs.pop()\n'
    assert list(taken_away(text)) == ["one", "two"]


def test_words() -> None:
    assert set(words_of('a = "one"\nb = ["two words", "three", 4, b"five"]\n')) == {"one", "three"}


def test_no_name() -> None:
    assert last_name(None) == ""
