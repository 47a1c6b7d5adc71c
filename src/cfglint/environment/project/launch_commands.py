"""Launch lines: the commands in a script, an image or a job that start a framework with a config.

`framework train x.yml --learning-rate 1e-4`, `launcher -m framework.cli.train x.yml`,
`torchrun --nproc_per_node 8 -m framework.cli.train x.yml`. They are read as text, nothing is run; a
variable counts when the same file gives it one plain value.
"""

from __future__ import annotations

import re
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.environment.project.marks import launchers, start_pattern, starter_of

_MAX_LINES = 50
#: How much of a text around the name of the program is examined.
_REACH = 6_000
_MAX_WORDS = 400
_MAX_ITEMS = 60
_TOKEN = lazy_pattern(
    r"""(?P<space>(?:[ \t\r]|\\\r?\n)+)
    |(?P<end>[;&|<>\n`])
    |(?P<single>'[^'\n]*')
    |(?P<double>"(?:[^"\\\n]|\\[\s\S])*")
    |(?P<escape>\\.)
    |(?P<variable>\$(?:\{\w+\}|\w+))
    |(?P<open>\$(?:\{[^}\n]{0,80}\}|\([^)\n]{0,80}\))?)
    |(?P<group>[()])
    |(?P<plain>[^\s;&|<>()'"\\$`]+)
    |(?P<other>.)""",
    re.VERBOSE,
)
#: One item of a list: a string, or something whose value is not known.
_ELEMENT = lazy_pattern(
    r"""[ \t\r\n]{0,200}(?:[fr]?["']([^"'\n]{0,1000})["']|([\w.]{1,100}))[ \t\r\n]{0,200}(,|\])"""
)
_VARIABLE = lazy_pattern(r"\$(?:\{(\w+)\}|(\w+))")
_ASSIGNMENT = lazy_pattern(
    r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)="
    r"(\"[^\"$`\\\n]*\"|'[^'\n]*'|[^\s\"'$`\\;&|()<>]*)[ \t]*(?:;|\#.*)?\r?$"
)
_ASSIGNED = lazy_pattern(r"\b([A-Za-z_]\w*)\+?=|\b(?:for|read)[ \t]+([A-Za-z_]\w*)\b")
_ENVIRONMENT = lazy_pattern(r"([A-Za-z_]\w*)=(.*)")
_TALKING = frozenset(
    {
        "cat", "die", "echo", "error", "fail", "info", "log", "logger", "note", "print", "printf",
        "say", "usage", "warn", "warning",
    }
)  # fmt: skip
_COPYING = frozenset({"srun", "mpirun", "mpiexec", "pdsh"})
#: Options whose value is a file of another kind.
_OTHER_FILES = frozenset({"--cloud", "--sweep", "--config_file", "--config-file"})


class Word(Record):
    """One word of a command, where it is in the file."""

    text: str
    start: int
    end: int
    #: It holds a variable, or a command, whose value is not known.
    open: bool = False


class LaunchLine(Record):
    """A command that starts a framework with a config."""

    #: The file that it is in.
    path: str
    #: `train`, `preprocess` …
    command: str
    #: The command trains.
    trains: bool
    #: The framework's own command, not a module that a launcher starts.
    own: bool
    #: The name of a launcher, or `python`.
    launcher: str
    #: The words between the launcher and the module.
    before: tuple[Word, ...]
    #: The words after the command or the module, without the config.
    words: tuple[Word, ...]
    #: The words after `--`.
    handed: tuple[Word, ...]
    config: Word
    environment: tuple[tuple[str, str], ...]
    #: Something starts it several times, once for each task.
    copied: bool
    #: Where its program, or its module, is named.
    start: int

    def option(self, *names: str) -> Word | None:
        """The value of an option of the launcher, with `_` or `-` in its name; the last counts."""
        found = _option(self.before, names)
        if self.own:
            found = _option(self.handed, names) or _option(self.words, names)
        return found


def read(path: str, text: str) -> list[LaunchLine]:
    """The launch lines of a file."""
    variables: dict[str, str] | None = None
    found: list[LaunchLine] = []
    seen: set[int] = set()
    pattern = start_pattern()
    if pattern is None:
        return found
    for match in islice(pattern.finditer(text), _MAX_LINES):
        if _in_comment(text, match.start()):
            continue
        if variables is None:
            variables = _variables(text)
        command = _command_around(text, match.start(), variables)
        if not command or command[0].start in seen:
            continue
        line = _line(path, command, match.start())
        if line is not None:
            seen.add(command[0].start)
            found.append(line)
    return found


def _in_comment(text: str, at: int) -> bool:
    line_start = text.rfind("\n", 0, at) + 1
    before = text[max(line_start, at - _REACH) : at]
    return before.lstrip().startswith("#") or " # " in before


def _variables(text: str) -> dict[str, str]:
    """The variables of a script that have one plain value."""
    times: dict[str, int] = {}
    for match in islice(_ASSIGNED.finditer(text), 2_000):
        name = match.group(1) or match.group(2)
        times[name] = times.get(name, 0) + 1
    return {
        match.group(1): match.group(2).strip("\"'")
        for match in islice(_ASSIGNMENT.finditer(text), 500)
        if times.get(match.group(1)) == 1 and len(match.group(2)) <= 300
    }


def _command_around(text: str, at: int, variables: dict[str, str]) -> list[Word]:
    """The words of the simple command that a place lies in."""
    if text[at - 1 : at] in ("'", '"') and at > 1:
        end = text.find(text[at - 1], at, at + 80)
        if end >= 0 and not any(c.isspace() for c in text[at:end]):
            listed = _list_around(text, at)
            if listed:
                return listed
    items = _items_around(text, at)
    if items:
        return items
    least = max(0, at - _REACH)
    start = max(least, text.rfind("\n", least, at) + 1)
    while start > least and text.endswith(("\\\n", "\\\r\n"), 0, start):
        start = max(least, text.rfind("\n", least, start - 1) + 1)
    return _command_in(text, start, min(len(text), at + _REACH), at, variables, 3)


def _list_around(text: str, at: int) -> list[Word]:
    """The command as a list of strings: `["torchrun", "train.py", "x.yml"]`."""
    start = text.rfind("[", max(0, at - _REACH), at)
    words: list[Word] = []
    place = start + 1
    while start >= 0 and place - start < _REACH and len(words) < _MAX_WORDS:
        match = _ELEMENT.match(text, place)
        if match is None:
            return []
        is_text = match.group(1) is not None
        written = match.group(1) if is_text else match.group(2)
        begin, end = match.span(1 if is_text else 2)
        words.append(Word(written, begin, end, not is_text or "{" in written))
        place = match.end()
        if match.group(3) == "]":
            return words
        if text[place : place + 200].lstrip().startswith("]"):
            return words
    return []


def _items_around(text: str, at: int) -> list[Word]:
    """The command as the items of a YAML list, each on a line of its own."""
    own = _item(text, text.rfind("\n", 0, at) + 1)
    if own is None or own[1].start != at or any(c.isspace() for c in own[1].text):
        return []
    first = text.rfind("\n", 0, at) + 1
    for _ in range(_MAX_ITEMS):
        previous = text.rfind("\n", 0, max(0, first - 1)) + 1
        item = _item(text, previous)
        if first == 0 or item is None or item[0] != own[0]:
            break
        first = previous
    words: list[Word] = []
    while len(words) < 2 * _MAX_ITEMS:
        item = _item(text, first)
        if item is None or item[0] != own[0]:
            break
        words.append(item[1])
        end = text.find("\n", first)
        if end < 0:
            break
        first = end + 1
    return words


def _item(text: str, start: int) -> tuple[int, Word] | None:
    """(indentation, the word) of a line that is an item of a list."""
    end = text.find("\n", start, start + 500)
    line = text[start : end if end >= 0 else start + 500].rstrip()
    content = line.lstrip(" ")
    if not content.startswith("- "):
        return None
    indent = len(line) - len(content)
    inner = content[2:].lstrip(" ")
    begin = start + len(line) - len(inner)
    if len(inner) > 1 and inner[0] in "\"'" and inner[-1] == inner[0]:
        return indent, Word(inner[1:-1], begin + 1, begin + len(inner) - 1, "$" in inner)
    return indent, Word(inner, begin, begin + len(inner), "$" in inner)


def _command_in(
    text: str, start: int, end: int, at: int, variables: dict[str, str], depth: int
) -> list[Word]:
    """The words of the command at a place, in the shell's terms."""
    words: list[Word] = []
    parts: list[str] = []
    begin, is_open = -1, False
    for match in _TOKEN.finditer(text, start, end):
        kind, content = match.lastgroup, match.group()
        if kind == "group" and (content == ")" or begin < 0):
            kind = "end"  # of a subshell; behind a name it is a function's, of whatever language
        if kind in ("space", "end") or (begin < 0 and content.startswith("#")):
            if begin >= 0:
                words.append(Word("".join(parts), begin, match.start(), is_open))
                parts, begin, is_open = [], -1, False
            if kind == "space":
                continue
            if match.start() > at:
                return words
            words = []
            if kind != "end":
                return words
            continue
        quoted = kind in ("single", "double")
        if quoted and match.start() < at < match.end() and any(c.isspace() for c in content):
            first = words[0].text if words else "".join(parts)
            if depth and first.rstrip("(").lower() not in _TALKING:
                return _command_in(
                    text, match.start() + 1, match.end() - 1, at, variables, depth - 1
                )
            return []
        begin = match.start() if begin < 0 else begin
        value, unknown = _value(kind or "", content, variables)
        parts.append(value)
        is_open = is_open or unknown
        if len(words) > _MAX_WORDS:
            return []
    if begin >= 0:
        words.append(Word("".join(parts), begin, end, is_open))
    return words


def _value(kind: str, content: str, variables: dict[str, str]) -> tuple[str, bool]:
    """(what a piece of a word stands for, whether that is unknown)."""
    if kind == "single":
        return content[1:-1], False
    if kind == "escape":
        return content[1:], False
    if kind == "open":
        return content, True
    if kind not in ("double", "variable"):
        return content, False
    unknown = False

    def known(match: re.Match[str]) -> str:
        nonlocal unknown
        value = variables.get(match.group(1) or match.group(2))
        unknown = unknown or value is None
        return match.group() if value is None else value

    inner = content[1:-1] if kind == "double" else content
    value = _VARIABLE.sub(known, inner)
    return value, unknown or (kind == "double" and ("$(" in inner or "${" in value))


def _line(path: str, command: list[Word], at: int) -> LaunchLine | None:
    """The launch line that a command is; None when it starts nothing with a config."""
    index = next((i for i, word in enumerate(command) if word.start <= at < word.end), None)
    if index is None or command[0].text.lower() in _TALKING:
        return None
    name = command[index].text
    following = list(command[index + 1 :])
    starter = starter_of(name)
    if starter is None:
        return None
    launcher, before = "", tuple[Word, ...]()
    own = starter.is_command(name)
    if own:
        if not following or following[0].text not in starter.commands:
            return None
        kind = following.pop(0).text
        start = index
    else:
        script = name.endswith(starter.files)
        if not script and (index == 0 or command[index - 1].text not in ("-m", "--module")):
            return None
        stem = (name.removesuffix(".py").rpartition("/") if script else name.rpartition("."))[2]
        kind = stem.replace("_", "-")
        if script and kind not in starter.commands:
            kind = "train"
        if kind not in starter.commands:
            return None
        launcher, start, before = _launcher(command, index)
    handed: tuple[Word, ...] = ()
    for place, word in enumerate(following):
        if own and word.text == "--":
            following, handed = following[:place], tuple(following[place + 1 :])
            break
    config = _config(following)
    if config is None:
        return None
    if own:
        chosen = _option(tuple(following), ("launcher",))
        launcher = chosen.text if chosen is not None else starter.launched_with
        plain = any(word.text == starter.launched_plainly_by for word in following)
        launcher = "python" if plain else launcher
    environment = tuple(
        (match.group(1), match.group(2))
        for word in command[:start]
        if (match := _ENVIRONMENT.fullmatch(word.text)) is not None and not word.open
    )
    words = tuple(word for word in following if word is not config)
    if before and before[-1].text in ("-m", "--module"):
        before = before[:-1]
    copied = any(word.text in _COPYING for word in command[:start])
    trains = kind in starter.trains
    return LaunchLine(
        path, kind, trains, own, launcher, before, words, handed, config, environment, copied, at
    )


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


def _config(words: list[Word]) -> Word | None:
    named = _option(tuple(words), ("config",))
    if named is not None:
        return named
    before = ""
    for word in words:
        is_yaml = word.text.lower().endswith((".yml", ".yaml"))
        if is_yaml and not word.text.startswith("-") and before not in _OTHER_FILES:
            return word
        before = word.text
    return None


def _option(words: tuple[Word, ...], names: tuple[str, ...]) -> Word | None:
    found: Word | None = None
    for place, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        if name.startswith("--") and name[2:].replace("-", "_") in names:
            if equals:
                found = Word(value, word.start + len(name) + 1, word.end, word.open)
            elif place + 1 < len(words):
                found = words[place + 1]
    return found
