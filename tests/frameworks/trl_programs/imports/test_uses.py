"""What a program takes from a package that it imports as a whole."""

from __future__ import annotations

from time import perf_counter

from cfglint.frameworks.trl_programs.imports.uses import uses
from cfglint.source.python_program import PythonProgram
from tests.draws import each


def found(text: str) -> list[str]:
    return [f"{one.root}.{one.name}" for one in uses(PythonProgram(text))]


@each(
    ("text", "expected"),
    [
        ("import trl\ntrl.SFTTrainer()\n", ["trl.SFTTrainer"]),
        ("import trl as t\nt.SFTTrainer()\n", ["trl.SFTTrainer"]),
        ("import trl\ndef train():\n    return trl.SFTTrainer()\n", ["trl.SFTTrainer"]),
        ("import trl\nclass A(trl.SFTTrainer):\n    pass\n", ["trl.SFTTrainer"]),
        ("import trl\nif ready:\n    trl.SFTTrainer()\n", ["trl.SFTTrainer"]),
        # What is below a module is not asked for at its top.
        ("import trl.core\ntrl.core.logprobs()\n", []),
        ("from trl import SFTTrainer\nSFTTrainer.train()\n", []),
        ("def f():\n    import trl\n    trl.SFTTrainer()\n", []),
        ("import trl\ntrl = None\ntrl.SFTTrainer()\n", []),
        ("import trl\ndef f(trl):\n    trl.SFTTrainer()\n", []),
        # The program sees to it that the name is there, or may be missing.
        ("import trl\ntrl.Mine = 1\ntrl.Mine()\n", []),
        ("import trl\ntry:\n    trl.A()\nexcept AttributeError:\n    trl.B()\n", []),
        ("import trl\nif hasattr(trl, 'A'):\n    trl.A()\nelse:\n    trl.B()\n", []),
        ("import trl\nif trl.__version__ < '1':\n    trl.A()\n", []),
        ("import trl\na = trl.A() if hasattr(trl, 'A') else None\n", []),
        ("import trl\na = hasattr(trl, 'A') and trl.A()\n", []),
        ("import trl\nwith suppress(AttributeError):\n    trl.A()\n", []),
        # An annotation may be a text that nobody evaluates.
        ("import trl\ndef f(a: trl.A) -> trl.B: ...\nc: trl.C\n", []),
        # A script that never calls a function.
        (
            "import trl\ndef old():\n    trl.A()\nif __name__ == '__main__':\n    trl.B()\n",
            ["trl.B"],
        ),
    ],
)
def test_the_names_of_a_package(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_parts_in_one_another_are_gone_through_once() -> None:
    chain = "".join(f"elif hasattr(trl, 'a{number}'):\n    trl.A\n" for number in range(900))
    start = perf_counter()
    assert found(f"import trl\nif hasattr(trl, 'a'):\n    trl.A\n{chain}") == []
    assert perf_counter() - start < 5
