"""The language of the scripts that start programs: the commands with options for a Python program are its sections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from cfglint.roles.script_programs import names_file
from cfglint.roles.scripts import command_of as started_by
from cfglint.source.document import Document, Entry, Mapping, Scalar
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.shell import Program, Shell, command_of
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.text import SourceText

_MODULE = ("-m", "--module")
#: How the modules of launchers begin, which start the program that is named behind them.
_OF_LAUNCHERS = ("torch.", "accelerate.", "deepspeed.")
#: Gives the options of a program by its file or its module; None for one that is not known.
OptionsOf = Callable[[str], "Arguments | None"]
#: Gives the fields of a program that are surely not set when a command does not have them as options.
UnsetOf = Callable[[str], frozenset[str]]


class ScriptsOfPrograms(Shell):
    """The language of such scripts.

    Args:
        options_of: gives the options of a program.
        unset_of: gives the fields that a command leaves unset which does not have them.
    """

    def __init__(
        self, options_of: OptionsOf, unset_of: UnsetOf = lambda _program: frozenset()
    ) -> None:
        super().__init__(partial(_program_at, options_of))
        self._unset_of = unset_of

    def read(self, source: SourceText, *, pure: bool = False) -> Document:
        """The document: a section for each command."""
        read = super().read(source, pure=pure)
        root = Mapping(0, 0, None, None, flow=True)
        if read.root.entries:
            root.entries = list(_sections(read.root, self._unset_of))
        return Document(source, root, language=self)


def _program_at(options_of: OptionsOf, words: Sequence[ExpandedWord], at: int) -> Program | None:
    """The Python program that a word of a command is, if options follow on it."""
    word = words[at].text
    is_module = at > 0 and words[at - 1].text in _MODULE and not word.startswith(_OF_LAUNCHERS)
    if not (word.endswith(".py") or is_module) or word.startswith("-"):
        return None
    following = words[at + 1 :]
    if names_file(following) or not any(one.text.startswith("--") for one in following):
        return None
    options = options_of(word)
    return Program(word, options) if options is not None else None


def _sections(first: Mapping, unset_of: UnsetOf) -> Iterator[Entry]:
    """The commands of a script, of which the first one has the others among its entries."""
    others = [entry.value for entry in first.entries if command_of(entry.value) is not None]
    first.entries = [entry for entry in first.entries if command_of(entry.value) is None]
    for number, node in enumerate([first, *others], 1):
        assert isinstance(node, Mapping)
        # What else is not written has the default of a class that the project may have changed.
        node.settled = unset_of(started_by(node))
        node.entries = [_with_underscores(entry) for entry in node.entries]
        yield Entry(
            Scalar(node.start, node.start, None, None, "", "", "", f"command {number}"), node
        )


def _with_underscores(entry: Entry) -> Entry:
    """An option that the release does not have, by the name that its field would have."""
    key = entry.key
    if entry.name is None or not isinstance(key, Scalar) or "-" not in entry.name.strip("-"):
        return entry
    name = entry.name.replace("-", "_")
    return Entry(
        Scalar(key.start, key.end, None, None, key.text, "", key.tag or "", name), entry.value
    )
