"""Patterns of `.gitignore`: the verdicts of git, in time that grows with pattern and path."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from cfglint.base.globs import Globs, is_glob
from tests.draws import each

NAMES = [
    "a",
    "b",
    "ab",
    "ba",
    "abc",
    "a.c",
    "b-",
    "[",
    "a b",
    "x]",
    "*",
    "\\",
    " ",
    "!a",
    "#b",
    "1",
]
PARTS = [
    *("a", "b", "c", "*", "**", "?", "/", "**/", "/**", "*/", "***", ".", "-", "B", "!", "#", " "),
    *(
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-c]",
        "[]a]",
        "[",
        "[\\]]",
        "[--a]",
        "[b-a]",
        "[!]",
        "[]",
        "[[:a]",
    ),
    *("[[:alpha:]]", "[[:digit:]b]", "[[:foo:]]", "\\a", "\\*", "\\[", "\\", "\\ "),
]
#: What git makes of the literal beginning of such a pattern is not what its documentation says.
ODD = re.compile(r"!?/?[^*?\[\\]+\*\*+(/|$)")


def by_git(folder: Path, lines: list[str], paths: list[str]) -> list[bool]:
    (folder / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shown = subprocess.run(
        ["git", "-C", folder, "check-ignore", "-z", "--stdin", "-v", "-n", "--no-index"],
        input="\0".join(paths) + "\0",
        capture_output=True,
        text=True,
        check=False,
    )
    patterns = shown.stdout.split("\0")[2::4]
    assert len(patterns) == len(paths), shown.stderr
    return [bool(pattern) and not pattern.startswith("!") for pattern in patterns]


@pytest.mark.skipif(shutil.which("git") is None, reason="git gives the verdicts")
def test_the_verdicts_are_those_of_git(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    chance = random.Random(7)
    for _ in range(150):
        lines = [
            line
            for _ in range(chance.choice([1, 1, 2, 3]))
            if not ODD.match(line := "".join(chance.choices(PARTS, k=chance.randint(1, 6))))
        ]
        paths = ["/".join(chance.choices(NAMES, k=chance.randint(1, 4))) for _ in range(40)]
        paths = list(dict.fromkeys(paths))
        globs = Globs(lines)
        assert [globs.covers(path) for path in paths] == by_git(tmp_path, lines, paths), lines


@each(
    ("line", "path"),
    [
        ("*a" * 30 + "*b", "a" * 255 + ".yml"),
        ("*?" * 30 + "*b", "a" * 255 + ".yml"),
        ("*[ab][ab]" * 30 + "b", "a" * 255),
        ("**/a/" * 30 + "b", "a/" * 300 + "c"),
        ("**/*a*a*a/" * 30 + "b", "aaa/" * 300 + "c"),
    ],
)
def test_no_pattern_makes_a_path_take_long(line: str, path: str) -> None:
    started = time.process_time()
    assert not Globs([line]).covers(path)
    assert time.process_time() - started < 1


@each("line", ["a", "!a", "*.yml", "/a/", "# a", "", "/", r"\!a"])
def test_a_pattern(line: str) -> None:
    assert is_glob(line)


@each("line", ["!", "a//b", "[a", "a\\", "//"])
def test_what_can_never_match_is_not_a_pattern(line: str) -> None:
    assert not is_glob(line)


def test_a_folder_is_named_apart_from_what_is_in_it() -> None:
    globs = Globs(["out/", "!out/keep.yml"])
    assert globs.verdict("out", is_folder=True) is True
    assert globs.verdict("out") is None
    assert globs.verdict("out/keep.yml") is False
    assert globs.covers("out/keep.yml")
    assert not globs.covers("keep.yml")
