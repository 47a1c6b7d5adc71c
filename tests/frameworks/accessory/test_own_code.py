"""A copy of LLaMA2-Accessory's programs in the project, which may have options of its own."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

OPTION = (
    "parser.add_argument(\"--mine\", type=int)\nparser.add_argument(\n    '--my-own', type=int)\n"
)
MINE = {".git/HEAD": "", "main_finetune.py": OPTION}


def found(
    files: dict[str, str], words: str, *, program: str = "main_finetune.py", target: str = ""
) -> list[str]:
    """The code and the option of each finding about an option."""
    text = f"torchrun {program} --llama_type llama {words}\n"
    told = lint_in(
        files,
        text,
        name="run.sh",
        framework="accessory",
        select=["KEY001"],
        target=[target] if target else [],
    )
    return [str(one.path[-1]) for one in told]


@each(
    ("files", "words", "program", "expected"),
    [
        ({".git/HEAD": ""}, "--mine 1", "main_finetune.py", ["mine"]),
        (MINE, "--mine 1", "main_finetune.py", []),
        (MINE, "--my-own 1", "main_finetune.py", []),
        (MINE, "--other 1", "main_finetune.py", ["other"]),
        (
            {"accessory/main_finetune.py": OPTION, ".git/HEAD": ""},
            "--mine 1",
            "main_finetune.py",
            [],
        ),
        # The copy of another program has no say.
        (MINE, "--mine 1", "main_pretrain.py", ["mine"]),
        (
            {"main_pretrain.py": OPTION, ".git/HEAD": ""},
            "--mine 1",
            "main_pretrain.py",
            [],
        ),
        ({"main_pretrain.py": OPTION, ".git/HEAD": ""}, "--mine 1", "main_finetune.py", ["mine"]),
    ],
)
def test_options(files: dict[str, str], words: str, program: str, expected: list[str]) -> None:
    assert found(files, words, program=program) == expected
