"""What DeepSpeed's readers take: pydantic 1, pydantic 2, and code that looks keys up by hand."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.deepspeed.judge import READER
from tests.draws import each

VALUES = ["auto", True, False, None, 0, 1, 2, 2.0, 2.5, "2", "2.0", "x", "", [], {}, {"a": 1}]
#: Types, choices, what is known of the reader, and which of the values it takes.
CASES: list[tuple[tuple[str, ...], tuple[Any, ...], dict[str, Any], list[Any]]] = [
    (("int",), (), {}, [True, False, 0, 1, 2, 2.0, "2", "2.0"]),
    (("int",), (), {"auto": True}, ["auto", True, False, 0, 1, 2, 2.0, "2", "2.0"]),
    (("int",), (), {"reader": "hand"}, ["auto", True, False, 0, 1, 2, 2.0, "2", "2.0"]),
    (("int",), (), {"no_bool": True}, [0, 1, 2, 2.0, "2"]),
    (("int",), (), {"whole": True}, [True, False, 0, 1, 2, 2.0, "2", "2.0"]),
    (("float",), (), {"whole": True}, [True, False, 0, 1, 2, 2.0, "2", "2.0"]),
    (("int",), (), {"strict": True}, [0, 1, 2, 2.0]),
    (("float",), (), {"strict": True}, [2.0, 2.5]),
    (("bool",), (), {"strict": True}, [True, False]),
    (("str",), (), {"strict": True}, ["auto", "2", "2.0", "x", ""]),
    (("int",), (), {"reader": "pydantic-1"}, [True, False, 0, 1, 2, 2.0, 2.5, "2"]),
    (
        ("str",),
        (),
        {"reader": "pydantic-1"},
        ["auto", True, False, 0, 1, 2, 2.0, 2.5, "2", "2.0", "x", ""],
    ),
    (("str",), (), {}, ["auto", "2", "2.0", "x", ""]),
    (("model:A",), (), {"reader": "pydantic-1"}, ["", [], {}, {"a": 1}]),
    (("dict<str,int>",), (), {"reader": "pydantic-1"}, ["", [], {}, {"a": 1}]),
    (("dict<str,int>",), (), {"reader": "hand"}, [{}, {"a": 1}]),
    (("dict<str,int>", "bool"), (), {"reader": "hand"}, [True, False, {}, {"a": 1}]),
    (("enum:E",), (0, 1, 2), {}, [True, False, 0, 1, 2, 2.0, "2", "2.0"]),
    (("enum:E",), ("a", "2"), {}, ["2"]),
    (("enum:E",), (2,), {"reader": "pydantic-1.10"}, [2, 2.0]),
    (("int",), (), {"truncated": True}, [True, False, 0, 1, 2, 2.0, 2.5, "2"]),
    (("bool",), (), {}, [True, False, 0, 1]),
    (("int", "null"), (), {"reader": "hand", "no_bool": True}, ["auto", None, 0, 1, 2, 2.0, "2"]),
]


@each(("kinds", "choices", "known", "taken"), CASES)
def test_values(
    kinds: tuple[str, ...], choices: tuple[Any, ...], known: dict[str, Any], taken: list[Any]
) -> None:
    found = [value for value in VALUES if READER.takes(kinds, choices, known, value)]
    assert list(map(repr, found)) == list(map(repr, taken))
