"""What commands call: sub-commands and options of launchers that do not exist, before anything starts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.knowledge.marks import MODULE, Launcher, Starter, all_marks, launchers, starter_of
from cfglint.runs.starts.commands import calls_in
from cfglint.runs.starts.launcher_options import meant_option, program_at, unknown_options
from cfglint.runs.starts.start import Word
from cfglint.source import shell_words
from cfglint.source.shell_values import ExpandedWord

#: What runs the command behind it.
_WRAPPERS = frozenset(
    {
        *("env", "exec", "nice", "nohup", "numactl", "sudo", "time", "timeout"),
        *("uv", "uvx", "poetry", "pdm", "pixi", "hatch", "conda", "mamba", "micromamba", "run"),
        *("srun", "mpirun", "mpiexec", "python", "python3"),
    }
)
_BEFORE = re.compile(r"[A-Za-z_]\w*=.*|\d+[smhd]?", re.S)
#: What a shell has before a command.
_KEYWORDS = frozenset({"!", "{", "if", "elif", "then", "else", "while", "until", "do"})
#: A file, which is not the name of a command.
_FILE = (".yaml", ".yml", ".json", ".py", ".ipynb")
#: How similar a word is to the one that was meant: of few names, and of a hundred.
_SIMILAR, _VERY_SIMILAR = 0.7, 0.85
#: A shorter name resembles too many programs.
_SHORTEST = 5
#: What a script calls by a name of its own: `name() {`, `function name`, `alias name=`.
_DEFINED = lazy_pattern(
    r"(?m)^[ \t]*(?:(?:function|alias)[ \t]+([\w-]{1,80})|([\w-]{1,80})[ \t]{0,20}\([ \t]{0,20}\))"
)


class UnknownWord(Record):
    """A word of a command that what it calls does not have, as far as is known."""

    text: str
    #: It is certain that the command fails.
    fails: bool
    #: It resembles one that there is, or is a file in place of one.
    is_slip: bool = True
    #: Of a sub-command that resembles another one: the program, and that other one.
    program: str = ""
    meant: str = ""
    #: Where it is among the words of the command.
    place: int = 0


def unknown_words(words: Sequence[str]) -> tuple[UnknownWord, ...]:
    """The sub-commands and the options of launchers in a command that do not exist."""
    at = _called(words, 0)
    return tuple(_unknown(words, at)) if at < len(words) else ()


def unknown_in(script: str) -> tuple[UnknownWord, ...]:
    """The same in the commands of a script, each once, if it is a slip.

    A script may also call what cfglint does not know, and what it prints may look like a command.
    """
    found: dict[str, UnknownWord] = {}
    for one, _ in _slips_in(script):
        found.setdefault(one.text, one)
    return tuple(found.values())


def misspelt_commands(script: str) -> tuple[tuple[UnknownWord, Word], ...]:
    """The sub-commands in a script that are a slip for another one of the same program."""
    return tuple((one, word) for one, word in _slips_in(script) if one.meant)


def framework_called(program: str) -> str | None:
    """The framework whose program with sub-commands has a name; None if none has."""
    for marks in all_marks():
        launcher = marks.launcher.commands if marks.launcher is not None else ()
        if program in [called.split()[0] for called in launcher] or (
            marks.starter is not None and marks.starter.is_command(program)
        ):
            return marks.framework
    return None


def _slips_in(script: str) -> Iterator[tuple[UnknownWord, Word]]:
    """The slips in the commands of a script, each with the word that it is."""
    calls = calls_in(script)
    first = next(calls, None)
    if first is None:
        return
    own = {match[1] or match[2] for match in _DEFINED.finditer(script)}
    statements = shell_words.read(script).statements
    starts = {word.start for statement in statements for word in statement.words}
    for call in (first, *calls):
        words = list(dropwhile(lambda word: word.text in _KEYWORDS, call))
        if words and words[0].start in starts:
            texts = tuple(_known(words))
            called = _called(texts, 0)
            if called < len(texts) and texts[called] in own:
                continue
            for one in unknown_words(texts):
                if one.is_slip:
                    yield one, words[one.place]


def unknown_in_commands(commands: Iterable[Iterable[ExpandedWord]]) -> tuple[UnknownWord, ...]:
    """The same in the commands of a program, of which the words are known."""
    found: dict[str, UnknownWord] = {}
    for words in commands:
        for one in unknown_words(tuple(_known(words))):
            if one.is_slip:
                found.setdefault(one.text, one)
    return tuple(found.values())


def _known(words: Iterable[Word | ExpandedWord]) -> Iterator[str]:
    """The words of a command up to one that may be several, or none."""
    before = ""
    for word in words:
        is_value = before.startswith("--") and "=" not in before
        if word.open and not is_value and not re.match(r"--?\w[\w-]*=|[A-Za-z_]\w*=", word.text):
            return
        yield word.text
        before = word.text


def _called(words: Sequence[str], start: int) -> int:
    """The place of the program behind what only wraps it."""
    for place in range(start, len(words)):
        word, before = words[place], words[place - 1] if place else ""
        is_value = before.startswith("-") and "=" not in before and before not in MODULE
        is_value = is_value and not word.endswith(_FILE)
        wraps = word.startswith("-") or _BEFORE.fullmatch(word) or _name(word) in _WRAPPERS
        if not wraps and not is_value:
            return place
    return len(words)


def _unknown(words: Sequence[str], at: int) -> Iterator[UnknownWord]:
    name, following = _name(words[at]), words[at + 1 : at + 2]
    for launcher in launchers():
        for called in launcher.commands:
            own, *sub = called.split()
            if own == name and sub in ([], list(following)):
                yield from _of_launcher(words, at + 1 + len(sub), launcher)
                return
            if own == name and sub:
                commands = (*sub, *launcher.commands_beside)
                yield from _sub_command(words, at, commands)
                return
    starter = starter_of(words[at])
    if starter is None:
        yield from _program(name)
    elif starter.is_command(words[at]):
        yield from _sub_command(words, at, (*starter.commands, *starter.commands_beside))
    else:
        yield from _module(words[at], starter)


def _sub_command(words: Sequence[str], at: int, commands: Iterable[str]) -> Iterator[UnknownWord]:
    """The sub-command behind a program, if that does not have it."""
    name, word = _name(words[at]), next(iter(words[at + 1 : at + 2]), "")
    if not word or word in commands:
        return
    if word.startswith("-"):
        yield UnknownWord(
            f"`{name}` is given no command before `{word}`", fails=False, is_slip=False
        )
        return
    text = f"`{word}` is not a command of `{name}`"
    close = _closest(word, commands, _SIMILAR)
    if close:
        text = f"{text} (did you mean `{close}`?)"
        yield UnknownWord(text, fails=True, program=name, meant=close, place=at + 1)
    elif word.endswith(_FILE):
        yield UnknownWord(f"{text}; a command comes before the file", fails=True)
    else:
        yield UnknownWord(f"{text} that cfglint knows", fails=False, is_slip=False)


def _of_launcher(words: Sequence[str], start: int, launcher: Launcher) -> Iterator[UnknownWord]:
    """The first option that a launcher does not have, or what its program does not have."""
    following = list(words[start:])
    unknown = next(unknown_options(following, launcher), None)
    if unknown is not None:
        yield _option(following[unknown].partition("=")[0], launcher)
        return
    place = program_at(following, launcher)
    if place < len(following) and (starter := starter_of(following[place])) is not None:
        yield from _module(following[place], starter)


def _option(option: str, launcher: Launcher) -> UnknownWord:
    called = next((one for one in launcher.commands if " " in one), launcher.commands[0])
    text = f"`{called}` has no option `{option}`"
    close = meant_option(option, launcher)
    if close:
        return UnknownWord(f"{text} (did you mean `--{close}`?)", fails=True)
    return UnknownWord(f"{text} that cfglint knows", fails=False, is_slip=False)


def _module(name: str, starter: Starter) -> Iterator[UnknownWord]:
    """A module of a framework's commands that is none of them, but resembles one."""
    if not name.startswith(f"{starter.modules}."):
        return
    own = name.rpartition(".")[2].replace("_", "-")
    close = "" if own in starter.commands else _closest(own, starter.commands, _SIMILAR)
    if close:
        meant = f"{starter.modules}.{close.replace('-', '_')}"
        yield UnknownWord(f"there is no module `{name}` (did you mean `{meant}`?)", fails=False)


def _program(name: str) -> Iterator[UnknownWord]:
    """A program that is none of a framework, but is called nearly as one."""
    if len(name) < _SHORTEST or name.endswith((*_FILE, "(")):
        return
    scripts = [one.starter.scripts[0] for one in all_marks() if one.starter is not None]
    programs = [called.split()[0] for one in launchers() for called in one.commands]
    close = _closest(name, (*scripts, *programs), _VERY_SIMILAR)
    if not close and any(name == one.package for one in all_marks()):
        close = next((one for one in scripts if one.startswith(f"{name}-")), "")
    if close:
        yield UnknownWord(
            f"`{name}` is not a command that cfglint knows (did you mean `{close}`?)", fails=False
        )


def _closest(word: str, names: Iterable[str], similar: float) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, sorted(names), n=1, cutoff=similar)), "")


def _name(word: str) -> str:
    return word.rpartition("/")[2]
