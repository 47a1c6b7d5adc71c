"""The classes that a project's parsers are created with, and the fields that they have."""

from __future__ import annotations

from cfglint.frameworks.trl.own_classes import (
    are_all_known,
    fields_in,
    parsed_sources,
    with_own_parsers,
)
from tests.draws import each

PARSERS = ("TrlParser", "HfArgumentParser")
HEAD = "from trl import SFTConfig, ModelConfig, TrlParser\nimport trl\nimport transformers as tf\n"
OWN = "class Own{bases}:\n    extra: int = 1\n    x = 2\n"


def fields(*texts: str) -> tuple[bool, list[str], list[str]] | None:
    """Of the first source: whether all is known, the described classes, the own fields."""
    sources = parsed_sources(texts)
    assert sources is not None
    found = fields_in(0, sources, PARSERS)
    if found is None:
        return None
    return found.known, sorted(found.described), sorted(found.own_names)


@each(
    ("text", "others", "expected"),
    [
        ("TrlParser((SFTConfig,))\n", (), (True, ["trl.SFTConfig"], [])),
        ("TrlParser(SFTConfig)\n", (), (True, ["trl.SFTConfig"], [])),
        (
            "TrlParser([SFTConfig, ModelConfig])\n",
            (),
            (True, ["trl.ModelConfig", "trl.SFTConfig"], []),
        ),
        ("TrlParser(dataclass_types=(SFTConfig,))\n", (), (True, ["trl.SFTConfig"], [])),
        (
            "TrlParser((trl.SFTConfig, tf.TrainingArguments))\n",
            (),
            (True, ["transformers.TrainingArguments", "trl.SFTConfig"], []),
        ),
        ("x = 1\n", (), None),
        ("TrlParser()\n", (), (False, [], [])),
        ("TrlParser((SFTConfig,), **more)\n", (), (False, ["trl.SFTConfig"], [])),
        ("TrlParser(classes)\n", (), (False, [], [])),
        ("TrlParser((SFTConfig, *others))\n", (), (False, ["trl.SFTConfig"], [])),
        ("TrlParser((trl.Nothing,))\n", (), (False, [], [])),
        ("TrlParser((tf.a.B,))\n", (), (False, [], [])),
        ("from trl import Own\nTrlParser((Own,))\n", (), (False, [], [])),
        (OWN.format(bases="") + "TrlParser((Own,))\n", (), (True, [], ["extra"])),
        (
            OWN.format(bases="(SFTConfig)") + "TrlParser((Own,))\n",
            (),
            (True, ["trl.SFTConfig"], ["extra"]),
        ),
        (OWN.format(bases="(ABC, object)") + "TrlParser((Own,))\n", (), (True, [], ["extra"])),
        (OWN.format(bases="(Missing)") + "TrlParser((Own,))\n", (), (False, [], ["extra"])),
        (OWN.format(bases="(metaclass=M)") + "TrlParser((Own,))\n", (), (False, [], ["extra"])),
        (
            "class SFTConfig(SFTConfig):\n    extra: int = 1\nTrlParser((SFTConfig,))\n",
            (),
            (True, ["trl.SFTConfig"], ["extra"]),
        ),
        # Both classes of a name, one of which is meant.
        (
            OWN.format(bases="")
            + OWN.format(bases="").replace("extra", "more")
            + "TrlParser((Own,))\n",
            (),
            (True, [], ["extra", "more"]),
        ),
        (
            "from ours import Own\nTrlParser((Own,))\n",
            (OWN.format(bases=""),),
            (True, [], ["extra"]),
        ),
        (
            "from ours import Own as Mine\nTrlParser((Mine,))\n",
            (OWN.format(bases=""),),
            (True, [], ["extra"]),
        ),
        (
            "from ours import Own\nTrlParser((Own,))\n",
            ("class Other:\n    a: int\n",),
            (False, [], []),
        ),
        (
            "class A(B):\n    a: int\nclass B(A):\n    b: int\nTrlParser((A,))\n",
            (),
            (False, [], ["a", "b"]),
        ),
        (
            "TrlParser((SFTConfig,))\nTrlParser((ModelConfig,))\n",
            (),
            (True, ["trl.ModelConfig", "trl.SFTConfig"], []),
        ),
        ("OtherParser((SFTConfig,))\n", (), None),
    ],
)
def test_classes(
    text: str, others: tuple[str, ...], expected: tuple[bool, list[str], list[str]] | None
) -> None:
    assert fields(HEAD + text, *others) == expected


@each(
    ("annotation", "expected"),
    [
        ("int = 1", ("1", False, False)),
        ("bool = False", ("?", True, False)),
        ("bool = True", ("?", True, True)),
        ("bool = field(default=True)", ("?", True, True)),
        ("bool = field(metadata={}, default=True)", ("?", True, True)),
        ("bool = field(init=True)", ("?", True, False)),
        ("bool", ("?", True, False)),
        ("Optional[bool] = None", ("1", True, False)),
        ("Optional[bool] = True", ("?", True, True)),
        ("typing.Optional[bool] = field(default=False)", ("?", True, False)),
        ("bool | None = None", ("1", True, False)),
        ("'bool' = True", ("?", True, True)),
        ("Union[bool, str] = True", ("1", False, False)),
        ("List[int] = None", ("+", False, False)),
        ("Optional[List[str]] = None", ("+", False, False)),
        ("list[str] = field(default_factory=list)", ("+", False, False)),
        ("Dict[str, int] = None", ("1", False, False)),
    ],
)
def test_a_field_as_an_option(annotation: str, expected: tuple[str, bool, bool]) -> None:
    sources = parsed_sources([f"class Own:\n    one: {annotation}\nTrlParser((Own,))\n"])
    assert sources is not None
    found = fields_in(0, sources, PARSERS)
    assert found is not None
    (one,) = found.own
    # Whether it is true or false, with an option that switches it off.
    assert (one.arity, one.is_truth or one.arity == "?", one.has_opposite) == expected


@each(
    ("texts", "expected"),
    [
        ((HEAD + "TrlParser((SFTConfig,))\n",), True),
        ((HEAD + "TrlParser((SFTConfig,))\n", "x = 1\n"), True),
        ((HEAD + "TrlParser((SFTConfig,))\n", "TrlParser((Own,))\n"), False),
        (("x = 1\n",), False),
        (("def (\n",), False),
        ((), False),
    ],
)
def test_whether_all_are_known(texts: tuple[str, ...], expected: bool) -> None:
    assert are_all_known(texts, PARSERS) is expected


def test_parsers_of_the_project() -> None:
    texts = (
        "class Mine(TrlParser):\n    pass\n  class Other(a.HfArgumentParser, B):\n",
        "class No(Base):\n",
    )
    assert with_own_parsers(texts, PARSERS) == (*PARSERS, "Mine", "Other")
    assert with_own_parsers((), PARSERS) == PARSERS
