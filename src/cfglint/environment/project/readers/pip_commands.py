"""Packages that a file installs by a command: `RUN pip install torch==2.6.0`, a program's `pip_install("…")`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.environment.project.readers.requirements import REQUIREMENT, statement_of
from cfglint.environment.project.stated_versions import Statement, is_exact
from cfglint.environment.project.variables import Variables
from cfglint.knowledge.releases.bounds import asked_by, bounding_packages
from cfglint.knowledge.releases.ranges import within

_MAX_FOUND = 100
#: The methods of an image in a program that installs something.
_OF_IMAGES = ("pip_install", "run_commands", "dockerfile_commands")
_COMMAND = lazy_pattern(
    r"\b(?:uv[ \t]+)?(?:pip3?[ \t]+install|uv[ \t]+add)\b((?:[^\n;&|\\]|\\\r?\n){0,2000})"
)
_WORD = lazy_pattern(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'\\]+")
#: A pair of typographic quotes, which some editors put in the place of plain ones: double, or single (U+2018 to U+201A).
_TYPESET = lazy_pattern(
    r"[“”„]([^“”„\"\n]{1,200})[“”„]|[\u2018\u201a]([^\u2018-\u201a'\n]{1,200})[\u2018\u2019]"
)
_CONTINUED = lazy_pattern(r"(?m)^[ \t]+([A-Za-z][\w.-]{0,60}==[\w.]{1,30})[ \t]*\\?\r?$")
#: With it, pip installs nothing that a package asks for.
_ALONE = lazy_pattern(r"(?<![\w-])--no-deps\b")
#: With one of these, a package is installed again that is there.
_AGAIN = lazy_pattern(r"(?<![\w-])(?:--upgrade\b|-[a-zA-Z]{0,3}U\b|--force-reinstall\b)")


class CommandWord(NamedTuple):
    """A word behind a command that installs packages, and where it is."""

    content: str
    start: int
    end: int
    #: Nothing is installed with it that it asks for.
    is_alone: bool = False
    #: Where the command begins.
    command: int = 0
    #: It is installed again, if another release is there.
    is_again: bool = False
    #: The command is run where another one fails.
    is_otherwise: bool = False

    @property
    def is_newest(self) -> bool:
        """Whether the newest release is installed, whatever there is."""
        return self.is_alone or self.is_again


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest that a script, an image or a function installs."""
    found = _found(path, text, _python(text) if path.endswith(".py") else words(text))
    # The calls of a program come in no order.
    return with_company(found if path.endswith(".py") else without_replaced(found))


def _found(
    path: str, text: str, words: Iterable[CommandWord]
) -> list[tuple[CommandWord, Statement]]:
    found = []
    for word in words:
        statement = statement_of(word.content, path, text, word.start, word.end)
        if statement is not None:
            found.append((word, statement))
    return found


def without_replaced(
    found: list[tuple[CommandWord, Statement]],
) -> list[tuple[CommandWord, Statement]]:
    """The statements of commands that run one after the other, without the releases that later ones replace.

    `pip install peft==0.9.0`, `pip install --force-reinstall git+https://github.com/huggingface/peft`: the newest is there.
    `pip install transformers==4.48.3`, `pip install vllm==0.8.5`: what vLLM asks for is there.
    """
    out: list[tuple[CommandWord, Statement]] = []
    later: dict[str, list[tuple[CommandWord, Statement]]] = {}
    for word, statement in reversed(found):
        same = later.setdefault(statement.package, [])
        is_replaced = any(_replaces(one, by, word, statement) for by, one in same) or any(
            _brings_another(one, by, word, statement) for rows in later.values() for by, one in rows
        )
        if not is_replaced:
            out.insert(0, (word, statement))
        same.append((word, statement))
    return out


def _brings_another(
    later: Statement, by: CommandWord, word: CommandWord, statement: Statement
) -> bool:
    """Whether a later command installs a package that asks for another release than the one that is there."""
    if by.command == word.command or by.is_otherwise or by.is_alone or later.version is None:
        return False
    spec = asked_by(later.package, later.version).get(statement.package)
    return bool(spec and statement.version and not within(statement.version, spec))


def _replaces(later: Statement, by: CommandWord, word: CommandWord, statement: Statement) -> bool:
    """Whether another release is there once a later command has run. Of two exact ones none is known to be meant."""
    if by.command == word.command or by.is_otherwise or is_exact(later):
        return False
    if by.is_again or later.written.startswith("git+"):
        return True
    version = statement.version
    return bool(version and later.spec and not within(version, later.spec))


def with_company(found: list[tuple[CommandWord, Statement]]) -> list[Statement]:
    """The statements of commands, in their order; marked where they imply nothing of other packages.

    `pip install unsloth==2025.11.4` brings the releases that it asks for, unless an option prevents that, or others follow.
    """
    out: list[Statement] = []
    later: set[int] = set()
    for word, statement in reversed(found):
        is_open = not (statement.version or statement.spec or statement.commit)
        if statement.package in bounding_packages() and (word.is_alone or later - {word.command}):
            statement = statement.replaced(alone=True)
        elif word.is_newest and is_open:
            later.add(word.command)
        out.insert(0, statement)
    return out


def of_readme(path: str, text: str) -> list[Statement]:
    """The same for a description, in whose commands the end of a line is easily lost, and quotes are often typographic."""
    text = _TYPESET.sub(lambda pair: f'"{pair[1] or pair[2]}"', text)
    # Of several commands people take one.
    found = with_company(_found(path, text, words(text)))
    places = {one.place for one in found}
    for line in islice(_CONTINUED.finditer(text), _MAX_FOUND):
        statement = statement_of(line[1], path, text, line.start(1), line.end(1))
        if statement is not None and statement.place not in places:
            found.append(statement)
    return found


def words(text: str) -> Iterator[CommandWord]:
    """The words behind the commands, with what the file gives their variables, and where they are."""
    variables = Variables(text)
    for command in islice(_COMMAND.finditer(text), _MAX_FOUND):
        line_start = text.rfind("\n", 0, command.start()) + 1
        if "#" in text[line_start : command.start()]:
            continue
        is_alone, is_again = (one.search(command[1]) is not None for one in (_ALONE, _AGAIN))
        is_otherwise = text[line_start : command.start()].rstrip().endswith("||")
        for word in islice(_WORD.finditer(text, command.start(1), command.end(1)), _MAX_FOUND):
            content = word.group()
            if content.startswith("#"):
                break
            quoted = content[0] in "\"'"
            inner = variables.expanded(content[1:-1] if quoted else content)
            if inner and not content.startswith("-"):
                start, end = word.start() + quoted, word.end() - quoted
                at = command.start()
                yield CommandWord(inner, start, end, is_alone, at, is_again, is_otherwise)


def _python(text: str) -> Iterator[CommandWord]:
    if not any(word in text for word in _OF_IMAGES):
        return
    from cfglint.environment.project.readers.program_images import Written

    written = Written(text)
    if written.is_read:
        yield from (CommandWord(*one) for one in islice(written.packages, _MAX_FOUND))
        for command, begin, _ in islice(written.commands, _MAX_FOUND):
            for word in words(command):
                start, end = begin + word.start, begin + word.end
                yield word._replace(start=start, end=end, command=begin + word.command)
        return
    # Not of this Python, or a part of a program.
    for string in islice(REQUIREMENT.finditer(text), _MAX_FOUND):
        line_start = text.rfind("\n", 0, string.start()) + 1
        if not text[line_start : string.start()].lstrip().startswith("#"):
            yield CommandWord(string.group(1), string.start(1), string.end(1))
