"""Lines that belong to no config."""

from __future__ import annotations

from cfglint.source.diagnosis.leftovers import leftovers
from cfglint.source.diagnosis.lines import Lines
from tests.draws import each
from tests.source.diagnosis.explaining import Proposed, told

CASES: list[tuple[str, list[Proposed]]] = [
    (
        "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\nc: 1\n",
        [("conflict-marker", -100, "<<<<<<< HEAD", "a: 1\nb: 1\nc: 1\n")],
    ),
    (
        "a: 1\n<<<<<<< x\nb: 1\n||||||| y\nb: 0\n=======\nb: 2\n>>>>>>>\n<<<<<<< x\nc: 1\n=======\n>>>>>>> z",
        [("conflict-marker", -100, "<<<<<<< x", "a: 1\nb: 1\nc: 1\n")],
    ),
    ("a: |\n  <<<<<<< x\n", []),
    ("  <<<<<<< x\n", []),
    (
        "```yaml\na: 1\n```\n",
        [
            ("code-fence: Comment it out", 0, "```yaml", "# ```yaml\na: 1\n```\n"),
            ("code-fence: Comment it out", 0, "```", "```yaml\na: 1\n# ```\n"),
        ],
    ),
    ("~~~\na: 1\n", [("code-fence: Comment it out", 0, "~~~", "# ~~~\na: 1\n")]),
    ("``` x y\n", []),
    ("$ ls\na: 1\n", [("shell-line: Comment it out", 0, "$ ls", "# $ ls\na: 1\n")]),
    ("u@h:~$ ls -l\n", [("shell-line: Comment it out", 0, "u@h:~$ ls -l", "# u@h:~$ ls -l\n")]),
    ("(v) u@h # x\n", [("shell-line: Comment it out", 0, "(v) u@h # x", "# (v) u@h # x\n")]),
    (">>> x\n", [("shell-line: Comment it out", 0, ">>> x", "# >>> x\n")]),
    (
        "root@h:/w# nvidia-smi\n",
        [("shell-line: Comment it out", 0, "root@h:/w# nvidia-smi", "# root@h:/w# nvidia-smi\n")],
    ),
    ("export A=1\n", [("shell-line: Comment it out", 0, "export A=1", "# export A=1\n")]),
    ("set a 1\n", [("shell-line: Comment it out", 0, "set a 1", "# set a 1\n")]),
    ("A=1 B=2 x\n", [("shell-line: Comment it out", 0, "A=1 B=2 x", "# A=1 B=2 x\n")]),
    ("A=1\n", []),
    (
        "sudo pip install x\n",
        [("shell-line: Comment it out", 0, "sudo pip install x", "# sudo pip install x\n")],
    ),
    ("./run.sh x\n", [("shell-line: Comment it out", 0, "./run.sh x", "# ./run.sh x\n")]),
    ("nvidia-smi\n", [("shell-line: Comment it out", 0, "nvidia-smi", "# nvidia-smi\n")]),
    ("python: 3\n", []),
    ("python = 3\n", []),
    ("pip\n", []),
    ("- pip install x\n", []),
    (
        "axolotl train x.yml\n",
        [("shell-line: Comment it out", 0, "axolotl train x.yml", "# axolotl train x.yml\n")],
    ),
    ("foo bar\n", []),
    ("foo --bar\n", [("shell-line: Comment it out", 0, "foo --bar", "# foo --bar\n")]),
    ("foo && bar\n", [("shell-line: Comment it out", 0, "foo && bar", "# foo && bar\n")]),
    ("foo | bar\n", [("shell-line: Comment it out", 0, "foo | bar", "# foo | bar\n")]),
    ("foo \\\n", [("shell-line: Comment it out", 0, "foo \\", "# foo \\\n")]),
    ("foo: a --b\n", []),
    ("ä --b\n", [("shell-line: Comment it out", 0, "ä --b", "# ä --b\n")]),
    ("cat : x\n", []),
    ("a: [\n  pip install x]\n", []),
    ("# pip install x\n", []),
    ('a: "\n  pip install x"\n', []),
    (
        "a: 1\nls -l\ncd x\n",
        [
            ("shell-line: Comment it out", 0, "ls -l", "a: 1\n# ls -l\ncd x\n"),
            ("shell-line: Comment it out", 0, "cd x", "a: 1\nls -l\n# cd x\n"),
        ],
    ),
]


@each(("text", "expected"), CASES)
def test_what_is_proposed(text: str, expected: list[Proposed]) -> None:
    lines = Lines(text)
    assert told(leftovers(lines, len(lines.all) - 1), text) == expected


def test_lines_further_down_are_not_looked_at() -> None:
    text = "a: 1\nls -l\ncd x\n"
    assert [place for _, _, place, _ in told(leftovers(Lines(text), 1), text)] == ["ls -l"]
    assert list(leftovers(Lines(text), 0)) == []
