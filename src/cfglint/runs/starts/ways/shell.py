"""A command in a shell's terms: in a script, a recipe of make, `RUN`, or `run:` of a job."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.runs.starts.start import Word
from cfglint.runs.starts.ways.limits import MAX_WORDS, REACH

_TOKEN = lazy_pattern(
    r"""(?P<space>(?:[ \t\r]|\\\r?\n)+)
    |(?P<redirection>(?:\d{0,9}|&)>[>|&]?)
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
_VARIABLE = lazy_pattern(r"\$(?:\{(\w+)\}|(\w+))")
#: All words of a list, with or without quotes.
_LIST = lazy_pattern(r"(\"?)\$\{(\w{1,80}\[@\])\}\1")
#: A config that is started where none is given: `${1:-x.yml}`.
_DEFAULT = lazy_pattern(r"\$\{\w{1,80}:?-([\w./+-]{1,300}\.ya?ml)\}")
#: What only the run knows: all arguments, a command's output, an expansion with an operator.
_UNKNOWN = lazy_pattern(r"(?<!\\)(?:\$[({@*#?!$]|`)")
_ASSIGNMENT = lazy_pattern(r"[A-Za-z_]\w*=")
#: Commands inside of quotes are examined this deep: `ssh host "bash -c 'train x.yml'"`.
_MAX_DEPTH = 3
#: What prints its words, and starts nothing.
TALKING = frozenset(
    {
        "cat", "die", "echo", "error", "fail", "info", "log", "logger", "note", "print", "printf",
        "say", "usage", "warn", "warning",
    }
)  # fmt: skip


def words(text: str, at: int, variables: dict[str, str]) -> list[Word]:
    """The words of the simple command that a place is in; none if something only prints it."""
    least = max(0, at - REACH)
    start = max(least, text.rfind("\n", least, at) + 1)
    while start > least and text.endswith(("\\\n", "\\\r\n"), 0, start):
        start = max(least, text.rfind("\n", least, start - 1) + 1)
    return _command_in(text, start, min(len(text), at + REACH), at, variables, _MAX_DEPTH)


def _command_in(
    text: str, start: int, end: int, at: int, variables: dict[str, str], depth: int
) -> list[Word]:
    """The words of the command at a place, in the shell's terms."""
    words: list[Word] = []
    parts: list[str] = []
    begin, is_open, is_target = -1, False, False
    #: Whether there is a word, and not only variables without quotes that are empty.
    exists = False
    for match in _TOKEN.finditer(text, start, end):
        kind, content = match.lastgroup, match.group()
        if kind == "group" and (content == ")" or begin < 0):
            kind = "end"  # of a subshell; behind a name it is a function's, of whatever language
        if kind in ("space", "redirection", "end") or (begin < 0 and content.startswith("#")):
            if begin >= 0:
                if exists and not is_target:
                    words.append(Word("".join(parts), begin, match.start(), is_open))
                parts, begin, is_open, is_target, exists = [], -1, False, False, False
            if kind == "redirection":
                is_target = True
            if kind in ("space", "redirection"):
                continue
            is_target = False
            if match.start() > at:
                return words
            words = []
            if kind != "end":
                return words
            continue
        quoted = kind in ("single", "double")
        if quoted and match.start() < at < match.end() and any(c.isspace() for c in content):
            first = words[0].text if words else "".join(parts)
            if depth and first.rstrip("(").lower() not in TALKING:
                return _command_in(
                    text, match.start() + 1, match.end() - 1, at, variables, depth - 1
                )
            return []
        begin = match.start() if begin < 0 else begin
        listed = _LIST.fullmatch(content)
        if listed is not None and not parts and listed[2] in variables:
            items = variables[listed[2]].split()
            words += [Word(one, begin, match.end(), "$" in one) for one in items[:-1]]
            parts, is_open, exists = items[-1:], is_open or "$" in items[-1], True
            continue
        value, unknown = _value(kind or "", content, variables)
        is_open = is_open or unknown
        if kind == "variable" and not unknown and not _is_assignment(words, parts):
            # No quotes keep its words together.
            *done, value = _fields(value, parts)
            if not is_target:
                words += [Word(one, begin, match.end(), is_open) for one in done]
            if done:
                parts, exists = [], False
        parts.append(value)
        exists = exists or kind != "variable" or value != ""
        if len(words) > MAX_WORDS:
            return []
    if begin >= 0 and exists and not is_target:
        words.append(Word("".join(parts), begin, end, is_open))
    return words


def _is_assignment(words: list[Word], parts: list[str]) -> bool:
    """Whether a word sets a variable for its command: nothing that is assigned is divided."""
    texts = (*(word.text for word in words), "".join(parts))
    return all(_ASSIGNMENT.match(text) for text in texts)


def _fields(value: str, parts: list[str]) -> list[str]:
    """The words that end within a value without quotes, and what of it begins the next one.

    Args:
        parts: what is before it in the same word.
    """
    before = "".join(parts)
    fields = value.split()
    if value[-1:].isspace():
        fields.append("")  # what follows it is a word of its own
    if before and value[:1].isspace():
        return [before, *fields]
    if len(fields) > 1:
        fields[0] = before + fields[0]
    return fields or [""]


def _value(kind: str, content: str, variables: dict[str, str]) -> tuple[str, bool]:
    """(the text that a piece of a word expands to, whether it is unknown)."""
    if kind == "single":
        return content[1:-1], False
    if kind == "escape":
        return content[1:], False
    if kind == "open":
        config = _DEFAULT.fullmatch(content)
        return (content, True) if config is None else (config[1], False)
    if kind not in ("double", "variable"):
        return content, False
    unknown = False

    def known(match: re.Match[str]) -> str:
        nonlocal unknown
        value = variables.get(match.group(1) or match.group(2))
        unknown = unknown or value is None
        return match.group() if value is None else value

    inner = _DEFAULT.sub(r"\1", content[1:-1]) if kind == "double" else content
    value = _VARIABLE.sub(known, inner)
    return value, unknown or (kind == "double" and _UNKNOWN.search(value) is not None)
