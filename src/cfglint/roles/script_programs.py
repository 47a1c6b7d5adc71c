"""Which words of a command are a program of a framework that its options follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cfglint.knowledge.marks import command_at, marks_of
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.shell import Program, Programs
from cfglint.source.shell_values import ExpandedWord

_FILES = (".yaml", ".yml", ".json")
_CONFIG = "--config"


def programs_of(
    framework: str,
    options_for: Callable[[str, str, Sequence[ExpandedWord]], Arguments | None],
) -> Programs:
    """What finds the framework's programs in a command.

    Args:
        options_for: the options of a sub-command, by its name, the word that calls it, and the words
            behind; None when what it calls is not known to take them.
    """
    starter = marks_of(framework).starter

    def program_at(words: Sequence[ExpandedWord], at: int) -> Program | None:
        # Most words are neither a name nor a module of the framework's.
        if starter is None or not _may_start(words[at].text):
            return None
        found = command_at([word.text for word in words[: at + 2]], at, starter)
        if found is None:
            return None
        command, taken = found
        following = words[at + 1 + taken :]
        if not following or names_file(following):
            return None
        options = options_for(command, words[at].text, following)
        return Program(command, options, taken) if options is not None else None

    return program_at


def _may_start(word: str) -> bool:
    return not word.startswith("-") and "=" not in word


def names_file(words: Sequence[ExpandedWord]) -> bool:
    """Whether the arguments of a command are in a file, over which its options are laid."""
    if not words:
        return False
    first = words[0]
    if first.text.lower().endswith(_FILES):
        return True
    if first.open and (len(words) == 1 or not first.many) and not first.text.startswith("--"):
        return True
    return any(word.text.partition("=")[0] == _CONFIG for word in words)
