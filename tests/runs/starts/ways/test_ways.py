"""Each way of writing a command down finds its own commands, and leaves others alone."""

from __future__ import annotations

from cfglint.runs.starts.ways import WAYS, Way, items, shell, strings
from tests.draws import each


def words(way: Way, text: str) -> list[str]:
    return [word.text for word in way(text, text.index("axolotl"), {"C": "x.yml"})]


@each(
    ("way", "text", "found"),
    [
        (shell.words, "echo a; axolotl train $C | tee log", ["axolotl", "train", "x.yml"]),
        (shell.words, 'ssh host "axolotl train a.yml"', ["axolotl", "train", "a.yml"]),
        (strings.words, 'CMD ["axolotl", "train", "x.yml"]', ["axolotl", "train", "x.yml"]),
        (strings.words, "axolotl train x.yml", []),
        (strings.words, "sh -c 'axolotl train x.yml'", []),
        (items.words, "args:\n  - axolotl\n  - train\n", ["axolotl", "train"]),
        (items.words, "args:\n  - axolotl train\n", []),
        (items.words, "axolotl train x.yml", []),
    ],
)
def test_words(way: Way, text: str, found: list[str]) -> None:
    assert words(way, text) == found


def test_what_only_the_run_knows_is_open() -> None:
    for written in ('"$@"', "$@", '"$*"', '"$(date)"', '"`date`"', '"${x:-a}"', "$x"):
        text = f"axolotl train a.yml {written}"
        found = [word.open for word in shell.words(text, 0, {})]
        assert found == [False, False, False, True], written


@each(
    ("text", "found"),
    [
        ("axolotl train $O", ["axolotl", "train", "--lr", "1"]),
        ("axolotl train ${O} x.yml", ["axolotl", "train", "--lr", "1", "x.yml"]),
        ('axolotl train "$O"', ["axolotl", "train", "--lr 1"]),
        ("axolotl train --a=$O-5", ["axolotl", "train", "--a=--lr", "1-5"]),
        ("axolotl train a$B b", ["axolotl", "train", "a", "x", "b"]),
        ("axolotl train a$B$B", ["axolotl", "train", "a", "x", "x"]),
        ("axolotl train $B", ["axolotl", "train", "x"]),
        ("axolotl train $E a$E", ["axolotl", "train", "a"]),
        ('axolotl train "$E" $S', ["axolotl", "train", ""]),
        ("A=1 B=$O axolotl train", ["A=1", "B=--lr 1", "axolotl", "train"]),
        ("axolotl train a >$O b", ["axolotl", "train", "a", "b"]),
    ],
)
def test_a_variable_without_quotes_is_as_many_words_as_it_has(text: str, found: list[str]) -> None:
    variables = {"O": "--lr 1", "B": " x ", "E": "", "S": " "}
    assert [word.text for word in shell.words(text, text.index("axolotl"), variables)] == found
    assert all(word.start <= word.end for word in shell.words(text, 0, variables))


def test_what_only_prints_a_command_starts_nothing() -> None:
    assert words(shell.words, 'echo "axolotl train a.yml"') == []


@each(
    "redirection",
    [
        "2>&1",
        "2> err.txt",
        ">log 2>&1",
        ">> log",
        "&>> log",
        ">| log",
        ">& log",
        "2>/dev/null 1>&2",
    ],
)
def test_redirections_are_no_words(redirection: str) -> None:
    expected = ["axolotl", "train", "a.yml", "--debug"]
    assert words(shell.words, f"axolotl train a.yml {redirection} --debug | tee l") == expected
    assert words(shell.words, f"axolotl train a.yml --debug {redirection}") == expected
    assert words(shell.words, f"{redirection} axolotl train a.yml --debug &") == expected


def test_a_number_before_another_word_is_one() -> None:
    assert words(shell.words, "axolotl train a.yml 2 a2>log") == [
        "axolotl",
        "train",
        "a.yml",
        "2",
        "a2",
    ]


def test_any_text_is_taken_for_a_shell_s_in_the_end() -> None:
    assert WAYS[-1] is shell.words


def test_what_a_program_starts() -> None:
    text = (
        'import subprocess\ncmd = ["axolotl", "train"]\ncmd += ["x.yml", str(seed)]\n'
        "subprocess.run(cmd)\n"
    )
    found = strings.words(text, text.index("axolotl"), {})
    assert [word.text for word in found] == ["axolotl", "train", "x.yml", "$1"]
    assert [word.open for word in found] == [False, False, False, True]
    assert [text[word.start : word.end] for word in found[:3]] == ["axolotl", "train", "x.yml"]
