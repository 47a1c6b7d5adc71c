"""Programs that run with other classes than a release has."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.checks.context import CheckContext
from cfglint.frameworks.trl.patched import is_patched_program
from tests.draws import each
from tests.linting import case_in


def is_patched(text: str, files: Mapping[str, str], name: str = "train.py") -> bool:
    """Whether a program may be patched that imports nothing of the kind itself."""
    case, source = case_in(files, text, name=name, framework="trl_programs")

    class Context:
        document = case.framework.language.read(source)
        around = case.around

    context: CheckContext = Context()  # type: ignore[assignment]
    return is_patched_program(frozenset(), context)


UNSLOTH = "from unsloth import FastLanguageModel\n"


@each(
    ("text", "files", "expected"),
    [
        ("import model\n", {"model.py": UNSLOTH}, True),
        ("import model\n", {"model.py": "import unsloth\n"}, True),
        ("import model\n", {"model.py": "import os, unsloth as u\n"}, True),
        ("import model\n", {"model.py": "# unsloth\n"}, False),
        ("import model\n", {"model.py": "import unsloth_zoo\n"}, False),
        ("import other\n", {"model.py": UNSLOTH, "other.py": "x = 1\n"}, False),
        ("from model import load\n", {"model.py": UNSLOTH}, True),
        ("from . import model\n", {"model.py": UNSLOTH}, True),
        (
            "from . import (\n    other,  # a comment\n    model,\n)\n",
            {"model.py": UNSLOTH, "other.py": ""},
            True,
        ),
        ("from tools import model as m\n", {"tools/model.py": UNSLOTH}, True),
        ("from tools.model import load\n", {"tools/model.py": UNSLOTH}, True),
        ("import tools.model\n", {"tools/model.py": UNSLOTH}, True),
        # Through another module.
        ("import other\n", {"model.py": UNSLOTH, "other.py": "from model import load\n"}, True),
        (
            "import other\n",
            {"model.py": UNSLOTH, "other.py": "import third\n", "third.py": ""},
            False,
        ),
        # A program that imports this one may have patched its classes before.
        ("x = 1\n", {"main.py": "import unsloth\nimport train\n"}, True),
        ("x = 1\n", {"main.py": "import model, train\n", "model.py": UNSLOTH}, True),
        ("x = 1\n", {"main.py": "import unsloth\nimport other\n", "other.py": ""}, False),
        (
            "x = 1\n",
            {"main.py": "import middle\nimport unsloth\n", "middle.py": "import train\n"},
            True,
        ),
        ("x = 1\n", {}, False),
    ],
)
def test_through_modules(text: str, files: Mapping[str, str], expected: bool) -> None:
    assert is_patched(text, files) is expected
