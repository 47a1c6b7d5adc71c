"""The options of launchers, in the words of a command."""

from __future__ import annotations

from cfglint.runs.starts.launcher_options import (
    behind_options,
    known_options,
    meant_option,
    program_at,
    unknown_options,
)
from tests.draws import each
from tests.runs.starts.launcher import START

SHORTENING = START.replaced(abbreviates=True)
UNKNOWN = START.replaced(options=())


@each(
    ("words", "behind", "program"),
    [
        ("", 0, 0),
        ("train.py --lr 1", 0, 0),
        ("--num_processes 8 train.py", 2, 2),
        ("--num-processes 8 train.py", 2, 2),
        ("--num_processes=8 train.py", 1, 1),
        ("--multi_gpu train.py", 1, 1),
        ("--multi-gpu --main_port 1 train.py --quiet", 3, 3),
        ("-q train.py", 1, 1),
        ("-qq 1 train.py", 2, 2),
        ("-m package.train", 0, 1),
        ("--module package.train", 0, 1),
        ("--multi_gpu -m package.train -m x", 1, 2),
        ("--multi_gpu", 1, 1),
        ("-m", 0, 1),
        # Its value is missing.
        ("--main_port", 2, 2),
    ],
)
def test_where_the_program_is(words: str, behind: int, program: int) -> None:
    assert behind_options(words.split(), START) == behind
    assert program_at(words.split(), START) == program


@each(
    ("words", "unknown", "if_shortened"),
    [
        ("--num_processes 8 --per-node 2 --nnodes=1 --quiet --main_port 1 train.py", [], []),
        ("--settings_file x --help --module x", [], []),
        ("--num_gpus 8 --multi_gpu --port=1 train.py --other", [0, 3], [0, 3]),
        ("--prec bf16 --num_proc 2 train.py", [0, 2], []),
        ("-x --2fast 1 --a$b 1 train.py", [], []),
        ("train.py --num_gpus 8", [], []),
    ],
)
def test_options_that_it_does_not_have(
    words: str, unknown: list[int], if_shortened: list[int]
) -> None:
    assert [*unknown_options(words.split(), START)] == unknown
    assert [*unknown_options(words.split(), SHORTENING)] == if_shortened
    assert [*unknown_options(words.split(), UNKNOWN)] == []


def test_nothing_is_known_of_a_launcher_without_a_list() -> None:
    assert known_options(UNKNOWN) == frozenset()
    assert {"main_port", "quiet", "nnodes", "settings_file"} < known_options(START)


@each(
    ("option", "meant"),
    [
        ("--num_process", "num_processes"),
        ("num-proceses", "num_processes"),
        ("--main-prot=1", "main_port"),
        ("--port", ""),
        ("--gpus", ""),
    ],
)
def test_the_option_that_is_meant(option: str, meant: str) -> None:
    assert meant_option(option, START) == meant
