"""What a program says of its own packages; nothing of it is run.

That is `# pip install NAME` above its first statement, the block for `uv run` (PEP 723), and the commands with which it
installs them itself, `os.system("pip install NAME")`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.readers import pip_commands
from cfglint.environment.project.readers.requirements import statement_of
from cfglint.environment.project.stated_versions import Source, Statement, undisputed

#: Comments, empty lines and one text of several lines.
_HEAD = lazy_pattern(
    r"(?:[ \t]*(?:#[^\n]*)?\r?\n|(?:\"\"\"(?:[^\"]|\"(?!\"\")){0,5000}\"\"\"|'''(?:[^']|'(?!'')){0,5000}''')[ \t]*\r?\n){1,300}"
)
#: A line that is a command and nothing else, as it is copied into a shell or was in a notebook.
_COMMAND = lazy_pattern(
    r"(?m)^[ \t]{0,40}#[ \t!%$]{0,20}((?:python3?[ \t]{1,9}-m[ \t]{1,9}|uv[ \t]{1,9})?(?:pip3?[ \t]{1,9}install|uv[ \t]{1,9}add)[ \t][^\n]*)"
)
#: The start of a call that runs a command. One that is commented out says what was run.
_CALL = r"(?m)^[ \t#]{0,40}(?:(?:os|subprocess|sp)\.)?(?:system|run|call|check_call|check_output|Popen)\("
_SHELL = lazy_pattern(_CALL + r"[ \t]{0,9}f?(?:\"([^\"\n]{1,2000})\"|'([^'\n]{1,2000})')")
_LIST = lazy_pattern(
    _CALL
    + r"\s{0,40}\[[^\[\]]{0,200}?[\"']pip3?[\"'],\s{0,40}[\"']install[\"'],([^\[\]]{1,2000})\]"
)
_BLOCK = lazy_pattern(r"(?m)^# /// script[ \t]*\r?\n((?:#[^\n]*\n)*?)# ///[ \t]*$")
_ASKED = lazy_pattern(r"(?m)^#[ \t]*dependencies[ \t]*=[ \t]*\[")
_STRING = lazy_pattern(r"\"([^\"\n]*)\"|'([^'\n]*)'|\]")
#: A program has fewer commands.
_MAX_CALLS = 100
#: Such a program starts in an environment of its own.
_BY_UV = lazy_pattern(r"\A#![^\n]*\buv[ \t]+run\b")


def read(path: str, text: str, *, by_uv: bool) -> Source | None:
    """The packages of interest that a program lists in its head, or else installs; None for none.

    Args:
        text: the program, or as much of it as counts.
        by_uv: a script or a page has it started by `uv run`, which installs what its block asks for.
    """
    head = head_of(text)
    found = list(_block(path, text, head)) if by_uv or _BY_UV.match(head) else []
    found = found or list(_commands(path, text, head)) or list(_started(path, text))
    return Source(path, "head", 0, tuple(undisputed(found))) if found else None


def head_of(text: str) -> str:
    """What is above the first statement."""
    match = _HEAD.match(text)
    return "" if match is None else match[0]


def _commands(path: str, text: str, head: str) -> Iterator[Statement]:
    for command in _COMMAND.finditer(head):
        yield from _installed(path, text, pip_commands.words(command[1]), command.start(1))


def _started(path: str, text: str) -> Iterator[Statement]:
    """What the commands install that a program runs."""
    for call in islice(_SHELL.finditer(text), _MAX_CALLS):
        group = 1 if call[1] else 2
        yield from _installed(path, text, pip_commands.words(call[group]), call.start(group))
    for call in islice(_LIST.finditer(text), _MAX_CALLS):
        alone = "--no-deps" in call[1]
        words = (
            pip_commands.CommandWord(one[1] or one[2], one.start() + 1, one.end() - 1, alone)
            for one in _STRING.finditer(call[1])
            if one[1] or one[2]
        )
        yield from _installed(path, text, words, call.start(1))


def _installed(
    path: str, text: str, words: Iterable[pip_commands.CommandWord], begin: int
) -> list[Statement]:
    """The packages of interest among the words of a command that begins somewhere in a text."""
    found = []
    for word in words:
        statement = statement_of(word.content, path, text, begin + word.start, begin + word.end)
        if statement is not None:
            found.append((word, statement))
    return pip_commands.with_company(found)


def _block(path: str, text: str, head: str) -> Iterator[Statement]:
    block = _BLOCK.search(head)
    asked = _ASKED.search(head, block.start(), block.end()) if block is not None else None
    if block is None or asked is None:
        return
    for one in _STRING.finditer(head, asked.end(), block.end()):
        content = one[1] or one[2]
        if content is None:
            return
        statement = statement_of(content, path, text, one.start() + 1, one.end() - 1)
        if statement is not None:
            yield statement
