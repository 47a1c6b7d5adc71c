"""What the comments above a program's first statement install: `# pip install NAME`, or the block for `uv run` (PEP 723)."""

from __future__ import annotations

from collections.abc import Iterator

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
_BLOCK = lazy_pattern(r"(?m)^# /// script[ \t]*\r?\n((?:#[^\n]*\n)*?)# ///[ \t]*$")
_ASKED = lazy_pattern(r"(?m)^#[ \t]*dependencies[ \t]*=[ \t]*\[")
_STRING = lazy_pattern(r"\"([^\"\n]*)\"|'([^'\n]*)'|\]")
#: Such a program starts in an environment of its own.
_BY_UV = lazy_pattern(r"\A#![^\n]*\buv[ \t]+run\b")


def read(path: str, text: str, *, by_uv: bool) -> Source | None:
    """The packages of interest that the head of a program lists; None for none.

    Args:
        by_uv: a script or a page has it started by `uv run`, which installs what its block asks for.
    """
    head = head_of(text)
    found = list(_block(path, text, head)) if by_uv or _BY_UV.match(head) else []
    found = found or list(_commands(path, text, head))
    return Source(path, "head", 0, tuple(undisputed(found))) if found else None


def head_of(text: str) -> str:
    """What is above the first statement."""
    match = _HEAD.match(text)
    return "" if match is None else match[0]


def _commands(path: str, text: str, head: str) -> Iterator[Statement]:
    for command in _COMMAND.finditer(head):
        found = []
        for word in pip_commands.words(command[1]):
            begin = command.start(1)
            statement = statement_of(word.content, path, text, begin + word.start, begin + word.end)
            if statement is not None:
                found.append((word, statement))
        yield from pip_commands.with_company(found)


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
