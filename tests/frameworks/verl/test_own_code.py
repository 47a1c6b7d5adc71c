"""Findings about what a project's own code takes, for all that the releases refuse."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

START = "python3 -m verl.trainer.main_ppo data.train_files=a data.val_files=b"


def codes(
    words: str, files: dict[str, str], select: str, *, target: str = "verl==0.5.0"
) -> list[str]:
    told = lint_in(
        {".git/HEAD": "", **files},
        f"{START} {words}\n",
        name="run.sh",
        framework="verl",
        target=[target],
        select=[select],
    )
    return [one.code for one in told]


PARSED = (
    '@hydra.main(config_path="x")\ndef main(): ...\nparser.add_argument(\n    "--mine", type=int)\n'
)


@each(
    ("words", "files", "expected"),
    [
        ("--mine 3", {}, ["VRL001"]),
        ("--mine 3", {"start.py": PARSED}, []),
        ("--mine=3", {"start.py": PARSED}, []),
        ("--mine", {"start.py": PARSED}, []),
        ("--min 3", {"start.py": PARSED}, ["VRL001"]),
        ("--mine-too 3", {"start.py": PARSED}, ["VRL001"]),
        ("mine 3", {"start.py": PARSED}, ["VRL001"]),
        # A program that Hydra does not start is another one.
        ("--mine 3", {"start.py": PARSED.replace("hydra.main", "main")}, ["VRL001"]),
        ("--mine 3", {"start.py": PARSED.replace("--mine", "--other")}, ["VRL001"]),
        ("--mine 3", {"start.py": PARSED, "other.py": "print()\n"}, []),
    ],
)
def test_an_option_of_a_program_in_the_place_of_hydra_s(
    words: str, files: dict[str, str], expected: list[str]
) -> None:
    assert codes(words, files, "VRL001")[:1] == expected
