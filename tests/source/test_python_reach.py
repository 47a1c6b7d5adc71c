"""Which functions of a script nothing in it calls."""

from __future__ import annotations

import ast

import pytest

from cfglint import Linter
from cfglint.source.python_reach import unreached
from tests.draws import each

HELPER = "def helper(): pass\n"
MAIN = "if __name__ == '__main__': main()\n"


@each(
    ("text", "expected"),
    [
        (HELPER + MAIN, [range(1, 2)]),
        ("def helper(again):\n    helper(0)\n" + MAIN, [range(1, 3)]),
        # A module may be there for its functions.
        (HELPER, []),
        (HELPER + "if debug == 1: main()\n", []),
        (HELPER + "helper()\n" + MAIN, []),
        (HELPER + "own.helper()\n" + MAIN, []),
        (HELPER + "__all__ = ['helper']\n" + MAIN, []),
        ("@task\n" + HELPER + MAIN, []),
        ("def main(): pass\n" + "if __name__ == '__main__': pass\n", []),
        ("import fire\n" + HELPER + "if __name__ == '__main__': fire.Fire()\n", []),
        ("class Runner:\n    def helper(self): pass\n" + MAIN, []),
    ],
)
def test_unreached(text: str, expected: list[range]) -> None:
    tree = ast.parse(text)
    assert unreached(tree, ast.walk(tree)) == expected


@pytest.mark.parametrize(("name", "severity"), [("helper", "error"), ("other", "note")])
def test_what_is_wrong_in_it_is_a_note(name: str, severity: str) -> None:
    text = (
        "from trl import SFTConfig\n"
        "def helper():\n    return SFTConfig(output_dir='out', made_up=1)\n"
        f"if __name__ == '__main__': {name}()\n"
    )
    found = Linter(settings=False, target=["trl==0.20.0"]).lint(text, "train.py").diagnostics
    assert [(one.code, one.severity) for one in found] == [("KEY001", severity)]
