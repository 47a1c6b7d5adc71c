"""What shows in the files of a project that it runs a framework."""

from __future__ import annotations

from cfglint.knowledge.marks import (
    command_at,
    image_pattern,
    is_about_any,
    launchers,
    marks_of,
    options_of_other_files,
    settings_files,
    start_pattern,
    starter_of,
    without_comments,
)
from tests.draws import each


@each(
    ("framework", "text", "trains", "plainly"),
    [
        ("axolotl", "axolotl train a.yml", True, True),
        ("axolotl", "/opt/bin/axolotl train a.yml", True, True),
        ("axolotl", "axolotl \\\n  train a.yml", True, True),
        ("axolotl", '["axolotl", "train", "a.yml"]', True, True),
        ("axolotl", "axolotl $COMMAND a.yml", True, True),
        ("axolotl", "axolotl preprocess a.yml", False, False),
        ("axolotl", "axolotl", False, False),
        ("axolotl", "my-axolotl train a.yml", False, False),
        ("axolotl", "axolotl.py train a.yml", False, False),
        ("axolotl", "python -m axolotl.cli.train a.yml", True, True),
        ("axolotl", "python -m axolotl.cli.train --config a.yml", True, True),
        ("axolotl", "python -m axolotl.cli.train --debug a.yml", True, False),
        ("axolotl", "python -m axolotl.cli.merge_lora a.yml", False, False),
        ("axolotl", "# axolotl train a.yml", False, False),
        ("axolotl", "echo a # axolotl train a.yml", False, False),
        ("axolotl", "axolotl preprocess a.yml\naxolotl train a.yml", True, True),
        ("llamafactory", "llamafactory-cli train a.yaml", True, True),
        ("llamafactory", "lmf train a.yaml", True, True),
        ("llamafactory", "llamafactory-cli chat a.yaml", False, False),
        ("llamafactory", "python src/train.py a.yaml", True, True),
        ("deepspeed", "deepspeed train.py", False, False),
    ],
)
def test_commands_that_train(framework: str, text: str, trains: bool, plainly: bool) -> None:
    marks = marks_of(framework)
    assert marks.starts_in(text) is trains
    assert marks.starts_in(text, plainly=True) is plainly


@each(
    ("words", "at", "expected"),
    [
        (["axolotl", "train", "a.yml"], 0, ("train", 1)),
        (["axolotl", "a.yml"], 0, None),
        (["axolotl"], 0, None),
        (["python", "-m", "axolotl.cli.merge_lora", "a.yml"], 2, ("merge-lora", 0)),
        (["python", "axolotl.cli.train", "a.yml"], 1, None),
        (["axolotl.cli.train"], 0, None),
        (["--module", "axolotl.cli.train"], 1, ("train", 0)),
        (["-m", "axolotl.cli.nothing"], 1, None),
        (["python", "train.py"], 1, None),
    ],
)
def test_the_command_at_a_word(words: list[str], at: int, expected: tuple[str, int] | None) -> None:
    starter = marks_of("axolotl").starter
    assert starter is not None
    assert command_at(words, at, starter) == expected


def test_files_of_a_repository_start_a_run() -> None:
    starter = marks_of("llamafactory").starter
    assert starter is not None
    assert command_at(["python", "src/train.py", "a.yaml"], 1, starter) == ("train", 0)
    assert command_at(["python", "mine.py", "a.yaml"], 1, starter) is None


@each(
    ("word", "scripts"),
    [
        ("axolotl", "axolotl"),
        ("/usr/bin/axolotl", "axolotl"),
        ("axolotl.cli.train", "axolotl"),
        ("axolotlx", None),
        ("llamafactory-cli", "llamafactory-cli"),
        ("nothing", None),
    ],
)
def test_the_starter_of_a_word(word: str, scripts: str | None) -> None:
    found = starter_of(word)
    assert (None if found is None else found.scripts[0]) == scripts


def test_comments_keep_their_place() -> None:
    text = "a # b\n  # c\nd#e\n"
    assert without_comments(text) == "a    \n     \nd#e\n"


@each(
    ("text", "expected"),
    [
        ("FROM axolotlai/axolotl:main-latest", ("axolotlai", "axolotl", "main-latest")),
        ("image: docker.io/axolotlai/axolotl-cloud:$TAG", ("axolotlai", "axolotl-cloud", "$TAG")),
        ("docker://axolotlai/axolotl:0.1", ("axolotlai", "axolotl", "0.1")),
        ("registry:5000/axolotlai/axolotl:{{ tag }}", None),
        ("other/axolotlai/axolotl:0.1", ("axolotlai", "axolotl", "0.1")),
        ("axolotlai/axolotl", None),
        ("nobody/axolotl:0.1", None),
    ],
)
def test_images(text: str, expected: tuple[str, str, str] | None) -> None:
    pattern = image_pattern()
    assert pattern is not None
    match = pattern.search(text)
    found = None if match is None else (match[2], match[3], match[4])
    assert found == expected


def test_what_starts_a_config_anywhere() -> None:
    pattern = start_pattern()
    assert pattern is not None
    for text in ("axolotl train", "llamafactory-cli train", "python -m axolotl.cli.train"):
        assert pattern.search(text) is not None
    assert pattern.search("python train_all.py") is None


def test_words_about_frameworks() -> None:
    assert is_about_any("pip install Axolotl")
    assert not is_about_any("pip install requests")
    assert marks_of("axolotl").in_text("AXOLOTL")
    assert not marks_of("axolotl").in_text("llamafactory")


def test_launchers() -> None:
    found = {one.name: one for one in launchers()}
    assert {"accelerate", "deepspeed", "torchrun"} <= found.keys()
    assert found["torchrun"].abbreviates
    assert "nproc_per_node" in found["torchrun"].each
    assert found["deepspeed"].every_device
    assert {"--config_file", "--config-file"} & options_of_other_files()
    assert all(one.startswith("--") for one in options_of_other_files())
    assert any(one.processes == "num_processes" for one in settings_files())
