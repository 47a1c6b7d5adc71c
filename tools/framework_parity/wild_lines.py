"""Scripts of other people: the words that bash gives to their programs, and whether cfglint finds the same ones.

    python -m tools.framework_parity.wild_lines words PROJECT... --out WORDS.jsonl
    python -m tools.framework_parity.wild_lines literal WORDS.jsonl --framework trl FOLDER

`words` runs each script that cfglint reads in a sandbox (`sandbox.py`) in which every program is a stand-in, and writes
a row for each command that it starts: `{project, script, line, framework, command, argv, ours, known, same}`. What cfglint finds and
no run comes to is not compared, nor are words of which it says that it does not know them. `literal` writes a
script for each of these commands with nothing but the words of bash, and rows for the parser of a release
(`worker/option_words.py`); `launch_lines compare` compares the verdicts.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import md5
from pathlib import Path
from subprocess import CalledProcessError, TimeoutExpired
from typing import Any, NamedTuple

from cfglint.frameworks.for_files import variant
from cfglint.roles.framework import load_framework
from cfglint.source import shell_words
from cfglint.source.languages.shell import Shell
from cfglint.source.shell_values import ExpandedWord, ShellVariables
from tools.framework_parity import folders, scripts
from tools.framework_parity.sandbox import HOME, Call, calls

_FRAMEWORKS = ("llamafactory", "trl", "swift", "openrlhf", "verl", "trl_programs", "accessory")
#: One is in each script that starts any of them.
_NAMES = ("llamafactory", "train", "trl", "swift", "megatron", "openrlhf", "verl", "sft", "dpo")
#: What starts a program of the project.
_LAUNCHERS = ("python", "python3", "torchrun", "accelerate", "deepspeed")
_SUFFIXES = (".sh", ".bash", ".slurm", ".sbatch")
#: No script that people write is longer.
_MAX_TEXT = 200_000


class _Start(NamedTuple):
    """A command in a script that cfglint reads."""

    framework: str
    program: str
    #: Behind the program.
    words: list[ExpandedWord]
    #: Its first and its last line.
    lines: tuple[int, int]


class _Languages:
    """Those of all frameworks, as the text of a script asks for them."""

    def __init__(self, text: str) -> None:
        self._all = [(name, _language(name, text)) for name in _FRAMEWORKS]

    def start(self, words: list[ExpandedWord], lines: tuple[int, int]) -> _Start | None:
        """What the words of a command start."""
        for at in range(len(words)):
            for name, language in self._all:
                program = language.programs(words, at)
                if program is not None:
                    return _Start(name, program.name, words[at + 1 + program.taken :], lines)
        return self._own(words, lines)

    def _own(self, words: list[ExpandedWord], lines: tuple[int, int]) -> _Start | None:
        """A program of the project, whose classes are not asked for here."""
        for at, word in enumerate(words):
            if word.text in _LAUNCHERS:
                for place in range(at + 1, len(words)):
                    if words[place].text.endswith(".py"):
                        return _Start("program", words[place].text, words[place + 1 :], lines)
        return None


def found(text: str, languages: _Languages) -> Iterator[_Start]:
    """The commands of a script that cfglint reads."""
    script = shell_words.read(text)
    variables = ShellVariables(script, text)
    for statement in script.statements:
        words = variables.expanded(statement)
        if words:
            ends = statement.words[0].start, statement.words[-1].end
            first, last = (text.count("\n", 0, one) + 1 for one in ends)
            start = languages.start(words, (first, last))
            if start is not None:
                yield start


def _language(name: str, text: str) -> Shell:
    framework = variant(load_framework(name), language="shell")
    language = scripts.language_of(framework, text, framework.releases.newest)
    assert isinstance(language, Shell)
    return language


def rows(project: Path, most: int) -> Iterator[dict[str, Any]]:
    """The commands of the scripts of a project, in an order of chance, with what bash makes of them.

    Args:
        most: how many scripts.
    """
    count = 0
    paths = [one for one in project.rglob("*") if one.suffix in _SUFFIXES]
    for path in sorted(paths, key=lambda one: md5(str(one.relative_to(project)).encode()).digest()):
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_TEXT:
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        # With carriage returns no lines are joined; cfglint says so (LCH815), and reads what was meant.
        if "\r" in text or not any(name in text for name in _NAMES):
            continue
        languages = _Languages(text)
        starts = list(found(text, languages))
        script = path.relative_to(project).as_posix()
        try:
            given = [call for call in calls(project, script) if Path(call.file).name == path.name]
        except (TimeoutExpired, CalledProcessError):
            given = []
        for call in given:
            if not any(one.lines[0] <= call.line <= one.lines[1] for one in starts):
                literal = [ExpandedWord(word, 0, 0) for word in call.words]
                missed = languages.start(literal, (call.line, call.line))
                if missed is not None:
                    starts.append(missed._replace(words=[]))
        count += bool(starts)
        if count > most:
            return
        for start in starts:
            first, last = start.lines
            yield {
                "project": project.name,
                "script": script,
                "line": first,
                "framework": start.framework,
                "command": start.program,
                **_compared(start.words, [one for one in given if first <= one.line <= last]),
            }


def _compared(words: list[ExpandedWord], given: list[Call]) -> dict[str, Any]:
    """What a run gave to a command, and whether it is what cfglint finds."""
    known = not any(word.open or word.many for word in words)
    row: dict[str, Any] = {
        "ours": [word.text for word in words],
        "known": known,
        "open": [at for at, word in enumerate(words) if word.open or word.many],
        "theirs": [one.words for one in given[:20]],
    }
    if not given:
        return {**row, "same": None, "argv": []}
    taken = (_taken(words, one.words) for one in given) if words else iter(())
    own = next((one for one in taken if one is not None), None)
    return {**row, "same": own is not None, "argv": own or []}


def _taken(words: list[ExpandedWord], given: list[str]) -> list[str] | None:
    """The words of a run behind its program that ours stand for; None if they are others."""
    if not any(word.many for word in words):
        own = given[max(0, len(given) - len(words)) :]
        same = len(own) == len(words) and all(map(_is_word, words, own))
        return own if same else None
    # Some stand for any number of words: the others have to be there in their order.
    for start in range(1, len(given) + 1):
        if _match(tuple(words), given, start):
            return given[start:]
    return None


def _match(words: tuple[ExpandedWord, ...], given: list[str], start: int) -> bool:
    places = {start}
    for word in words:
        if word.many:
            places = set(range(min(places), len(given) + 1)) if places else set()
        else:
            places = {at + 1 for at in places if at < len(given) and _is_word(word, given[at])}
    return len(given) in places


def _is_word(ours: ExpandedWord, theirs: str) -> bool:
    """Whether a word of ours is that of a run; `~` stays what it is for cfglint, which knows no home."""
    return ours.open or theirs in (ours.text, ours.text.replace("~", HOME, 1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the rows; 1 when bash finds other words."""
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.wild_lines")
    commands = parser.add_subparsers(dest="command", required=True)
    split = commands.add_parser("words")
    split.add_argument("projects", type=Path, nargs="+")
    split.add_argument("--out", type=Path, required=True)
    split.add_argument("--most", type=int, default=1000, help="scripts of a project")
    literal = commands.add_parser("literal")
    literal.add_argument("words", type=Path)
    literal.add_argument("folder", type=Path)
    literal.add_argument("--framework", required=True)
    options = parser.parse_args(arguments)
    if options.command == "literal":
        return _literal(options.words, options.folder, options.framework)
    tally: Counter[str] = Counter()
    with options.out.open("w", encoding="utf-8") as out:
        for project in options.projects:
            for row in rows(project, options.most):
                out.write(json.dumps(row) + "\n")
                kind = "" if row["known"] else ", some not known"
                same = {True: "same", False: "other", None: "not run"}[row["same"]]
                tally[same + kind] += 1
            out.flush()
    sys.stdout.write(f"{dict(tally)}\n")
    return int(any(name.startswith("other") for name in tally))


def _literal(words: Path, folder: Path, framework: str) -> int:
    out: list[dict[str, Any]] = []
    files: list[tuple[str, str, list[str]]] = []
    for number, line in enumerate(words.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        if row["framework"] == framework and row["argv"]:
            given = next(one for one in row["theirs"] if one[-len(row["argv"]) :] == row["argv"])
            name = f"{number:05}.sh"
            files.append((name, shlex.join(given) + "\n", []))
            path = str(folder / name)
            out.append({"file": path, "command": row["command"], "argv": row["argv"]})
    folders.write(folder, files)
    text = "".join(json.dumps(row) + "\n" for row in out)
    (folder / "words.jsonl").write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(out)} scripts\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
