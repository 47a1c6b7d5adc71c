"""A script as it is when it is called without arguments, or with some: `"$@"` is nothing, `$1` the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.source import shell_words
from cfglint.source.shell_words import RawWord

#: All arguments, or all from one on, as a word or as the value of a variable.
_ALL = lazy_pattern(
    r"(?P<name>[A-Za-z_]\w{0,80}=)?(?P<quote>\"?)(?:\$[@*]|\$\{[@*](?::\d{1,3})?\})(?P=quote)"
)
#: In a function they are those of its call; of the older form, the reader of words does not see where it ends.
_FUNCTION = lazy_pattern(r"(?m)^[ \t]*[\w-]{1,80}[ \t]*\([ \t]*\)")
_OLDER_FUNCTION = lazy_pattern(r"(?m)^[ \t]*function[ \t]+[\w-]")
#: One argument, with what it is by default.
_ONE = lazy_pattern(r"\$(?:([1-9])|\{([1-9])(?::?-([^{}$`\"']{0,300}))?\})")
#: An argument that is the same in and without quotes.
_PLAIN = lazy_pattern(r"[\w./:=+,@%-]+")
#: What makes another one of them the first.
_MOVES = lazy_pattern(r"(?m)(?:^|[;&|{ \t])(?:shift|getopts|set[ \t]+--)(?![\w-])")
_SIGNS = ("$@", "$*", "${@", "${*")


class _ArgumentsWord(NamedTuple):
    """Words that hold the arguments of a script."""

    start: int
    end: int
    #: What is there without any, as long as the word.
    instead: str


def arguments_in(text: str) -> str:
    """The first word of a script that holds its arguments, as it is written; empty without one."""
    first = next(_given(text), None)
    return "" if first is None else text[first.start : first.end]


def without_arguments(text: str) -> str:
    """A script in which the words for its arguments are blank; all others keep their places."""
    parts, done = [], 0
    for one in _given(text):
        parts += [text[done : one.start], one.instead]
        done = one.end
    return "".join((*parts, text[done:])) if parts else text


def with_arguments(text: str, arguments: Sequence[str]) -> str:
    """A script with its arguments in place of `$1` and the like, each of them in its line; as it is where that is not certain."""
    is_plain = all(map(_PLAIN.fullmatch, arguments))
    if not is_plain or any(one.search(text) for one in (_FUNCTION, _OLDER_FUNCTION)):
        return text
    moves = _MOVES.search(text)

    def argument(match: re.Match[str]) -> str:
        place = int(match[1] or match[2]) - 1
        return arguments[place] if place < len(arguments) else match[0]

    parts, done = [], 0
    for statement in shell_words.read(text).statements:
        if moves is not None and (statement.block or statement.words[0].start >= moves.start()):
            continue
        for word in statement.words:
            written = text[word.start : word.end]
            if "'" not in written and "\\" not in written:
                parts += [text[done : word.start], _ONE.sub(argument, written)]
                done = word.end
    return "".join((*parts, text[done:]))


def _given(text: str) -> Iterator[_ArgumentsWord]:
    if not any(sign in text for sign in _SIGNS) or _OLDER_FUNCTION.search(text) is not None:
        return
    has_functions = _FUNCTION.search(text) is not None
    statements = shell_words.read(text).statements
    for statement in statements:
        if [text[one.start : one.end] for one in statement.words[:2]] == ["set", "--"]:
            return  # the script gives itself others
    for statement in statements:
        if has_functions and statement.block:
            continue
        for word in statement.words:
            yield from _in_word(word, text)


def _in_word(word: RawWord, text: str) -> Iterator[_ArgumentsWord]:
    if word.items is not None:
        for item in word.items:
            yield from _in_word(item, text)
        return
    match = _ALL.fullmatch(text, word.start, word.end)
    if match is not None:
        name = match["name"] or ""
        instead = f'{name}""' if name else ""
        yield _ArgumentsWord(word.start, word.end, instead.ljust(word.end - word.start))
