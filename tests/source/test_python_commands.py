"""The commands that a program starts."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.source.python_commands import command_around, commands_of
from cfglint.source.starting_programs import starts_others

IMPORTS = "import os\nimport shlex\nimport shutil\nimport subprocess\nimport sys\n\n"
#: What a word is of which nothing is known.
UNKNOWN = "$1"


def words_of(code: str, branch: int = 0) -> list[list[str]]:
    return [[word.text for word in one.words(branch)] for one in commands_of(IMPORTS + code)]


@pytest.mark.parametrize(
    "code",
    [
        'subprocess.run(["tool", "train", "--lr", "3"])',
        'subprocess.check_call(["tool", "train"] + ["--lr", "3"], env=os.environ)',
        'cmd = ["tool", "train"]\ncmd += ["--lr", "3"]\nsubprocess.run(cmd)',
        'cmd = ["tool", "train"]\ncmd.extend(["--lr", "3"])\nsubprocess.run(cmd)',
        'cmd = ["tool", "train"]\ncmd.append("--lr")\ncmd.append(str(3))\nsubprocess.run(cmd)',
        'cmd: list[str] = ["tool", "train"]\ncmd = cmd + ["--lr", "3"]\nsubprocess.run(cmd)',
        'more = ["--lr", "3"]\nsubprocess.run(["tool", "train", *more])',
        'BASE = ["tool", "train"]\n\n\ndef go():\n    subprocess.run(BASE + ["--lr", "3"])',
        'cmd = ["tool", "train", "--lr", "3"]\nsubprocess.run(" ".join(cmd), shell=True)',
        'parts = ["tool train", "--lr 3"]\nos.system(" ".join(parts))',
        'subprocess.run(shlex.split("tool train --lr 3"))',
        'subprocess.run("tool train --lr 3".split())',
        'os.system("tool train --lr 3")',
        'os.system("cd x && tool train --lr 3")',
        'os.system("tool train "\n          "--lr 3")',
        'cmd = "tool train"\ncmd += " --lr 3"\nsubprocess.Popen(cmd, shell=True)',
        'subprocess.run("""\n    tool train \\\\\n        --lr 3\n""", shell=True)',
        'LR = 3\nos.system(f"tool train --lr {LR}")',
        'exe = shutil.which("tool") or "tool"\nsubprocess.run([exe, "train", "--lr", "3"])',
        'with subprocess.Popen(["tool", "train", "--lr", "3"]) as started:\n    started.wait()',
        'if subprocess.run(["tool", "train", "--lr", "3"]).returncode:\n    raise SystemExit',
        'for cmd in [["tool", "train", "--lr", "3"]]:\n    subprocess.run(cmd)',
        'class A:\n    def go(self):\n        self.cmd = ["tool", "train"]\n        self.cmd += ["--lr", "3"]',
        'os.execvp("tool", ["tool", "train", "--lr", "3"])',
        'def build():\n    return ["tool", "train", "--lr", "3"]\n\n\nsubprocess.run(build())',
    ],
)
def test_what_a_program_hands_to_others(code: str) -> None:
    assert ["tool", "train", "--lr", "3"] in words_of(code)


def test_the_python_that_runs_the_program() -> None:
    assert words_of('subprocess.run([sys.executable, "-m", "tool"])') == [["python", "-m", "tool"]]


def test_what_only_a_run_decides_is_open() -> None:
    code = (
        "def go(lr, root, more):\n"
        '    subprocess.run(["tool", "--lr", str(lr), f"--x={lr}", str(root / "x.yml"), *more])'
    )
    (command,) = commands_of(IMPORTS + code)
    found = command.words()
    assert [word.text for word in found] == [
        *("tool", "--lr", UNKNOWN, "--x=${1}", f"{UNKNOWN}/x.yml", UNKNOWN)
    ]
    assert [word.open for word in found] == [False, False, True, True, True, True]
    assert [word.many for word in found] == [False] * 5 + [True]


def test_an_option_that_is_computed_may_be_any() -> None:
    (command,) = commands_of(IMPORTS + 'def go(a):\n    subprocess.run(["tool", f"--{a}", "x"])')
    assert command.words()[1].many


@pytest.mark.parametrize(
    "branch",
    [
        'if len(sys.argv) > 1:\n    cmd.append("--fast")',
        'for one in sys.argv:\n    cmd += ["--fast"]',
        'while sys.argv:\n    cmd.extend(["--fast"])',
        'try:\n    pass\nexcept OSError:\n    cmd.append("--fast")',
        'match sys.argv:\n    case []:\n        cmd.append("--fast")',
    ],
)
def test_what_a_branch_adds_is_possible(branch: str) -> None:
    code = f'cmd = ["tool", "train"]\n{branch}\ncmd.append("--last")\nsubprocess.run(cmd)'
    (command,) = commands_of(IMPORTS + code)
    assert [word.text for word in command.words()] == ["tool", "train", UNKNOWN, "--last"]
    (number,) = command.branches
    assert [word.text for word in command.words(number)] == ["tool", "train", "--fast", "--last"]


def test_either_branch_has_a_number_of_its_own() -> None:
    code = (
        'cmd = ["tool"]\nif sys.argv:\n    cmd += ["--a"]\nelse:\n    cmd += ["--b"]\n'
        "subprocess.run(cmd)"
    )
    (command,) = commands_of(IMPORTS + code)
    texts = [[word.text for word in command.words(one)] for one in command.branches]
    assert texts == [["tool", "--a", UNKNOWN], ["tool", UNKNOWN, "--b"]]


def test_a_list_that_is_another_one_in_each_branch() -> None:
    code = (
        'if sys.argv:\n    cmd = ["launch", "--n", "2"]\nelse:\n    cmd = ["python"]\n'
        'cmd += ["train.py", "--x"]\nsubprocess.run(cmd)'
    )
    assert words_of(code) == [
        ["launch", "--n", "2", "train.py", "--x"],
        ["python", "train.py", "--x"],
    ]


def test_a_name_that_is_used_twice() -> None:
    code = (
        'cmd = ["tool", "a"]\nsubprocess.run(cmd)\ncmd = ["tool", "b"]\n'
        'cmd.append("c")\nsubprocess.run(cmd)'
    )
    assert words_of(code) == [["tool", "a"], ["tool", "b", "c"]]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("subprocess.run(cmd)", ["tool", 'logger=["a", "b"]']),
        ('print(" ".join(cmd))\nsubprocess.run(cmd, check=True)', ["tool", 'logger=["a", "b"]']),
        # What a shell gets as one text, it divides.
        ('os.system(" ".join(cmd))', ["tool", "logger=[a,", "b]"]),
        ('line = " ".join(cmd)\nos.system(line)', ["tool", "logger=[a,", "b]"]),
    ],
)
def test_a_list_that_is_joined_for_a_message_keeps_its_words(run: str, words: list[str]) -> None:
    code = f"""cmd = ["tool", 'logger=["a", "b"]']\n{run}"""
    assert words_of(code) == [words]


@pytest.mark.parametrize(
    "code",
    [
        'print("tool train --lr 3")',
        'USAGE = "-" * 70 + "tool train --lr 3"',
        'HELP = "tool train --lr 3"',
        'parser.add_argument("--x", help="tool train --lr 3")',
        '"""tool train --lr 3"""',
        '# subprocess.run(["tool", "train"])',
    ],
)
def test_what_is_no_command(code: str) -> None:
    assert words_of(code) == []


def test_a_program_without_these_functions_is_not_looked_at() -> None:
    text = 'run(["tool", "train"])\n'
    assert not starts_others(text)
    assert commands_of(text) == ()
    assert commands_of("import subprocess\n(") == ()


@pytest.mark.parametrize(
    "change",
    [
        "add_options(cmd, config)",
        "cmd = with_options(cmd)",
        'cmd.insert(0, "env")',
        "self.extend_command(cmd, x)",
        "cmd += more()",
    ],
)
def test_what_changes_a_list_unseen_may_add_any_words(change: str) -> None:
    code = f'cmd = ["tool", "train"]\n{change}\nsubprocess.run(cmd)'
    assert words_of(code) == [["tool", "train", UNKNOWN]]


@pytest.mark.parametrize(
    "use", ["print(cmd)", "log.info(cmd)", "subprocess.run(cmd)", "run_command(cmd)", "len(cmd)"]
)
def test_what_only_reads_a_list(use: str) -> None:
    assert words_of(f'cmd = ["tool", "train"]\n{use}\nsubprocess.run(cmd)') == [["tool", "train"]]


def test_a_list_of_the_module_that_something_changes_is_not_known_elsewhere() -> None:
    code = 'BASE = ["tool"]\nBASE.append("x")\n\n\ndef go():\n    subprocess.run(BASE + ["--lr"])'
    assert words_of(code) == [["tool", "x"], [UNKNOWN, "--lr"]]


def test_places_of_words() -> None:
    text = IMPORTS + (
        'subprocess.run(["tool", "train", "--lr", "3"])\n'
        'def go(lr):\n    os.system(f"other train "\n              f"--rate {lr} --last x")\n'
    )
    for command in commands_of(text):
        for word in command.words():
            if not word.open:
                assert text[word.start : word.end] == word.text


def test_the_command_around_a_place() -> None:
    text = IMPORTS + 'subprocess.run(["tool", "train"])\nos.system("other --x 1")\n'
    for name, words in (("tool", ["tool", "train"]), ("--x", ["other", "--x", "1"])):
        assert [word.text for word in command_around(text, text.index(name))] == words
    assert command_around(text, 0) == []
    assert command_around(text, len(text)) == []


def _hostile() -> dict[str, str]:
    chain = "\n".join(
        f"x{i} = f'{{x{i + 1}}}' * 1 + f'{{x{i + 1}}}{{x{i + 1}}}'" for i in range(60)
    )
    lists = "\n".join(f"c{i} = ['tool', 'x']\nif x:\n    c{i}.append('--y')" for i in range(3_000))
    nested = "".join(f"{' ' * depth}if x:\n" for depth in range(90))
    return {
        "a long list": f"subprocess.run([{', '.join(repr('--x') for _ in range(60_000))}])",
        "many lists": "\n".join("subprocess.run(['tool', 'train'])" for _ in range(8_000)),
        "many names": lists,
        "one list added to": "c = ['tool']\n" + "c = c + ['--x', 'y']\n" * 8_000,
        "branches": "c = ['tool']\n" + "if x:\n    c.append('--y')\n" * 8_000,
        "deep blocks": f"c = ['tool']\n{nested}{' ' * 90}c.append('--x')",
        "a deep list": f"subprocess.run({'[' * 80}{']' * 80})",
        "a long sum": f"subprocess.run({' + '.join(repr(['a', 'b']) for _ in range(900))})",
        "names of names": f"{chain}\nx60 = 'a'\nsubprocess.run(['tool', {'x0, ' * 300}])",
        "a long text": f"os.system({'tool --x 1 ' * 60_000!r})",
        "quotes in a text": f"os.system({chr(39) * 3_999!r})",
        "shared words": "B = ['tool'] + ['x'] * 2\n" + "subprocess.run(B + ['y'])\n" * 3_000,
    }


@pytest.mark.parametrize("case", _hostile())
def test_hostile_programs_cost_little(case: str) -> None:
    text = IMPORTS + _hostile()[case] + "\n"
    begin = time.process_time()
    commands_of(text)
    assert time.process_time() - begin < 6


_WORDS = st.sampled_from(["'tool'", "'--x'", "x", "str(x)", "f'--a={x}'", "*x", "['a']", "'a b'"])
_LISTS = st.lists(_WORDS, max_size=4).map(lambda words: f"[{', '.join(words)}]")
_LINES = st.one_of(
    _LISTS.map("c = {}".format),
    _LISTS.map("c += {}".format),
    _LISTS.map("d = c + {}".format),
    _LISTS.map("c.extend({})".format),
    _LISTS.map("subprocess.run({}, shell=True)".format),
    _LISTS.map("if x:\n    c += {}".format),
    _LISTS.map("for x in c:\n    d = {}".format),
    _WORDS.filter(lambda word: "*" not in word).map("c.append({})".format),
    _WORDS.filter(lambda word: "*" not in word).map("os.system({})".format),
    st.just("os.system(' '.join(c))"),
    st.just("del c"),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_LINES, max_size=12))
def test_places_are_in_the_text_whatever_is_done_with_lists(lines: list[str]) -> None:
    text = IMPORTS + "\n".join(lines) + "\n"
    for command in commands_of(text):
        for number in (0, *command.branches):
            words = command.words(number)
            assert all(0 <= word.start <= word.end <= len(text) for word in words)
            assert words


def test_notebooks_are_left_alone() -> None:
    cell = {"cell_type": "code", "source": ["import subprocess\n", "subprocess.run(['a', 'b'])"]}
    assert commands_of(json.dumps({"cells": [cell]})) == ()
