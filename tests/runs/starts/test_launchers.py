"""The commands with which a launcher starts a program by its own settings file."""

from __future__ import annotations

from cfglint.runs.starts.launchers import read, read_all
from cfglint.runs.starts.start import Start
from tests.draws import each
from tests.runs.starts.launcher import START

RUN = "start run --settings_file a.yaml "


def only(text: str) -> Start:
    (found,) = read_all("/x/run.sh", text, START)
    return found


def texts(start: Start) -> tuple[list[str], str, list[str]]:
    """The options of the launcher, the program, and its arguments."""
    return (
        [word.text for word in start.before],
        start.program,
        [word.text for word in start.words],
    )


@each(
    ("text", "options", "program", "arguments"),
    [
        (f"{RUN}train.py --lr 1\n", "--settings_file a.yaml", "train.py", "--lr 1"),
        (f"{RUN}--multi_gpu train.py\n", "--settings_file a.yaml --multi_gpu", "train.py", ""),
        (f"{RUN}-m package.train\n", "--settings_file a.yaml", "-m", "package.train"),
        ("startrun --nnodes=2 train.py\n", "--nnodes=2", "train.py", ""),
        ("start  run train.py\n", "", "train.py", ""),
        ("start run\n", "", "", ""),
        ("echo 1; start run train.py; echo 2\n", "", "train.py", ""),
        # A variable that the script sets to several words, once.
        (
            'OPTIONS="--multi_gpu --nnodes 2"\nstart run $OPTIONS train.py',
            "--multi_gpu --nnodes 2",
            "train.py",
            "",
        ),
        (
            "export OPTIONS='--multi_gpu \\\n --nnodes 2'\nstart run ${OPTIONS} train.py",
            "--multi_gpu --nnodes 2",
            "train.py",
            "",
        ),
        (
            'N=2\nOPTIONS="--nnodes ${N} --main_port $P"\nstart run $OPTIONS train.py',
            "--nnodes 2 --main_port $P",
            "train.py",
            "",
        ),
        # Which of several values it has, or whether it has more, is not known.
        ('O="--quiet -q"\nO="--multi_gpu -q"\nstart run $O train.py', "", "$O", "train.py"),
        ('O="--quiet -q"\nO+=" --multi_gpu"\nstart run $O train.py', "", "$O", "train.py"),
        ('O="--quiet -q"\nO=$(x)\nstart run $O train.py', "", "$O", "train.py"),
        ('O="--quiet -q\nstart run $O train.py', "", "$O", "train.py"),
        ("start run $O train.py", "", "$O", "train.py"),
        ("O='--quiet --multi_gpu'\nstart run train.py $O", "", "train.py", "--quiet --multi_gpu"),
    ],
)
def test_the_parts_of_a_command(text: str, options: str, program: str, arguments: str) -> None:
    assert texts(only(text)) == (options.split(), program, arguments.split())


@each(
    "text",
    [
        "",
        "restart run train.py\n",
        "start running train.py\n",
        "my-startrun train.py\n",
        "start.run train.py\n",
        "# start run train.py\n",
    ],
)
def test_what_is_no_such_command(text: str) -> None:
    assert read_all("/x/run.sh", text, START) == []


def test_what_is_known_of_a_command() -> None:
    text = f"export A=1\nB=2 {RUN}train.py --settings_file b.yaml C=3\n"
    start = only(text)
    assert (start.path, start.folder, start.launcher) == ("/x/run.sh", "/x", "start")
    assert text[start.at :].startswith("start run")
    assert (start.config.text, text[slice(*start.config.span)]) == ("a.yaml", "a.yaml")
    assert dict(start.environment) == {"A": "1", "B": "2"}
    assert start.trains
    assert (start.own, start.copied) == (False, False)
    assert start.option("settings_file") == start.config
    assert start.option("nnodes") is None


def test_quotes_keep_a_variable_together() -> None:
    words = only('O="--quiet -q"\nstart run train.py "$O" a$O').words
    assert [word.text for word in words] == ["--quiet -q", "a--quiet", "-q"]


def test_words_of_a_variable_are_at_its_place() -> None:
    text = 'N=2\nO="--nnodes $N --main_port $P"\nstart run $O train.py'
    words = only(text).before
    assert {text[slice(*word.span)] for word in words} == {"$O"}
    assert [word.open for word in words] == [False, False, False, True]


def test_only_commands_that_name_settings() -> None:
    text = f"start run --quiet train.py\n{RUN}train.py\nstart run --settings_file=b.yaml train.py\n"
    assert [one.config.text for one in read("/x", text, START)] == ["a.yaml", "b.yaml"]
    assert [one.config.text for one in read_all("/x", text, START)] == ["", "a.yaml", "b.yaml"]
    without = START.replaced(settings="")
    assert read("/x", text, without) == []
    assert len(read_all("/x", text, without)) == 3


def test_a_file_with_very_many_commands() -> None:
    assert len(read_all("/x", "start run train.py\n" * 60, START)) == 50
