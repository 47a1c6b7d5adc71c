"""Options of a launcher behind its program, and two names of one parameter."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

START = "accelerate launch {before}-m trl.scripts.{command} {words}--model_name_or_path a/b --dataset_name c/d --output_dir out\n"


@each(
    ("command", "before", "words", "release", "expected"),
    [
        ("sft", "", "--num_processes 4 ", "0.17.0", ["rejects num_processes"]),
        # What the program does not know is thrown away for some releases.
        ("sft", "", "--num_processes 4 ", "0.18.0", ["silent num_processes"]),
        ("dpo", "", "--num_processes 4 ", "0.21.0", ["rejects num_processes"]),
        ("dpo", "", "--num_processes 4 ", "0.22.0", ["silent num_processes"]),
        ("dpo", "", "--num_processes 4 ", "1.0.0", ["rejects num_processes"]),
        (
            "sft",
            "",
            "--learning_rate 1 --num_processes 4 --multi_gpu ",
            "1.0.0",
            ["rejects num_processes", "rejects multi_gpu"],
        ),
        ("sft", "--num_processes 4 ", "", "1.0.0", []),
        ("sft", "", "--learning_rate 1 ", "1.0.0", []),
    ],
)
def test_an_option_of_the_launcher(
    command: str, before: str, words: str, release: str, expected: list[str]
) -> None:
    text = START.format(command=command, before=before, words=words)
    told = lint_in(
        {".git/HEAD": ""},
        text,
        name="run.sh",
        framework="trl",
        target=[f"trl=={release}"],
        select=["TRL280"],
    )
    assert [f"{one.upstream} {one.path[-1]}" for one in told] == expected


@each(
    ("words", "release", "expected"),
    [
        ("tokenizer=a, processing_class=a", "0.12.2", ["tokenizer"]),
        ("processing_class=a", "0.12.2", []),
        ("tokenizer=a", "0.12.2", []),
        # The older release does not know the newer one, and the newer not the older.
        ("tokenizer=a, processing_class=a", "0.11.4", []),
        ("tokenizer=a, processing_class=a", "1.9.0", []),
    ],
)
def test_both_names_of_the_tokenizer(words: str, release: str, expected: list[str]) -> None:
    text = f"from trl import SFTTrainer\nSFTTrainer({words})\n"
    told = lint_in(
        {".git/HEAD": ""},
        text,
        name="train.py",
        framework="trl_programs",
        target=[f"trl=={release}"],
        select=["TRC008"],
    )
    assert [str(one.path[-1]) for one in told] == expected
    assert all(one.related for one in told)
