"""A command that starts a run, and its words."""

from __future__ import annotations

import os

from cfglint.base.record import Record
from cfglint.source.text import Span


class Word(Record):
    """One word of a command, where it is in the file."""

    text: str
    start: int
    end: int
    #: It contains a variable, or a command, whose value is not known.
    open: bool = False

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    def behind(self, name: str) -> Word:
        """What is behind `name=`; of a word from a variable, the place is that of the variable."""
        start = min(self.start + len(name) + 1, self.end)
        return Word(self.text[len(name) + 1 :], start, self.end, self.open)


class Start(Record):
    """A command that starts a framework with a config."""

    #: The file that it is in, absolute.
    path: str
    #: The program, module or file of the framework that it starts, and where that is named.
    program: str
    at: int
    #: The sub-command, or the one that the module implements: `train`, `preprocess` …
    command: str
    #: The command trains.
    trains: bool
    #: It is the framework's own command, not a module that a launcher starts.
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
    #: The variables that the command sets, or the script for all its commands.
    environment: tuple[tuple[str, str], ...]
    #: Something starts it several times, once for each task.
    copied: bool

    @property
    def folder(self) -> str:
        """The folder that the paths among its words are taken to be relative to."""
        return os.path.dirname(self.path)

    @property
    def span(self) -> Span:
        """From its program, or its module, to the config."""
        return Span(self.at, self.config.end)

    def option(self, *names: str) -> Word | None:
        """The value of an option of the launcher, with `_` or `-` in its name; the last counts."""
        found = option_in(self.before, names)
        if self.own:
            found = option_in(self.handed, names) or option_in(self.words, names)
        return found


def option_in(words: tuple[Word, ...], names: tuple[str, ...]) -> Word | None:
    """The value of an option with one of these names (with `_` for `-`); the last counts."""
    found: Word | None = None
    for place, word in enumerate(words):
        name, equals, _ = word.text.partition("=")
        if name.startswith("--") and name[2:].replace("-", "_") in names:
            if equals:
                found = word.behind(name)
            elif place + 1 < len(words):
                found = words[place + 1]
    return found
