"""Options beside a file that no class has which the started program fills."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

PROGRAM = """\
from trl import SFTConfig, SFTTrainer, TrlParser

parser = TrlParser((SFTConfig,))
(args,) = parser.parse_args_and_config()
SFTTrainer("a/b", args=args).train()
"""
CONFIG = "output_dir: out\nlearning_rate: 1.0e-5\nper_device_train_batch_size: 2\nmax_length: 512\n"


def found(
    words: str, *target: str, page: bool = False, command: str = "python train.py"
) -> list[tuple[str, str]]:
    """What of the command each finding is about, and its message."""
    line = f"{command} --config sft.yaml {words}\n"
    script = {"README.md": f"# Run\n\n```sh\n{line}```\n"} if page else {"run.sh": line}
    files = {**script, "train.py": PROGRAM, ".git/HEAD": ""}
    result = lint_in(
        files,
        CONFIG,
        name="sft.yaml",
        target=target or ("trl==1.0.0", "transformers==5.0.0"),
        framework="trl",
    )
    hits = [(one, one.file) for one in result if one.code == "TRL281"]
    return [
        (
            ("", one.message)
            if file is None
            else (file.source.text[one.span.start : one.span.end], one.message)
        )
        for one, file in hits
    ]


@each(
    ("words", "option", "hint"),
    [
        ("--no_such_option 1", "--no_such_option", ""),
        ("--no-such-option=1", "--no-such-option", ""),
        ("--seed 1 --no_such_option", "--no_such_option", ""),
        ("--lerning_rate 1", "--lerning_rate", "Did you mean `--learning_rate`?"),
        ("--lerning-rate 1", "--lerning-rate", "Did you mean `--learning-rate`?"),
    ],
)
def test_what_no_class_has(words: str, option: str, hint: str) -> None:
    ((written, message),) = found(words)
    assert written == option
    assert f"`{option}`" in message
    assert "`train.py` fills" in message
    assert ("Did you mean" in message) is bool(hint)
    assert hint in message


@each(
    "words",
    [
        "",
        "--seed 1",
        "--learning-rate 1",
        # argparse takes beginnings of names.
        "--learning_r 1",
        "--config other.yaml",
        "--help",
        "$MORE",
        "--$NAME 1",
        "--seed x no_such_option",
        # Another class of TRL has it.
        "--model_name_or_path a/b",
    ],
)
def test_what_may_be_known(words: str) -> None:
    assert found(words) == []


def test_a_page_shows_commands_of_any_release() -> None:
    assert found("--no_such_option 1", page=True) == []


def test_an_option_of_the_class_in_another_release() -> None:
    # Whether the release has it is known only where both are stated.
    assert found("--evaluation_strategy no") != []
    assert found("--evaluation_strategy no", "trl==1.0.0") == []
