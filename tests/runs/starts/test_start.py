"""What a start knows of itself."""

from __future__ import annotations

from cfglint.runs.starts.commands import read
from cfglint.runs.starts.start import Start, Word, option_in
from tests.draws import each

TEXT = "set -e\nSEED=1 torchrun --nnodes 2 -m axolotl.cli.train x.yml --seed 3\n"


def start() -> Start:
    (found,) = read("/repo/jobs/train.sh", TEXT)
    return found


def test_a_start_names_its_program_and_its_words() -> None:
    found = start()
    assert (found.program, found.command, found.launcher) == (
        "axolotl.cli.train",
        "train",
        "torchrun",
    )
    assert [word.text for word in found.words] == ["--seed", "3"]
    assert found.environment == (("SEED", "1"),)


def test_a_start_lies_in_a_file() -> None:
    found = start()
    assert (found.path, found.folder) == ("/repo/jobs/train.sh", "/repo/jobs")
    assert TEXT[slice(*found.span)] == "axolotl.cli.train x.yml"
    assert TEXT[slice(*found.words[0].span)] == "--seed"


@each(
    ("words", "value"),
    [
        ("--num-processes 2", "2"),
        ("--num_processes=2 --num-processes 3", "3"),
        ("--other 2", None),
        ("num_processes=2", None),
    ],
)
def test_the_last_value_of_an_option_counts(words: str, value: str | None) -> None:
    found = option_in(tuple(Word(one, 0, 0) for one in words.split()), ("num_processes",))
    assert (found and found.text) == value
