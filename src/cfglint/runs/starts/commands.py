"""The starts in a text: which commands start a framework with a config, and with what.

`framework train x.yml --learning-rate 1e-4`, `launcher -m framework.cli.train x.yml`,
`torchrun --nproc_per_node 8 -m framework.cli.train x.yml`. They are read as text, nothing is run; a
variable counts when the same file gives it one plain value, and one that is a command by default as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice

from cfglint.base.held_commands import held_commands
from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.knowledge.marks import (
    MODULE,
    Starter,
    command_at,
    launchers,
    options_of_other_files,
    own_commands,
    start_pattern,
    starter_of,
)
from cfglint.runs.starts.start import Start, Word, option_in
from cfglint.runs.starts.variables import is_used, loops_of, starting, variables_of
from cfglint.runs.starts.ways import WAYS
from cfglint.runs.starts.ways.limits import REACH
from cfglint.runs.starts.ways.shell import TALKING

_MAX_STARTS = 50
_EXPORTED = lazy_pattern(r"(?m)^[ \t]*export[ \t]+([A-Za-z_]\w*)=")
#: A variable that a command sets for itself.
_ENVIRONMENT = lazy_pattern(r"([A-Za-z_]\w*)=(.*)")
#: In place of a config, or of a settings file, that a command does not name.
NO_CONFIG = Word("", 0, 0)
#: What starts a command once for each of its tasks.
_COPYING = frozenset({"srun", "mpirun", "mpiexec", "pdsh"})


def read(path: str, text: str, *, without_config: bool = False) -> list[Start]:
    """The starts in a file, in its order.

    Args:
        without_config: also the commands that have options alone; their `config` is empty.
    """
    found: list[Start] = []
    seen: set[int] = set()
    named, held = _named_in(text), held_commands(text, own_commands())
    if not named and not held:
        return found
    own = variables_of(text)
    variables, loops = held | own, loops_of(text, own)
    matches = [*named, *_held_in(text, (*held, *starting(own)))]
    outer = exported(text, variables)
    for match, command in _commands_at(text, sorted(matches, key=re.Match.start), variables):
        # Where one of the names in a command starts no config, another one may.
        if command[0].start in seen:
            continue
        start = _start(path, command, match.start(), outer)
        if start is None:
            continue
        in_loop: list[Start] = []
        name = _looped(start, loops)
        for value in loops[name] if name else ():
            for _, words in _commands_at(text, [match], variables | {name: value}):
                in_loop += _with_value(_start(path, words, match.start(), outer), value)
        is_held = text[command[0].start] in '"$' and start.config.end
        if is_held and any(_texts(start) == _texts(one) for one in found):
            continue  # what the variable is set to is a command already
        if in_loop or start.config.end or without_config:
            seen.add(command[0].start)
            found += in_loop or [start]
    return found


def _texts(start: Start) -> list[str]:
    """The words of a start."""
    return [word.text for word in (start.config, *start.before, *start.words, *start.handed)]


def _looped(start: Start, loops: Mapping[str, list[str]]) -> str:
    """The variable of a loop that a command has its config from; empty without one."""
    words = (start.config,) if start.config.end else start.words
    unknown = [word.text for word in words if word.open]
    return next((one for one in loops if any(is_used(one, text) for text in unknown)), "")


def _with_value(start: Start | None, value: str) -> Iterator[Start]:
    """A start with one of the values that a loop gives to its config; a pattern is several files."""
    if start is not None and start.config.end:
        is_open = start.config.open or "*" in value
        yield start.replaced(config=start.config.replaced(open=is_open))


def calls_in(text: str) -> Iterator[list[Word]]:
    """The commands of a script that call a framework's command or a launcher, whatever they call of it, with their words."""
    launching = dict.fromkeys(called.split()[0] for one in launchers() for called in one.commands)
    names = "|".join(map(re.escape, launching))
    places = islice(re.finditer(rf"(?<![\w.-])(?:{names})(?![\w-])", text), _MAX_STARTS)
    held = held_commands(text, (*own_commands(), *launching))
    own = variables_of(text)
    matches = [*_named_in(text), *places, *_held_in(text, (*held, *starting(own)))]
    variables = held | own
    for _, words in called_in(text, sorted(matches, key=re.Match.start), variables):
        yield words


def _named_in(text: str) -> list[re.Match[str]]:
    """Where a text names a framework's command, or what else starts a config."""
    pattern = start_pattern()
    return list(islice(pattern.finditer(text), _MAX_STARTS)) if pattern is not None else []


def _held_in(text: str, held: Collection[str]) -> Iterator[re.Match[str]]:
    """Where a text uses one of some variables."""
    names = "|".join(held)
    pattern = rf"\$(?:\{{(?:{names})(?:\[@\])?\}}|(?:{names})\b)"
    return islice(re.finditer(pattern, text), _MAX_STARTS) if held else iter(())


def called_in(
    text: str, matches: Iterable[re.Match[str]], variables: dict[str, str]
) -> Iterator[tuple[re.Match[str], list[Word]]]:
    """The commands around places in a text, each once, with their words; no comments, and none that only prints."""
    seen: set[int] = set()
    for match, words in _commands_at(text, matches, variables):
        if words[0].start not in seen:
            seen.add(words[0].start)
            yield match, words


def _commands_at(
    text: str, matches: Iterable[re.Match[str]], variables: dict[str, str]
) -> Iterator[tuple[re.Match[str], list[Word]]]:
    """The command around each place in a text, with its words; no comments, and none that only prints."""
    for match in matches:
        if in_comment(text, match.start()):
            continue
        words = next(filter(None, (way(text, match.start(), variables) for way in WAYS)), [])
        if words and words[0].text.lower() not in TALKING:
            yield match, words


def in_comment(text: str, at: int) -> bool:
    """Whether a place in a text is behind the sign of a comment."""
    line_start = text.rfind("\n", 0, at) + 1
    before = text[max(line_start, at - REACH) : at]
    return before.lstrip().startswith("#") or " # " in before


def exported(text: str, variables: dict[str, str]) -> dict[str, str]:
    """The variables of a script that its commands see, of those with one plain value."""
    names = {match.group(1) for match in islice(_EXPORTED.finditer(text), 500)}
    return {name: value for name, value in variables.items() if name in names}


class _Called(Record):
    """What of a framework a command calls, and how."""

    #: The sub-command, or the one that the module implements.
    command: str
    own: bool
    launcher: str
    #: Which of the words begins the call, after what sets its environment.
    first: int
    before: tuple[Word, ...]
    following: tuple[Word, ...]


def _start(path: str, words: list[Word], at: int, outer: dict[str, str]) -> Start | None:
    """The start that a command is, with an empty config where it names none; None when it is not one.

    Args:
        outer: the variables that the script sets for all its commands.
    """
    # Of a variable with several words it may be any.
    places = [i for i, word in enumerate(words) if word.start <= at < word.end]
    if not places:
        return None
    index = next((i for i in places if starter_of(words[i].text) is not None), places[0])
    starter = starter_of(words[index].text)
    called = _called(words, index, starter) if starter is not None else None
    if starter is None or called is None:
        return None
    following, handed = _divided(called)
    config = _config(following) or NO_CONFIG
    return Start(
        path=path,
        program=words[index].text,
        at=at,
        command=called.command,
        trains=called.command in starter.trains,
        own=called.own,
        launcher=_own_launcher(following, starter) if called.own else called.launcher,
        before=called.before,
        words=tuple(word for word in following if word is not config),
        handed=handed,
        config=config,
        environment=environment_of(words[: called.first], outer),
        copied=any(word.text in _COPYING for word in words[: called.first]),
    )


def _called(words: list[Word], index: int, starter: Starter) -> _Called | None:
    """What a command calls by one of its words; None when that takes no config."""
    found = command_at([word.text for word in words], index, starter)
    if found is None:
        return None
    command, taken = found
    following = tuple(words[index + 1 + taken :])
    if taken:
        return _Called(command, True, "", index, (), following)
    launcher, first, before = _launcher(words, index)
    if before and before[-1].text in MODULE:
        before = before[:-1]
    return _Called(command, False, launcher, first, before, following)


def _divided(called: _Called) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The words that the command itself takes, and those that it hands to its launcher."""
    words = called.following
    for place, word in enumerate(words if called.own else ()):
        if word.text == "--":
            return words[:place], words[place + 1 :]
    return words, ()


def _own_launcher(words: tuple[Word, ...], starter: Starter) -> str:
    """The launcher that a framework's own command uses."""
    if any(word.text == starter.launched_plainly_by for word in words):
        return "python"
    chosen = option_in(words, ("launcher",))
    return chosen.text if chosen is not None else starter.launched_with


def environment_of(words: list[Word], outer: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """The variables that a command sets before it calls anything, and those that its script has set.

    What it sets to an unknown value is left out.
    """
    found = dict(outer)
    for word in words:
        match = _ENVIRONMENT.fullmatch(word.text)
        if match is not None and word.open:
            found.pop(match.group(1), None)
        elif match is not None:
            found[match.group(1)] = match.group(2)
    return tuple(found.items())


def _launcher(command: list[Word], index: int) -> tuple[str, int, tuple[Word, ...]]:
    """(launcher, its place, its own words) of a module that a launcher starts."""
    known = {called: one.name for one in launchers() for called in one.commands}
    for place in range(index - 1, -1, -1):
        name = command[place].text.rpartition("/")[2]
        two = f"{name} {command[place + 1].text}"
        if two in known:
            return known[two], place, tuple(command[place + 2 : index])
        if name in known:
            return known[name], place, tuple(command[place + 1 : index])
    place = next((i for i, w in enumerate(command[:index]) if w.text.startswith("python")), index)
    return "python", place, ()


def _config(words: tuple[Word, ...]) -> Word | None:
    named = option_in(words, ("config",))
    if named is not None:
        return named
    before = ""
    for word in words:
        is_yaml = word.text.lower().endswith((".yml", ".yaml"))
        if is_yaml and not word.text.startswith("-") and before not in options_of_other_files():
            return word
        before = word.text
    return None
